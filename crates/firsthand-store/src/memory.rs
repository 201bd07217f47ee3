//! The store in memory, opened like the others.

use crate::{ManagedStore, StoredSettings, Verified};
use firsthand::online::{Changes, Found, Head, Memory, Probe, Seq, Store, StoreError, Stored};
use std::path::Path;

/// A store in memory, with its settings.
pub(crate) struct MemoryStore {
    settings: StoredSettings,
    memory: Memory,
}

impl MemoryStore {
    pub(crate) fn new(settings: StoredSettings) -> Self {
        Self { settings, memory: Memory::new() }
    }
}

impl ManagedStore for MemoryStore {
    fn settings(&self) -> &StoredSettings {
        &self.settings
    }

    fn verify(&mut self) -> Result<Verified, StoreError> {
        let documents = self.memory.scan(0, usize::MAX)?.len() as u64;
        Ok(Verified { documents, ..Verified::default() })
    }

    fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        let bytes = self.memory.begin()?.buckets.iter().map(|bucket| bucket.bytes).sum();
        Ok((bytes, bytes))
    }

    fn backup(&mut self, to: &Path) -> Result<(), StoreError> {
        let text = format!(
            "a store in memory cannot be copied to {}; keep it in a folder instead of `memory:`",
            to.display()
        );
        Err(StoreError::Unfit(text))
    }
}

impl Store for MemoryStore {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.memory.begin()
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.memory.find(probes)
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.memory.load(documents)
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.memory.value(name)
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.memory.commit(changes)
    }

    fn abandon(&mut self) {
        self.memory.abandon();
    }

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.memory.scan(from, most)
    }

    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        self.memory.facts()
    }
}
