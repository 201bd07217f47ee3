//! Charikar's random projections: one bit per random hyperplane, for the side on which a set lies.
//!
//! The share of bits on which two sketches agree is `1 - angle / π`, where the angle is that
//! between their vectors. The hyperplanes have coordinates of plus and minus one, taken from the
//! bits of a hash, so no table is needed.

use super::seeds::mix;
use crate::wide::wide;
use rayon::prelude::*;

/// Bits of a word.
const WORD: usize = 64;

/// The bits of each set of a collection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits {
    words: usize,
    bits: Vec<u64>,
    /// Whether the set was not empty.
    filled: Vec<bool>,
}

impl Bits {
    /// The bits of sets with weights, one weight per feature; `bits` is a multiple of 64.
    pub(crate) fn new<'a>(
        bits: usize,
        count: usize,
        set: impl Fn(usize) -> (&'a [u64], Option<&'a [u32]>) + Sync,
    ) -> Self {
        let words = bits / WORD;
        let mut all = vec![0u64; words * count];
        all.par_chunks_mut(words).enumerate().for_each_init(
            || vec![0i64; bits],
            |sums, (at, own)| {
                let (features, weights) = set(at);
                wide(|| project(features, weights, sums));
                for (word, sums) in own.iter_mut().zip(sums.chunks(WORD)) {
                    *word = (0..WORD).fold(0, |word, bit| word | u64::from(sums[bit] > 0) << bit);
                }
            },
        );
        let filled = (0..count).map(|at| !set(at).0.is_empty()).collect();
        Self { words, bits: all, filled }
    }

    /// The bits of one set; `None` if it is empty.
    pub(crate) fn get(&self, set: usize) -> Option<&[u64]> {
        self.filled[set].then(|| &self.bits[set * self.words..][..self.words])
    }

    /// How many bits a sketch has.
    pub(crate) fn len(&self) -> u64 {
        (self.words * WORD) as u64
    }

    /// The number of bits on which two sets agree; 0 if one is empty.
    pub(crate) fn agreement(&self, a: usize, b: usize) -> u64 {
        match (self.get(a), self.get(b)) {
            (Some(x), Some(y)) => self.len() - u64::from(distance(x, y)),
            _ => 0,
        }
    }
}

/// The number of bits in which two sketches differ.
pub(crate) fn distance(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// The signed sum for each hyperplane: its sign is the side on which the set lies.
#[inline(always)]
fn project(features: &[u64], weights: Option<&[u32]>, sums: &mut [i64]) {
    sums.fill(0);
    for (at, &feature) in features.iter().enumerate() {
        let weight = weights.map_or(1, |weights| i64::from(weights[at]));
        let mut coordinates = feature;
        for sums in sums.chunks_mut(WORD) {
            coordinates = mix(coordinates);
            for (bit, sum) in sums.iter_mut().enumerate() {
                // Plus or minus the weight, without a branch.
                let minus = -((coordinates >> bit & 1) as i64);
                *sum += (weight ^ minus) - minus;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn agreement_is_the_angle_within_the_theoretical_error(
            seed in any::<u64>(), shared in 0u64..150, own in 20u64..100,
        ) {
            let set = |side: u64| -> Vec<u64> {
                let common = (0..shared).map(|at| mix(seed ^ at));
                common.chain((0..own).map(move |at| mix(seed ^ (side << 32) ^ at))).collect()
            };
            let sets = [set(1), set(2)];
            let count = 4096;
            let bits = Bits::new(count, 2, |at| (&sets[at], None));
            let cosine = shared as f64 / (shared + own) as f64;
            let share = 1.0 - cosine.acos() / std::f64::consts::PI;
            let deviation = (share * (1.0 - share) / count as f64).sqrt();
            let found = bits.agreement(0, 1) as f64 / count as f64;
            // Hyperplanes of plus and minus one are only nearly uniform for small sets.
            prop_assert!((found - share).abs() < 6.0 * deviation + 0.01, "{found} {share}");
        }
    }

    #[test]
    fn weights_count_as_repetition_would() {
        let heavy = [vec![1u64, 2, 3], vec![1, 9, 10]];
        let weights = [vec![50u32, 1, 1], vec![50, 1, 1]];
        let plain = Bits::new(1024, 2, |at| (&heavy[at], None)).agreement(0, 1);
        let weighted = Bits::new(1024, 2, |at| (&heavy[at], Some(&weights[at]))).agreement(0, 1);
        assert_eq!(weighted, 1024);
        assert!(plain < 900);
    }

    #[test]
    fn an_empty_set_has_no_bits() {
        let sets = [vec![], vec![5u64]];
        let bits = Bits::new(64, 2, |at| (&sets[at], None));
        assert_eq!((bits.get(0), bits.agreement(0, 1), bits.len()), (None, 0, 64));
        assert_eq!(bits.agreement(1, 1), 64);
    }
}
