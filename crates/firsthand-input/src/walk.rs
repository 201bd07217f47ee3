//! From the inputs a user names to the list of files to read, in an order that never changes.
//!
//! The list is made before anything is read: it is no larger than the ids that a run keeps
//! anyway, and it tells how much there is to do.

use std::collections::HashSet;
use std::fs::{self, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::decode::Source;
use crate::error::{ReadError, Reason};
use crate::kind::{Compression, Kind, extension, kind_of};
use crate::settings::Settings;

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) kind: Kind,
    pub(crate) compression: Compression,
    /// Its size on disk; `None` for a stream.
    pub(crate) size: Option<u64>,
    /// How many leading components of its path are not looked at for a host name.
    pub(crate) above: usize,
    /// Whether it is (a copy of) standard input.
    pub(crate) stdin: bool,
}

/// Something on the list: a file, or why there is none.
pub(crate) type Entry = Result<Input, ReadError>;

/// Lists all inputs. Only an input that is named and not there is an error of the whole.
pub(crate) fn list(inputs: &[PathBuf], settings: &Settings) -> Result<Vec<Entry>, ReadError> {
    // A misspelt last argument should not show only after a large folder has been listed.
    let look = |input: &PathBuf| match input.as_os_str() == "-" {
        true => Ok(None),
        false => fs::metadata(input).map(Some).map_err(|error| failed(&clean(input), &error)),
    };
    let named: Vec<Option<Metadata>> = inputs.iter().map(look).collect::<Result<_, _>>()?;
    let mut walk = Walk { settings, entries: Vec::new(), folders: HashSet::new() };
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

/// The path as shown and used in ids: `/` between parts, no `./` in front, and bytes that are not
/// UTF-8 as `\xNN`, so that different files never share a name.
pub(crate) fn name_of(path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return ".".to_owned();
    }
    let mut name = String::new();
    for part in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(part.valid());
        for byte in part.invalid() {
            name.push_str(&format!("\\x{byte:02X}"));
        }
    }
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}

fn clean(path: &Path) -> PathBuf {
    path.components().skip_while(|part| *part == Component::CurDir).collect()
}

struct Walk<'a> {
    settings: &'a Settings,
    entries: Vec<Entry>,
    /// Folders already listed, by their true path; only kept when links are followed.
    folders: HashSet<PathBuf>,
}

impl Walk<'_> {
    fn stdin(&self) -> Entry {
        let (source, size) = match &self.settings.stdin {
            Some(path) => {
                let metadata = fs::metadata(path).map_err(|error| failed(path, &error))?;
                (Source::File(path.clone()), Some(metadata.len()))
            }
            None => (Source::Stdin, None),
        };
        let kind = self.settings.kind.unwrap_or(Kind::Jsonl);
        let compression = Compression::None;
        Ok(Input { source, kind, compression, size, above: 0, stdin: true })
    }

    /// A file that the user named: it is read if there is any way to tell what it holds.
    fn named(&self, path: PathBuf, file_type: FileType, size: u64) -> Entry {
        let refuse = |path: &Path, reason| Err(ReadError::file(name_of(path), reason));
        if !file_type.is_file() {
            return refuse(&path, Reason::NotAFile(special_name(file_type)));
        }
        let (by_name, compression) = kind_of(&path);
        let mut kind = self.settings.kind.or(by_name);
        if kind.is_none() && path.extension().is_none() {
            match kind_by_content(&path) {
                Ok(found) => kind = found,
                Err(error) => return Err(failed(&path, &error)),
            }
        }
        let Some(kind) = kind else { return refuse(&path, Reason::UnknownKind) };
        // Of an absolute path only the folder that holds the file says something about it.
        let above =
            if path.is_absolute() { path.components().count().saturating_sub(2) } else { 0 };
        let source = Source::File(path);
        Ok(Input { source, kind, compression, size: Some(size), above, stdin: false })
    }

    /// A folder with everything below it, by an explicit stack: depth is the input's choice.
    fn folder(&mut self, root: &Path) {
        let above =
            if root.is_absolute() { root.components().count().saturating_sub(1) } else { 0 };
        let mut pending = vec![Found { path: root.to_path_buf(), what: What::Folder }];
        while let Some(Found { path, what }) = pending.pop() {
            match what {
                What::Folder => match self.contents(&path) {
                    Ok(found) => pending.extend(found.into_iter().rev()),
                    Err(error) => self.entries.push(Err(error)),
                },
                What::File => {
                    let entry = self.inside(path, above);
                    self.entries.push(entry);
                }
                What::Nothing(reason) => {
                    self.entries.push(Err(ReadError::file(name_of(&path), reason)));
                }
            }
        }
    }

    /// What a folder holds, in byte order of the whole paths below it.
    fn contents(&mut self, folder: &Path) -> Result<Vec<Found>, ReadError> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if let Some(except) = &self.settings.except
            && here.canonicalize().is_ok_and(|real| real == *except)
        {
            return Err(ReadError::file(name_of(folder), Reason::Excepted));
        }
        if self.settings.follow {
            let real = here.canonicalize().map_err(|error| failed(folder, &error))?;
            if !self.folders.insert(real) {
                return Err(ReadError::file(name_of(folder), Reason::Again));
            }
        }
        let failed = |error: io::Error| failed(folder, &error);
        let mut found = Vec::new();
        for entry in fs::read_dir(here).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let path = folder.join(&name);
            let what = if name.as_encoded_bytes().starts_with(b".") {
                What::Nothing(Reason::Hidden)
            } else {
                match entry.file_type() {
                    Ok(kind) => self.classify(&path, kind),
                    Err(error) => What::Nothing(Reason::from_io(&error, Compression::None)),
                }
            };
            let mut key = name.into_encoded_bytes();
            if matches!(what, What::Folder) {
                key.push(b'/');
            }
            found.push((key, Found { path, what }));
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found.into_iter().map(|(_, found)| found).collect())
    }

    fn classify(&self, path: &Path, mut file_type: FileType) -> What {
        if file_type.is_symlink() {
            if !self.settings.follow {
                return What::Nothing(Reason::Link);
            }
            file_type = match fs::metadata(path) {
                Ok(metadata) => metadata.file_type(),
                Err(error) => return What::Nothing(Reason::from_io(&error, Compression::None)),
            };
        }
        if file_type.is_dir() {
            What::Folder
        } else if file_type.is_file() {
            What::File
        } else {
            What::Nothing(Reason::Special(special_name(file_type)))
        }
    }

    /// A file in a folder: read only if its name says that we can.
    fn inside(&self, path: PathBuf, above: usize) -> Entry {
        let (by_name, compression) = kind_of(&path);
        let Some(kind) = self.settings.kind.or(by_name) else {
            let reason = extension(&path).map_or(Reason::NoExtension, Reason::OtherExtension);
            return Err(ReadError::file(name_of(&path), reason));
        };
        let size = fs::metadata(&path).map_err(|error| failed(&path, &error))?.len();
        let source = Source::File(path);
        Ok(Input { source, kind, compression, size: Some(size), above, stdin: false })
    }
}

struct Found {
    path: PathBuf,
    what: What,
}

enum What {
    Folder,
    File,
    Nothing(Reason),
}

fn failed(path: &Path, error: &io::Error) -> ReadError {
    ReadError::file(name_of(path), Reason::from_io(error, Compression::None))
}

/// Inputs may overlap (`pages pages/new`): each path is read once.
fn read_once(entries: &mut [Entry]) {
    let mut seen = HashSet::new();
    for entry in entries {
        let Ok(input) = entry else { continue };
        let path = match &input.source {
            Source::File(path) => path.clone(),
            Source::Stdin => PathBuf::new(),
        };
        if !seen.insert(path) {
            *entry = Err(ReadError::file(input.name(), Reason::Again));
        }
    }
}

/// The kind that the first character of a file without an extension suggests.
fn kind_by_content(path: &Path) -> io::Result<Option<Kind>> {
    let mut start = Vec::new();
    fs::File::open(path)?.take(512).read_to_end(&mut start)?;
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start);
    Ok(match start.trim_ascii_start().first() {
        _ if start.contains(&0) => None,
        Some(b'{') => Some(Kind::Jsonl),
        Some(b'<') => Some(Kind::Html),
        _ => Some(Kind::Text),
    })
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
