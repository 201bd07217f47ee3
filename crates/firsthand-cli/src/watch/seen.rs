//! Which files were done: kept in the store, so that it is there after a restart and in a backup.
//!
//! A file is known by a hash of its path below the folder, its size and its time. Entries lie in
//! numbered values of a bounded size, so that noting a file does not write the whole list anew.

use anyhow::{Context, Result};
use firsthand::online::Changes;
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

/// What tells one version of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) size: u64,
    /// Nanoseconds since 1970.
    pub(crate) time: i64,
}

impl Version {
    pub(crate) fn new(metadata: &Metadata) -> Self {
        let nanoseconds = |time: std::time::SystemTime| match time.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |t| -t),
        };
        Self { size: metadata.len(), time: metadata.modified().map_or(0, nanoseconds) }
    }
}

/// Files of one folder that were done.
#[derive(Debug)]
pub(crate) struct Seen {
    folder: u64,
    files: HashMap<u64, Version>,
    /// The value that is being filled, and its number.
    last: (u64, Vec<u8>),
}

impl Seen {
    /// Reads what a store knows of a folder.
    pub(crate) fn load(store: &mut dyn ManagedStore, folder: &Path) -> Result<Self> {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let folder = xxh3_64(real.as_os_str().as_encoded_bytes());
        let mut seen = Self { folder, files: HashMap::new(), last: (0, Vec::new()) };
        store.begin()?;
        let values = seen.values(store);
        store.abandon();
        let values = values.context("cannot read which files were done")?;
        for value in &values {
            for entry in value.chunks_exact(BYTES) {
                let (path, version) = decode(entry);
                seen.files.insert(path, version);
            }
        }
        if let Some(last) = values.last() {
            seen.last = (values.len() as u64 - 1, last.clone());
        }
        Ok(seen)
    }

    fn values(&self, store: &mut dyn ManagedStore) -> Result<Vec<Vec<u8>>> {
        let mut values = Vec::new();
        while let Some(value) = store.value(&self.name(values.len() as u64))? {
            values.push(value);
        }
        Ok(values)
    }

    /// Whether this version of a file was done.
    pub(crate) fn has(&self, path: &str, version: Version) -> bool {
        self.files.get(&xxh3_64(path.as_bytes())) == Some(&version)
    }

    /// Notes files that were done; `keep` makes it durable.
    pub(crate) fn note(
        &mut self,
        done: &[(String, Version)],
        keep: impl FnOnce(&Changes) -> Result<()>,
    ) -> Result<()> {
        if done.is_empty() {
            return Ok(());
        }
        let mut values = Vec::new();
        for (path, version) in done {
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
        keep(&Changes { values, ..Changes::default() })
    }

    fn name(&self, number: u64) -> String {
        format!("watch:{:016x}:{number}", self.folder)
    }
}

fn encode(path: u64, version: Version) -> [u8; BYTES] {
    let mut entry = [0; BYTES];
    entry[..8].copy_from_slice(&path.to_le_bytes());
    entry[8..16].copy_from_slice(&version.size.to_le_bytes());
    entry[16..].copy_from_slice(&version.time.to_le_bytes());
    entry
}

fn decode(entry: &[u8]) -> (u64, Version) {
    let part = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&entry[at..at + 8]);
        bytes
    };
    let size = u64::from_le_bytes(part(8));
    (u64::from_le_bytes(part(0)), Version { size, time: i64::from_le_bytes(part(16)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand_store::{OnOtherSettings, StoredSettings, open};

    #[test]
    fn what_was_noted_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let address = folder.path().join("seen").to_string_lossy().into_owned();
        let settings = StoredSettings::new(&firsthand::Settings::default()).unwrap();
        let store = || open(&address, Some(&settings), OnOtherSettings::Refuse).unwrap();
        let version = |number: usize| Version { size: number as u64, time: -5 };
        let mut opened = store();
        let mut seen = Seen::load(&mut *opened, folder.path()).unwrap();
        let mut keep = |changes: &Changes| {
            opened.begin()?;
            Ok(opened.commit(changes.clone())?)
        };
        for start in (0..1200).step_by(100) {
            let done: Vec<_> =
                (start..start + 100).map(|n| (format!("f{n}"), version(n))).collect();
            seen.note(&done, &mut keep).unwrap();
        }
        seen.note(&[("f7".to_owned(), version(8))], &mut keep).unwrap();
        drop(opened);
        let mut opened = store();
        let seen = Seen::load(&mut *opened, folder.path()).unwrap();
        let has = |number: usize| seen.has(&format!("f{number}"), version(number));
        assert_eq!((0..1200).filter(|number| !has(*number)).collect::<Vec<_>>(), [7]);
        assert!(seen.has("f7", version(8)) && !seen.has("f1200", version(1200)));
        let elsewhere = Seen::load(&mut *opened, Path::new("/")).unwrap();
        assert!(!elsewhere.has("f1", version(1)));
    }
}
