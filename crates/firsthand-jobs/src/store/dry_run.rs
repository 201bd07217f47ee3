//! A store for dry runs: it answers everything and changes nothing.

use firsthand::online::{Changes, Found, Head, Probe, Seq, Store, StoreError, Stored};
use firsthand_store::ManagedStore;

/// Abandons every round, also those that are committed.
pub(super) struct DryRunStore(pub(super) Box<dyn ManagedStore>);

impl Store for DryRunStore {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.0.begin()
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.0.find(probes)
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.0.load(documents)
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.value(name)
    }

    fn commit(&mut self, _changes: Changes) -> Result<(), StoreError> {
        self.0.abandon();
        Ok(())
    }

    fn abandon(&mut self) {
        self.0.abandon();
    }

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.0.scan(from, most)
    }

    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        self.0.facts()
    }
}
