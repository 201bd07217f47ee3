//! Weights of features, as integers: what a vector is, and when two are alike.
//!
//! TF-IDF weights are rounded to 64ths, so that a dot product is an integer, and whether a cosine
//! reaches the threshold is decided exactly and the same on every machine.

use crate::threshold::Threshold;
use serde::{Deserialize, Serialize};

/// What a feature counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// All the same.
    #[default]
    Equal,
    /// How often it occurs in the document, times the logarithm of how rare it is.
    TfIdf,
}

/// Parts of one that a weight can have.
const SCALE: f64 = 64.0;
/// Products of weights, summed over the longest text, still fit into 64 bits.
const HEAVIEST: f64 = (1u32 << 20) as f64;

/// The weight of a feature that occurs `tf` times here and in `df` of `n` documents.
pub(crate) fn tf_idf(tf: u32, df: u32, n: u32) -> u32 {
    let idf = (f64::from(n) / f64::from(df.max(1))).ln();
    (f64::from(tf) * idf * SCALE).round().clamp(0.0, HEAVIEST) as u32
}

/// The weights of the features of each set, in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    of: Vec<Box<[u32]>>,
    squares: Vec<u64>,
}

impl Weights {
    pub(crate) fn push(&mut self, weights: Vec<u32>) {
        self.squares.push(weights.iter().map(|&weight| u64::from(weight).pow(2)).sum());
        self.of.push(weights.into_boxed_slice());
    }

    pub(crate) fn get(&self, set: usize) -> &[u32] {
        &self.of[set]
    }

    /// The square of the length of the vector.
    pub(crate) fn square(&self, set: usize) -> u64 {
        self.squares[set]
    }
}

/// The sum of products over shared features.
pub(crate) fn dot((a, x): (&[u64], &[u32]), (b, y): (&[u64], &[u32])) -> u64 {
    let (mut i, mut j, mut sum) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (left, right) = (a[i], b[j]);
        if left == right {
            sum += u64::from(x[i]) * u64::from(y[j]);
        }
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    sum
}

/// The cosine, for showing.
pub(crate) fn cosine(dot: u64, a: u64, b: u64) -> f64 {
    match (a, b) {
        (0, _) | (_, 0) => 0.0,
        // Equal vectors are alike to the last digit.
        _ if dot == a && dot == b => 1.0,
        _ => (dot as f64 / (a as f64).sqrt() / (b as f64).sqrt()).min(1.0),
    }
}

/// Whether the cosine reaches the threshold: `d² dot² >= n² a b`, without rounding.
pub(crate) fn reaches(threshold: Threshold, dot: u64, a: u64, b: u64) -> bool {
    let (n, d) = (u128::from(threshold.numerator()), u128::from(threshold.denominator()));
    let left = d * u128::from(dot);
    dot > 0 && wide(left, left) >= wide(n * n, u128::from(a) * u128::from(b))
}

/// A product of 256 bits, high half first.
fn wide(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let (middle, carry) = middle.overflowing_add(a0 * b1);
    let high = a1 * b1 + (middle >> 64) + (u128::from(carry) << 64);
    (high, (middle << 64) | (low & LOW))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn common_features_weigh_nothing_and_rare_ones_much() {
        assert_eq!(tf_idf(5, 10, 10), 0);
        assert_eq!(tf_idf(1, 1, 1000), (1000f64.ln() * 64.0).round() as u32);
        assert_eq!(tf_idf(u32::MAX, 1, 1000), 1 << 20);
    }

    #[test]
    fn a_pair_on_the_threshold_counts() {
        // (3, 4) and (4, 3): 24 of 25.
        let threshold = Threshold::new(24, 25).unwrap();
        assert!(reaches(threshold, 24, 25, 25));
        assert!(!reaches(Threshold::new(961, 1000).unwrap(), 24, 25, 25));
        assert!(!reaches(threshold, 0, 25, 25));
        assert_eq!(cosine(25, 25, 25), 1.0);
    }

    proptest! {
        #[test]
        fn wide_products_are_right(a in any::<u128>(), b in any::<u64>()) {
            // By parts of 64 bits, as on paper.
            let (high, low) = wide(a, u128::from(b));
            let part = |a: u128| (a & u128::from(u64::MAX)) * u128::from(b);
            let (low_part, high_part) = (part(a), part(a >> 64));
            let middle = (low_part >> 64) + (high_part & u128::from(u64::MAX));
            prop_assert_eq!(low, (middle << 64) | (low_part & u128::from(u64::MAX)));
            prop_assert_eq!(high, (high_part >> 64) + (middle >> 64));
            prop_assert_eq!(wide(u128::from(b), a), (high, low));
        }
    }
}
