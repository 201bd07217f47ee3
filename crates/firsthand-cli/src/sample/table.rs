//! The pairs as a table to be filled in, one line each.

use crate::numbers::score;
use crate::visible::visible;
use firsthand_jobs::sample::{PairSample, SampledPair};

/// `firsthand tune` finds the columns by these names.
const HEADER: &str = "a\tb\tlabel\tscore\texact\texcerpt_a\texcerpt_b\n";

pub(super) fn write(sample: &PairSample) -> String {
    let mut table = HEADER.to_owned();
    for SampledPair { a, b, score: similarity, exact, excerpts } in &sample.pairs {
        let (similarity, exact) = (score(*similarity), exact.to_string());
        let (excerpt_a, excerpt_b) = (cell(&excerpts.0), cell(&excerpts.1));
        let line = [a, b, "", &similarity, &exact, &excerpt_a, &excerpt_b];
        table.push_str(&line.join("\t"));
        table.push('\n');
    }
    table
}

/// A cell without control characters that a spreadsheet does not run as a formula.
fn cell(text: &str) -> String {
    let text = visible(text);
    let is_formula = text.starts_with(['=', '+', '-', '@', '"', '\'']);
    if is_formula { format!("'{text}") } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spreadsheet_runs_a_cell() {
        for (text, shown) in [
            ("=1+1", "'=1+1"),
            ("\"word", "'\"word"),
            ("a\u{1b}[2J", "a\\u{1b}[2J"),
            ("a-b", "a-b"),
        ] {
            assert_eq!(cell(text), shown);
        }
    }
}
