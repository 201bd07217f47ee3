//! Keys in memory, and the documents under them.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasherDefault, Hasher},
};

/// A document within its bucket: they are counted from 0 in the order of their numbers.
pub(super) type Local = u32;

/// ListCache of documents by key, each ascending.
#[derive(Debug, Default)]
pub(super) struct Postings {
    lists: HashMap<u64, List, BuildHasherDefault<KeyHasher>>,
    many: Vec<Vec<Local>>,
    count: usize,
}

// Most keys lead to one document, so that is kept in place.
#[derive(Clone, Copy, Debug)]
enum List {
    One(Local),
    Many(u32),
}

impl Postings {
    pub(super) fn add(&mut self, key: u64, local: Local) {
        self.count += 1;
        match self.lists.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(List::One(local));
            }
            Entry::Occupied(mut entry) => match *entry.get() {
                List::One(first) => {
                    entry.insert(List::Many(self.many.len() as u32));
                    self.many.push(vec![first.min(local), first.max(local)]);
                }
                List::Many(at) => {
                    let list = &mut self.many[at as usize];
                    // A further key of an earlier document has its place before the last.
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
            Some(List::One(local)) => std::slice::from_ref(local),
            Some(List::Many(at)) => &self.many[*at as usize],
        }
    }

    /// How many there are, over all keys.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Everything, in no order.
    pub(super) fn each(&self, mut each: impl FnMut(u64, Local)) {
        for (&key, list) in &self.lists {
            match list {
                List::One(local) => each(key, *local),
                List::Many(at) => {
                    self.many[*at as usize].iter().for_each(|&local| each(key, local))
                }
            }
        }
    }

    /// Everything, by key and document.
    pub(super) fn sorted(&self) -> Vec<(u64, Local)> {
        let mut all: Vec<(u64, Local)> = Vec::with_capacity(self.count);
        self.each(|key, local| all.push((key, local)));
        all.sort_unstable();
        all
    }
}

/// Spreads keys whose bits may not all be random.
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
