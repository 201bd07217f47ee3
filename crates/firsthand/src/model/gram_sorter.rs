//! Grams in ascending order, fast: a rank in the top byte, then a hash.

use super::grams::Gram;

/// A bucket with more grams is left to the general sort, which no input can slow down.
const FULL: u32 = 24;
/// Fewer grams than this are sorted as they are.
const FEW: usize = 32;

/// Orders the grams of one document after another with the same memory.
#[derive(Debug, Default)]
pub(super) struct GramSorter {
    buckets: Vec<u32>,
    ends: Vec<u32>,
}

/// The buckets of a rank: as many as it has grams.
#[derive(Clone, Copy, Default)]
struct RankBuckets {
    start: u32,
    count: u32,
}

impl GramSorter {
    /// Puts what grams are compared by in order, with their places; equal ones stay in the order of
    /// the text. Ranks differ in how many grams they have, but the hashes of each are spread evenly:
    /// dealt out to buckets of their rank, all are close to their places.
    pub(super) fn sort(&mut self, features: &[u64], grams: &mut Vec<Gram>) {
        grams.clear();
        if features.len() < FEW {
            grams.extend(features.iter().copied().zip(0..));
            grams.sort_unstable();
            return;
        }
        let fullest = self.find_buckets(features);
        grams.resize(features.len(), (0, 0));
        for ((&feature, &bucket), place) in
            features.iter().zip(&self.buckets).zip(0..features.len() as u32).rev()
        {
            let end = &mut self.ends[bucket as usize];
            *end -= 1;
            grams[*end as usize] = (feature, place);
        }
        if fullest > FULL {
            self.sort_full_buckets(grams);
        }
        // What is left out of place is so within its small bucket.
        for at in 1..grams.len() {
            let gram = grams[at];
            let mut place = at;
            while place > 0 && grams[place - 1].0 > gram.0 {
                grams[place] = grams[place - 1];
                place -= 1;
            }
            grams[place] = gram;
        }
    }

    /// The bucket of each feature, and where each bucket ends; gives how many the fullest holds.
    fn find_buckets(&mut self, features: &[u64]) -> u32 {
        let mut ranks = [RankBuckets::default(); 256];
        features.iter().for_each(|feature| ranks[(feature >> 56) as usize].count += 1);
        let mut start = 0;
        for rank in &mut ranks {
            rank.start = start;
            start += rank.count;
        }
        self.ends.clear();
        self.ends.resize(features.len(), 0);
        let ends = &mut self.ends;
        self.buckets.clear();
        self.buckets.extend(features.iter().map(|feature| {
            let RankBuckets { start, count } = ranks[(feature >> 56) as usize];
            // The leading bits of the hash, as a share of the buckets.
            let share = ((feature >> 24 & u64::from(u32::MAX)) * u64::from(count)) >> 32;
            let bucket = start + share as u32;
            ends[bucket as usize] += 1;
            bucket
        }));
        let (mut end, mut fullest) = (0, 0);
        for count in ends {
            fullest = fullest.max(*count);
            end += *count;
            *count = end;
        }
        fullest
    }

    /// Sorts what was dealt out to buckets that hold much.
    fn sort_full_buckets(&mut self, grams: &mut [Gram]) {
        let mut end = grams.len() as u32;
        // What was the end of a bucket is its start by now.
        for &start in self.ends.iter().rev() {
            if end - start > FULL {
                grams[start as usize..end as usize].sort_unstable();
            }
            end = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_grams_are_sorted(
            features in prop::collection::vec(any::<u64>(), 0..300),
            ranks in 0u32..8,
            narrow in 0u32..60,
        ) {
            let narrowed = |feature: u64| {
                ((feature >> 56) >> (8 - ranks) << 56) | ((feature << 8 >> 8) >> narrow)
            };
            let features: Vec<u64> = features.into_iter().map(narrowed).collect();
            let mut expected: Vec<Gram> = features.iter().copied().zip(0..).collect();
            expected.sort_unstable();
            let mut grams = Vec::new();
            GramSorter::default().sort(&features, &mut grams);
            prop_assert_eq!(grams, expected);
        }
    }
}
