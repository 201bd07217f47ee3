//! How good a model is on documents that it has not seen.

use super::{LearnError, Lesson};
use crate::evaluate::{Counts, Sample};

/// Precision, recall and F1.
pub(super) type Figures = (f64, f64, f64);

/// One part that was held out.
pub(super) struct Fold {
    pub(super) learned: Figures,
    pub(super) tf_idf: Figures,
}

/// Holds out one part after another; none if there are not two clusters for each.
pub(super) fn held_out(lesson: &Lesson<'_>) -> Result<Vec<Fold>, LearnError> {
    let folds = lesson.plan.folds.min(lesson.truth.clusters_first() / 2);
    if folds < 2 {
        return Ok(Vec::new());
    }
    let mut figures = Vec::new();
    for (rest, held) in Sample::folds(lesson.truth, folds, lesson.plan.seed) {
        let learned = match lesson.fit(&rest) {
            Ok(model) => lesson.figures(&model, &held)?,
            // Near-duplicates of the rest may all be exact copies: there is nothing to learn from.
            Err(LearnError::TooFew { .. }) => continue,
            Err(error) => return Err(error),
        };
        let tf_idf = lesson.figures(&lesson.tf_idf(&rest)?, &held)?;
        figures.push(Fold { learned, tf_idf });
    }
    Ok(figures)
}

impl Lesson<'_> {
    /// What a model is worth on part of the labels, at its own threshold.
    fn figures(&self, model: &crate::model::Model, part: &Sample) -> Result<Figures, LearnError> {
        let counts: Counts = self.score(model)?.at(part, model.written().threshold.value());
        Ok((counts.precision(), counts.recall(), counts.f1()))
    }
}

/// The mean of each figure.
pub(super) fn mean(figures: impl ExactSizeIterator<Item = Figures>) -> Figures {
    let count = figures.len().max(1) as f64;
    let sum = figures.fold((0.0, 0.0, 0.0), |sum, f| (sum.0 + f.0, sum.1 + f.1, sum.2 + f.2));
    (sum.0 / count, sum.1 / count, sum.2 / count)
}
