//! Weighed features in ascending order, fast: a rank in the top byte, then a hash.

/// A bucket with more features is left to the general sort, which no input can slow down.
const FULL: u32 = 24;
/// Fewer features than this are sorted as they are.
const FEW: usize = 32;
/// Bits of the rank.
const RANK: u32 = 8;

/// Orders one vector after another with the same memory.
#[derive(Debug, Default)]
pub(crate) struct Ordering {
    ends: Vec<u32>,
    spare: Vec<(u64, u32)>,
}

impl Ordering {
    /// Sorts by the features, which are all different. Hashes are spread evenly, so dealing them out by
    /// their leading bits puts each close to its place; then they are dealt out by rank.
    pub(crate) fn sort(&mut self, vector: &mut Vec<(u64, u32)>) {
        if vector.len() < FEW {
            vector.sort_unstable_by_key(|gram| gram.0);
            return;
        }
        let shift = 64 - vector.len().ilog2();
        let hash = |gram: &(u64, u32)| gram.0 << RANK;
        self.count(64 - shift, vector, |gram| (hash(gram) >> shift) as usize);
        if self.ends.iter().any(|&count| count > FULL) {
            vector.sort_unstable_by_key(|gram| gram.0);
            return;
        }
        self.deal(vector, |gram| (hash(gram) >> shift) as usize);
        let spare = &mut self.spare;
        for at in 1..spare.len() {
            let gram = spare[at];
            let mut place = at;
            while place > 0 && hash(&spare[place - 1]) > hash(&gram) {
                spare[place] = spare[place - 1];
                place -= 1;
            }
            spare[place] = gram;
        }
        std::mem::swap(vector, &mut self.spare);
        let rank = |gram: &(u64, u32)| (gram.0 >> (64 - RANK)) as usize;
        self.count(RANK, vector, rank);
        self.deal(vector, rank);
        std::mem::swap(vector, &mut self.spare);
    }

    /// Counts what is in each bucket.
    fn count(&mut self, bits: u32, vector: &[(u64, u32)], bucket: impl Fn(&(u64, u32)) -> usize) {
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        vector.iter().for_each(|gram| self.ends[bucket(gram)] += 1);
    }

    /// Deals out to the buckets that were counted; within each the order stays.
    fn deal(&mut self, vector: &[(u64, u32)], bucket: impl Fn(&(u64, u32)) -> usize) {
        let mut end = 0;
        for count in &mut self.ends {
            end += *count;
            *count = end;
        }
        self.spare.clear();
        self.spare.resize(vector.len(), (0, 0));
        for gram in vector.iter().rev() {
            let end = &mut self.ends[bucket(gram)];
            *end -= 1;
            self.spare[*end as usize] = *gram;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_features_are_sorted(
            features in prop::collection::btree_set(any::<u64>(), 0..300),
            ranks in 0u32..8,
            narrow in 0u32..56,
            seed in any::<u64>(),
        ) {
            let place = |(at, feature): (usize, u64)| {
                let rank = (feature >> 56) >> (8 - ranks).min(63);
                ((rank << 56) | ((feature << 8 >> 8) >> narrow), at as u32)
            };
            let expected: std::collections::BTreeMap<u64, u32> =
                features.into_iter().enumerate().map(place).collect();
            let mut vector: Vec<(u64, u32)> = expected.clone().into_iter().collect();
            vector.sort_by_key(|gram| gram.0.wrapping_mul(seed | 1));
            Ordering::default().sort(&mut vector);
            prop_assert_eq!(vector, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
