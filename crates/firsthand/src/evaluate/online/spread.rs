//! The figures over many orders, with confidence intervals.

use super::{
    run::Run,
    score::{Tally, VerdictOutcome},
};
use crate::evaluate::{Interval, Sample, Truth, draws};
use serde::Serialize;

/// The figures of one tally, or each of them over many orders.
///
/// ```
/// use firsthand::evaluate::online::{VerdictOutcome, Tally, figures};
///
/// let figures = figures(&Tally::new([
///     (VerdictOutcome::Found, 8),
///     (VerdictOutcome::Missed, 2),
///     (VerdictOutcome::Kept, 999),
///     (VerdictOutcome::Suppressed, 1),
/// ]));
/// assert_eq!((figures.recall, figures.suppressed_of_10_000), (0.8, 10.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StreamFigures<T = f64> {
    /// The share of links that are right.
    pub precision: T,
    /// The share of duplicates that are found.
    pub recall: T,
    /// The harmonic mean of both.
    pub f1: T,
    /// Recall with wrong links counted as misses as well.
    pub strict_recall: T,
    /// F1 with that recall.
    pub strict_f1: T,
    /// Originals called copies, per 10,000.
    pub suppressed_of_10_000: T,
}

/// The figures of a tally.
pub fn figures(tally: &Tally) -> StreamFigures {
    let (counts, strict) = (tally.counts(), tally.strict());
    StreamFigures {
        precision: counts.precision(),
        recall: counts.recall(),
        f1: counts.f1(),
        strict_recall: strict.recall(),
        strict_f1: strict.f1(),
        suppressed_of_10_000: tally.suppressed_of_10_000(),
    }
}

/// A figure over many orders.
///
/// ```
/// use firsthand::evaluate::{Label, Truth};
/// use firsthand::evaluate::online::{VerdictOutcome, Run, spreads};
///
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// // The copy is found in one of two orders.
/// let runs = [VerdictOutcome::Found, VerdictOutcome::Missed].map(|outcome| Run {
///     order: vec![0, 1],
///     said: Vec::new(),
///     outcomes: vec![None, Some(outcome)],
/// });
/// let recall = spreads(&truth, &runs, 100, 1).recall;
/// assert_eq!((recall.least, recall.mean, recall.most), (0.0, 0.5, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean over the orders.
    pub mean: f64,
    /// The lower end of the 95 % interval of the mean, by Student's t.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// In the worst order.
    pub least: f64,
    /// In the best order.
    pub most: f64,
    /// The 95 % interval by bootstrap over clusters, for all orders together.
    pub over_clusters: Interval,
}

/// Each figure over several orders, with `draws` bootstrap draws of the labels.
pub fn spreads(truth: &Truth, runs: &[Run], draws: usize, seed: u64) -> StreamFigures<Spread> {
    let figures: Vec<StreamFigures> = runs.iter().map(|run| figures(&run.tally())).collect();
    let outcomes: Vec<Vec<Option<VerdictOutcome>>> =
        runs.iter().map(|run| run.outcomes.clone()).collect();
    let spread = |figure: fn(&StreamFigures) -> f64| {
        let values: Vec<f64> = figures.iter().map(figure).collect();
        let mean = mean(&values);
        Spread {
            mean: mean.value,
            low: mean.low,
            high: mean.high,
            least: values.iter().copied().fold(mean.value, f64::min),
            most: values.iter().copied().fold(mean.value, f64::max),
            over_clusters: over_labels(truth, &outcomes, (draws, seed), figure),
        }
    };
    StreamFigures {
        precision: spread(|figures| figures.precision),
        recall: spread(|figures| figures.recall),
        f1: spread(|figures| figures.f1),
        strict_recall: spread(|figures| figures.strict_recall),
        strict_f1: spread(|figures| figures.strict_f1),
        suppressed_of_10_000: spread(|figures| figures.suppressed_of_10_000),
    }
}

/// The mean of values, with its 95 % interval by Student's t.
fn mean(values: &[f64]) -> Interval {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half = match values.len() {
        0 | 1 => 0.0,
        some => students_t(some - 1) * (squares / (count - 1.0) / count).sqrt(),
    };
    Interval { value: mean, low: (mean - half).max(0.0), high: mean + half }
}

/// One figure over draws of the labels, all orders together: its uncertainty, since the labelled
/// clusters are a sample.
///
/// `runs` has the outcome of each document in each order, by position.
pub fn over_labels(
    truth: &Truth,
    runs: &[Vec<Option<VerdictOutcome>>],
    (count, seed): (usize, u64),
    figure: impl Fn(&StreamFigures) -> f64 + Sync,
) -> Interval {
    let by_document: Vec<(u32, VerdictOutcome)> = runs
        .iter()
        .flat_map(|run| run.iter().enumerate())
        .filter_map(|(at, outcome)| Some((truth.unit(at)?, (*outcome)?)))
        .collect();
    let mut grouped = by_document;
    grouped.sort_unstable();
    let grouped: Vec<(u32, VerdictOutcome, u64)> =
        grouped.chunk_by(|a, b| a == b).map(|run| (run[0].0, run[0].1, run.len() as u64)).collect();
    let on = |sample: &Sample| {
        let tally = grouped.iter().map(|&(unit, outcome, n)| (outcome, n * sample.unit(unit)));
        figure(&figures(&Tally::new(tally)))
    };
    Interval::new(on(&Sample::whole(truth)), draws(truth, count, seed, on))
}

/// The upper 2.5 % quantile of Student's distribution with `freedom` degrees of freedom.
fn students_t(freedom: usize) -> f64 {
    let nu = freedom as f64;
    match freedom {
        0 => 0.0,
        1 => 12.706,
        2 => 4.303,
        3 => 3.182,
        4 => 2.776,
        5 => 2.571,
        // Expanded around the normal quantile, in powers of the inverse degrees of freedom.
        _ => 1.959_96 + 2.372_3 / nu + 2.822_5 / (nu * nu) + 2.555_9 / (nu * nu * nu),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_t_matches_published_tables() {
        for (freedom, value) in [(1, 12.706), (4, 2.776), (9, 2.262), (19, 2.093), (99, 1.984)] {
            assert!((students_t(freedom) - value).abs() < 2e-3, "{freedom}");
        }
    }

    #[test]
    fn mean_and_interval_by_hand() {
        let interval = mean(&[0.6, 0.7, 0.8, 0.9, 1.0]);
        assert!((interval.value - 0.8).abs() < 1e-12);
        // The standard deviation is .15811, the standard error .070711, and t is 2.776.
        assert!((interval.low - (0.8 - 2.776 * 0.070_711)).abs() < 1e-4);
        let one = mean(&[0.6]);
        assert_eq!((one.low, one.high), (0.6, 0.6));
    }
}
