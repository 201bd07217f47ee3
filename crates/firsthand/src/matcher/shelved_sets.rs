//! Sets that are gathered on a shelf.

use super::{OneSet, Sets};
use crate::shelf::{Shelf, ShelfBlock};

/// Fewer features do not fill a block of a shelf.
const FEW: usize = 1 << 18;

/// Sets one after another: the first few by themselves, and then on a shelf.
#[derive(Debug, Default)]
pub(crate) struct ShelvedSets {
    sets: Vec<OneSet>,
    by_themselves: usize,
    /// The blocks of others, whose numbers come first.
    blocks: Vec<ShelfBlock<u64>>,
    shelf: Shelf<u64>,
}

impl ShelvedSets {
    /// Adds a set that is sorted and distinct.
    pub(crate) fn push(&mut self, features: &[u64]) {
        debug_assert!(features.is_sorted_by(|a, b| a < b));
        let place = match self.by_themselves < FEW {
            true => None,
            false => self.shelf.add(features),
        };
        self.sets.push(match place {
            Some(place) => OneSet::Shelved((self.blocks.len() + place.block()) as u32, place),
            None => {
                self.by_themselves += features.len();
                OneSet::Own(features.into())
            }
        });
    }

    /// Adds the sets of others.
    pub(crate) fn append(&mut self, other: Self) {
        self.blocks.extend(std::mem::take(&mut self.shelf).finish());
        let before = self.blocks.len() as u32;
        self.sets.extend(other.sets.into_iter().map(|set| match set {
            OneSet::Shelved(block, place) => OneSet::Shelved(before + block, place),
            own => own,
        }));
        self.blocks.extend(other.blocks);
        self.blocks.extend(other.shelf.finish());
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    pub(crate) fn finish(mut self) -> Sets {
        self.blocks.extend(self.shelf.finish());
        Sets::of_blocks(self.sets, self.blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_where_they_were_put() {
        let set = |of: u64| -> Vec<u64> { (0..50_000 + of).map(|at| at << 8 | of).collect() };
        let gathered = |of: std::ops::Range<u64>| {
            let mut sets = ShelvedSets::default();
            of.for_each(|of| sets.push(&set(of)));
            sets
        };
        let mut all = gathered(0..30);
        all.append(gathered(30..50));
        all.push(&set(50));
        all.append(gathered(51..52));
        let all = all.finish();
        assert_eq!(all.len(), 52);
        assert!((0..52).all(|of| all.get(of) == set(of as u64)));
    }
}
