//! Unique ids: the second document called `a` becomes `a#2`, the third `a#3`.

use crate::hashed::BuildHashed;
use rayon::prelude::*;
use std::collections::{HashMap, hash_map::Entry};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The ids seen so far. Fed in input order, it assigns the same ids in every run.
///
/// It keeps 128-bit hashes, not the ids themselves, which the caller already has.
///
/// ```
/// use firsthand::collections::Ids;
///
/// let mut ids = Ids::default();
/// let (mut first, mut second) = ("a".to_owned(), "a".to_owned());
/// assert!(!ids.claim(&mut first) && ids.claim(&mut second));
/// assert_eq!((&*second, ids.renamed()), ("a#2", 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ids {
    seen: HashMap<u128, u32, BuildHashed>,
    renamed: usize,
}

impl Ids {
    /// Room for the ids of this number of documents.
    pub(crate) fn with_capacity(documents: usize) -> Self {
        let seen = HashMap::with_capacity_and_hasher(documents, BuildHashed::default());
        Self { seen, renamed: 0 }
    }

    /// Makes `id` unique among all ids given before; returns whether it had to be changed.
    pub fn claim(&mut self, id: &mut String) -> bool {
        let mut count = match self.seen.entry(xxh3_128(id.as_bytes())) {
            Entry::Vacant(free) => {
                free.insert(1);
                return false;
            }
            Entry::Occupied(taken) => *taken.get(),
        };
        let base = xxh3_128(id.as_bytes());
        // `a#2` may itself be the id of an earlier document, so search until one is free.
        let name = loop {
            count = count.saturating_add(1);
            let name = format!("{id}#{count}");
            if let Entry::Vacant(free) = self.seen.entry(xxh3_128(name.as_bytes())) {
                free.insert(1);
                break name;
            }
        };
        self.seen.insert(base, count);
        self.renamed += 1;
        *id = name;
        true
    }

    /// How many ids were changed.
    pub fn renamed(&self) -> usize {
        self.renamed
    }
}

/// Whether no two ids are equal; now and then, by chance, it is not seen that they differ.
pub(crate) fn all_differ<'a>(ids: impl ParallelIterator<Item = &'a str>) -> bool {
    let mut hashes: Vec<u64> = ids.map(|id| xxh3_64(id.as_bytes())).collect();
    hashes.par_sort_unstable();
    hashes.windows(2).all(|two| two[0] != two[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim_all(ids: &[&str]) -> Vec<String> {
        let mut seen = Ids::default();
        let claim = |&id: &&str| {
            let mut id = id.to_owned();
            seen.claim(&mut id);
            id
        };
        ids.iter().map(claim).collect()
    }

    #[test]
    fn repeated_ids_are_numbered_in_order() {
        assert_eq!(claim_all(&["a", "b", "a", "a"]), ["a", "b", "a#2", "a#3"]);
        assert_eq!(claim_all(&["a", "a#2", "a", "a"]), ["a", "a#2", "a#3", "a#4"]);
        assert_eq!(claim_all(&["a", "a", "a#2"]), ["a", "a#2", "a#2#2"]);
    }

    #[test]
    fn equal_ids_are_seen() {
        let ids: Vec<String> = (0..1_000).map(|id| id.to_string()).collect();
        assert!(all_differ(ids.par_iter().map(String::as_str)));
        assert!(!all_differ(ids.par_iter().map(String::as_str).chain(["7"].par_iter().copied())));
    }

    #[test]
    fn changes_are_counted() {
        let mut seen = Ids::default();
        let renamed: Vec<bool> =
            ["x", "x", "y"].iter().map(|&id| seen.claim(&mut id.to_owned())).collect();
        assert_eq!(renamed, [false, true, false]);
        assert_eq!(seen.renamed(), 1);
    }
}
