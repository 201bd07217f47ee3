//! One file of results: complete or not there, and never in the place of an input.

use crate::temp_file_guard::TempFileGuard;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Fails if a file cannot be written, before the long work.
pub(crate) fn check(path: &Path, inputs: &[PathBuf], force: bool) -> Result<()> {
    let shown = path.display();
    if path.is_dir() {
        bail!("{shown} is a folder: name a file");
    }
    if path.exists() {
        let real = path.canonicalize().ok();
        if inputs.iter().any(|input| input.canonicalize().ok() == real) {
            bail!("{shown} is an input: name another file");
        }
        if !force {
            bail!("{shown} is there already: --force replaces it, or name another file");
        }
    }
    let folder = folder(path);
    if !folder.is_dir() {
        bail!("there is no folder {} for {shown}: make it first", folder.display());
    }
    Ok(())
}

/// Writes a file under a temporary name, then gives it its own.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".firsthand-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let written = TempFileGuard::make(|| builder.tempfile_in(folder(path)), |file| file.path());
    let written = written.and_then(|(mut file, _tidy)| {
        file.write_all(content)?;
        // Else its name may outlive a crash that its content does not.
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)
    });
    written.map(drop).with_context(|| format!("cannot write {}", path.display()))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
