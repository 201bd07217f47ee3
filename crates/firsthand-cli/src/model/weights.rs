//! A model: where it comes from, and what each feature adds to the weight of a gram.

use super::words::{figures, gram, measure, signed, strongest};
use super::{TextAndJson, title};
use crate::numbers::{counted, grouped};
use crate::visible::visible;
use firsthand::model::{Model, ModelFile, Table};
use serde_json::json;

pub(super) fn show(name: &str, model: &Model) -> TextAndJson {
    let written = model.written();
    let mut text = format!("{}: {}\n", visible(name), title(model));
    for (label, value) in facts(written) {
        text += &format!("  {label:<10} {}\n", visible(&value));
    }
    text += "\nThe weight of a gram is the sum of these weights, each times the value of its feature, and \
             at least 0:\n";
    for (name, weight, says) in strongest(written) {
        text += &format!("  {:>9}  {name:<13} {says}\n", signed(weight));
    }
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

fn facts(written: &ModelFile) -> Vec<(&'static str, String)> {
    let training = &written.training;
    let many = |number: usize| grouped(number as u64);
    let mut facts = vec![
        ("compares", format!("{} by {} of weights", gram(written.words), measure(written.measure))),
        ("threshold", written.threshold.to_string()),
        ("profile", written.profile.clone()),
        (
            "learned",
            format!(
                "from {} in {}: {} of near-duplicates, {} other pairs, {} of them hard",
                counted(training.documents as u64, "document"),
                counted(training.clusters as u64, "cluster"),
                counted(training.positives as u64, "pair"),
                many(training.negatives),
                many(training.hard),
            ),
        ),
        (
            "training",
            format!(
                "the order of {} pairs of pairs, seed {}, {}, loss from {:.4} to {:.4}",
                many(training.orders),
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
