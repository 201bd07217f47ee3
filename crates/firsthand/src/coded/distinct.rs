//! The different features of a text, without sorting them.

use crate::{set::Sorter, wide::wide};

/// Texts with more features are sorted after all.
const MOST_FEATURES: usize = 1 << 11;
/// Bits of the map: those of two different features are seldom the same.
const BITS: usize = 1 << 15;
/// As are texts with more features whose bits are taken: no input can slow it down.
const MOST_TAKEN: usize = 64;

/// Tells different features apart, text by text, reusing its memory.
#[derive(Debug, Default)]
pub(crate) struct Distinct {
    map: Vec<u64>,
    /// Where features are whose bit was taken, the first of these: repetitions, and a few others.
    taken: Vec<u32>,
    taken_count: usize,
    sorter: Sorter,
}

impl Distinct {
    /// Moves repetitions behind the different features, and returns the number of those.
    pub(crate) fn move_first(&mut self, features: &mut [u64]) -> usize {
        match features.len() <= MOST_FEATURES && self.find_taken(features) {
            true => self.move_taken(features),
            false => self.move_sorted(features),
        }
    }

    /// Marks the bit of each feature; false if too many are marked already.
    fn find_taken(&mut self, features: &[u64]) -> bool {
        self.map.clear();
        self.map.resize(BITS / 64, 0);
        self.taken.resize(MOST_FEATURES + 1, 0);
        let Some(map) = self.map.first_chunk_mut::<{ BITS / 64 }>() else { return false };
        let taken = &mut self.taken[..features.len() + 1];
        let mut count = 0;
        for (&feature, at) in features.iter().zip(0u32..) {
            let bit = feature as usize % BITS;
            let word = &mut map[bit / 64];
            // Whether it is taken cannot be foreseen: the next place overwrites one that is not.
            taken[count] = at;
            count += (*word >> (bit % 64) & 1) as usize;
            *word |= 1 << (bit % 64);
        }
        self.taken_count = count;
        count <= MOST_TAKEN
    }

    fn move_taken(&mut self, features: &mut [u64]) -> usize {
        let mut length = features.len();
        // From the last on, so that what is swapped in has been looked at.
        for &at in self.taken[..self.taken_count].iter().rev() {
            let (before, from) = features.split_at(at as usize);
            let is_repeated = wide(
                #[inline(always)]
                || before.iter().fold(false, |found, feature| found | (*feature == from[0])),
            );
            if is_repeated {
                length -= 1;
                features.swap(at as usize, length);
            }
        }
        length
    }

    fn move_sorted(&mut self, features: &mut [u64]) -> usize {
        self.sorter.sort(features);
        let mut length = features.len().min(1);
        for at in 1..features.len() {
            if features[at] != features[length - 1] {
                features.swap(at, length);
                length += 1;
            }
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn each_comes_once_at_first(
            features in prop::collection::vec(0u64..400, 0..400), shift in prop::sample::select(vec![0, 40]),
            (times, spread) in (prop::sample::select(vec![1, 20]), prop::sample::select(vec![1, 7_777_777])),
        ) {
            // Shifted, all have the same last bits.
            let features: Vec<u64> = features.iter().map(|feature| (feature * spread) << shift).collect();
            let mut features = features.repeat(times);
            let different: BTreeSet<u64> = features.iter().copied().collect();
            let mut all = features.clone();
            let count = Distinct::default().move_first(&mut features);
            prop_assert_eq!(count, different.len());
            prop_assert_eq!(features[..count].iter().copied().collect::<BTreeSet<_>>(), different);
            features.sort_unstable();
            all.sort_unstable();
            prop_assert_eq!(features, all);
        }
    }
}
