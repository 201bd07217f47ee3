//! The quality of a model on documents it has not seen.

use super::{LearnError, Trainer};
use crate::{
    evaluate::{Goal, Sample},
    model::{HeldOut, Model},
};

/// Holds out one fold of the labels after another: the average quality of what is learned from the
/// rest and of TF-IDF weights, and the number of folds. `None` if there are not two clusters per
/// fold.
pub(super) fn held_out(
    trainer: &Trainer<'_>,
) -> Result<Option<(HeldOut, HeldOut, usize)>, LearnError> {
    let folds = trainer.plan.folds.min(trainer.truth.clusters_first() / 2);
    if folds < 2 {
        return Ok(None);
    }
    let (mut learned, mut tf_idf) = (Vec::new(), Vec::new());
    for (rest, held) in Sample::folds(trainer.truth, folds, trainer.plan.seed) {
        learned.push(match trainer.fit(&rest) {
            Ok(model) => trainer.figures(&model, &held)?,
            // The rest may have only exact copies, from which nothing can be learned.
            Err(LearnError::TooFew { .. }) => continue,
            Err(error) => return Err(error),
        });
        tf_idf.push(trainer.figures(&trainer.tf_idf(&rest)?, &held)?);
    }
    let folds = learned.len();
    Ok((folds > 1).then(|| (mean(&learned), mean(&tf_idf), folds)))
}

impl Trainer<'_> {
    /// The quality of a model on part of the labels, at its own threshold.
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
