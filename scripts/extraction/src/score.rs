//! How well a text agrees with the one it should be.

use std::collections::HashMap;

/// Precision, recall and F1 of one page, or their means over many.
#[derive(Clone, Copy, Default)]
pub struct Score {
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
}

/// What the figures mean, for the reader of the table.
pub const DEFINITION: &str = "\
A text is the bag of its words: runs of letters, digits and underscores, in lower case. Of one page,
precision is the share of the found words that are in the marked text, as often as they are there;
recall is the share of its words that were found; F1 is their harmonic mean. The figures are means
over pages; a page on which an extractor fails counts as an empty text.";

/// Scores a found text.
pub fn score(found: &str, gold: &str) -> Score {
    let (found, gold) = (words(found), words(gold));
    let (all, wanted): (usize, usize) = (found.values().sum(), gold.values().sum());
    if all == 0 && wanted == 0 {
        return Score { precision: 1.0, recall: 1.0, f1: 1.0 };
    }
    let shared: usize =
        found.iter().map(|(word, count)| *count.min(gold.get(word).unwrap_or(&0))).sum();
    let precision = shared as f64 / all.max(1) as f64;
    let recall = if wanted == 0 { 1.0 } else { shared as f64 / wanted as f64 };
    let sum = precision + recall;
    Score { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
}

fn words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()) {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    counts
}

/// The means of some scores.
pub fn mean(scores: &[Score]) -> Score {
    let mean =
        |of: fn(&Score) -> f64| scores.iter().map(of).sum::<f64>() / scores.len().max(1) as f64;
    Score { precision: mean(|s| s.precision), recall: mean(|s| s.recall), f1: mean(|s| s.f1) }
}
