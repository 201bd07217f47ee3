//! Sorts grams fast: a rank in the top byte, then a hash.

use super::grams::Gram;

/// A bucket with more grams is left to the general sort, which no input can slow down.
const FULL: u32 = 24;
/// Fewer grams are sorted directly.
const FEW: usize = 32;

/// Sorts the grams of one document after another, reusing its memory.
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
    /// Sorts grams by their features; equal ones stay in text order. Ranks differ in their number
    /// of grams, but the hashes within each are evenly distributed, so buckets per rank put every
    /// gram close to its position.
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
        // What is still out of order is within its small bucket.
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

    /// Finds the bucket of each feature and the end of each bucket; returns the size of the
    /// fullest.
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
            // The leading bits of the hash, scaled to the number of buckets.
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

    /// Sorts the buckets with too many grams.
    fn sort_full_buckets(&mut self, grams: &mut [Gram]) {
        let mut end = grams.len() as u32;
        // By now, what was the end of a bucket is its start.
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
