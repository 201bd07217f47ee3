//! Bands of min-hashes: two sets are candidates when they agree on all rows of one band.
//!
//! With `r` rows and `b` bands that happens with probability `1 - (1 - s^r)^b` for sets of Jaccard
//! similarity `s`: hardly ever below some similarity, nearly always above it.

use crate::measure::{Measure, Rule};
use serde::Serialize;

/// Min-hashes dealt into bands of equally many rows.
///
/// ```
/// use firsthand::settings::Banding;
///
/// let banding = Banding { bands: 20, rows: 5 };
/// assert_eq!(banding.hashes(), 100);
/// assert!(banding.probability(0.8) > 0.99 && banding.probability(0.2) < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Banding {
    /// How many bands.
    pub bands: usize,
    /// Hashes in each.
    pub rows: usize,
}

impl Banding {
    /// The chance that two sets of this Jaccard similarity share a band.
    pub fn probability(self, jaccard: f64) -> f64 {
        1.0 - (1.0 - jaccard.powi(self.rows as i32)).powi(self.bands as i32)
    }

    /// The chance that two sets of this Jaccard similarity share at least this many bands, one or
    /// two.
    pub fn sharing(self, jaccard: f64, bands: u32) -> f64 {
        let one = jaccard.powi(self.rows as i32);
        let just_one = self.bands as f64 * one * (1.0 - one).powi(self.bands as i32 - 1);
        self.probability(jaccard) - if bands > 1 { just_one } else { 0.0 }
    }

    /// How many hashes there are in all.
    pub fn hashes(self) -> usize {
        self.bands * self.rows
    }

    /// The banding that reaches the given recall at this Jaccard similarity with at most `most`
    /// hashes: as many rows as possible, so that few other pairs become candidates, then as few
    /// bands as possible. `None` if even single rows do not reach it.
    pub fn choose(jaccard: f64, recall: f64, most: usize) -> Option<Self> {
        Self::choose_sharing(1, jaccard, recall, most)
    }

    /// The same for sets that have to share `shared` bands, one or two. Similar sets share several
    /// bands, others hardly ever two, so asking for two costs more bands and saves most
    /// comparisons.
    pub fn choose_sharing(shared: u32, jaccard: f64, recall: f64, most: usize) -> Option<Self> {
        let reaching = |rows: usize| {
            (1..=most / rows)
                .map(|bands| Self { bands, rows })
                .find(|banding| banding.sharing(jaccard, shared) >= recall)
        };
        (1..=most).rev().find_map(reaching)
    }
}

/// The lowest Jaccard similarity of two sets that satisfy the rule.
///
/// `None` for containment: a small set may be contained in any larger one.
pub(crate) fn least_jaccard(rule: Rule) -> Option<f64> {
    let t = rule.threshold.value();
    match rule.measure {
        Measure::Jaccard | Measure::ExtendedJaccard => Some(t),
        Measure::MaxOverlap | Measure::Dice => Some(t / (2.0 - t)),
        // The worst case is a set contained in a larger one.
        Measure::Cosine => Some(t * t),
        Measure::Containment => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unrelated_sets_rarely_share_two_bands() {
        let one = Banding::choose_sharing(1, 0.5, 0.99, 256).unwrap();
        let two = Banding::choose_sharing(2, 0.5, 0.99, 256).unwrap();
        assert_eq!((one.bands, one.rows), (35, 3));
        assert_eq!((two.bands, two.rows), (51, 3));
        assert!(two.sharing(0.5, 2) >= 0.99);
        assert!(two.sharing(0.1, 2) < one.sharing(0.1, 1) / 20.0);
        // By the binomial distribution, term by term.
        let p: f64 = 0.125;
        let none = (1.0 - p).powi(51);
        let single = 51.0 * p * (1.0 - p).powi(50);
        assert!((two.sharing(0.5, 2) - (1.0 - none - single)).abs() < 1e-12);
    }

    #[test]
    fn the_published_choices() {
        // Threshold, recall, most hashes, bands, rows.
        for (t, recall, most, bands, rows) in [
            (0.4, 0.95, 128, 18, 2),
            (0.44, 0.95, 128, 34, 3),
            (0.5, 0.95, 128, 23, 3),
            (0.5, 0.99, 128, 35, 3),
            (0.6, 0.95, 128, 22, 4),
            (0.7, 0.95, 128, 17, 5),
            (0.8, 0.95, 128, 13, 7),
            (0.9, 0.95, 128, 10, 12),
            (0.7, 0.99, 256, 37, 6),
        ] {
            let expected = Banding { bands, rows };
            assert_eq!(Banding::choose(t, recall, most), Some(expected), "{t} {recall} {most}");
        }
        assert_eq!(Banding::choose(0.01, 0.99, 16), None);
    }

    #[test]
    fn the_paper_s_bands_miss_most_pairs_at_its_threshold() {
        let paper = Banding { bands: 32, rows: 6 };
        for (similarity, expected) in [(0.44, 0.208), (0.5, 0.396), (0.6, 0.783)] {
            assert!((paper.probability(similarity) - expected).abs() < 0.001);
        }
    }

    #[test]
    fn no_measure_lets_a_lower_jaccard_through() {
        for measure in Measure::ALL {
            for hundredths in [30u64, 44, 50, 67, 80, 90, 100] {
                let threshold = crate::threshold::Threshold::new(hundredths, 100).unwrap();
                let rule = Rule { measure, threshold };
                let Some(least) = least_jaccard(rule) else { continue };
                for x in 1..30u64 {
                    for y in 1..30u64 {
                        for o in 1..=x.min(y) {
                            let jaccard = Measure::Jaccard.score(o, x, y);
                            assert!(!rule.holds(o, x, y) || jaccard >= least - 1e-12);
                        }
                    }
                }
            }
        }
    }
}
