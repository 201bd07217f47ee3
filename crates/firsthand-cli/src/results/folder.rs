//! A folder of results that is complete or not there: files get their names when all are written.

use crate::temp_file_guard::TempFileGuard;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Every name that results have besides numbered ones; the report, which tells that all are there,
/// is the last.
const NAMES: [&str; 20] = [
    "pairs.jsonl",
    "clusters.jsonl",
    "pairs.csv",
    "clusters.csv",
    "kept.jsonl",
    "kept.json",
    "kept.csv",
    "kept.tsv",
    "kept.parquet",
    "kept.mbox",
    "kept.warc",
    "kept.warc.gz",
    "kept.txt",
    "dropped.jsonl",
    "dropped.txt",
    "dropped.csv",
    "errors.tsv",
    "report.csv",
    "report.html",
    REPORT,
];

/// Whether results may have this name.
pub(crate) fn is_result(name: &str) -> bool {
    let numbered = || {
        let (number, extension) = name.strip_prefix("kept-")?.split_once('.')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        Some(is_number && matches!(extension, "csv" | "tsv" | "parquet"))
    };
    NAMES.contains(&name) || numbered().unwrap_or(false)
}

/// The results that lie in a folder, by name.
fn present(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_result(name)).collect();
    let rank = |name: &String| NAMES.iter().position(|known| known == name);
    names.sort_by_cached_key(|name| (rank(name).unwrap_or(NAMES.len()), name.clone()));
    names
}

const REPORT: &str = "report.json";

/// The folder and the files that wait for their names.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// If it was made for this run: what removes it should the run be interrupted.
    made: Option<TempFileGuard>,
    pending: Vec<File>,
}

/// A file under a temporary name.
#[derive(Debug)]
pub(crate) struct File {
    name: String,
    shown: PathBuf,
    out: BufWriter<fs::File>,
    temporary: TempPath,
    _tidy: TempFileGuard,
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
    let there = present(path).first().map(|name| path.join(name));
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
        let made = (!path.exists()).then(|| TempFileGuard::new(path));
        fs::create_dir_all(path)
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        let folder = Self { path: path.to_path_buf(), made, pending: Vec::new() };
        drop(temporary(path).with_context(|| format!("cannot write to {}", path.display()))?);
        Ok(folder)
    }

    /// A new file that will be called `name`.
    pub(crate) fn file(&self, name: impl Into<String>) -> Result<File> {
        let name = name.into();
        let shown = self.path.join(&name);
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
        name: &str,
        fill: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<()> {
        let mut file = self.file(name)?;
        fill(&mut file.out).with_context(|| cannot_write(&file.shown))?;
        self.finish(file)
    }

    /// The names of the files written so far.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.pending.iter().map(|file| file.name.clone())
    }

    /// Gives all files their names, the report last, and removes what an earlier run left.
    pub(crate) fn publish(mut self) -> Result<()> {
        let files = std::mem::take(&mut self.pending);
        let written = |name: &str| files.iter().any(|file: &File| file.name == name);
        let mut stale = present(&self.path);
        stale.retain(|name| name == REPORT || !written(name));
        for name in stale {
            let path = self.path.join(&name);
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
    /// Adds bytes; every error names the file.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).with_context(|| cannot_write(&self.shown))
    }

    /// Adds a line; every error names the file.
    pub(crate) fn line(&mut self, line: &[u8]) -> Result<()> {
        let written = self.out.write_all(line).and_then(|()| self.out.write_all(b"\n"));
        written.with_context(|| cannot_write(&self.shown))
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// A file that other users may read as they may any other, once it has its name.
fn temporary(folder: &Path) -> io::Result<(NamedTempFile, TempFileGuard)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".firsthand-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    TempFileGuard::make(|| builder.tempfile_in(folder), NamedTempFile::path)
}
