//! How many pairs have which score, and where the valley between them is.

use firsthand::evaluate::{NoValley, valley};
use firsthand::{collections::Match, settings::Threshold};
use std::ops::Range;

/// Bins of a hundredth.
pub(super) const BINS: usize = 100;

/// The scores of a collection.
pub(super) struct Histogram {
    /// The first bin that scores fall into.
    pub(super) first: usize,
    /// How many pairs of different texts there are in each bin from the first on.
    pub(super) counts: Vec<u64>,
    /// The least score that was looked at.
    pub(super) floor: f64,
    /// The threshold of the settings.
    pub(super) threshold: Threshold,
    /// Documents that are exact copies of others, which are not in the counts.
    pub(super) exact: u64,
    pub(super) valley: Result<Place, NoValley>,
}

/// Where the valley is.
pub(super) struct Place {
    /// The threshold in its middle.
    pub(super) suggested: Threshold,
    /// From where to where it reaches.
    pub(super) scores: Range<f64>,
    /// How many pairs are in it.
    pub(super) pairs: u64,
}

impl Histogram {
    pub(super) fn new(
        floor: f64,
        threshold: Threshold,
        matches: impl Iterator<Item = Match>,
        exact: u64,
    ) -> Self {
        let first = bin(floor);
        let mut counts = vec![0; BINS - first];
        for found in matches {
            counts[bin(found.score).saturating_sub(first)] += 1;
        }
        let valley = valley(&counts).map(|found| {
            let score = |bin: usize| (first + bin) as f64 / BINS as f64;
            let suggested = Threshold::new((first + found.at) as u64, BINS as u64);
            Place {
                suggested: suggested.unwrap_or(threshold),
                scores: score(found.bins.start)..score(found.bins.end),
                pairs: counts[found.bins].iter().sum(),
            }
        });
        Self { first, counts, floor, threshold, exact, valley }
    }

    /// How many pairs there are.
    pub(super) fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The bin of a score; 1 belongs to the last one.
fn bin(score: f64) -> usize {
    // What stands for 0.29 may be a little less.
    ((score * BINS as f64 + 1e-9) as usize).min(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_into_hundredths() {
        let found = |score: f64| Match { a: 0, b: 1, score, exact: false };
        let scores = [0.225, 0.29, 0.2999, 0.3, 0.999, 1.0].map(found);
        let threshold = "0.45".parse().unwrap();
        let histogram = Histogram::new(0.225, threshold, scores.into_iter(), 0);
        assert_eq!((histogram.first, histogram.counts.len()), (22, 78));
        let at = |bin: usize| histogram.counts[bin - 22];
        assert_eq!([at(22), at(29), at(30), at(98), at(99)], [1, 2, 1, 0, 2]);
        assert!(matches!(histogram.valley, Err(NoValley::Few(6))));
    }
}
