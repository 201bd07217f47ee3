//! Integer weights of features: vectors, and when two of them are similar.
//!
//! Weights are rounded to 64ths, so that a dot product is an integer, and whether a similarity
//! reaches the threshold is decided exactly and identically on every machine.
//!
//! Each measure is a function of three integers: what two vectors share, and the mass of each. For
//! the cosine and extended Jaccard these are the dot product and the squared lengths, for Jaccard
//! the sum of the smaller weights and the sums. A weight is below 2²⁰ and a vector has fewer than
//! 2²⁴ features, so none of them exceeds 64 bits; in a longer text, sums saturate.

use crate::measure::{Measure, Rule};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How features are weighted.
///
/// ```
/// use firsthand::settings::Weighting;
///
/// assert_eq!(Weighting::default(), Weighting::Equal);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// All features count the same.
    #[default]
    Equal,
    /// The frequency in the document times the logarithm of the inverse document frequency.
    TfIdf,
}

/// Weights are multiples of one over this.
const SCALE: f64 = 64.0;
/// The largest weight: products, summed over the longest text, still fit into 64 bits.
pub(crate) const HEAVIEST: u32 = (1 << 20) - 1;

/// The weight of a feature that occurs `tf` times here and in `df` of `n` documents.
pub(crate) fn tf_idf(tf: u32, df: u32, n: u32) -> u32 {
    let idf = (f64::from(n) / f64::from(df.max(1))).ln();
    (f64::from(tf) * idf * SCALE).round().clamp(0.0, f64::from(HEAVIEST)) as u32
}

/// A vector: its features, ascending, and the weight of each.
pub(crate) type Vector<'a> = (&'a [u64], &'a [u32]);

/// The weights of the features of each set, in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    of: Vec<Box<[u32]>>,
    squares: Vec<u64>,
    sums: Vec<u64>,
}

impl Weights {
    /// The weights of each set, capped at [`HEAVIEST`].
    pub(crate) fn new(sets: impl IndexedParallelIterator<Item = Vec<u32>>) -> Self {
        let sets: Vec<_> = sets.map(known).collect();
        let mut weights = Self::default();
        sets.into_iter().for_each(|set| weights.push_known(set));
        weights
    }

    /// Appends the weights of a set.
    pub(crate) fn push(&mut self, weights: Vec<u32>) {
        self.push_known(known(weights));
    }

    fn push_known(&mut self, (weights, square, sum): SummedWeights) {
        self.of.push(weights);
        self.squares.push(square);
        self.sums.push(sum);
    }

    pub(crate) fn get(&self, set: usize) -> &[u32] {
        &self.of[set]
    }

    /// The mass of a vector under the measure.
    pub(crate) fn mass(&self, measure: Measure, set: usize) -> u64 {
        if is_dot(measure) { self.squares[set] } else { self.sums[set] }
    }
}

/// The weights of a set, the sum of their squares, and their sum.
type SummedWeights = (Box<[u32]>, u64, u64);

fn known(mut weights: Vec<u32>) -> SummedWeights {
    weights.iter_mut().for_each(|weight| *weight = (*weight).min(HEAVIEST));
    let [square, sum] = [Measure::Cosine, Measure::Jaccard].map(|measure| mass(measure, &weights));
    (weights.into_boxed_slice(), square, sum)
}

/// Whether the measure is based on products; otherwise on the smaller weights.
///
/// Measures that are not defined for weights are rejected by the check of the settings.
pub(crate) fn is_dot(measure: Measure) -> bool {
    matches!(measure, Measure::Cosine | Measure::ExtendedJaccard)
}

/// The mass of a vector under the measure: its squared length, or its sum.
pub(crate) fn mass(measure: Measure, weights: &[u32]) -> u64 {
    let part = |&weight: &u32| match is_dot(measure) {
        true => u64::from(weight).pow(2),
        false => u64::from(weight),
    };
    // A thousand squares cannot overflow, and plain sums are fast.
    let sums = weights.chunks(1000).map(|weights| {
        let weights = weights.iter().map(|weight| (*weight).min(HEAVIEST));
        weights.map(|weight| part(&weight)).sum::<u64>()
    });
    sums.fold(0, u64::saturating_add)
}

/// What two vectors share under the measure: the sum of products over the common features, or the
/// sum of the smaller weights.
pub(crate) fn shared(measure: Measure, (a, x): Vector<'_>, (b, y): Vector<'_>) -> u64 {
    let dot = is_dot(measure);
    let (mut i, mut j, mut sum) = (0, 0, 0u64);
    while i < a.len() && j < b.len() {
        let (left, right) = (a[i], b[j]);
        // Most vectors compared here are similar, with long equal stretches.
        if left == right {
            let (x, y) = (u64::from(x[i]), u64::from(y[j]));
            sum = sum.saturating_add(if dot { x * y } else { x.min(y) });
            i += 1;
            j += 1;
            continue;
        }
        i += usize::from(left < right);
        j += usize::from(right < left);
    }
    sum
}

/// The similarity, for display, from what two vectors share and the mass of each.
pub(crate) fn score(measure: Measure, shared: u64, a: u64, b: u64) -> f64 {
    if shared == 0 {
        return 0.0;
    }
    // Equal vectors have a similarity of exactly one.
    if shared == a && shared == b {
        return 1.0;
    }
    let (shared, a, b) = (shared as f64, a as f64, b as f64);
    let score = match measure {
        Measure::Cosine => shared / a.sqrt() / b.sqrt(),
        _ => shared / (a + b - shared),
    };
    score.min(1.0)
}

/// Whether the similarity reaches the threshold, without rounding.
pub(crate) fn reaches(rule: Rule, shared: u64, a: u64, b: u64) -> bool {
    let (n, d) = (rule.threshold.numerator(), rule.threshold.denominator());
    let (n, d, shared) = (u128::from(n), u128::from(d), u128::from(shared));
    let (a, b) = (u128::from(a), u128::from(b));
    shared > 0
        && match rule.measure {
            // d² shared² >= n² a b
            Measure::Cosine => wide(d * shared, d * shared) >= wide(n * n, a * b),
            // d shared >= n (a + b - shared)
            _ => (d + n) * shared >= n * (a + b),
        }
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
    use crate::threshold::Threshold;
    use proptest::prelude::*;

    #[test]
    fn common_features_weigh_nothing_and_rare_ones_much() {
        assert_eq!(tf_idf(5, 10, 10), 0);
        assert_eq!(tf_idf(1, 1, 1000), (1000f64.ln() * 64.0).round() as u32);
        assert_eq!(tf_idf(u32::MAX, 1, 1000), HEAVIEST);
    }

    const MEASURES: [Measure; 3] = [Measure::Cosine, Measure::ExtendedJaccard, Measure::Jaccard];

    #[test]
    fn a_pair_on_the_threshold_counts() {
        // (3, 4) and (4, 3): cosine 24/25, extended Jaccard 24/26, min over max 6/8.
        let (a, b): (Vector<'_>, Vector<'_>) = ((&[1, 2], &[3, 4]), (&[1, 2], &[4, 3]));
        for (measure, n, d) in [
            (Measure::Cosine, 24, 25),
            (Measure::ExtendedJaccard, 12, 13),
            (Measure::Jaccard, 3, 4),
        ] {
            let (shared, x, y) = (shared(measure, a, b), mass(measure, a.1), mass(measure, b.1));
            let at = |n, d| Rule { measure, threshold: Threshold::new(n, d).unwrap() };
            assert!(reaches(at(n, d), shared, x, y));
            assert!(!reaches(at(n * 1000 + 1, d * 1000), shared, x, y));
            assert!(!reaches(at(1, 1_000_000), 0, x, y));
            assert!((score(measure, shared, x, y) - n as f64 / d as f64).abs() < 1e-12);
            assert_eq!(score(measure, x, x, x), 1.0);
            assert!(reaches(at(1, 1), x, x, x));
        }
    }

    #[test]
    fn plain_sets_are_vectors_of_ones() {
        let (a, b) = (vec![1u64, 2, 3, 4, 5], vec![4u64, 5, 6]);
        for measure in MEASURES {
            let shared = shared(measure, (&a, &[1; 5]), (&b, &[1; 3]));
            assert_eq!(shared, 2);
            assert!((score(measure, shared, 5, 3) - measure.score(2, 5, 3)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_heaviest_vectors_do_not_overflow() {
        let mut weights = Weights::default();
        weights.push(vec![u32::MAX; 3]);
        assert_eq!(weights.get(0), [HEAVIEST; 3]);
        let most = u64::MAX;
        assert!((u64::from(HEAVIEST).pow(2)).checked_mul(1 << 24).is_some());
        for measure in MEASURES {
            let rule = Rule { measure, threshold: Threshold::new(999_999, 1_000_000).unwrap() };
            assert!(reaches(rule, most, most, most));
            assert!(!reaches(rule, most / 2, most, most));
        }
    }

    proptest! {
        #[test]
        fn wide_products_are_right(a in any::<u128>(), b in any::<u64>()) {
            // In halves of 64 bits, as on paper.
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
