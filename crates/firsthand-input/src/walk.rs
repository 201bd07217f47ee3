//! Lists the files of the named inputs in a fixed order.
//!
//! The list is made before anything is read, so the total size is known. It is no larger than the
//! ids that a run keeps anyway.

use std::collections::HashSet;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::compression::Compression;
use crate::detect::{doubt, kind, unknown};
use crate::error::{ReadError, Reason};
use crate::extension::kind_of;
use crate::options::ReadOptions;
use crate::sniff::Doubt;
use crate::stream::Source;
use firsthand::settings::Kind;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) kind: Kind,
    pub(crate) compression: Compression,
    /// Its size on disk; `None` for a stream.
    pub(crate) size: Option<u64>,
    /// The number of leading path components in which no host name is looked for.
    pub(crate) above: usize,
    /// Its name if that is not its path: `stdin` for a copy of standard input.
    pub(crate) shown: Option<String>,
}

impl Input {
    /// Its name in places and ids.
    pub(crate) fn name(&self) -> String {
        match (&self.shown, &self.source) {
            (Some(shown), _) => shown.clone(),
            (None, Source::File(path)) => name_of(path),
            (None, _) => "stdin".to_owned(),
        }
    }

    /// The path, if it is a file known to the user.
    pub(crate) fn path(&self) -> Option<&Path> {
        match (&self.shown, &self.source) {
            (None, Source::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Whether it is standard input or a copy of it.
    pub(crate) fn is_stdin(&self) -> bool {
        let is_copy = matches!(self.source, Source::File(_)) && self.shown.is_some();
        is_copy || self.source == Source::Stdin
    }
}

/// A file to read, or why it is not read.
pub(crate) type ListedInput = Result<Input, ReadError>;

/// Lists all inputs. Fails only if a named input does not exist.
pub(crate) fn list(
    inputs: &[PathBuf],
    options: &ReadOptions,
) -> Result<Vec<ListedInput>, ReadError> {
    // Report a misspelt argument before listing large folders.
    let look = |input: &PathBuf| match input.as_os_str() == "-" {
        true => Ok(None),
        false => fs::metadata(input).map(Some).map_err(|error| failed(&clean(input), &error)),
    };
    let named: Vec<Option<Metadata>> = inputs.iter().map(look).collect::<Result<_, _>>()?;
    let mut walk = Walk::new(options);
    for (input, metadata) in inputs.iter().zip(named) {
        let Some(metadata) = metadata else {
            let entry = walk.stdin();
            walk.entries.push(entry);
            continue;
        };
        let path = clean(input);
        if metadata.is_dir() {
            walk.folder(&path);
        } else {
            let entry = walk.named(path, metadata.file_type(), metadata.len());
            walk.entries.push(entry);
        }
    }
    if inputs.len() > 1 {
        read_once(&mut walk.entries);
    }
    Ok(walk.entries)
}

/// The entry for bytes in memory that are treated as a file called `name`.
pub(crate) fn entry_of(name: &str, bytes: &[u8], options: &ReadOptions) -> ListedInput {
    let path = Path::new(name);
    let (by_name, compression) = kind_of(path);
    let source = Source::Memory(bytes.into());
    let unread = |reason| ReadError::file(name, reason);
    let kind = kind(&source, (by_name, compression), options, doubt(path)).map_err(unread)?;
    let kind = kind.ok_or_else(|| unread(unknown(path, bytes.is_empty())))?;
    let size = Some(bytes.len() as u64);
    Ok(Input { source, kind, compression, size, above: 0, shown: Some(name.to_owned()) })
}

/// The path as shown and used in ids: separated by `/`, without a leading `./`, and with bytes
/// that are not UTF-8 as `\xNN`, so that different files never share a name.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    let name = shown(path.as_os_str().as_encoded_bytes());
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}

/// A name with bytes that are not UTF-8 as `\xNN`.
pub(crate) fn shown(name: &[u8]) -> String {
    let mut shown = String::with_capacity(name.len());
    for part in name.utf8_chunks() {
        shown.push_str(part.valid());
        for byte in part.invalid() {
            shown.push_str(&format!("\\x{byte:02X}"));
        }
    }
    shown
}

/// Whether a folder can be listed and holds nothing.
fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut inside| inside.next().is_none())
}

fn clean(path: &Path) -> PathBuf {
    path.components().skip_while(|part| *part == Component::CurDir).collect()
}

pub(crate) struct Walk<'a> {
    options: &'a ReadOptions,
    entries: Vec<ListedInput>,
    /// The folder that was named, which is read whatever it holds.
    root: PathBuf,
    /// The canonical paths of folders already listed; only kept if links are followed.
    folders: HashSet<PathBuf>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(options: &'a ReadOptions) -> Self {
        Self { options, entries: Vec::new(), root: PathBuf::new(), folders: HashSet::new() }
    }

    fn stdin(&self) -> ListedInput {
        let (source, size) = match &self.options.stdin {
            Some(path) => {
                let metadata = fs::metadata(path).map_err(|error| failed(path, &error))?;
                (Source::File(path.clone()), Some(metadata.len()))
            }
            None => (Source::Stdin, None),
        };
        let kind = self.options.reading.kind.unwrap_or(Kind::Jsonl);
        let (compression, shown) = (Compression::None, Some("stdin".to_owned()));
        Ok(Input { source, kind, compression, size, above: 0, shown })
    }

    /// A file that the user named: read if its kind can be determined at all.
    fn named(&self, path: PathBuf, file_type: FileType, size: u64) -> ListedInput {
        let refuse = |path: &Path, reason| Err(ReadError::file(name_of(path), reason));
        if !file_type.is_file() {
            return refuse(&path, Reason::NotAFile(special_name(file_type)));
        }
        let (named, source) = (kind_of(&path), Source::File(path.clone()));
        // The user wants a named file read, so plain text will do.
        let kind = match kind(&source, named, self.options, Doubt::Nameless) {
            Ok(Some(kind)) => kind,
            Ok(None) => return refuse(&path, Reason::UnknownKind),
            Err(reason) => return refuse(&path, reason),
        };
        // Of an absolute path, only the parent folder may be named after a host.
        let above =
            if path.is_absolute() { path.components().count().saturating_sub(2) } else { 0 };
        Ok(Input { source, kind, compression: named.1, size: Some(size), above, shown: None })
    }

    /// A folder and everything below it.
    fn folder(&mut self, root: &Path) {
        let above = above(root);
        self.visit(root, |walk, found| {
            let entry = found.and_then(|(path, is_message)| walk.inside(path, above, is_message));
            walk.entries.push(entry);
        });
    }

    /// Visits the files of a folder and below it, each with whether it is a message of a Maildir,
    /// and what cannot be listed or is skipped. The stack is explicit since the depth is unbounded.
    pub(crate) fn visit(
        &mut self,
        root: &Path,
        mut found: impl FnMut(&mut Self, Result<(PathBuf, bool), ReadError>),
    ) {
        let real = or_here(root).canonicalize().unwrap_or_else(|_| root.to_path_buf());
        self.root = root.to_path_buf();
        let mut pending =
            vec![FolderEntry { path: root.to_path_buf(), what: EntryKind::Folder(real) }];
        while let Some(FolderEntry { path, what }) = pending.pop() {
            match what {
                EntryKind::Folder(real) => match self.contents(&path, real) {
                    Ok(inside) => pending.extend(inside.into_iter().rev()),
                    Err(error) => found(self, Err(error)),
                },
                EntryKind::File => found(self, Ok((path, false))),
                EntryKind::Message => found(self, Ok((path, true))),
                EntryKind::Nothing(reason) => {
                    found(self, Err(ReadError::file(name_of(&path), reason)));
                }
            }
        }
    }

    /// The contents of a folder, in byte order of the whole paths below it.
    fn contents(&mut self, folder: &Path, real: PathBuf) -> Result<Vec<FolderEntry>, ReadError> {
        let here = or_here(folder);
        if self.options.except.as_ref() == Some(&real) {
            return Err(ReadError::file(name_of(folder), Reason::Excepted));
        }
        if folder != self.root && holds_results(here) {
            return Err(ReadError::file(name_of(folder), Reason::EarlierResults));
        }
        if self.options.reading.follow && !self.folders.insert(real.clone()) {
            return Err(ReadError::file(name_of(folder), Reason::Again));
        }
        let failed = |error: io::Error| failed(folder, &error);
        let (is_mailbox, has_messages) = (is_maildir(here), is_part_of_maildir(here));
        let mut found = Vec::new();
        for entry in fs::read_dir(here).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let path = folder.join(&name);
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            let what = match entry.file_type() {
                // Subfolders of a Maildir have hidden names such as `.Sent` and are Maildirs too.
                _ if is_hidden && !(is_mailbox && is_maildir(&path)) => {
                    EntryKind::Nothing(Reason::Hidden)
                }
                Ok(kind) => self.classify(&path, kind, &real),
                Err(error) => EntryKind::Nothing(Reason::from_io(&error, Compression::None)),
            };
            let what = match what {
                EntryKind::File if has_messages => EntryKind::Message,
                EntryKind::File if is_mailbox && kind_of(&path).0.is_none() => {
                    EntryKind::Nothing(Reason::NotText("it belongs to the mail program".to_owned()))
                }
                EntryKind::Folder(_) if is_mailbox && name == "tmp" => match is_empty(&path) {
                    true => continue,
                    false => EntryKind::Nothing(Reason::Undelivered),
                },
                what => what,
            };
            let mut key = name.into_encoded_bytes();
            if matches!(what, EntryKind::Folder(_)) {
                key.push(b'/');
            }
            found.push((key, FolderEntry { path, what }));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found.into_iter().map(|(_, found)| found).collect())
    }

    /// The kind of an entry in the folder with this canonical path.
    fn classify(&self, path: &Path, mut file_type: FileType, real: &Path) -> EntryKind {
        let is_link = file_type.is_symlink();
        if is_link {
            if !self.options.reading.follow {
                return EntryKind::Nothing(Reason::Link);
            }
            file_type = match fs::metadata(path) {
                Ok(metadata) => metadata.file_type(),
                Err(error) => {
                    return EntryKind::Nothing(Reason::from_io(&error, Compression::None));
                }
            };
        }
        if file_type.is_dir() {
            // Resolving a canonical path is slow, and only a link leads to an unknown one.
            let real = match is_link {
                true => path.canonicalize(),
                false => Ok(path.file_name().map_or_else(|| real.into(), |name| real.join(name))),
            };
            match real {
                Ok(real) => EntryKind::Folder(real),
                Err(error) => EntryKind::Nothing(Reason::from_io(&error, Compression::None)),
            }
        } else if file_type.is_file() {
            EntryKind::File
        } else {
            EntryKind::Nothing(Reason::Special(special_name(file_type)))
        }
    }

    /// A file in a folder: read if its name or content shows a known kind.
    pub(crate) fn inside(&self, path: PathBuf, above: usize, is_message: bool) -> ListedInput {
        // Names of Maildir messages, such as `1049.M1P2.host:2,S`, do not show a kind.
        let (by_name, compression) = match is_message {
            true => (Some(Kind::Mail), Compression::None),
            false => kind_of(&path),
        };
        let size = fs::metadata(&path).map_err(|error| failed(&path, &error))?.len();
        let unread = |reason| ReadError::file(name_of(&path), reason);
        let source = Source::File(path.clone());
        let kind = kind(&source, (by_name, compression), self.options, doubt(&path));
        let kind = kind.and_then(|kind| kind.ok_or_else(|| unknown(&path, size == 0)));
        let kind = kind.map_err(unread)?;
        Ok(Input { source, kind, compression, size: Some(size), above, shown: None })
    }
}

struct FolderEntry {
    path: PathBuf,
    what: EntryKind,
}

enum EntryKind {
    /// A folder and its canonical path.
    Folder(PathBuf),
    File,
    /// A message of a Maildir.
    Message,
    Nothing(Reason),
}

/// The number of path components below a folder in which no host name is looked for.
pub(crate) fn above(root: &Path) -> usize {
    if root.is_absolute() { root.components().count().saturating_sub(1) } else { 0 }
}

/// The working folder if the path is empty.
fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Whether a folder holds the results of an earlier run, by the start of its report.
pub fn holds_results(folder: &Path) -> bool {
    let Ok(report) = File::open(folder.join("report.json")) else { return false };
    let mut start = Vec::new();
    // A folder without a readable report is a folder like any other.
    let _ = report.take(64).read_to_end(&mut start);
    let start: Vec<u8> = start.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
    start.starts_with(b"{\"firsthand\":\"")
}

/// Whether a folder is a Maildir, with one file per message.
pub(crate) fn is_maildir(folder: &Path) -> bool {
    ["cur", "new", "tmp"].iter().all(|part| folder.join(part).is_dir())
}

/// Whether a folder holds the messages of a Maildir.
pub(crate) fn is_part_of_maildir(folder: &Path) -> bool {
    let name = folder.file_name().map(|name| name.as_encoded_bytes());
    matches!(name, Some(b"cur" | b"new")) && folder.parent().is_some_and(is_maildir)
}

fn failed(path: &Path, error: &io::Error) -> ReadError {
    ReadError::file(name_of(path), Reason::from_io(error, Compression::None))
}

/// Inputs may overlap (`pages pages/new`); each path is read once.
fn read_once(entries: &mut [ListedInput]) {
    let mut seen = HashSet::new();
    for entry in entries {
        let Ok(input) = entry else { continue };
        let path = input.path().map(Path::to_path_buf).unwrap_or_default();
        if !seen.insert(path) {
            *entry = Err(ReadError::file(input.name(), Reason::Again));
        }
    }
}

#[cfg(unix)]
fn special_name(file_type: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if file_type.is_fifo() {
        "a named pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special_name(_: FileType) -> &'static str {
    "a device"
}
