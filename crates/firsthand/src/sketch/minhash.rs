//! Min-hashing: the chance that two sets agree on a value is their Jaccard similarity.
//!
//! One 32-bit hash function per value, each with its own two constants and independent of the
//! others; the loop over the functions is the inner one, so that it vectorises. A multi-set is
//! hashed as the set of its numbered copies, which gives its multi-set Jaccard similarity.

use super::seeds::{mix, seeds};
use crate::wide::wide;

const PURPOSE: u64 = 0x4d49_4e48_4153_4845;

/// A family of min-hash functions.
#[derive(Clone, Debug)]
pub(crate) struct MinHashes {
    factors: Vec<u32>,
    masks: Vec<u32>,
}

impl MinHashes {
    /// The first `count` functions of the family.
    pub(crate) fn new(count: usize) -> Self {
        Self::salted(count, 0)
    }

    /// The first `count` functions of another family, which nobody knows who does not know the salt.
    pub(crate) fn salted(count: usize, salt: u64) -> Self {
        let numbers: Vec<u64> = seeds(PURPOSE ^ salt).take(count).collect();
        // An even factor would lose the highest bit of the product.
        let factors = numbers.iter().map(|&number| number as u32 | 1).collect();
        let masks = numbers.iter().map(|&number| (number >> 32) as u32).collect();
        Self { factors, masks }
    }

    /// Writes the smallest hash of the set under each function; the set must not be empty.
    pub(crate) fn values(&self, set: &[u64], values: &mut Vec<u32>) {
        values.clear();
        values.resize(self.factors.len(), u32::MAX);
        wide(|| set.iter().for_each(|&feature| self.lower(feature, values)));
    }

    /// The same for a vector, as the set of its features with their levels: the chance that two
    /// vectors agree on a value is the sum of the smaller weights over the sum of the larger ones.
    pub(crate) fn weighted(&self, features: &[u64], weights: &[u32], values: &mut Vec<u32>) {
        values.clear();
        values.resize(self.factors.len(), u32::MAX);
        wide(|| {
            for (&feature, &weight) in features.iter().zip(weights) {
                for level in 0..levels(weight) {
                    self.lower(mix(feature ^ level.rotate_right(16)), values);
                }
            }
        });
    }

    /// Updates the minima with one more element.
    #[inline(always)]
    fn lower(&self, element: u64, values: &mut [u32]) {
        let folded = (element ^ (element >> 32)) as u32;
        let functions = self.factors.iter().zip(&self.masks);
        for (value, (&factor, &mask)) in values.iter_mut().zip(functions) {
            let hash = factor.wrapping_mul(folded ^ mask);
            let hash = (hash ^ (hash >> 15)).wrapping_mul(0x2c1b_3c6d);
            *value = hash.min(*value);
        }
    }

    /// The sketch of a set: runs of `group` values become one feature each (super-shingles),
    /// including its position, so that two sketches share a feature exactly where they agree.
    pub(crate) fn sketch(&self, set: &[u64], group: usize, values: &mut Vec<u32>) -> Vec<u64> {
        if set.is_empty() {
            return Vec::new();
        }
        self.values(set, values);
        grouped(values, group)
    }
}

/// Runs of values as one feature each, including its position.
pub(crate) fn grouped(values: &[u32], group: usize) -> Vec<u64> {
    let runs = values.chunks_exact(group).enumerate();
    runs.map(|(place, run)| grouped_key(place as u64, run)).collect()
}

/// The part of a weight that makes one level: weights are 64ths, levels are eighths.
const PART: u32 = 8;
/// Heavier features count as this many levels: more would take longer and say little, and the
/// min-hashes only propose.
const MOST_LEVELS: u32 = 1024;

/// The number of elements for a feature of this weight; 0 only if the weight is.
fn levels(weight: u32) -> u64 {
    let rounded = (weight + PART / 2) / PART;
    u64::from(rounded.clamp(weight.min(1), MOST_LEVELS))
}

/// A single number for a run of values at a position.
pub(crate) fn grouped_key(place: u64, run: &[u32]) -> u64 {
    run.iter().fold(mix(place), |key, &value| mix(key ^ u64::from(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two sets of which the first `shared` features are the same.
    fn sets(seed: u64, shared: u64, own: u64) -> (Vec<u64>, Vec<u64>) {
        let set = |side: u64| {
            let common = (0..shared).map(|at| mix(seed ^ at));
            common.chain((0..own).map(move |at| mix(seed ^ (side << 32) ^ at))).collect()
        };
        (set(1), set(2))
    }

    /// The share of values on which the two agree.
    fn agreement(count: usize, a: &[u64], b: &[u64]) -> f64 {
        let hashes = MinHashes::new(count);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        hashes.values(a, &mut x);
        hashes.values(b, &mut y);
        x.iter().zip(&y).filter(|(x, y)| x == y).count() as f64 / count as f64
    }

    proptest! {
        #[test]
        fn agreement_is_jaccard_within_the_theoretical_error(
            seed in any::<u64>(), shared in 1u64..200, own in 1u64..100,
        ) {
            let (a, b) = sets(seed, shared, own);
            let jaccard = shared as f64 / (shared + 2 * own) as f64;
            let count = 1024;
            let deviation = (jaccard * (1.0 - jaccard) / count as f64).sqrt();
            // Six standard deviations: one case in a thousand million.
            prop_assert!((agreement(count, &a, &b) - jaccard).abs() < 6.0 * deviation + 1e-9);
        }
    }

    proptest! {
        #[test]
        fn weighted_agreement_is_min_over_max_within_the_theoretical_error(
            seed in any::<u64>(),
            weights in prop::collection::vec((0u32..400, 0u32..400, any::<bool>()), 5..100),
        ) {
            let features: Vec<u64> = (0..weights.len() as u64).map(|at| mix(seed ^ at)).collect();
            let left: Vec<u32> = weights.iter().map(|weight| weight.0).collect();
            // Some weights are the same on both sides.
            let right: Vec<u32> = weights.iter().map(|w| if w.2 { w.0 } else { w.1 }).collect();
            let both = || left.iter().zip(&right).map(|(&a, &b)| (levels(a), levels(b)));
            let least: u64 = both().map(|(a, b)| a.min(b)).sum();
            let most: u64 = both().map(|(a, b)| a.max(b)).sum();
            prop_assume!(left.iter().any(|&w| w > 0) && right.iter().any(|&w| w > 0));
            let share = least as f64 / most as f64;
            let count = 1024;
            let hashes = MinHashes::new(count);
            let (mut x, mut y) = (Vec::new(), Vec::new());
            hashes.weighted(&features, &left, &mut x);
            hashes.weighted(&features, &right, &mut y);
            let agree = x.iter().zip(&y).filter(|(x, y)| x == y).count() as f64 / count as f64;
            let deviation = (share * (1.0 - share) / count as f64).sqrt();
            prop_assert!((agree - share).abs() < 6.0 * deviation + 1e-9, "{agree} for {share}");
        }
    }

    #[test]
    fn levels_are_eighths() {
        let weights = [0, 1, 11, 12, 64, 100, 8 * 1024, u32::MAX / 2];
        assert_eq!(weights.map(levels), [0, 1, 1, 2, 8, 13, 1024, 1024]);
    }

    #[test]
    fn agreement_has_no_bias_and_the_variance_of_independent_values() {
        let (shared, own, count, trials) = (60u64, 20u64, 128usize, 400u64);
        let jaccard = shared as f64 / (shared + 2 * own) as f64;
        let errors: Vec<f64> = (0..trials)
            .map(|trial| {
                let (a, b) = sets(mix(trial), shared, own);
                agreement(count, &a, &b) - jaccard
            })
            .collect();
        let theory = jaccard * (1.0 - jaccard) / count as f64;
        let mean = errors.iter().sum::<f64>() / trials as f64;
        let variance = errors.iter().map(|error| error * error).sum::<f64>() / trials as f64;
        assert!(mean.abs() < 5.0 * (theory / trials as f64).sqrt(), "bias {mean}");
        assert!((0.7..1.4).contains(&(variance / theory)), "variance {variance}, {theory}");
    }

    #[test]
    fn a_sketch_shares_features_exactly_where_it_agrees() {
        let (a, b) = sets(7, 90, 10);
        let hashes = MinHashes::new(84);
        let mut values = Vec::new();
        let (one, other) = (hashes.sketch(&a, 14, &mut values), hashes.sketch(&b, 14, &mut values));
        assert_eq!((one.len(), other.len()), (6, 6));
        let (mut x, mut y) = (Vec::new(), Vec::new());
        hashes.values(&a, &mut x);
        hashes.values(&b, &mut y);
        for place in 0..6 {
            let run = place * 14..(place + 1) * 14;
            assert_eq!(one[place] == other[place], x[run.clone()] == y[run]);
        }
        assert!(hashes.sketch(&[], 14, &mut values).is_empty());
    }
}
