//! One writer: a folder is locked for as long as it is open.

use super::errors::failed;
use firsthand::online::StoreError;
use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

/// Locks a folder until the file is dropped, which the end of the process does too.
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
            "the store {} is open in another process; one at a time can write to it: wait until the \
             other has ended, or use PostgreSQL for several at once",
            folder.display()
        ))),
        Err(TryLockError::Error(e)) => Err(failed(&path, "lock", &e)),
    }
}
