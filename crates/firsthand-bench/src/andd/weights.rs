//! Binary, TF-IDF and learned weights: all grams, short signatures of them, and the heaviest alone.

use super::{
    Part, Task,
    labelled::Labelled,
    trials::{Beside, Trials, Way},
};
use anyhow::Result;
use firsthand::evaluate::Sample;
use firsthand::learn::{LearnError, Plan, Signatures, Trainer};
use firsthand::model::Model;
use firsthand::settings::Measure;
use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::time::Instant;

/// The sizes that the paper's tables have: 384 bits, 80 min-hashes.
const BITS: usize = 384;
const HASHES: usize = 80;

pub(super) fn measure<W: Write>(
    task: &Task,
    labelled: &Labelled,
    plan: &Plan,
    trials: &mut Trials<'_, W>,
) -> Result<()> {
    let wanted = [Part::Weights, Part::Signatures, Part::Terms];
    if !task.parts.iter().any(|part| wanted.contains(part)) {
        return Ok(());
    }
    for &words in &task.words {
        for &measure in &task.measures {
            let signatures = signatures(task, words, measure);
            if signatures.is_empty() && !task.parts.contains(&Part::Weights) {
                continue;
            }
            let plan = Plan { words, measure, ..plan.clone() };
            let lesson = Trainer::new(&labelled.documents, &labelled.truth, &plan)?;
            for (run, (train, _)) in trials.halves().iter().enumerate() {
                for &name in &task.weights {
                    let start = Instant::now();
                    let model = name.model(&lesson, train)?;
                    let seconds = start.elapsed().as_secs_f64();
                    let way = Way {
                        part: "weights",
                        name: name.to_string(),
                        measure: Some(measure),
                        words: Some(words),
                        size: None,
                    };
                    let threshold = Some(model.written().threshold.value());
                    let beside = Beside { threshold, seconds, ..Beside::default() };
                    trials.row(&way, run, &lesson.score(&model)?, beside)?;
                    // The paper has neither signatures nor single terms of binary weights.
                    if name == Name::Binary || signatures.is_empty() {
                        continue;
                    }
                    let kinds: Vec<Signatures> = signatures.iter().map(|kind| kind.2).collect();
                    let scored = lesson.score_by(&model, &kinds)?;
                    for (&(part, size, _), scored) in signatures.iter().zip(&scored) {
                        let way = Way { part, size: Some(size), ..way.clone() };
                        trials.row(&way, run, scored, Beside::default())?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Weights, by their name.
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
        f.write_str("there are no such weights; use some of binary,tf-idf,learned")
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

/// Which signatures are measured: of single words at all sizes, of longer grams at the paper's.
fn signatures(
    task: &Task,
    words: usize,
    measure: Measure,
) -> Vec<(&'static str, usize, Signatures)> {
    let mut found = Vec::new();
    let sizes = |all: &[usize], paper: usize| -> Vec<usize> {
        all.iter().copied().filter(|&size| words == 1 || size == paper).collect()
    };
    if task.parts.contains(&Part::Signatures) {
        match measure {
            Measure::Cosine => found
                .extend(sizes(&task.bits, BITS).iter().map(|&n| ("bits", n, Signatures::Bits(n)))),
            Measure::Jaccard => found.extend(
                sizes(&task.hashes, HASHES).iter().map(|&n| ("hashes", n, Signatures::Hashes(n))),
            ),
            _ => {}
        }
    }
    if task.parts.contains(&Part::Terms) && words == 1 && measure == Measure::Cosine {
        found.extend(task.terms.iter().map(|&n| ("terms", n, Signatures::Heaviest(n))));
    }
    found
}
