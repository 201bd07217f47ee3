//! One file of results: complete or not there, and never in the place of an input.

use super::result_names::{PREFIX, SUFFIX};
use crate::error::OutputError;
use crate::temp_files::{TempFileGuard, TempFiles};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Fails if a file cannot be written, before the long work.
///
/// # Errors
///
/// If it is a folder, an input, lies in no folder, or is there and `force` is off.
pub fn check(path: &Path, inputs: &[PathBuf], force: bool) -> Result<(), OutputError> {
    let file = path.to_path_buf();
    if path.is_dir() {
        return Err(OutputError::IsFolder(file));
    }
    if path.exists() {
        let real = path.canonicalize().ok();
        if let Some(input) = inputs.iter().find(|input| input.canonicalize().ok() == real) {
            return Err(OutputError::IsInput { input: input.clone(), output: file });
        }
        if !force {
            return Err(OutputError::Exists { file, folder: None });
        }
    }
    match folder(path) {
        folder if folder.is_dir() => Ok(()),
        folder => Err(OutputError::NoFolder { folder: folder.to_path_buf(), file }),
    }
}

/// Writes a file under a temporary name, then gives it its own.
///
/// # Errors
///
/// If it cannot be written.
pub fn write(path: &Path, content: &[u8], temp_files: &TempFiles) -> Result<(), OutputError> {
    let written = temporary(folder(path), temp_files).and_then(|(mut file, _guard)| {
        file.write_all(content)?;
        // Else its name may outlive a crash that its content does not.
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)
    });
    written.map(drop).map_err(|source| OutputError::write(path, source))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file that other users may read as they may any other, once it has its name.
fn temporary(folder: &Path, temp_files: &TempFiles) -> io::Result<(NamedTempFile, TempFileGuard)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let (file, guard) = temp_files.make(|| builder.tempfile_in(folder), NamedTempFile::path)?;
    // So that a run into this folder knows that it is still written.
    file.as_file().lock()?;
    Ok((file, guard))
}
