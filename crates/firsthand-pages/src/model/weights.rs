//! A model: where it comes from, and what each feature adds to the weight of a gram.

use super::TextAndJson;
use super::words::{figures, gram, measure, signed, strongest};
use firsthand::model::{Model, ModelFile, Table, Training};
use firsthand_jobs::numbers::{counted, grouped};
use firsthand_jobs::visible::visible;
use serde_json::json;

/// The most features in the summary.
const SHOWN: usize = 8;

/// A model that was just learned, in a few lines.
pub fn summary(written: &ModelFile) -> Vec<String> {
    let training = &written.training;
    let mut lines = vec![
        format!(
            "Learned {}; trained on the order of {} pairs of pairs.",
            learned_from(training),
            grouped(training.orders as u64),
        ),
        format!(
            "The loss went from {:.4} to {:.4} in {}.",
            training.loss.0,
            training.loss.1,
            counted(training.steps, "step")
        ),
        "What counts most in the weight of a gram:".to_owned(),
    ];
    lines.extend(features(written).take(SHOWN));
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

/// All that a model holds but its words; `name` is the file it was read from.
pub fn weights(name: &str, model: &Model) -> TextAndJson {
    let written = model.written();
    let mut text =
        format!("{}: model {}, version {}\n", visible(name), written.fingerprint, written.version);
    for (label, value) in facts(written) {
        text += &format!("  {label:<10} {}\n", visible(&value));
    }
    text += "\nThe weight of a gram is the sum of these weights, each times the value of its feature, and \
             at least 0:\n";
    text.extend(features(written).map(|line| line + "\n"));
    let features: Vec<_> = strongest(written)
        .into_iter()
        .map(|(name, weight, says)| json!({ "feature": name, "weight": weight, "says": says }))
        .collect();
    let json = json!({
        "model": name,
        "version": written.version,
        "fingerprint": written.fingerprint,
        "profile": written.profile,
        "words": written.words,
        "measure": written.measure,
        "threshold": written.threshold,
        "training": written.training,
        "features": features,
        "known-words": written.documents.words.len(),
        "known-title-words": written.titles.words.len(),
    });
    TextAndJson { text, json }
}

/// The features with their weights, the strongest first.
fn features(written: &ModelFile) -> impl Iterator<Item = String> {
    strongest(written)
        .into_iter()
        .map(|(name, weight, says)| format!("  {:>9}  {name:<13} {says}", signed(weight)))
}

fn learned_from(training: &Training) -> String {
    format!(
        "from {} in {}: {} of near-duplicates, {} other pairs, {} of them hard",
        counted(training.documents as u64, "document"),
        counted(training.clusters as u64, "cluster"),
        counted(training.positives as u64, "pair"),
        grouped(training.negatives as u64),
        grouped(training.hard as u64),
    )
}

fn facts(written: &ModelFile) -> Vec<(&'static str, String)> {
    let training = &written.training;
    let mut facts = vec![
        ("compares", format!("{} by {} of weights", gram(written.words), measure(written.measure))),
        ("threshold", written.threshold.to_string()),
        ("profile", written.profile.clone()),
        ("learned", learned_from(training)),
        (
            "training",
            format!(
                "the order of {} pairs of pairs, seed {}, {}, loss from {:.4} to {:.4}",
                grouped(training.orders as u64),
                training.seed,
                counted(training.steps, "step"),
                training.loss.0,
                training.loss.1,
            ),
        ),
    ];
    if let (Some(learned), Some(tf_idf)) = (training.held_out, training.tf_idf) {
        let times = counted(training.folds as u64, "time");
        facts.push(("held out", format!("{} (a part of the labels {times})", figures(learned))));
        facts.push(("TF-IDF", format!("{} on the same", figures(tf_idf))));
    } else {
        facts.push(("held out", "nothing: the quality on other documents is unknown".to_owned()));
    }
    facts.push(("knows", table(&written.documents, "text")));
    facts.push(("", table(&written.titles, "title")));
    facts
}

fn table(table: &Table, of: &str) -> String {
    let words = counted(table.words.len() as u64, "word");
    format!("{words} of {}", counted(u64::from(table.documents), of))
}
