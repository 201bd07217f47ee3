//! The store in memory, opened like the others.

use crate::{Fact, ManagedStore, StoredSettings, TextShelf, Verified};
use firsthand::online::{Changes, Memory, Store, StoreError};
use std::path::Path;

/// The named value under which the settings are kept.
const SETTINGS: &str = "settings";

/// A new store in memory.
pub(crate) fn open(settings: &StoredSettings) -> Result<Memory, StoreError> {
    let mut memory = Memory::new();
    memory.set_settings(settings)?;
    Ok(memory)
}

impl ManagedStore for Memory {
    fn settings(&mut self) -> Result<StoredSettings, StoreError> {
        let text = self.value(SETTINGS)?.unwrap_or_default();
        Ok(StoredSettings::kept(String::from_utf8_lossy(&text)))
    }

    fn set_settings(&mut self, settings: &StoredSettings) -> Result<(), StoreError> {
        let values = vec![(SETTINGS.to_owned(), settings.as_str().into())];
        self.commit(Changes { values, ..Changes::default() })
    }

    fn info(&mut self) -> Result<Vec<(String, Fact)>, StoreError> {
        Ok(vec![("kind".to_owned(), Fact::Text("memory".to_owned()))])
    }

    fn texts(&mut self, _make: bool) -> Result<Option<&mut dyn TextShelf>, StoreError> {
        Ok(None)
    }

    fn verify(&mut self) -> Result<Verified, StoreError> {
        let documents = self.scan(0, usize::MAX)?.len() as u64;
        Ok(Verified { documents, ..Verified::default() })
    }

    fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        let bytes = self.begin()?.buckets.iter().map(|bucket| bucket.bytes).sum();
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
