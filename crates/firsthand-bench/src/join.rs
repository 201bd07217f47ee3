//! Times joins of one signed collection, row by row: the exact join, SpotSigs' own matcher with
//! parts of it disabled, and hashing methods.
//!
//! Documents are read and signed once. Every row then gets the same sets, and only its join is
//! timed. Each row is a JSON line.

mod fingerprints;
mod found_pairs;
mod matcher;
pub(crate) mod memory;
mod partitions;
mod ranked;
mod read;
mod rows;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use firsthand::{Settings, settings::Threshold};

pub(crate) use rows::JoinRow;

/// What to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct JoinTask {
    pub(crate) input: PathBuf,
    pub(crate) config: Settings,
    pub(crate) rows: Vec<JoinRow>,
    pub(crate) thresholds: Vec<Threshold>,
    /// A row that takes longer is stopped, and its time extrapolated.
    pub(crate) limit: Duration,
    /// The number of runs of a quick row; the fastest counts.
    pub(crate) rounds: usize,
}

/// Measures; writes the collection's figures and one line for each row.
pub(crate) fn run(task: &JoinTask, out: &mut impl Write) -> Result<()> {
    let signed = read::sign(&task.input, &task.config)?;
    line(out, &signed.figures)?;
    rows::measure(&signed.sets, task, |measured| line(out, measured))
}

fn line(out: &mut impl Write, value: &impl serde::Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")?;
    // A run takes minutes: rows appear as they are done.
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::{self, Shape};
    use serde_json::Value;

    /// The lines of a run over a generated collection.
    fn measured(documents: usize, rows: &[JoinRow], thresholds: &[&str]) -> Vec<Value> {
        let mut lines = Vec::new();
        collection::write(Shape::Wt10g, documents, 7, &mut lines).expect("memory does not fail");
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("docs.jsonl");
        std::fs::write(&input, lines).expect("written");
        let config = Settings::method("spotsigs").expect("a method");
        let task = JoinTask {
            input,
            config: Settings { min_features: 5, ..config },
            rows: rows.to_vec(),
            thresholds: thresholds.iter().map(|t| t.parse().expect("a threshold")).collect(),
            limit: Duration::from_secs(1000),
            rounds: 1,
        };
        let mut out = Vec::new();
        run(&task, &mut out).expect("measured");
        let text = String::from_utf8(out).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[test]
    fn pages_have_as_many_signatures_as_those_of_the_paper() {
        let figures = &measured(3000, &[], &[])[0];
        assert_eq!(figures["documents"], 3000);
        assert!(figures["compared"].as_u64().expect("a number") > 2990, "{figures}");
        let mean = figures["features"].as_f64().expect("a number") / 3000.0;
        assert!((19.0..23.5).contains(&mean), "{mean} signatures a page");
        // Most occur on one page only, and some on many.
        let share = |name: &str| {
            figures[name].as_f64().expect("a number")
                / figures["distinct"].as_f64().expect("a number")
        };
        assert!(share("single") > 0.7 && share("middle") > 0.001, "{figures}");
    }

    #[test]
    fn exact_rows_agree_and_bands_find_no_more() {
        let rows = JoinRow::ALL.map(|(_, row)| row);
        let lines = measured(2000, &rows, &["0.9", "0.5"]);
        // The collection, I-Match-S, and five rows at each of two thresholds.
        assert_eq!(lines.len(), 2 + 2 * 5);
        for at in [2, 7] {
            let (exact, rest) = (&lines[at], &lines[at + 1..at + 5]);
            assert_eq!(exact["row"], "exact");
            assert!(exact["pairs"].as_u64().expect("a number") > 50, "{exact}");
            for row in &rest[..3] {
                assert_eq!(row["pairs"], exact["pairs"], "{row}");
                assert_eq!(row["recall"], 1.0, "{row}");
                assert_eq!(row["recall_of_i_match"], exact["recall_of_i_match"], "{row}");
            }
            let (bands, all) = (&rest[3]["pairs"], &exact["pairs"]);
            assert_eq!(rest[3]["row"], "lsh-s");
            assert!(bands.as_u64() <= all.as_u64() && rest[3]["recall"].as_f64() > Some(0.7));
        }
    }
}
