//! Sets of hashed features, the input of the matcher.

use crate::shelf::{ShelfBlock, ShelfPlace};

/// A sequence of sets; each is a sorted run of distinct 64-bit features.
///
/// Every set stays where it was allocated: a large collection is never copied as a whole.
///
/// ```
/// use firsthand::matcher::Sets;
///
/// let mut sets = Sets::default();
/// sets.push(vec![3, 1, 3]);
/// assert_eq!((sets.len(), sets.get(0)), (1, &[1, 3][..]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sets {
    sets: Vec<OneSet>,
    /// Of sets that are not by themselves.
    blocks: Vec<ShelfBlock<u64>>,
}

/// Where the features of a set are.
#[derive(Clone, Debug)]
pub(crate) enum OneSet {
    /// By themselves.
    Own(Box<[u64]>),
    /// In the block with this number, sorted and distinct.
    Shelved(u32, ShelfPlace),
}

impl Sets {
    /// Appends a set. Features that are not sorted and distinct are made so.
    pub fn push(&mut self, mut features: Vec<u64>) {
        if !features.is_sorted_by(|a, b| a < b) {
            features.sort_unstable();
            features.dedup();
        }
        self.sets.push(OneSet::Own(features.into_boxed_slice()));
    }

    /// Appends a set that is known to be sorted and distinct.
    pub(crate) fn push_sorted(&mut self, features: Vec<u64>) {
        debug_assert!(features.is_sorted_by(|a, b| a < b));
        self.sets.push(OneSet::Own(features.into_boxed_slice()));
    }

    /// Sets that are known to be sorted and distinct, some of them in blocks.
    pub(crate) fn of_blocks(sets: Vec<OneSet>, blocks: Vec<ShelfBlock<u64>>) -> Self {
        Self { sets, blocks }
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The features of one set, ascending.
    pub fn get(&self, set: usize) -> &[u64] {
        match &self.sets[set] {
            OneSet::Own(features) => features,
            OneSet::Shelved(block, place) => self.blocks[*block as usize].items(*place),
        }
    }

    /// The number of features in all sets together.
    pub fn features(&self) -> usize {
        (0..self.len()).map(|set| self.get(set).len()).sum()
    }
}

impl FromIterator<Vec<u64>> for Sets {
    fn from_iter<I: IntoIterator<Item = Vec<u64>>>(sets: I) -> Self {
        let mut all = Self::default();
        for set in sets {
            all.push(set);
        }
        all
    }
}

/// How many elements two ascending sequences share.
pub(crate) fn overlap(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}
