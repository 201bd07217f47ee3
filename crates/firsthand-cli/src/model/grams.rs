//! The heaviest grams of a document, and what their weights are made of.

use super::words::signed;
use super::{Seen, Shown};
use crate::numbers::counted;
use crate::visible::visible;
use firsthand::model::{Contribution, Model};
use serde_json::json;
use std::collections::HashSet;

/// Features that are listed with a gram.
const PARTS: usize = 5;

pub(super) fn show(model: &Model, seen: &Seen, top: usize) -> Shown {
    let all = model.show(&seen.document, seen.fold);
    // What was set aside as furniture of its site is not compared.
    let there: HashSet<&str> = seen.explanation.shared.iter().map(|gram| &*gram.text).collect();
    let grams: Vec<_> = all.iter().filter(|gram| there.contains(&*gram.text)).collect();
    let sum: f64 = grams.iter().map(|gram| gram.weight).sum();
    let side = &seen.explanation.a;
    let mut text = format!(
        "{}: {}, {}, {} of them with a weight, {sum:.2} in all\n",
        visible(&side.id),
        counted(side.words as u64, "word"),
        counted(all.len() as u64, "gram"),
        counted(grams.len() as u64, "gram").trim_end_matches(" grams").trim_end_matches(" gram"),
    );
    if !side.aside.is_empty() {
        let passages = counted(side.aside.len() as u64, "passage");
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
        "id": side.id,
        "words": side.words,
        "grams": all.len(),
        "weighed": grams.len(),
        "sum": sum,
        "heaviest": listed,
    });
    Shown { text, json }
}

fn part(part: &Contribution) -> String {
    format!("{} {}", part.name, signed(part.adds))
}
