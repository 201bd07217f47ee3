//! How good a model is on documents that it has not seen.

use super::{LearnError, Trainer};
use crate::{
    evaluate::{Goal, Sample},
    model::{HeldOut, Model},
};

/// Holds out one part of the labels after another: what is learned from the rest, and TF-IDF weights,
/// on average over the parts, and how many there were. None if there are not two clusters for each.
pub(super) fn held_out(
    lesson: &Trainer<'_>,
) -> Result<Option<(HeldOut, HeldOut, usize)>, LearnError> {
    let folds = lesson.plan.folds.min(lesson.truth.clusters_first() / 2);
    if folds < 2 {
        return Ok(None);
    }
    let (mut learned, mut tf_idf) = (Vec::new(), Vec::new());
    for (rest, held) in Sample::folds(lesson.truth, folds, lesson.plan.seed) {
        learned.push(match lesson.fit(&rest) {
            Ok(model) => lesson.figures(&model, &held)?,
            // What is left may have exact copies only: there is nothing to learn from.
            Err(LearnError::TooFew { .. }) => continue,
            Err(error) => return Err(error),
        });
        tf_idf.push(lesson.figures(&lesson.tf_idf(&rest)?, &held)?);
    }
    let folds = learned.len();
    Ok((folds > 1).then(|| (mean(&learned), mean(&tf_idf), folds)))
}

impl Trainer<'_> {
    /// What a model is worth on part of the labels, at its own threshold.
    fn figures(&self, model: &Model, part: &Sample) -> Result<HeldOut, LearnError> {
        let scored = self.score(model)?;
        let counts = scored.at(part, model.written().threshold.value());
        let best = scored.best(part, Goal::Recall { precision: 0.99 });
        Ok(HeldOut {
            precision: counts.precision(),
            recall: counts.recall(),
            f1: counts.f1(),
            recall_at_99: best.map_or(0.0, |best| best.value),
        })
    }
}

/// The mean of each figure.
fn mean(figures: &[HeldOut]) -> HeldOut {
    let mean = |of: &dyn Fn(&HeldOut) -> f64| {
        figures.iter().map(of).sum::<f64>() / figures.len().max(1) as f64
    };
    HeldOut {
        precision: mean(&|figures| figures.precision),
        recall: mean(&|figures| figures.recall),
        f1: mean(&|figures| figures.f1),
        recall_at_99: mean(&|figures| figures.recall_at_99),
    }
}
