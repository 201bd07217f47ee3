//! A folder of results that is complete or not there: files get their names when all are written.

use super::file::temporary;
use crate::error::OutputError;
use crate::temp_files::{TempFileGuard, TempFiles};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

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
pub fn is_result(name: &str) -> bool {
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
pub struct Folder {
    path: PathBuf,
    /// If it was made for this run: what removes it should the run be interrupted.
    made: Option<TempFileGuard>,
    pending: Vec<File>,
    temp_files: TempFiles,
}

/// A file under a temporary name.
#[derive(Debug)]
pub struct File {
    name: String,
    shown: PathBuf,
    out: BufWriter<fs::File>,
    temporary: TempPath,
    _guard: TempFileGuard,
}

/// Fails if there are results already and they are not to be replaced, or a folder cannot be there.
///
/// # Errors
///
/// If it is a file, cannot be looked into, or holds results.
pub fn check(path: &Path, force: bool) -> Result<(), OutputError> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_dir() => return Err(OutputError::IsFile(path.to_path_buf())),
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            return Err(unusable(path, source));
        }
        _ => {}
    }
    match present(path).first().map(|name| path.join(name)) {
        Some(file) if !force => Err(OutputError::Exists { file, folder: Some(path.to_path_buf()) }),
        Some(file) if file.is_dir() => Err(OutputError::InTheWay(file)),
        _ => Ok(()),
    }
}

/// Fails if writing results into a folder would change an input.
///
/// # Errors
///
/// If an input is the folder, or a file in it with the name of a result.
pub fn keep_apart<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    output: &Path,
) -> Result<(), OutputError> {
    let Ok(folder) = output.canonicalize() else { return Ok(()) };
    for input in inputs {
        let Ok(real) = input.canonicalize() else { continue };
        let name = real.file_name().and_then(|name| name.to_str());
        if real == folder || real.parent() == Some(&folder) && name.is_some_and(is_result) {
            let (input, output) = (input.clone(), output.to_path_buf());
            return Err(OutputError::IsInput { input, output });
        }
    }
    Ok(())
}

impl Folder {
    /// Makes the folder if need be, and makes sure that it can be written to.
    ///
    /// # Errors
    ///
    /// If it cannot be made or written to.
    pub fn open(path: &Path, temp_files: &TempFiles) -> Result<Self, OutputError> {
        let made = (!path.exists()).then(|| temp_files.note(path));
        fs::create_dir_all(path).map_err(|source| unusable(path, source))?;
        let (path, temp_files) = (path.to_path_buf(), temp_files.clone());
        let folder = Self { path, made, pending: Vec::new(), temp_files };
        let probe = temporary(&folder.path, &folder.temp_files);
        drop(probe.map_err(|source| unusable(&folder.path, source))?);
        Ok(folder)
    }

    /// A new file that will be called `name`.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn file(&self, name: impl Into<String>) -> Result<File, OutputError> {
        let name = name.into();
        let shown = self.path.join(&name);
        let made = temporary(&self.path, &self.temp_files);
        let (file, _guard) = made.map_err(|source| OutputError::write(&shown, source))?;
        let (file, temporary) = file.into_parts();
        Ok(File { name, shown, out: BufWriter::with_capacity(1 << 18, file), temporary, _guard })
    }

    /// Takes a file that is complete.
    ///
    /// # Errors
    ///
    /// If the last of it cannot be written.
    pub fn finish(&mut self, mut file: File) -> Result<(), OutputError> {
        file.out.flush().map_err(|source| OutputError::write(&file.shown, source))?;
        self.pending.push(file);
        Ok(())
    }

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let mut file = self.file(name)?;
        fill(&mut file.out).map_err(|source| OutputError::write(&file.shown, source))?;
        self.finish(file)
    }

    /// The names of the files written so far.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.pending.iter().map(|file| file.name.clone())
    }

    /// Gives all files their names, the report last, and removes what an earlier run left.
    ///
    /// # Errors
    ///
    /// If a file cannot be renamed or removed.
    pub fn publish(mut self) -> Result<(), OutputError> {
        let files = std::mem::take(&mut self.pending);
        let written = |name: &str| files.iter().any(|file: &File| file.name == name);
        let mut stale = present(&self.path);
        stale.retain(|name| name == REPORT || !written(name));
        for name in stale {
            let path = self.path.join(&name);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(OutputError::Io { doing: "remove the old", path, source });
                }
                _ => {}
            }
        }
        for File { shown, temporary, .. } in files {
            let renamed = temporary.persist(&shown);
            renamed.map_err(|error| OutputError::write(&shown, error.error))?;
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
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.out.write_all(bytes).map_err(|source| OutputError::write(&self.shown, source))
    }

    /// Adds a line; every error names the file.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), OutputError> {
        self.bytes(line)?;
        self.bytes(b"\n")
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

fn unusable(path: &Path, source: io::Error) -> OutputError {
    OutputError::Io { doing: "use the folder", path: path.to_path_buf(), source }
}
