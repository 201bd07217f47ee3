//! What goes wrong with files, in plain words.

use firsthand::online::StoreError;
use std::{io, path::Path};

/// Something could not be done to a file.
pub(super) fn failed(path: &Path, doing: &str, error: &io::Error) -> StoreError {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space on that disk, or forget older documents (`firsthand store expire`)"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; give this user the right to write there"
        }
        _ => "",
    };
    StoreError::Failed(format!("cannot {doing} {}: {error}{advice}", path.display()))
}

/// What is in a file is not what was written.
pub(super) fn damaged(path: &Path, offset: u64, what: &str) -> StoreError {
    StoreError::Damaged(format!(
        "{} is damaged at byte {offset}: {what}; copy the store back from a backup, or begin a new one",
        path.display()
    ))
}
