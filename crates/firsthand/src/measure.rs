//! Similarity measures of sets, and the integer bounds that follow from a threshold.
//!
//! Every measure here is a function of three numbers: the overlap `o` and the sizes `x` and `y`.
//! A multi-set counts as the set of its numbered copies, so the overlap is the sum of the smaller
//! frequencies. Measures of weighted vectors are in `weights`.

use crate::threshold::Threshold;
use serde::{Deserialize, Serialize};

/// A similarity measure of two sets or multi-sets.
///
/// ```
/// use firsthand::settings::Measure;
///
/// assert_eq!(Measure::Jaccard.score(3, 4, 5), 0.5);
/// assert_eq!(Measure::Containment.score(3, 4, 5), 0.75);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Shared over all: `o / (x + y - o)`. With weights, the sum of the smaller ones over the sum
    /// of the larger ones.
    Jaccard,
    /// Shared over the larger set (DDD): `o / max(x, y)`.
    MaxOverlap,
    /// Binary cosine: `o / sqrt(x y)`. With weights, the cosine of the two vectors.
    Cosine,
    /// Dice's coefficient: `2 o / (x + y)`.
    Dice,
    /// Shared over the smaller set: `o / min(x, y)`.
    Containment,
    /// Extended Jaccard, also called Tanimoto: with weights `x·y / (|x|² + |y|² - x·y)`; without,
    /// the same as Jaccard.
    ExtendedJaccard,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 6] = [
        Self::Jaccard,
        Self::MaxOverlap,
        Self::Cosine,
        Self::Dice,
        Self::Containment,
        Self::ExtendedJaccard,
    ];

    /// The similarity of two non-empty sets of sizes `x` and `y` that share `overlap` elements.
    pub fn score(self, overlap: u64, x: u64, y: u64) -> f64 {
        let (o, x, y) = (overlap as f64, x as f64, y as f64);
        match self {
            Self::Jaccard | Self::ExtendedJaccard => o / (x + y - o),
            Self::MaxOverlap => o / x.max(y),
            Self::Cosine => o / (x * y).sqrt(),
            Self::Dice => 2.0 * o / (x + y),
            Self::Containment => o / x.min(y),
        }
    }
}

/// A measure with its threshold: the rule by which two sets are near-duplicates.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
///
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.5".parse()? };
/// assert!(rule.holds(3, 4, 5) && !rule.exceeds(3, 4, 5));
/// assert_eq!(rule.least_overlap(4, 5), 3);
/// # Ok::<(), firsthand::settings::ThresholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The measure.
    pub measure: Measure,
    /// The least similarity of near-duplicates.
    pub threshold: Threshold,
}

impl Rule {
    /// Whether the similarity reaches the threshold, decided in integers.
    pub fn holds(self, overlap: u64, x: u64, y: u64) -> bool {
        overlap > 0 && overlap >= self.least_overlap(x, y)
    }

    /// Whether the similarity is strictly above the threshold.
    pub fn exceeds(self, overlap: u64, x: u64, y: u64) -> bool {
        let (n, d) = (self.threshold.numerator(), self.threshold.denominator());
        overlap > 0
            && match self.measure {
                Measure::Jaccard | Measure::ExtendedJaccard => d * overlap > n * (x + y - overlap),
                Measure::MaxOverlap => d * overlap > n * x.max(y),
                Measure::Cosine => {
                    let square = |a: u64, b: u64| u128::from(a) * u128::from(b);
                    square(d, d) * square(overlap, overlap) > square(n, n) * square(x, y)
                }
                Measure::Dice => 2 * d * overlap > n * (x + y),
                Measure::Containment => d * overlap > n * x.min(y),
            }
    }

    /// The least overlap at which sets of sizes `x` and `y` reach the threshold.
    pub fn least_overlap(self, x: u64, y: u64) -> u64 {
        let (n, d) = (self.threshold.numerator(), self.threshold.denominator());
        match self.measure {
            Measure::Jaccard | Measure::ExtendedJaccard => (n * (x + y)).div_ceil(d + n),
            Measure::MaxOverlap => (n * x.max(y)).div_ceil(d),
            Measure::Cosine => {
                let (n, d) = (u128::from(n), u128::from(d));
                let square = (n * n * u128::from(x) * u128::from(y)).div_ceil(d * d);
                let root = square.isqrt();
                // isqrt rounds down; the overlap has to reach the square root.
                (if root * root < square { root + 1 } else { root }) as u64
            }
            Measure::Dice => (n * (x + y)).div_ceil(2 * d),
            Measure::Containment => (n * x.min(y)).div_ceil(d),
        }
    }

    /// The size of the smallest set that can reach the threshold with a set of size `x`.
    pub fn smallest_partner(self, x: u64) -> u64 {
        let (n, d) = (self.threshold.numerator(), self.threshold.denominator());
        match self.measure {
            Measure::Jaccard | Measure::ExtendedJaccard | Measure::MaxOverlap => {
                (n * x).div_ceil(d)
            }
            Measure::Cosine => {
                let (n, d) = (u128::from(n), u128::from(d));
                (n * n * u128::from(x)).div_ceil(d * d) as u64
            }
            Measure::Dice => (n * x).div_ceil(2 * d - n),
            Measure::Containment => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_definition(rule: Rule, o: u64, x: u64, y: u64) -> bool {
        let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
        match rule.measure {
            Measure::Jaccard | Measure::ExtendedJaccard => d * o >= n * (x + y - o),
            Measure::MaxOverlap => d * o >= n * x.max(y),
            Measure::Cosine => d * d * o * o >= n * n * x * y,
            Measure::Dice => 2 * d * o >= n * (x + y),
            Measure::Containment => d * o >= n * x.min(y),
        }
    }

    #[test]
    fn bounds_follow_from_the_definition() {
        for measure in Measure::ALL {
            for hundredths in (10..=100).step_by(5).chain([33, 44, 67]) {
                let rule = Rule { measure, threshold: Threshold::new(hundredths, 100).unwrap() };
                for x in 1..40u64 {
                    let reachable = |y: u64| (1..=x.min(y)).any(|o| by_definition(rule, o, x, y));
                    let smallest = (1..=x).find(|&y| reachable(y)).unwrap();
                    assert_eq!(rule.smallest_partner(x), smallest, "{rule:?} {x}");
                    for y in 1..=x {
                        for o in 1..=y {
                            assert_eq!(rule.holds(o, x, y), by_definition(rule, o, x, y));
                            // At the threshold exactly, or above it.
                            let score = measure.score(o, x, y);
                            let above = score > hundredths as f64 / 100.0 + 1e-9;
                            assert_eq!(rule.exceeds(o, x, y), above, "{rule:?} {o} {x} {y}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn doubles_would_lose_this_pair() {
        // ceil(7 * 0.4 / 1.4) is 3 in doubles: two of five shared lie exactly on the threshold.
        let rule = Rule { measure: Measure::Jaccard, threshold: "0.4".parse().unwrap() };
        assert_eq!(rule.least_overlap(4, 3), 2);
    }
}
