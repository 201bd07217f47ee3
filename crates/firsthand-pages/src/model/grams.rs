//! The heaviest grams of a document, and the features that make up their weights.

use super::TextAndJson;
use super::words::signed;
use firsthand::model::Contribution;
use firsthand_jobs::model_weights::DocumentWeights;
use firsthand_jobs::numbers::{counted, grouped};
use firsthand_jobs::visible::visible;
use serde_json::json;

/// The most features listed with a gram.
const PARTS: usize = 5;

/// The heaviest grams of a document, at most `top`, and the features that make up their weights.
pub fn grams(weights: &DocumentWeights, top: usize) -> TextAndJson {
    let DocumentWeights { id, words, grams: all, set_aside, weighted: grams, sum } = weights;
    let mut text = format!(
        "{}: {}, {}, {} of them with a weight, {sum:.2} in all\n",
        visible(id),
        counted(*words as u64, "word"),
        counted(*all as u64, "gram"),
        grouped(grams.len() as u64),
    );
    if *set_aside > 0 {
        let passages = counted(*set_aside as u64, "passage");
        text += &format!("{passages} set aside as page furniture\n");
    }
    text += "\n  weight  gram\n";
    let width = grams.iter().take(top).map(|gram| gram.text.chars().count()).max().unwrap_or(0);
    let width = width.min(30);
    for gram in grams.iter().take(top) {
        let parts: Vec<String> = gram.parts.iter().take(PARTS).map(part).collect();
        let more = match gram.parts.len().saturating_sub(PARTS) {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        let gram_text = visible(&gram.text);
        let parts = parts.join(", ");
        text += &format!("  {:>6.2}  {gram_text:<width$}  {parts}{more}\n", gram.weight);
    }
    if grams.len() > top {
        text += &format!("and {} more: --top lists more\n", grams.len() - top);
    }
    let listed: Vec<_> = grams
        .iter()
        .take(top)
        .map(|gram| {
            let parts = gram.parts.iter().map(
                |part| json!({ "feature": part.name, "value": part.value, "adds": part.adds }),
            );
            let parts: Vec<_> = parts.collect();
            json!({ "gram": gram.text, "weight": gram.weight, "parts": parts })
        })
        .collect();
    let json = json!({
        "id": id,
        "words": words,
        "grams": all,
        "weighed": grams.len(),
        "sum": sum,
        "heaviest": listed,
    });
    TextAndJson { text, json }
}

fn part(part: &Contribution) -> String {
    format!("{} {}", part.name, signed(part.adds))
}
