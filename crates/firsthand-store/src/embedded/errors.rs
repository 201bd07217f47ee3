//! Errors about files, and what to do about them.

use firsthand::online::StoreError;
use std::{io, path::Path};

/// An operation on a file failed.
pub(super) fn failed(path: &Path, doing: &str, error: &io::Error) -> StoreError {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space on that disk, or forget older documents (`firsthand store expire`)"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; give this user permission to write there"
        }
        _ => "",
    };
    StoreError::Failed(format!("cannot {doing} {}: {error}{advice}", path.display()))
}

/// A file does not read as it was written.
pub(super) fn damaged(path: &Path, offset: u64, what: &str) -> StoreError {
    StoreError::Damaged(format!(
        "{} is damaged at byte {offset}: {what}; restore the store from a backup, or start a new one",
        path.display()
    ))
}

/// A file in the place of a store.
pub(super) fn not_a_folder(file: &Path) -> StoreError {
    StoreError::Unfit(format!(
        "{} is a file, and a store is a folder; give an empty or new folder, or that of a store",
        file.display()
    ))
}
