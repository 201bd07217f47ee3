//! The histogram of scores, and the valley between near-duplicates and other pairs.

use firsthand::evaluate::{NoValley, valley};
use firsthand::{collections::Match, settings::Threshold};
use std::ops::Range;

/// Number of bins, each a hundredth wide.
pub const BINS: usize = 100;

/// The scores of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreHistogram {
    /// The number of the first bin.
    pub first: usize,
    /// Pairs of different texts in each bin, from the first one on.
    pub counts: Vec<u64>,
    /// The lowest score that was looked at.
    pub floor: f64,
    /// The threshold of the settings.
    pub threshold: Threshold,
    /// Documents that are exact copies of others; their pairs are not counted.
    pub exact: u64,
    /// The valley, or why there is none.
    pub valley: Result<ValleyRange, NoValley>,
}

/// The valley of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct ValleyRange {
    /// The threshold in its middle.
    pub suggested: Threshold,
    /// The scores it covers.
    pub scores: Range<f64>,
    /// The pairs in it.
    pub pairs: u64,
}

impl ScoreHistogram {
    /// Counts the pairs by their scores.
    pub fn new(
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
            ValleyRange {
                suggested: suggested.unwrap_or(threshold),
                scores: score(found.bins.start)..score(found.bins.end),
                pairs: counts[found.bins].iter().sum(),
            }
        });
        Self { first, counts, floor, threshold, exact, valley }
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The bin of a score; 1 belongs to the last one.
fn bin(score: f64) -> usize {
    // The double nearest to 0.29 may be a little less than that.
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
        let histogram = ScoreHistogram::new(0.225, threshold, scores.into_iter(), 0);
        assert_eq!((histogram.first, histogram.counts.len()), (22, 78));
        let at = |bin: usize| histogram.counts[bin - 22];
        assert_eq!([at(22), at(29), at(30), at(98), at(99)], [1, 2, 1, 0, 2]);
        assert!(matches!(histogram.valley, Err(NoValley::Few(6))));
    }
}
