//! Keys in memory, with the documents under each.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasherDefault, Hasher},
};

/// The index of a document in its bucket, in the order of document numbers.
pub(super) type Local = u32;

/// Ascending lists of documents, by key.
#[derive(Debug, Default)]
pub(super) struct Postings {
    lists: HashMap<u64, PostingList, BuildHasherDefault<KeyHasher>>,
    many: Vec<Vec<Local>>,
    count: usize,
}

// Most keys lead to one document, which is kept in place; longer lists are in `many`.
#[derive(Clone, Copy, Debug)]
enum PostingList {
    One(Local),
    Many(u32),
}

impl Postings {
    pub(super) fn add(&mut self, key: u64, local: Local) {
        self.count += 1;
        match self.lists.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(PostingList::One(local));
            }
            Entry::Occupied(mut entry) => match *entry.get() {
                PostingList::One(first) => {
                    entry.insert(PostingList::Many(self.many.len() as u32));
                    self.many.push(vec![first.min(local), first.max(local)]);
                }
                PostingList::Many(at) => {
                    let list = &mut self.many[at as usize];
                    // A key that was added later to an earlier document goes before the last.
                    let is_last = list.last().is_none_or(|&last| last <= local);
                    let at = if is_last {
                        list.len()
                    } else {
                        list.partition_point(|&other| other <= local)
                    };
                    list.insert(at, local);
                }
            },
        }
    }

    /// The documents under a key.
    pub(super) fn get(&self, key: u64) -> &[Local] {
        match self.lists.get(&key) {
            None => &[],
            Some(PostingList::One(local)) => std::slice::from_ref(local),
            Some(PostingList::Many(at)) => &self.many[*at as usize],
        }
    }

    /// Number of documents, summed over all keys.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Calls `each` with every key and document, in no order.
    pub(super) fn each(&self, mut each: impl FnMut(u64, Local)) {
        for (&key, list) in &self.lists {
            match list {
                PostingList::One(local) => each(key, *local),
                PostingList::Many(at) => {
                    self.many[*at as usize].iter().for_each(|&local| each(key, local))
                }
            }
        }
    }

    /// Every key and document, in ascending order.
    pub(super) fn sorted(&self) -> Vec<(u64, Local)> {
        let mut all: Vec<(u64, Local)> = Vec::with_capacity(self.count);
        self.each(|key, local| all.push((key, local)));
        all.sort_unstable();
        all
    }
}

/// Hashes keys, since not all of their bits may be random.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(0xd6e8_feb8_6659_fd93_u64);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
