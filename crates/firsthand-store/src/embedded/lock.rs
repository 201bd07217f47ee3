//! The lock on a folder: one process at a time has a store open.

use super::errors::failed;
use firsthand::online::StoreError;
use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

/// Locks a folder until the file is dropped, or the process ends.
pub(super) fn lock(folder: &Path) -> Result<File, StoreError> {
    let path = folder.join("lock");
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| failed(&path, "open", &e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(format!(
            "the store {} is open in another process, and only one at a time can open it; wait until \
             that process has ended, or use PostgreSQL for several at once",
            folder.display()
        ))),
        Err(TryLockError::Error(e)) => Err(failed(&path, "lock", &e)),
    }
}
