//! Ids made unique: where one occurs again, `#2`, `#3` and so on are appended.

use crate::{collection::Summary, hashed::BuildHashed};
use std::collections::{HashMap, hash_map::Entry};
use xxhash_rust::xxh3::xxh3_64;

/// Makes ids unique in the order in which they come.
#[derive(Default)]
pub(crate) struct Ids {
    /// The hash of each id to its first document.
    seen: HashMap<u64, u32, BuildHashed>,
    /// How often an id that is not unique has occurred.
    counts: HashMap<String, u32>,
    /// How many ids were changed.
    pub(crate) renamed: usize,
}

impl Ids {
    /// Ids of another collection do not count.
    pub(crate) fn start_again(&mut self) {
        *self = Self { renamed: self.renamed, ..Self::default() };
    }

    /// The id, or one like it that none of the documents so far has.
    pub(crate) fn unique(&mut self, id: String, documents: &[Summary]) -> String {
        if self.is_new(&id, documents) {
            return id;
        }
        self.renamed += 1;
        loop {
            let count = self.counts.entry(id.clone()).or_insert(1);
            *count += 1;
            let name = format!("{id}#{count}");
            if self.is_new(&name, documents) {
                return name;
            }
        }
    }

    fn is_new(&mut self, id: &str, documents: &[Summary]) -> bool {
        match self.seen.entry(xxh3_64(id.as_bytes())) {
            Entry::Vacant(place) => {
                place.insert(documents.len() as u32);
                true
            }
            // Should two ids ever share a hash, neither is a repetition.
            Entry::Occupied(place) => documents[*place.get() as usize].id != id,
        }
    }
}
