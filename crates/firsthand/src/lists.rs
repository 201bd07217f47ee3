//! Many short lists in one piece of memory.

use std::ops::{Index, Range};

/// Lists of different lengths, one after another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lists<T> {
    /// Where each list starts, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy + Default> Lists<T> {
    /// The items of each of `count` lists, in their order; they are gone through twice.
    pub(crate) fn new(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        // Each list is filled up to its start from the end of the one before, which then is its own end.
        let mut starts = vec![0u32; count + 2];
        items.clone().for_each(|(list, _)| starts[list as usize + 2] += 1);
        for list in 2..starts.len() {
            starts[list] += starts[list - 1];
        }
        let mut all = vec![T::default(); starts[count + 1] as usize];
        for (list, item) in items {
            let next = &mut starts[list as usize + 1];
            all[*next as usize] = item;
            *next += 1;
        }
        starts.pop();
        Self { starts, items: all }
    }
}

impl<T> Lists<T> {
    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// All lists.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|list| &self[list])
    }

    /// A list to be changed.
    pub(crate) fn of_mut(&mut self, list: usize) -> &mut [T] {
        let range = self.range(list);
        &mut self.items[range]
    }

    /// The items of all lists.
    pub(crate) fn items(&self) -> usize {
        self.items.len()
    }

    fn range(&self, list: usize) -> Range<usize> {
        self.starts[list] as usize..self.starts[list + 1] as usize
    }
}

impl<T> Index<usize> for Lists<T> {
    type Output = [T];

    fn index(&self, list: usize) -> &[T] {
        &self.items[self.range(list)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_list_has_its_items_in_order(
            items in prop::collection::vec((0u32..9, any::<u16>()), 0..40), more in 0usize..3,
        ) {
            let count = 9 + more;
            let mut lists = Lists::new(count, items.iter().copied());
            let expected: Vec<Vec<u16>> = (0..count as u32)
                .map(|list| items.iter().filter(|item| item.0 == list).map(|item| item.1).collect())
                .collect();
            prop_assert_eq!((lists.len(), lists.items()), (count, items.len()));
            prop_assert_eq!(lists.iter().map(<[u16]>::to_vec).collect::<Vec<_>>(), &*expected);
            lists.of_mut(4).reverse();
            let reversed: Vec<u16> = expected[4].iter().rev().copied().collect();
            prop_assert_eq!(&lists[4], reversed);
            prop_assert_eq!(&lists[5], &*expected[5]);
        }
    }
}
