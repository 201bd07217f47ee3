//! What was learned, in words and figures for a person.

use crate::args::LearnArgs;
use crate::model::words::{figures, gram, measure, signed, strongest};
use crate::numbers::{bytes, counted, duration, grouped};
use crate::visible::shell_word;
use firsthand::learn::FEW_CLUSTERS;
use firsthand::model::ModelFile;
use std::time::Duration;

/// Features in the summary.
const SHOWN: usize = 8;

/// Fewer documents than this teach little.
const FEW_DOCUMENTS: usize = 60;

/// From here on there is no error.
const PERFECT: f64 = 0.9999;

/// What was learned from what.
pub(super) fn summary(written: &ModelFile) -> Vec<String> {
    let training = &written.training;
    let many = |number: usize| grouped(number as u64);
    let mut lines = vec![
        format!(
            "Learned from {} in {}: {} of near-duplicates, {} others, {} of them hard; {} of pairs.",
            counted(training.documents as u64, "document"),
            counted(training.clusters as u64, "cluster"),
            counted(training.positives as u64, "pair"),
            many(training.negatives),
            many(training.hard),
            counted(training.orders as u64, "pair"),
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
        "Near-duplicates are those that reach {} by {} of weighed {}.",
        written.threshold,
        measure(written.measure),
        gram(written.words)
    ));
    match (training.held_out, training.tf_idf) {
        (Some(learned), Some(tf_idf)) => {
            let times = counted(training.folds as u64, "time");
            lines.push(format!("On documents that were held out, {times} a part of them:"));
            lines.push(format!("  learned  {}", figures(learned)));
            lines.push(format!("  TF-IDF   {}", figures(tf_idf)));
        }
        _ => lines.push("Nothing was held out to measure it by.".to_owned()),
    }
    lines
}

/// What speaks against using the model.
pub(super) fn warnings(written: &ModelFile) -> Vec<String> {
    let training = &written.training;
    let mut warnings = Vec::new();
    if training.clusters < FEW_CLUSTERS || training.documents < FEW_DOCUMENTS {
        warnings.push(format!(
            "{} in {} are few to learn from: label {FEW_DOCUMENTS} documents and {FEW_CLUSTERS} \
             clusters or more, and see with `firsthand eval` whether the model helps.",
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
                "on what was held out the learned weights are no better than TF-IDF (F1 {:.3} and \
                 {:.3}): better not use this model; more labels may help.",
                learned.f1, tf_idf.f1
            ));
        }
        (None, _) | (_, None) => warnings.push(
            "how good the model is on other documents is not known: measure it on some with \
             `firsthand eval --model`."
                .to_owned(),
        ),
        _ => {}
    }
    warnings
}

/// What was written, and what to do with it.
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
