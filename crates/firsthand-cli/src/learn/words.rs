//! Whether a model that was learned should be used, and how.

use crate::args::LearnArgs;
use crate::numbers::{bytes, counted, duration, score};
use crate::visible::shell_word;
use firsthand::learn::FEW_CLUSTERS;
use firsthand::model::ModelFile;
use std::time::Duration;

/// Fewer documents than this are too few for a good model.
const FEW_DOCUMENTS: usize = 60;

/// An F1 above this means no error.
const PERFECT: f64 = 0.9999;

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
                "on held-out documents the learned weights are no better than TF-IDF (F1 {} and \
                 {}): do not use this model; more labels may help.",
                score(learned.f1),
                score(tf_idf.f1)
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
    let inputs: Vec<String> = args.labels.inputs.iter().map(|input| word(input)).collect();
    vec![
        format!("Wrote {output}: model {fingerprint}, {}, in {took}.", bytes(size as u64)),
        format!("Next: firsthand dedup {} --model {output} -o result/", inputs.join(" ")),
    ]
}
