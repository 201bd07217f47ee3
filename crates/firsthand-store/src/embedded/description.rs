//! `store.json`: the layout, the settings and the current generation of a store.

use super::{
    disk::{CrashPoint, Disk},
    errors::{failed, not_a_folder},
    record::LogHeader,
};
use crate::{
    StoredSettings,
    layout::{self, LAYOUT},
};
use firsthand::online::StoreError;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// The contents of `store.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) id: u64,
    pub(super) generation: u64,
    pub(super) settings: StoredSettings,
}

#[derive(Serialize, Deserialize)]
struct DescriptionFile {
    layout: u32,
    id: String,
    generation: u64,
    settings: String,
    check: String,
}

#[derive(Deserialize)]
struct LayoutVersion {
    // The name that it had in layout 1.
    #[serde(alias = "format")]
    layout: u32,
}

impl Description {
    /// Reads the description of a folder; none if the folder is not a store.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = path(folder);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => {
                return Err(not_a_folder(folder));
            }
            Err(e) => return Err(failed(&path, "read", &e)),
        };
        let unreadable = |why: String| {
            StoreError::Damaged(format!(
                "{} does not describe a store: {why}; restore it from a backup, or start a new store \
                 in another folder",
                path.display()
            ))
        };
        let version: LayoutVersion =
            serde_json::from_slice(&bytes).map_err(|e| unreadable(e.to_string()))?;
        layout::check(folder.display(), version.layout, "another folder")?;
        let written: DescriptionFile =
            serde_json::from_slice(&bytes).map_err(|e| unreadable(e.to_string()))?;
        let id = u64::from_str_radix(&written.id, 16).map_err(|e| unreadable(e.to_string()))?;
        let settings = StoredSettings::kept(written.settings);
        let description = Self { id, generation: written.generation, settings };
        if written.check != description.check() {
            return Err(unreadable("its checksum does not match".to_owned()));
        }
        Ok(Some(description))
    }

    /// Writes it atomically.
    pub(super) fn write(&self, disk: &Arc<Disk>, folder: &Path) -> Result<(), StoreError> {
        let written = DescriptionFile {
            layout: LAYOUT,
            id: format!("{:016x}", self.id),
            generation: self.generation,
            settings: self.settings.as_str().to_owned(),
            check: self.check(),
        };
        let mut text = serde_json::to_string_pretty(&written).map_err(|e| {
            StoreError::Failed(format!("cannot write {}: {e}", path(folder).display()))
        })?;
        text.push('\n');
        disk.replace(&path(folder), text.as_bytes(), Some(CrashPoint::InDescription))
    }

    /// The folder of the generation.
    pub(super) fn folder(&self, root: &Path) -> PathBuf {
        generation(root, self.generation)
    }

    /// The header of its logs, apart from their numbers.
    pub(super) fn header(&self) -> LogHeader {
        LogHeader { store: self.id, generation: self.generation, log: 0 }
    }

    fn check(&self) -> String {
        let text =
            format!("{LAYOUT} {:016x} {} {}", self.id, self.generation, self.settings.as_str());
        format!("{:016x}", xxh3_64(text.as_bytes()))
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join("store.json")
}

/// The folder of a generation.
pub(super) fn generation(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("generation-{number}"))
}
