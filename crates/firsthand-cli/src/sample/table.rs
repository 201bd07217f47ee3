//! The pairs as a table to be filled in, one line each.

use super::collect::Collected;
use super::excerpt::excerpts;
use crate::numbers::score;
use anyhow::{Context, Result};
use firsthand::{Detector, collections::Match, explain};

/// `firsthand tune` finds the columns by these names.
const HEADER: &str = "a\tb\tlabel\tscore\texact\texcerpt_a\texcerpt_b\n";

/// Whether an id is read back from a table as it is written, and harmless on a terminal.
pub(super) fn writable(id: &str) -> bool {
    let plain = !id.is_empty() && id.trim() == id && !id.contains(char::is_control);
    plain && !id.starts_with(['#', '"'])
}

/// Writes the table; the texts are read once more for it.
pub(super) fn write(
    collected: &Collected,
    detector: &Detector,
    picked: &[Match],
) -> Result<String> {
    let wanted = picked.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let documents = collected.documents(&wanted)?;
    let mut table = HEADER.to_owned();
    for pair in picked {
        let document = |at: usize| documents.get(&at).context("a document is gone");
        let (a, b) = (document(pair.a)?, document(pair.b)?);
        let explanation = explain(&collected.collection, a, b)?;
        let (excerpt_a, excerpt_b) = excerpts(&explanation.passages);
        let (score, exact) = (score(pair.score), pair.exact.to_string());
        let line = [&a.id, &b.id, "", &score, &exact, &excerpt_a, &excerpt_b];
        table.push_str(&line.join("\t"));
        table.push('\n');
    }
    Ok(table)
}
