//! A folder of results that is complete or not there: files get their names when all are written.

use crate::tidy::Tidy;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Every name that results have; the report, which tells that all are there, is the last.
pub(crate) const NAMES: [&str; 10] = [
    "pairs.jsonl",
    "clusters.jsonl",
    "pairs.csv",
    "clusters.csv",
    "kept.jsonl",
    "kept.txt",
    "dropped.jsonl",
    "dropped.txt",
    "dropped.csv",
    REPORT,
];

const REPORT: &str = "report.json";

/// The folder and the files that wait for their names.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// If it was made for this run: what removes it should the run be interrupted.
    made: Option<Tidy>,
    pending: Vec<File>,
}

/// A file under a temporary name.
#[derive(Debug)]
pub(crate) struct File {
    name: &'static str,
    shown: PathBuf,
    out: BufWriter<fs::File>,
    temporary: TempPath,
    _tidy: Tidy,
}

/// Fails if there are results already and they are not to be replaced.
pub(crate) fn check(path: &Path, force: bool) -> Result<()> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_dir() => {
            bail!("-o {shown} is a file: results go to a folder, name another")
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot look into {shown}"));
        }
        _ => {}
    }
    let there =
        NAMES.iter().map(|name| path.join(name)).find(|file| file.symlink_metadata().is_ok());
    match there {
        Some(file) if !force => bail!(
            "{} is there already: --force replaces the results in {shown}, or choose another folder",
            file.display()
        ),
        Some(file) if file.is_dir() => {
            bail!("{} is a folder: choose another with -o", file.display())
        }
        _ => Ok(()),
    }
}

impl Folder {
    /// Makes the folder if need be, and makes sure that it can be written to.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let made = (!path.exists()).then(|| Tidy::new(path));
        fs::create_dir_all(path)
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        let folder = Self { path: path.to_path_buf(), made, pending: Vec::new() };
        drop(temporary(path).with_context(|| format!("cannot write to {}", path.display()))?);
        Ok(folder)
    }

    /// A new file that will be called `name`.
    pub(crate) fn file(&self, name: &'static str) -> Result<File> {
        let shown = self.path.join(name);
        let (file, _tidy) = temporary(&self.path).with_context(|| cannot_write(&shown))?;
        let (file, temporary) = file.into_parts();
        Ok(File { name, shown, out: BufWriter::with_capacity(1 << 18, file), temporary, _tidy })
    }

    /// Takes a file that is complete.
    pub(crate) fn finish(&mut self, mut file: File) -> Result<()> {
        file.out.flush().with_context(|| cannot_write(&file.shown))?;
        self.pending.push(file);
        Ok(())
    }

    /// Writes a whole file.
    pub(crate) fn write(
        &mut self,
        name: &'static str,
        fill: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<()> {
        let mut file = self.file(name)?;
        fill(&mut file.out).with_context(|| cannot_write(&file.shown))?;
        self.finish(file)
    }

    /// The names of the files written so far.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.pending.iter().map(|file| file.name)
    }

    /// Gives all files their names, the report last, and removes what an earlier run left.
    pub(crate) fn publish(mut self) -> Result<()> {
        let files = std::mem::take(&mut self.pending);
        let written = |name| files.iter().any(|file: &File| file.name == name);
        let stale: Vec<_> =
            NAMES.into_iter().filter(|&name| name == REPORT || !written(name)).collect();
        for name in stale {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error)
                        .with_context(|| format!("cannot remove the old {}", path.display()));
                }
                _ => {}
            }
        }
        for File { shown, temporary, .. } in files {
            let renamed = temporary.persist(&shown).map_err(|error| error.error);
            renamed.with_context(|| cannot_write(&shown))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.pending.clear();
        if self.made.is_some() {
            // Only an empty folder can be removed: nothing was published then.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl File {
    /// Adds a line; every error names the file.
    pub(crate) fn line(&mut self, line: &[u8]) -> Result<()> {
        let written = self.out.write_all(line).and_then(|()| self.out.write_all(b"\n"));
        written.with_context(|| cannot_write(&self.shown))
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// A file that other users may read as they may any other, once it has its name.
fn temporary(folder: &Path) -> io::Result<(NamedTempFile, Tidy)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".firsthand-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    Tidy::make(|| builder.tempfile_in(folder), NamedTempFile::path)
}
