//! Creating a store, or deciding whether an existing one fits.

use super::{
    description::{self, Description},
    disk::Disk,
    errors::{failed, not_a_folder},
    files::{self, FileKind},
    journal::Journal,
    lock::lock,
    main_log::{self, MainContents},
    record::{LogHeader, RoundState},
};
use crate::{OnOtherSettings, StoredSettings};
use firsthand::online::StoreError;
use std::{
    fs::{self, File},
    hash::{BuildHasher, Hasher, RandomState},
    path::Path,
    sync::Arc,
};

/// Locks a folder and makes sure that it holds a store with these settings.
pub(super) fn prepare(
    disk: &Arc<Disk>,
    folder: &Path,
    settings: Option<&StoredSettings>,
    other: OnOtherSettings,
) -> Result<(File, Description), StoreError> {
    if let Some(file) = folder.ancestors().find(|path| path.exists() && !path.is_dir()) {
        return Err(not_a_folder(file));
    }
    let is_there = folder.join("store.json").exists();
    if !is_there && settings.is_none() {
        return Err(no_store(folder));
    }
    fs::create_dir_all(folder).map_err(|e| failed(folder, "create", &e))?;
    if !is_there {
        refuse_others(folder)?;
    }
    let lock = lock(folder)?;
    // Read under the lock: another process may just have created it.
    match (Description::read(folder)?, settings) {
        (None, None) => Err(no_store(folder)),
        (None, Some(settings)) => {
            let id = RandomState::new().build_hasher().finish();
            Ok((lock, begin(disk, folder, id, 1, settings)?))
        }
        (Some(found), Some(settings)) if found.settings != *settings => match other {
            OnOtherSettings::Refuse => Err(unfit(folder, &found, settings)),
            OnOtherSettings::NewGeneration => {
                let next = found.generation + 1;
                Ok((lock, begin(disk, folder, found.id, next, settings)?))
            }
        },
        (Some(found), _) => Ok((lock, found)),
    }
}

/// The error for a folder that holds no store.
pub(super) fn no_store(folder: &Path) -> StoreError {
    StoreError::Unfit(format!("there is no store in {}", folder.display()))
}

fn unfit(folder: &Path, found: &Description, settings: &StoredSettings) -> StoreError {
    let differences = found.settings.differences(settings);
    let differences = if differences.is_empty() {
        "they are written differently".to_owned()
    } else {
        differences.join("; ")
    };
    StoreError::Unfit(format!(
        "the store {} was made with other settings ({differences}); use those, use another folder, \
         or start a new generation",
        folder.display()
    ))
}

/// Creates an empty generation, then the description that names it.
fn begin(
    disk: &Arc<Disk>,
    root: &Path,
    id: u64,
    generation: u64,
    settings: &StoredSettings,
) -> Result<Description, StoreError> {
    let folder = description::generation(root, generation);
    if folder.exists() {
        discard(&folder)?;
    }
    fs::create_dir(&folder).map_err(|e| failed(&folder, "create", &e))?;
    let header = LogHeader { store: id, generation, log: 1 };
    let state = RoundState { round: 0, next: 1, clock: None };
    let main = main_log::make(disk, &folder, header, state, &MainContents::default())?;
    Journal::begin(disk, &folder, state, [(main.id, main.end)])?;
    disk.sync_folder(root)?;
    let description = Description { id, generation, settings: settings.clone() };
    description.write(disk, root)?;
    Ok(description)
}

/// Deletes a generation that a crash left without a description, if it holds no documents.
fn discard(folder: &Path) -> Result<(), StoreError> {
    let files = files::list(folder)?;
    if files.iter().any(|(_, kind)| matches!(kind, FileKind::Log { .. } | FileKind::Run { .. })) {
        return Err(StoreError::Damaged(format!(
            "{} holds documents, but store.json does not name it; restore that file from a backup, or \
             start a new store in another folder",
            folder.display()
        )));
    }
    fs::remove_dir_all(folder).map_err(|e| failed(folder, "delete", &e))
}

/// Refuses a folder that holds anything but a store.
fn refuse_others(folder: &Path) -> Result<(), StoreError> {
    let ours = |name: &str| {
        name == "lock" || name == "store.json.tmp" || name == "store.json" || name == "generation-1"
    };
    match files::list(folder)?.iter().find(|(name, _)| !ours(name)) {
        None => Ok(()),
        Some((name, _)) => Err(StoreError::Unfit(format!(
            "{} is not a store, and it is not empty (it holds {name}); give an empty or new folder",
            folder.display()
        ))),
    }
}
