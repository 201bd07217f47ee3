//! Learned weights against others, as in the ANDD paper: clusters split in half at random, learned on
//! one half, measured on all pairs of the other.
//!
//! - `labelled`: documents with their clusters, and pairs that count for neither.
//! - `trials`: the halves and what is said of each, and draws on which all figures are paired.
//! - `weights`: binary, TF-IDF and learned weights, raw, as signatures, and the heaviest grams alone.
//! - `curve`: how many labelled documents it takes.
//! - `methods`: the methods of other papers, on the same halves.

mod curve;
mod labelled;
mod methods;
mod trials;
mod weights;

use anyhow::Result;
use firsthand::learn::Plan;
use firsthand::settings::Measure;
use firsthand_input::Extract;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use trials::Trials;
pub(crate) use weights::Name;

/// What is to be measured.
#[derive(Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) input: PathBuf,
    pub(crate) pairs: Option<PathBuf>,
    pub(crate) profile: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) runs: u64,
    /// Draws of the labels, for intervals of differences.
    pub(crate) draws: u64,
    pub(crate) weights: Vec<Name>,
    pub(crate) words: Vec<usize>,
    pub(crate) measures: Vec<Measure>,
    /// Sizes of signatures: bits for the cosine, min-hashes for Jaccard.
    pub(crate) bits: Vec<usize>,
    pub(crate) hashes: Vec<usize>,
    /// How many of the heaviest grams are left.
    pub(crate) terms: Vec<usize>,
    /// How many documents are learned from; 0 are the weights at the start.
    pub(crate) documents: Vec<usize>,
    /// How much of a page is read, and whether what recurs on its site is set aside.
    pub(crate) extract: Extract,
    pub(crate) template: bool,
    /// What becomes of the quotes and signatures of mail.
    pub(crate) mail: Quotes,
}

/// What becomes of the quotes and signatures of mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// They are text like other text.
    Kept,
    /// They stay, and are marked.
    Marked,
    /// They are left out.
    Cut,
}

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Binary, TF-IDF and learned weights, all grams.
    Weights,
    /// The same as short signatures.
    Signatures,
    /// The heaviest grams alone.
    Terms,
    /// Fewer and fewer documents to learn from.
    Curve,
    /// Methods of other papers.
    Methods,
}

/// A name that is not one of a part.
#[derive(Debug)]
pub(crate) struct NoPart;

impl fmt::Display for NoPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such part; use some of weights,signatures,terms,curve,methods")
    }
}

impl std::error::Error for NoPart {}

impl FromStr for Part {
    type Err = NoPart;

    fn from_str(name: &str) -> Result<Self, NoPart> {
        Ok(match name {
            "weights" => Self::Weights,
            "signatures" => Self::Signatures,
            "terms" => Self::Terms,
            "curve" => Self::Curve,
            "methods" => Self::Methods,
            _ => return Err(NoPart),
        })
    }
}

/// Measures part after part, and writes a line for each run, and the draws of all runs at the end.
pub(crate) fn run(task: &Task, out: &mut impl Write) -> Result<()> {
    let mut plan = Plan::new(&task.profile)?;
    plan.settings.template &= task.template;
    let labelled = labelled::read(task)?;
    let mut trials = Trials::new(&labelled.truth, task.runs, task.draws, out)?;
    trials.collection()?;
    weights::measure(task, &labelled, &plan, &mut trials)?;
    if task.parts.contains(&Part::Curve) {
        curve::measure(task, &labelled, &plan, &mut trials)?;
    }
    if task.parts.contains(&Part::Methods) {
        methods::measure(&labelled, &plan, &mut trials)?;
    }
    trials.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::{self, Shape};
    use serde_json::Value;

    fn measured(parts: &[Part]) -> Vec<Value> {
        let mut lines = Vec::new();
        collection::write(Shape::Web, 240, 7, &mut lines).expect("memory does not fail");
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("docs.jsonl");
        std::fs::write(&input, lines).expect("written");
        let task = Task {
            input,
            pairs: None,
            profile: "archive".to_owned(),
            parts: parts.to_vec(),
            runs: 2,
            draws: 20,
            weights: vec![Name::Binary, Name::TfIdf, Name::Learned],
            words: vec![1],
            measures: vec![Measure::Cosine, Measure::Jaccard],
            bits: vec![64, 1024],
            hashes: vec![16],
            terms: vec![1, 50],
            documents: vec![0, 20],
            extract: Extract::Main,
            template: true,
            mail: Quotes::Kept,
        };
        let mut out = Vec::new();
        run(&task, &mut out).expect("measured");
        let text = String::from_utf8(out).expect("text");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The mean of a figure over the runs of a way.
    fn mean(lines: &[Value], part: &str, name: &str, size: Option<u64>, figure: &str) -> f64 {
        let is = |line: &&Value| {
            line["part"] == part && line["name"] == name && line["size"].as_u64() == size
        };
        let values: Vec<f64> = lines.iter().filter(is).filter_map(|l| l[figure].as_f64()).collect();
        assert!(!values.is_empty(), "{part} {name} {size:?}");
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn every_way_has_its_runs_and_its_draws() {
        let lines = measured(&[Part::Weights, Part::Signatures, Part::Terms]);
        // Three weights by two measures; of two weights, two sizes of bits, one of hashes, two of terms.
        let ways = 3 * 2 + 2 * (2 + 1 + 2);
        assert_eq!(lines.len(), 1 + ways * 2 + ways);
        let drawn = lines.iter().filter_map(|line| line["drawn"]["f1"].as_array());
        assert_eq!(drawn.filter(|draws| draws.len() == 20).count(), ways);
        let best = |size| mean(&lines, "terms", "learned", Some(size), "max_f1");
        assert!(best(1) < best(50), "{} {}", best(1), best(50));
        for line in lines.iter().filter(|line| line["max_f1"].is_f64()) {
            assert!(line["f1"].as_f64() <= line["max_f1"].as_f64(), "{line}");
        }
    }

    #[test]
    fn few_documents_and_other_methods_are_on_the_same_halves() {
        let lines = measured(&[Part::Curve, Part::Methods]);
        for size in [0, 20] {
            assert!(mean(&lines, "curve", "learned", Some(size), "max_f1") > 0.5);
        }
        let recall = |name| mean(&lines, "methods", name, None, "recall");
        assert!(recall("shingles") > recall("i-match"));
        assert!(mean(&lines, "methods", "spotsigs", None, "features") > 1.0);
    }
}
