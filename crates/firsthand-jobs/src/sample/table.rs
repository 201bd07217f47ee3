//! The pairs as a table to be filled in, one line each.

use super::{PairSample, SampledPair};
use crate::numbers::score;
use crate::results::csv::defused;
use crate::visible::visible;

/// Tuning finds the columns by these names.
const HEADER: &str = "a\tb\tlabel\tscore\texact\texcerpt_a\texcerpt_b\n";

impl PairSample {
    /// The pairs as a table to be filled in.
    pub fn table(&self) -> String {
        let line = |pair: &SampledPair| {
            let SampledPair { a, b, score: similarity, exact, excerpts, .. } = pair;
            let (similarity, excerpts) =
                (score(*similarity), [cell(&excerpts.0), cell(&excerpts.1)]);
            let (a, b) = (defused(a), defused(b));
            format!("{a}\t{b}\t\t{similarity}\t{exact}\t{}\n", excerpts.join("\t"))
        };
        HEADER.to_owned() + &self.pairs.iter().map(line).collect::<String>()
    }
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
