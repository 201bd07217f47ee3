//! Binary, TF-IDF and learned weights: all grams, short signatures of them, and the heaviest only.

use super::{
    AnddTask, Section,
    labelled::Labelled,
    trials::{Comparison, RunDetails, Trials},
};
use anyhow::Result;
use firsthand::evaluate::Sample;
use firsthand::learn::{LearnError, LearningPlan, Signatures, Trainer};
use firsthand::model::Model;
use firsthand::settings::Measure;
use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::time::Instant;

/// The sizes in the paper's tables: 384 bits, 80 min-hashes.
const BITS: usize = 384;
const HASHES: usize = 80;

pub(super) fn measure<W: Write>(
    task: &AnddTask,
    labelled: &Labelled,
    plan: &LearningPlan,
    trials: &mut Trials<'_, W>,
) -> Result<()> {
    let wanted = [Section::Weights, Section::Signatures, Section::Terms];
    if !task.parts.iter().any(|part| wanted.contains(part)) {
        return Ok(());
    }
    for &words in &task.words {
        for &measure in &task.measures {
            let signatures = signatures(task, words, measure);
            if signatures.is_empty() && !task.parts.contains(&Section::Weights) {
                continue;
            }
            let plan = LearningPlan { words, measure, ..plan.clone() };
            let lesson = Trainer::new(&labelled.documents, &labelled.truth, &plan)?;
            for (run, (train, _)) in trials.halves().iter().enumerate() {
                for &name in &task.weights {
                    let start = Instant::now();
                    let model = name.model(&lesson, train)?;
                    let seconds = start.elapsed().as_secs_f64();
                    let way = Comparison {
                        part: "weights",
                        name: name.to_string(),
                        measure: Some(measure),
                        words: Some(words),
                        size: None,
                    };
                    let threshold = Some(model.written().threshold.value());
                    let beside = RunDetails { threshold, seconds, ..RunDetails::default() };
                    trials.row(&way, run, &lesson.score(&model)?, beside)?;
                    // The paper has neither signatures nor heaviest terms for binary weights.
                    if name == Name::Binary || signatures.is_empty() {
                        continue;
                    }
                    let kinds: Vec<Signatures> = signatures.iter().map(|kind| kind.2).collect();
                    let scored = lesson.score_by(&model, &kinds)?;
                    for (&(part, size, _), scored) in signatures.iter().zip(&scored) {
                        let way = Comparison { part, size: Some(size), ..way.clone() };
                        trials.row(&way, run, scored, RunDetails::default())?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Weights, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Binary,
    TfIdf,
    Learned,
}

impl Name {
    fn model(self, lesson: &Trainer<'_>, half: &Sample) -> Result<Model, LearnError> {
        match self {
            Self::Binary => lesson.binary(half),
            Self::TfIdf => lesson.tf_idf(half),
            Self::Learned => lesson.fit(half),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "binary",
            Self::TfIdf => "tf-idf",
            Self::Learned => "learned",
        })
    }
}

/// A name that no weights have.
#[derive(Debug)]
pub(crate) struct NoWeights;

impl fmt::Display for NoWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are no such weights; use one or more of binary,tf-idf,learned")
    }
}

impl std::error::Error for NoWeights {}

impl FromStr for Name {
    type Err = NoWeights;

    fn from_str(name: &str) -> Result<Self, NoWeights> {
        let all = [Self::Binary, Self::TfIdf, Self::Learned];
        all.into_iter().find(|known| known.to_string() == name).ok_or(NoWeights)
    }
}

/// The signatures to measure: for single words all sizes, for longer grams those of the paper.
fn signatures(
    task: &AnddTask,
    words: usize,
    measure: Measure,
) -> Vec<(&'static str, usize, Signatures)> {
    let mut found = Vec::new();
    let sizes = |all: &[usize], paper: usize| -> Vec<usize> {
        all.iter().copied().filter(|&size| words == 1 || size == paper).collect()
    };
    if task.parts.contains(&Section::Signatures) {
        match measure {
            Measure::Cosine => found
                .extend(sizes(&task.bits, BITS).iter().map(|&n| ("bits", n, Signatures::Bits(n)))),
            Measure::Jaccard => found.extend(
                sizes(&task.hashes, HASHES).iter().map(|&n| ("hashes", n, Signatures::Hashes(n))),
            ),
            _ => {}
        }
    }
    if task.parts.contains(&Section::Terms) && words == 1 && measure == Measure::Cosine {
        found.extend(task.terms.iter().map(|&n| ("terms", n, Signatures::Heaviest(n))));
    }
    found
}
