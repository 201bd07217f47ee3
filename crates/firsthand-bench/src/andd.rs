//! Learned weights compared with others, as in the ANDD paper: clusters are split in half at
//! random, weights are learned on one half and measured on all pairs of the other.
//!
//! - `labelled`: documents with their clusters, and pairs that do not count.
//! - `trials`: the halves and the figures on each, and draws on which all figures are paired.
//! - `weights`: binary, TF-IDF and learned weights, in full, as signatures, and the heaviest grams
//!   only.
//! - `curve`: how many labelled documents are needed.
//! - `methods`: the methods of other papers, on the same halves.

mod curve;
mod labelled;
mod methods;
mod trials;
mod weights;

use anyhow::Result;
use firsthand::learn::LearningPlan;
use firsthand::settings::Measure;
use firsthand_input::Extract;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use trials::Trials;
pub(crate) use weights::Name;

/// What to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct AnddTask {
    pub(crate) input: PathBuf,
    pub(crate) pairs: Option<PathBuf>,
    pub(crate) profile: String,
    pub(crate) parts: Vec<Section>,
    pub(crate) runs: u64,
    /// Draws of the labels, for intervals of differences.
    pub(crate) draws: u64,
    pub(crate) weights: Vec<Name>,
    pub(crate) words: Vec<usize>,
    pub(crate) measures: Vec<Measure>,
    /// Sizes of signatures: bits for the cosine, min-hashes for Jaccard.
    pub(crate) bits: Vec<usize>,
    pub(crate) hashes: Vec<usize>,
    /// The number of heaviest grams kept.
    pub(crate) terms: Vec<usize>,
    /// The numbers of documents learned from; 0 stands for the initial weights.
    pub(crate) documents: Vec<usize>,
    /// How much of a page is read, and whether text that recurs on its site is set aside.
    pub(crate) extract: Extract,
    pub(crate) template: bool,
    /// How quotes and signatures of mail are treated.
    pub(crate) mail: Quotes,
}

/// How quotes and signatures of mail are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// They are ordinary text.
    Kept,
    /// They are kept and marked.
    Marked,
    /// They are left out.
    Cut,
}

/// A section of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Binary, TF-IDF and learned weights, all grams.
    Weights,
    /// The same as short signatures.
    Signatures,
    /// Only the heaviest grams.
    Terms,
    /// Fewer and fewer documents to learn from.
    Curve,
    /// Methods of other papers.
    Methods,
}

/// A name that no section has.
#[derive(Debug)]
pub(crate) struct NoSection;

impl fmt::Display for NoSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "there is no such section; use one or more of weights,signatures,terms,curve,methods",
        )
    }
}

impl std::error::Error for NoSection {}

impl FromStr for Section {
    type Err = NoSection;

    fn from_str(name: &str) -> Result<Self, NoSection> {
        Ok(match name {
            "weights" => Self::Weights,
            "signatures" => Self::Signatures,
            "terms" => Self::Terms,
            "curve" => Self::Curve,
            "methods" => Self::Methods,
            _ => return Err(NoSection),
        })
    }
}

/// Measures section by section; writes a line for each run, and the draws of all runs at the end.
pub(crate) fn run(task: &AnddTask, out: &mut impl Write) -> Result<()> {
    let mut plan = LearningPlan::new(&task.profile)?;
    plan.settings.template &= task.template;
    let labelled = labelled::read(task)?;
    let mut trials = Trials::new(&labelled.truth, task.runs, task.draws, out)?;
    trials.collection()?;
    weights::measure(task, &labelled, &plan, &mut trials)?;
    if task.parts.contains(&Section::Curve) {
        curve::measure(task, &labelled, &plan, &mut trials)?;
    }
    if task.parts.contains(&Section::Methods) {
        methods::measure(&labelled, &plan, &mut trials)?;
    }
    trials.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::{self, Shape};
    use serde_json::Value;

    fn measured(parts: &[Section]) -> Vec<Value> {
        let mut lines = Vec::new();
        collection::write(Shape::Web, 240, 7, &mut lines).expect("memory does not fail");
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("docs.jsonl");
        std::fs::write(&input, lines).expect("written");
        let task = AnddTask {
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

    /// The mean of a figure over the runs of a method.
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
        let lines = measured(&[Section::Weights, Section::Signatures, Section::Terms]);
        // Three weights by two measures; for two weights, two sizes of bits, one of hashes, two of
        // terms.
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
        let lines = measured(&[Section::Curve, Section::Methods]);
        for size in [0, 20] {
            assert!(mean(&lines, "curve", "learned", Some(size), "max_f1") > 0.5);
        }
        let recall = |name| mean(&lines, "methods", name, None, "recall");
        assert!(recall("shingles") > recall("i-match"));
        assert!(mean(&lines, "methods", "spotsigs", None, "features") > 1.0);
    }
}
