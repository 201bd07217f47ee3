//! Whether a model that was learned should be used, and how.

use crate::args::LearnArgs;
use crate::numbers::{bytes, counted, duration, score};
use crate::visible::shell_word;
use firsthand::learn::FEW_CLUSTERS;
use firsthand::model::{Model, ModelFile, Training};
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
        (Some(learned), Some(tf_idf)) if !is_better(training) => {
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

/// Whether the learned weights are better than TF-IDF, as far as that is known.
fn is_better(training: &Training) -> bool {
    let Some((learned, tf_idf)) = training.held_out.zip(training.tf_idf) else {
        return true;
    };
    let is_perfect = learned.f1 > PERFECT && tf_idf.f1 > PERFECT;
    is_perfect || learned.f1 > tf_idf.f1 || learned.recall_at_99 > tf_idf.recall_at_99
}

/// The file that was written, and the command that uses it, unless the model is of no use.
pub(super) fn end(
    args: &LearnArgs,
    model: &Model,
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
    let fingerprint = model.fingerprint();
    let wrote = format!("Wrote {output}: model {fingerprint}, {}, in {took}.", bytes(size as u64));
    let next = is_better(&model.written().training)
        .then(|| format!("Next: firsthand dedup {} --model {output} -o result/", inputs.join(" ")));
    [wrote].into_iter().chain(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::model::HeldOut;

    #[test]
    fn a_model_is_recommended_unless_it_is_no_better() {
        let quality = |f1: f64| Some(HeldOut { precision: 1.0, recall: f1, f1, recall_at_99: f1 });
        let training = |learned: Option<HeldOut>, tf_idf: Option<HeldOut>| Training {
            held_out: learned,
            tf_idf,
            ..Training::default()
        };
        assert!(is_better(&training(quality(0.9), quality(0.8))));
        assert!(is_better(&training(quality(1.0), quality(1.0))), "nothing tells them apart");
        assert!(is_better(&training(None, None)), "nothing is known");
        assert!(!is_better(&training(quality(0.8), quality(0.8))));
    }
}
