//! What a model is worth on documents that it has not seen, and the threshold that suits these.
//!
//! On the documents that weights were learned from, near-duplicates are more alike than they will be
//! elsewhere: a threshold chosen there is too high. So one part after another is held out, weights are
//! learned from the rest, and pairs are scored by the weights of the part that they belong to.

use super::{LearnError, Lesson};
use crate::{
    evaluate::{Counts, Goal, Sample, Scored},
    model::Model,
    pairs::Match,
    threshold::Threshold,
};

/// Precision, recall and F1.
pub(super) type Figures = (f64, f64, f64);

/// Draws of the labels by which a threshold is chosen.
const DRAWS: u64 = 100;

/// Pairs of documents, each scored by weights that were learned without it.
pub(super) struct Crossed {
    /// The parts of the labels, each as what was held out.
    parts: Vec<Sample>,
    /// The pairs of each part.
    pairs: Vec<Vec<Match>>,
    floor: f64,
}

impl Crossed {
    /// Holds out one part of a sample after another, and scores by what is learned from the rest.
    /// None if there are not two clusters for each part.
    pub(super) fn new(
        lesson: &Lesson<'_>,
        sample: &Sample,
        folds: usize,
        learn: impl Fn(&Sample) -> Result<Model, LearnError>,
    ) -> Result<Option<Self>, LearnError> {
        let truth = lesson.truth;
        let clusters = (0..truth.clusters_first() as u32).filter(|&unit| sample.unit(unit) > 0);
        let folds = folds.min(clusters.count() / 2);
        if folds < 2 {
            return Ok(None);
        }
        let (mut parts, mut pairs, mut lowest) = (Vec::new(), Vec::new(), 0.0f64);
        for (rest, held) in Sample::folds(truth, folds, lesson.plan.seed) {
            let (rest, held) = (rest.times(sample, truth), held.times(sample, truth));
            let model = match learn(&rest) {
                Ok(model) => model,
                // What is left may have exact copies only: there is nothing to learn from.
                Err(LearnError::TooFew { .. }) => continue,
                Err(error) => return Err(error),
            };
            let (near, floor) = lesson.near_from(&model)?;
            // A pair of two parts belongs to that of its first unit.
            let own = |pair: &Match| match (truth.unit(pair.a), truth.unit(pair.b)) {
                (Some(a), Some(b)) => {
                    held.unit(a.min(b)) > 0 && sample.unit(a) > 0 && sample.unit(b) > 0
                }
                _ => false,
            };
            pairs.push(near.into_iter().filter(own).collect());
            parts.push(held);
            lowest = lowest.max(floor);
        }
        Ok((parts.len() > 1).then_some(Self { parts, pairs, floor: lowest }))
    }

    /// The threshold that suits a sample, by all parts.
    pub(super) fn threshold(&self, lesson: &Lesson<'_>, sample: &Sample) -> Threshold {
        let all = self.pairs.iter().flatten().copied();
        threshold(lesson, &Scored::new(lesson.truth, all, self.floor), sample)
    }

    /// How good it is on each part, with the threshold that suits the others, on average.
    pub(super) fn figures(&self, lesson: &Lesson<'_>, sample: &Sample) -> Figures {
        let mut sum = (0.0, 0.0, 0.0);
        for (at, part) in self.parts.iter().enumerate() {
            let others = self.pairs.iter().enumerate().filter(|(other, _)| *other != at);
            let others = others.flat_map(|(_, pairs)| pairs.iter().copied());
            let others = Scored::new(lesson.truth, others, self.floor);
            let rest = sample.without(part, lesson.truth);
            let threshold = threshold(lesson, &others, &rest);
            let own = Scored::new(lesson.truth, self.pairs[at].iter().copied(), self.floor);
            let counts: Counts = own.at(part, threshold.value());
            sum = (sum.0 + counts.precision(), sum.1 + counts.recall(), sum.2 + counts.f1());
        }
        let count = self.parts.len() as f64;
        (sum.0 / count, sum.1 / count, sum.2 / count)
    }

    /// How many parts were held out.
    pub(super) fn folds(&self) -> usize {
        self.parts.len()
    }
}

/// The threshold with the best F1 on a sample. That hangs on few pairs: over labels drawn again and
/// again it is steadier.
pub(super) fn threshold(lesson: &Lesson<'_>, scored: &Scored, sample: &Sample) -> Threshold {
    let draws = (0..DRAWS).map(|number| Sample::draw(lesson.truth, lesson.plan.seed, number));
    let mut thresholds: Vec<f64> = draws
        .filter_map(|draw| scored.choose(&draw.times(sample, lesson.truth), Goal::F1))
        .map(|choice| choice.middle())
        .collect();
    thresholds.sort_by(f64::total_cmp);
    let middle = thresholds.get(thresholds.len() / 2).copied().unwrap_or(0.5);
    let thousandths = (middle * 1000.0).round().clamp(1.0, 1000.0) as u64;
    Threshold::new(thousandths, 1000).unwrap_or(Threshold::percent(50))
}
