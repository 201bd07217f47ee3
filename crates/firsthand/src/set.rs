//! Features to sets: sorted and distinct.

use xxhash_rust::xxh3::xxh3_64;

/// A bucket with more features is left to the general sort, which no input can slow down.
const FULL: u32 = 24;
/// Fewer features are sorted directly.
const FEW: usize = 32;

/// Builds one set after another, reusing its memory.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    ends: Vec<u32>,
    spare: Vec<u64>,
}

impl Sorter {
    /// Turns features into a set: sorted and distinct, or, for a multi-set, with each repetition as
    /// a feature of its own, so that the overlap is the sum of the smaller counts. A set stays as
    /// it is.
    pub(crate) fn make_set(&mut self, features: &mut Vec<u64>, multiset: bool) {
        self.sort(features);
        if !multiset {
            features.dedup();
            return;
        }
        let mut numbered = false;
        let mut run = 0u64;
        let mut previous = None;
        for feature in features.iter_mut() {
            run = if previous == Some(*feature) { run + 1 } else { 0 };
            previous = Some(*feature);
            if run > 0 {
                numbered = true;
                *feature = occurrence(*feature, run);
            }
        }
        if numbered {
            self.sort(features);
            features.dedup();
        }
    }

    /// Sorts hashes: they are evenly distributed, so their leading bits put each close to its
    /// position.
    pub(crate) fn sort(&mut self, features: &mut [u64]) {
        if features.len() < FEW {
            features.sort_unstable();
            return;
        }
        // About as many buckets as features: most have few.
        let shift = 63 - features.len().ilog2();
        let buckets = 1 << (64 - shift);
        self.ends.clear();
        self.ends.resize(buckets, 0);
        let (ends, last) = (&mut self.ends[..buckets], buckets - 1);
        for feature in features.iter() {
            ends[(feature >> shift) as usize & last] += 1;
        }
        let (mut end, mut most) = (0, 0);
        for count in ends.iter_mut() {
            most = most.max(*count);
            end += *count;
            *count = end;
        }
        if most > FULL {
            features.sort_unstable();
            return;
        }
        // What was there is overwritten.
        self.spare.resize(features.len().max(self.spare.len()), 0);
        let spare = &mut self.spare[..features.len()];
        for &feature in features.iter() {
            let end = &mut ends[(feature >> shift) as usize & last];
            *end -= 1;
            spare[*end as usize] = feature;
        }
        // What is still out of order is within its small bucket.
        let mut before = 0;
        for (at, &feature) in spare.iter().enumerate() {
            features[at] = feature;
            if feature >= before {
                before = feature;
                continue;
            }
            let mut place = at;
            while place > 0 && features[place - 1] > feature {
                features[place] = features[place - 1];
                place -= 1;
            }
            features[place] = feature;
        }
    }
}

/// The feature for one more occurrence of a feature.
pub(crate) fn occurrence(feature: u64, number: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&feature.to_le_bytes());
    bytes[8..].copy_from_slice(&number.to_le_bytes());
    xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(features: &[u64], multiset: bool) -> Vec<u64> {
        let mut features = features.to_vec();
        Sorter::default().make_set(&mut features, multiset);
        features
    }

    #[test]
    fn a_multiset_counts_repetitions() {
        assert_eq!(set(&[7, 3, 7, 7], false), [3, 7]);
        let (three, two) = (set(&[7, 3, 7, 7], true), set(&[7, 7, 9], true));
        assert_eq!((three.len(), two.len()), (4, 3));
        assert_eq!(three.iter().filter(|feature| two.contains(feature)).count(), 2);
        assert_eq!(set(&three, true), three);
    }

    proptest! {
        #[test]
        fn any_features_are_sorted(
            mut features in prop::collection::vec(any::<u64>(), 0..300),
            narrow in 0u32..64,
        ) {
            features.iter_mut().for_each(|feature| *feature >>= narrow);
            let mut expected = features.clone();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(set(&features, false), expected);
        }
    }
}
