//! A folder of results that is replaced as a whole: files are written into a folder beside it, which
//! takes its place when all are complete.
//!
//! Where that cannot be, because other files lie in the folder, because it is the current one or
//! because its parent cannot be written to, files are written into a folder inside of it and renamed
//! one by one, the report last.

use super::result_names::{PREFIX, REPORT, SUFFIX, TREES, foreign, is_result, only_named, rank};
use super::shard_names::numbered;
use crate::error::OutputError;
use crate::temp_files::{TempFileGuard, TempFiles};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The results that lie in a folder, by name; the report, which tells that all are there, is the last.
fn present(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter(|name| is_result(name) || TREES.contains(&&**name)).collect();
    names.sort_by_cached_key(|name| (rank(name), name.clone()));
    names
}

/// A file in a temporary folder that is locked as long as somebody writes there.
const LOCK: &str = ".lock";

/// The folder and the files that wait for their place in it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Made when the first file is written, since what is read may lie around it.
    staging: OnceLock<Staging>,
    files: Vec<(PathBuf, Option<TempFileGuard>)>,
    /// The folders of rows that are being written.
    trees: Vec<(&'static str, TempFileGuard)>,
    temp_files: TempFiles,
}

/// Where files are written until all are complete.
#[derive(Debug)]
struct Staging {
    path: PathBuf,
    _lock: fs::File,
    _guards: [TempFileGuard; 2],
}

/// A file that is being written.
#[derive(Debug)]
pub struct File {
    name: PathBuf,
    shown: PathBuf,
    out: BufWriter<fs::File>,
    guard: Option<TempFileGuard>,
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
        _ => keep_foreign(path).and_then(|()| match only_named(path, &present(path)) {
            Some(file) => Err(OutputError::Foreign { file, folder: path.to_path_buf() }),
            None => Ok(()),
        }),
    }
}

/// Fails if something would go with the results that is none of them.
fn keep_foreign(path: &Path) -> Result<(), OutputError> {
    for name in present(path) {
        let file = path.join(&name);
        match (TREES.contains(&&*name), file.is_dir()) {
            (false, true) => return Err(OutputError::InTheWay(file)),
            (true, false) => return Err(OutputError::Foreign { file, folder: path.to_path_buf() }),
            _ => {}
        }
    }
    match foreign(path) {
        Some((file, folder)) => Err(OutputError::Foreign { file, folder }),
        None => Ok(()),
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
        // Rows of results lie in folders of their own.
        let is_row = || TREES.iter().any(|tree| real.starts_with(folder.join(tree)));
        let is_result = real.parent() == Some(&folder) && name.is_some_and(is_result);
        if real == folder || is_result || is_row() {
            let (input, output) = (input.clone(), output.to_path_buf());
            return Err(OutputError::IsInput { input, output });
        }
    }
    Ok(())
}

impl Folder {
    /// Makes sure that results can be written to the folder, and clears what a run left that was
    /// killed.
    ///
    /// # Errors
    ///
    /// If it cannot be made or written to.
    pub fn open(path: &Path, temp_files: &TempFiles) -> Result<Self, OutputError> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        clear_leftovers(parent(&path), &path);
        clear_leftovers(&path, &path);
        let temp_files = temp_files.clone();
        let (staging, files, trees) = (OnceLock::new(), Vec::new(), Vec::new());
        let mut folder = Self { path, staging, files, trees, temp_files };
        folder.staging()?;
        folder.end();
        Ok(folder)
    }

    /// A folder in which there is as much room as for results.
    pub fn room(&self) -> &Path {
        if is_replaceable(&self.path) { parent(&self.path) } else { &self.path }
    }

    fn staging(&self) -> Result<&Path, OutputError> {
        if let Some(staging) = self.staging.get() {
            return Ok(&staging.path);
        }
        let beside = match is_replaceable(&self.path) {
            true => Staging::new(parent(&self.path), &self.path, &self.temp_files).ok(),
            false => None,
        };
        let staging = match beside {
            Some(staging) => staging,
            None => Staging::new(&self.path, &self.path, &self.temp_files)
                .map_err(|source| unusable(&self.path, source))?,
        };
        Ok(&self.staging.get_or_init(|| staging).path)
    }

    /// Removes the temporary folder with what is left in it.
    fn end(&mut self) {
        if let Some(staging) = self.staging.take() {
            clear(&staging.path, &self.path);
        }
    }

    /// A new file that will be called `name`.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn file(&self, name: impl Into<PathBuf>) -> Result<File, OutputError> {
        let name = name.into();
        let (path, shown) = (self.staging()?.join(&name), self.path.join(&name));
        let guard = Some(self.temp_files.note(&path));
        match fs::File::create(&path) {
            Ok(file) => Ok(File { name, shown, out: buffered(file), guard }),
            Err(source) => Err(OutputError::write(&shown, source)),
        }
    }

    /// A new file that will have this path in the folder. Where that is taken, as by a file whose name
    /// differs in case only on some systems, a number makes it another.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub(super) fn new_file(&mut self, name: &Path) -> Result<File, OutputError> {
        let Some(tree) = TREES.iter().find(|tree| name.starts_with(tree) && name != **tree) else {
            return self.file(name);
        };
        let staging = self.staging()?.to_path_buf();
        if !self.trees.iter().any(|(noted, _)| noted == tree) {
            self.trees.push((tree, self.temp_files.note_tree(&staging.join(tree))));
        }
        for number in 1.. {
            let name = if number == 1 { name.to_path_buf() } else { numbered(name, number) };
            let (path, shown) = (staging.join(&name), self.path.join(&name));
            let made = fs::create_dir_all(parent(&path))
                .and_then(|()| fs::File::options().write(true).create_new(true).open(&path));
            match made {
                Ok(file) => return Ok(File { name, shown, out: buffered(file), guard: None }),
                Err(error) if number < MOST_NAMES && is_taken(&error) => {}
                Err(source) => return Err(OutputError::write(&shown, source)),
            }
        }
        unreachable!("numbers do not end")
    }

    /// Takes a file that is complete.
    ///
    /// # Errors
    ///
    /// If the last of it cannot be written.
    pub fn finish(&mut self, mut file: File) -> Result<(), OutputError> {
        file.out.flush().map_err(|source| OutputError::write(&file.shown, source))?;
        self.files.push((file.name, file.guard));
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
        let file = self.file(name)?.fill(fill)?;
        self.finish(file)
    }

    /// The names of the files written so far.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.files.iter().map(|(name, _)| firsthand_input::path_name(name))
    }

    /// Puts all files into their place, and removes what an earlier run left.
    ///
    /// # Errors
    ///
    /// If a file cannot be renamed or removed.
    pub fn publish(self) -> Result<(), OutputError> {
        let staging = self.staging()?;
        let is_beside = parent(staging) == parent(&self.path);
        keep_foreign(&self.path)?;
        if is_beside && is_replaceable(&self.path) && take_place(staging, &self.path).is_ok() {
            return Ok(());
        }
        fs::create_dir_all(&self.path).map_err(|source| unusable(&self.path, source))?;
        self.rename_each(staging)
    }

    /// Gives files their names one by one. Until the report has its own, the set is not complete.
    fn rename_each(&self, staging: &Path) -> Result<(), OutputError> {
        keep_foreign(&self.path)?;
        let is_tree = |name: &str| TREES.contains(&name);
        let is_written =
            |name: &str| self.files.iter().any(|(written, _)| written == Path::new(name));
        let mut stale = present(&self.path);
        stale.retain(|name| name == REPORT || is_tree(name) || !is_written(name));
        for name in stale {
            let path = self.path.join(&name);
            let removed = match is_tree(&name) {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            match removed {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(OutputError::Io { doing: "remove the old", path, source });
                }
                _ => {}
            }
        }
        // Folders of rows come after other files, by which they are known to be of results.
        let is_alone = |name: &&Path| parent(name) == Path::new(".");
        let alone = self.files.iter().map(|(name, _)| &**name).filter(is_alone);
        let (report, others): (Vec<&Path>, Vec<&Path>) =
            alone.partition(|name| *name == Path::new(REPORT));
        let trees = self.trees.iter().map(|(tree, _)| Path::new(*tree));
        for name in others.into_iter().chain(trees).chain(report) {
            let shown = self.path.join(name);
            let renamed = fs::rename(staging.join(name), &shown);
            renamed.map_err(|source| OutputError::write(&shown, source))?;
        }
        Ok(())
    }
}

/// What is left in the temporary folder goes: everything if nothing was published, the old results if
/// the folders have changed places.
impl Drop for Folder {
    fn drop(&mut self) {
        self.end();
    }
}

impl Staging {
    /// A temporary folder for the results of `path`, which may be read like any other in its place.
    fn new(within: &Path, path: &Path, temp_files: &TempFiles) -> io::Result<Self> {
        fs::create_dir_all(within)?;
        let prefix = prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let make = || builder.tempdir_in(within).map(tempfile::TempDir::keep);
        let (path, guard) = temp_files.make(make, PathBuf::as_path)?;
        let lock = path.join(LOCK);
        let _guards = [guard, temp_files.note(&lock)];
        let _lock = fs::File::create(&lock)?;
        _lock.lock()?;
        Ok(Self { path, _lock, _guards })
    }
}

/// What temporary folders for results are called at the beginning.
fn prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(PREFIX);
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push("-");
    prefix
}

/// Puts the new folder into the place of the old one.
fn take_place(staging: &Path, path: &Path) -> io::Result<()> {
    if let Ok(old) = path.metadata() {
        fs::set_permissions(staging, old.permissions())?;
    }
    exchange(staging, path)?;
    let _ = fs::remove_file(path.join(LOCK));
    Ok(())
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether a file of this name may be removed with results.
fn is_ours(name: &OsStr) -> bool {
    let is_temporary = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    name.to_str().is_some_and(|name| is_result(name) || is_temporary(name) || name == LOCK)
}

/// Whether a folder of this name holds rows of results.
fn is_tree(name: &OsStr, kind: io::Result<fs::FileType>) -> bool {
    TREES.iter().any(|tree| name == *tree) && kind.is_ok_and(|kind| kind.is_dir())
}

/// Whether nothing but results would go with the folder, and nobody would miss it.
fn is_replaceable(path: &Path) -> bool {
    let Ok(entries) = fs::read_dir(path) else { return !path.exists() };
    let is_result = |entry: fs::DirEntry| {
        let (name, kind) = (entry.file_name(), entry.file_type());
        is_ours(&name) && kind.as_ref().is_ok_and(|kind| kind.is_file()) || is_tree(&name, kind)
    };
    entries.flatten().all(is_result)
        && std::env::current_dir().is_ok_and(|current| !current.starts_with(path))
}

/// Removes the temporary folders and files of runs that were killed; `path` is the folder for results.
fn clear_leftovers(within: &Path, path: &Path) {
    let prefix = prefix(path);
    for entry in fs::read_dir(within).into_iter().flatten().flatten() {
        let (name, leftover) = (entry.file_name(), entry.path());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let starts = |prefix: &OsStr| {
            name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
                && name.as_encoded_bytes().ends_with(SUFFIX.as_bytes())
        };
        let lock = match is_folder {
            true if starts(&prefix) => leftover.join(LOCK),
            false if within == path && starts(OsStr::new(PREFIX)) => leftover.clone(),
            _ => continue,
        };
        // Unless somebody still writes there.
        let is_free = |lock: fs::File| !matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
        if fs::File::open(lock).map_or(is_folder, is_free) {
            match is_folder {
                true => clear(&leftover, path),
                false => drop(fs::remove_file(leftover)),
            }
        }
    }
}

/// Removes a temporary folder with the results in it. Anything else that got there goes to the folder
/// for results.
fn clear(leftover: &Path, path: &Path) {
    for entry in fs::read_dir(leftover).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        match is_ours(&name) && is_file {
            true => drop(fs::remove_file(entry.path())),
            false if is_tree(&name, entry.file_type()) => drop(fs::remove_dir_all(entry.path())),
            false if !path.join(&name).exists() => drop(fs::rename(entry.path(), path.join(&name))),
            false => {}
        }
    }
    let _ = fs::remove_dir(leftover);
}

/// Lets two folders change places at once; the second need not be there.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    if !old.exists() {
        return fs::rename(new, old);
    }
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).map_err(io::Error::from)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

impl File {
    /// Writes what the file is to hold.
    pub(super) fn fill(
        mut self,
        fill: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
    ) -> Result<Self, OutputError> {
        fill(&mut self.out).map_err(|source| OutputError::write(&self.shown, source))?;
        Ok(self)
    }

    /// Adds bytes; every error names the file.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.out.write_all(bytes).map_err(|source| OutputError::write(&self.shown, source))
    }

    /// Its name in messages.
    pub(super) fn shown(&self) -> &Path {
        &self.shown
    }

    /// Adds a path to a list of paths, and tells whether it had to be escaped.
    pub(super) fn path(&mut self, path: &[u8], null: bool) -> Result<bool, OutputError> {
        let listed = super::listed(path, null);
        self.bytes(&listed)?;
        self.bytes(if null { b"\0" } else { b"\n" })?;
        Ok(matches!(listed, Cow::Owned(_)))
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

/// The most names that are tried for a file.
const MOST_NAMES: usize = 1000;

/// Whether a file could not be made because something else has its name.
fn is_taken(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory};
    matches!(error.kind(), AlreadyExists | IsADirectory | NotADirectory)
}

fn buffered(file: fs::File) -> BufWriter<fs::File> {
    BufWriter::with_capacity(1 << 18, file)
}

fn unusable(path: &Path, source: io::Error) -> OutputError {
    OutputError::Io { doing: "use the folder", path: path.to_path_buf(), source }
}
