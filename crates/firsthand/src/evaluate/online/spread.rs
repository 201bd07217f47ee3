//! The figures over many orders, with confidence intervals.

use super::score::{Outcome, Tally};
use crate::evaluate::{Interval, Sample, Truth, draws};

/// The figures of one tally.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The share of links that are right.
    pub precision: f64,
    /// The share of duplicates that are found.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// Recall with wrong links counted as misses as well.
    pub strict_recall: f64,
    /// F1 with that recall.
    pub strict_f1: f64,
    /// Originals called copies, per 10,000.
    pub suppressed_of_10_000: f64,
}

/// The figures of a tally.
pub fn figures(tally: &Tally) -> Figures {
    let (counts, strict) = (tally.counts(), tally.strict());
    Figures {
        precision: counts.precision(),
        recall: counts.recall(),
        f1: counts.f1(),
        strict_recall: strict.recall(),
        strict_f1: strict.f1(),
        suppressed_of_10_000: tally.suppressed_of_10_000(),
    }
}

/// A figure over many orders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean over the orders, with its 95 % interval by Student's t.
    pub mean: Interval,
    /// In the worst order.
    pub least: f64,
    /// In the best order.
    pub most: f64,
}

/// One figure over several orders.
pub fn over_orders(tallies: &[Tally], figure: impl Fn(&Figures) -> f64) -> Spread {
    let values: Vec<f64> = tallies.iter().map(|tally| figure(&figures(tally))).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half = match values.len() {
        0 | 1 => 0.0,
        some => students_t(some - 1) * (squares / (count - 1.0) / count).sqrt(),
    };
    Spread {
        mean: Interval { value: mean, low: (mean - half).max(0.0), high: mean + half },
        least: values.iter().copied().fold(mean, f64::min),
        most: values.iter().copied().fold(mean, f64::max),
    }
}

/// One figure over draws of the labels, all orders together: its uncertainty, since the labelled
/// clusters are a sample.
///
/// `runs` has the outcome of each document in each order, by position.
pub fn over_labels(
    truth: &Truth,
    runs: &[Vec<Option<Outcome>>],
    (count, seed): (usize, u64),
    figure: impl Fn(&Figures) -> f64 + Sync,
) -> Interval {
    let by_document: Vec<(u32, Outcome)> = runs
        .iter()
        .flat_map(|run| run.iter().enumerate())
        .filter_map(|(at, outcome)| Some((truth.unit(at)?, (*outcome)?)))
        .collect();
    let mut grouped = by_document;
    grouped.sort_unstable();
    let grouped: Vec<(u32, Outcome, u64)> =
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
        let tally = |found: u64| Tally { found, missed: 10 - found, ..Tally::default() };
        let tallies: Vec<Tally> = [6, 7, 8, 9, 10].map(tally).to_vec();
        let spread = over_orders(&tallies, |figures| figures.recall);
        assert!((spread.mean.value - 0.8).abs() < 1e-12);
        assert_eq!((spread.least, spread.most), (0.6, 1.0));
        // The standard deviation is .15811, the standard error .070711, and t is 2.776.
        assert!((spread.mean.low - (0.8 - 2.776 * 0.070_711)).abs() < 1e-4);
        let one = over_orders(&tallies[..1], |figures| figures.recall);
        assert_eq!((one.mean.low, one.mean.high), (0.6, 0.6));
    }
}
