//! Which files are finished: kept in the store, so that a restart and a backup know it.
//!
//! An entry is a hash of the path relative to the folder, the size and the time of a file. Entries are
//! kept in numbered values of a bounded size, so that adding one does not rewrite the whole list.

use crate::error::JobError;
use firsthand::online::{Changes, StoreError};
use firsthand_store::ManagedStore;
use std::collections::HashMap;
use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;
use xxhash_rust::xxh3::xxh3_64;

/// Entries of one value.
const ENTRIES: usize = 512;

/// Bytes of an entry.
const BYTES: usize = 24;

/// The size and the time of a file, by which a change is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileVersion {
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) time: i64,
}

impl FileVersion {
    pub(super) fn new(metadata: &Metadata) -> Self {
        let nanoseconds = |time: std::time::SystemTime| match time.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |t| -t),
        };
        Self { size: metadata.len(), time: metadata.modified().map_or(0, nanoseconds) }
    }
}

/// The finished files of one folder.
#[derive(Debug)]
pub(super) struct FinishedFiles {
    folder: u64,
    files: HashMap<u64, FileVersion>,
    /// The number of the last value, which is being filled, and its bytes.
    last: (u64, Vec<u8>),
}

impl FinishedFiles {
    /// Reads the list for a folder from a store.
    pub(super) fn load(store: &mut dyn ManagedStore, folder: &Path) -> Result<Self, JobError> {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let folder = xxh3_64(real.as_os_str().as_encoded_bytes());
        let mut finished = Self { folder, files: HashMap::new(), last: (0, Vec::new()) };
        store.begin()?;
        let values = finished.values(store);
        store.abandon();
        let values = values?;
        for value in &values {
            for entry in value.chunks_exact(BYTES) {
                let (path, version) = decode(entry);
                finished.files.insert(path, version);
            }
        }
        if let Some(last) = values.last() {
            finished.last = (values.len() as u64 - 1, last.clone());
        }
        Ok(finished)
    }

    fn values(&self, store: &mut dyn ManagedStore) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut values = Vec::new();
        while let Some(value) = store.value(&self.name(values.len() as u64))? {
            values.push(value);
        }
        Ok(values)
    }

    /// Whether this version of a file is finished.
    pub(super) fn contains(&self, path: &str, version: FileVersion) -> bool {
        self.files.get(&xxh3_64(path.as_bytes())) == Some(&version)
    }

    /// Adds files that are finished; `commit` makes the changes durable.
    pub(super) fn add(
        &mut self,
        finished: &[(String, FileVersion)],
        commit: impl FnOnce(&Changes) -> Result<(), JobError>,
    ) -> Result<(), JobError> {
        if finished.is_empty() {
            return Ok(());
        }
        let mut values = Vec::new();
        for (path, version) in finished {
            if self.last.1.len() >= ENTRIES * BYTES {
                let number = self.last.0 + 1;
                let full = std::mem::replace(&mut self.last, (number, Vec::new()));
                values.push((self.name(full.0), full.1));
            }
            let path = xxh3_64(path.as_bytes());
            self.last.1.extend(encode(path, *version));
            self.files.insert(path, *version);
        }
        values.push((self.name(self.last.0), self.last.1.clone()));
        commit(&Changes { values, ..Changes::default() })
    }

    fn name(&self, number: u64) -> String {
        format!("watch:{:016x}:{number}", self.folder)
    }
}

fn encode(path: u64, version: FileVersion) -> [u8; BYTES] {
    let mut entry = [0; BYTES];
    entry[..8].copy_from_slice(&path.to_le_bytes());
    entry[8..16].copy_from_slice(&version.size.to_le_bytes());
    entry[16..].copy_from_slice(&version.time.to_le_bytes());
    entry
}

fn decode(entry: &[u8]) -> (u64, FileVersion) {
    let part = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&entry[at..at + 8]);
        bytes
    };
    let size = u64::from_le_bytes(part(8));
    (u64::from_le_bytes(part(0)), FileVersion { size, time: i64::from_le_bytes(part(16)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand_store::{OnOtherSettings, StoredSettings, open};

    #[test]
    fn the_list_is_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let address = folder.path().join("seen").to_string_lossy().into_owned();
        let settings = StoredSettings::new(&firsthand::Settings::default()).unwrap();
        let store = || open(&address, Some(&settings), OnOtherSettings::Refuse).unwrap();
        let version = |number: usize| FileVersion { size: number as u64, time: -5 };
        let mut opened = store();
        let mut finished = FinishedFiles::load(&mut *opened, folder.path()).unwrap();
        let mut commit = |changes: &Changes| {
            opened.begin()?;
            Ok(opened.commit(changes.clone())?)
        };
        for start in (0..1200).step_by(100) {
            let done: Vec<_> =
                (start..start + 100).map(|n| (format!("f{n}"), version(n))).collect();
            finished.add(&done, &mut commit).unwrap();
        }
        finished.add(&[("f7".to_owned(), version(8))], &mut commit).unwrap();
        drop(opened);
        let mut opened = store();
        let finished = FinishedFiles::load(&mut *opened, folder.path()).unwrap();
        let has = |number: usize| finished.contains(&format!("f{number}"), version(number));
        assert_eq!((0..1200).filter(|number| !has(*number)).collect::<Vec<_>>(), [7]);
        assert!(finished.contains("f7", version(8)) && !finished.contains("f1200", version(1200)));
        let elsewhere = FinishedFiles::load(&mut *opened, Path::new("/")).unwrap();
        assert!(!elsewhere.contains("f1", version(1)));
    }
}
