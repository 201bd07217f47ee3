//! The result of learning in words and figures.

use crate::args::LearnArgs;
use crate::model::words::{figures, gram, measure, signed, strongest};
use crate::numbers::{bytes, counted, duration, grouped};
use crate::visible::shell_word;
use firsthand::learn::FEW_CLUSTERS;
use firsthand::model::ModelFile;
use std::time::Duration;

/// The most features in the summary.
const SHOWN: usize = 8;

/// Fewer documents than this are too few for a good model.
const FEW_DOCUMENTS: usize = 60;

/// An F1 above this means no error.
const PERFECT: f64 = 0.9999;

/// The labels, and the model learned from them.
pub(super) fn summary(written: &ModelFile) -> Vec<String> {
    let training = &written.training;
    let many = |number: usize| grouped(number as u64);
    let mut lines = vec![
        format!(
            "Learned from {} in {}: {} of near-duplicates, {} other pairs, {} of them hard; trained \
             on the order of {} pairs of pairs.",
            counted(training.documents as u64, "document"),
            counted(training.clusters as u64, "cluster"),
            counted(training.positives as u64, "pair"),
            many(training.negatives),
            many(training.hard),
            many(training.orders),
        ),
        format!(
            "The loss went from {:.4} to {:.4} in {}.",
            training.loss.0,
            training.loss.1,
            counted(training.steps, "step")
        ),
        "What counts most in the weight of a gram:".to_owned(),
    ];
    for (name, weight, says) in strongest(written).into_iter().take(SHOWN) {
        lines.push(format!("  {:>9}  {name:<13} {says}", signed(weight)));
    }
    lines.push(format!(
        "Documents are near-duplicates if {} of their weighted {} reaches {}.",
        measure(written.measure),
        gram(written.words),
        written.threshold
    ));
    match (training.held_out, training.tf_idf) {
        (Some(learned), Some(tf_idf)) => {
            let times = counted(training.folds as u64, "time");
            lines.push(format!("On documents held out from training, a part of them {times}:"));
            lines.push(format!("  learned  {}", figures(learned)));
            lines.push(format!("  TF-IDF   {}", figures(tf_idf)));
        }
        _ => lines.push("No labels were held out to measure the model.".to_owned()),
    }
    lines
}

/// Reasons not to use the model.
pub(super) fn warnings(written: &ModelFile) -> Vec<String> {
    let training = &written.training;
    let mut warnings = Vec::new();
    if training.clusters < FEW_CLUSTERS || training.documents < FEW_DOCUMENTS {
        warnings.push(format!(
            "{} in {} are few to learn from: label at least {FEW_DOCUMENTS} documents and \
             {FEW_CLUSTERS} clusters, and check with `firsthand eval` whether the model helps.",
            counted(training.documents as u64, "document"),
            counted(training.clusters as u64, "cluster"),
        ));
    }
    match (training.held_out, training.tf_idf) {
        (Some(learned), Some(tf_idf)) if learned.f1 > PERFECT && tf_idf.f1 > PERFECT => {
            warnings.push(
                "TF-IDF makes no error on these labels either: they do not show whether the learned \
                 weights are better; label pairs that are harder to tell apart."
                    .to_owned(),
            );
        }
        (Some(learned), Some(tf_idf))
            if learned.f1 <= tf_idf.f1 && learned.recall_at_99 <= tf_idf.recall_at_99 =>
        {
            warnings.push(format!(
                "on held-out documents the learned weights are no better than TF-IDF (F1 {:.3} and \
                 {:.3}): do not use this model; more labels may help.",
                learned.f1, tf_idf.f1
            ));
        }
        (None, _) | (_, None) => warnings.push(
            "the quality of the model on other documents is unknown: measure it with `firsthand eval \
             --model`."
                .to_owned(),
        ),
        _ => {}
    }
    warnings
}

/// The file that was written, and the command that uses it.
pub(super) fn end(
    args: &LearnArgs,
    fingerprint: &str,
    written: Option<usize>,
    took: Duration,
) -> Vec<String> {
    let took = duration(took);
    let Some(size) = written else {
        return vec![format!("Dry run: nothing was written, in {took}.")];
    };
    let word = |path: &std::path::Path| shell_word(&path.to_string_lossy()).into_owned();
    let output = word(&args.output);
    let inputs: Vec<String> = args.inputs.iter().map(|input| word(input)).collect();
    vec![
        format!("Wrote {output}: model {fingerprint}, {}, in {took}.", bytes(size as u64)),
        format!("Next: firsthand dedup {} --model {output} -o result/", inputs.join(" ")),
    ]
}
