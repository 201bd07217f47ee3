//! The pairs a row found, in little memory, for comparing rows.

use std::collections::HashMap;

/// Pairs of sets. Identical sets may be represented by one of them.
#[derive(Debug, Default)]
pub(crate) struct FoundPairs {
    /// For each set, its representative.
    of: Vec<u32>,
    /// Pairs of representatives, `a < b`, ascending.
    pairs: Vec<(u32, u32)>,
    /// The number of document pairs.
    count: u64,
}

impl FoundPairs {
    /// The pairs of `sets` sets; all members of a group are pairs of each other, and pairs name its
    /// first member.
    pub(crate) fn new(sets: usize, groups: &[Vec<u32>], mut pairs: Vec<(u32, u32)>) -> Self {
        let mut of: Vec<u32> = (0..sets as u32).collect();
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        let mut count = 0;
        for group in groups {
            let Some(&first) = group.first() else { continue };
            group.iter().for_each(|&member| of[member as usize] = first);
            let size = group.len() as u64;
            count += size * (size - 1) / 2;
            sizes.insert(first, size);
        }
        pairs.sort_unstable();
        let size = |set: u32| sizes.get(&set).copied().unwrap_or(1);
        count += pairs.iter().map(|&(a, b)| size(a) * size(b)).sum::<u64>();
        Self { of, pairs, count }
    }

    /// How many pairs there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Whether two different sets are a pair.
    fn contains(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.of[a as usize], self.of[b as usize]);
        a == b || self.pairs.binary_search(&(a.min(b), a.max(b))).is_ok()
    }

    /// The share of the pairs of `base` that are also here; 1 if it has none.
    pub(crate) fn recall_of(&self, base: &Self) -> f64 {
        let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
        for (set, &first) in base.of.iter().enumerate() {
            members.entry(first).or_default().push(set as u32);
        }
        let mut shared = 0u64;
        for group in members.values() {
            for (at, &a) in group.iter().enumerate() {
                shared += group[..at].iter().filter(|&&b| self.contains(a, b)).count() as u64;
            }
        }
        for (a, b) in &base.pairs {
            for &a in &members[a] {
                shared += members[b].iter().filter(|&&b| self.contains(a, b)).count() as u64;
            }
        }
        if base.count == 0 { 1.0 } else { shared as f64 / base.count as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_count_for_all_their_members() {
        // 0, 1 and 2 are identical and near 3; 4 is near 3 only.
        let grouped = FoundPairs::new(5, &[vec![0, 1, 2]], vec![(0, 3), (3, 4)]);
        assert_eq!(grouped.count(), 3 + 3 + 1);
        let plain =
            FoundPairs::new(5, &[], vec![(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (3, 4)]);
        assert_eq!(plain.count(), 7);
        assert_eq!((grouped.recall_of(&plain), plain.recall_of(&grouped)), (1.0, 1.0));
        let some = FoundPairs::new(5, &[vec![0, 1]], vec![(3, 4)]);
        assert_eq!(some.recall_of(&grouped), 2.0 / 7.0);
        assert_eq!(grouped.recall_of(&some), 1.0);
        assert_eq!(some.recall_of(&FoundPairs::new(5, &[], Vec::new())), 1.0);
    }
}
