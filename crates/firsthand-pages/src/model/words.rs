//! A model in words.

use firsthand::model::{DESCRIBED, HeldOut, ModelFile};
use firsthand::settings::Measure;
use firsthand_jobs::numbers::{counted, score};

/// The features with their weights and what they say, the strongest first.
pub(super) fn strongest(written: &ModelFile) -> Vec<(&'static str, f64, &'static str)> {
    let weight = |name: &str| written.weights.get(name).copied().unwrap_or(0.0);
    let mut all: Vec<_> = DESCRIBED
        .iter()
        .map(|feature| (feature.name, weight(feature.name), feature.says))
        .collect();
    all.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    all
}

/// `+1.250` or `-0.031`.
pub(super) fn signed(weight: f64) -> String {
    format!("{weight:+.3}")
}

/// `words`, or `grams of 3 words`.
pub(super) fn gram(words: usize) -> String {
    match words {
        1 => "words".to_owned(),
        words => format!("grams of {}", counted(words as u64, "word")),
    }
}

/// The name of a measure of weights.
pub(super) fn measure(measure: Measure) -> &'static str {
    match measure {
        Measure::Cosine => "the cosine",
        Measure::ExtendedJaccard => "the extended Jaccard similarity",
        _ => "the Jaccard similarity",
    }
}

/// How good weights were on what was held out.
pub(super) fn figures(held_out: HeldOut) -> String {
    let HeldOut { precision, recall, f1, recall_at_99 } = held_out;
    let [precision, recall, f1, recall_at_99] = [precision, recall, f1, recall_at_99].map(score);
    format!(
        "precision {precision}, recall {recall}, F1 {f1}; at precision 0.99 recall {recall_at_99}"
    )
}
