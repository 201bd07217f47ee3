//! Documents of results read again from the inputs, by their places.
//!
//! A file that is one document is read each time it is asked for, and so is a line of which it is known where
//! it starts. Of any other file of many, all documents that may be asked for are kept in memory, up to a
//! limit, as long as the file stays as it is.

use crate::descriptions::DocumentPlace;
use firsthand::Document;
use firsthand::settings::Reading as ReadingSettings;
use firsthand_input::{Item, ReadOptions, path_name};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The most bytes of text that are kept, unless somebody says otherwise.
const KEPT: usize = 256 << 20;

/// Reads documents again.
#[derive(Debug)]
pub struct Texts {
    options: ReadOptions,
    /// Where relative paths start.
    bases: Vec<PathBuf>,
    files: HashMap<PathBuf, KeptFile>,
    kept: usize,
    /// The most bytes of text that are kept.
    most: usize,
}

/// What is kept of a file of many documents.
#[derive(Debug)]
struct KeptFile {
    stamp: Stamp,
    documents: HashMap<PlaceName, Arc<Document>>,
    /// Whether all that may be asked for are there.
    is_whole: bool,
}

type Stamp = (u64, Option<SystemTime>);

/// The path and the number of a place.
type PlaceName = (String, Option<u64>);

/// Why a document cannot be read again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Gone {
    /// The file is not there.
    #[error("{0} is not there any more")]
    File(String),
    /// The file is there, but not the document in it.
    #[error("{0} no longer has it")]
    Document(String),
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// It came from standard input.
    #[error("it came from standard input, which cannot be read again")]
    StandardInput,
    /// A store has not kept it.
    #[error("its text was not kept")]
    NotKept,
}

/// A document as it is in the inputs now.
#[derive(Clone, Debug)]
pub struct Found {
    /// The document, with the id that it has in the results.
    pub document: Arc<Document>,
    /// The file that it is in.
    pub file: PathBuf,
    /// Whether it is all of the file.
    pub is_file: bool,
}

/// The document of an id, whose place may be apart.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its place, unless the id says it.
    pub place: Option<&'a DocumentPlace>,
}

impl Texts {
    /// Reads as the settings say; relative paths start at the first of `bases` where they lead somewhere.
    pub fn new(reading: ReadingSettings, bases: Vec<PathBuf>) -> Self {
        let (options, files) = (ReadOptions::new(reading), HashMap::new());
        Self { options, bases, files, kept: 0, most: KEPT }
    }

    /// The same, but that at most this number of bytes of text is kept.
    pub(crate) fn keeping(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Finds a document. `may_be_asked` tells of others in the same file whether they are worth keeping.
    ///
    /// # Errors
    ///
    /// If it is not there any more.
    pub fn get(
        &mut self,
        wanted: Wanted<'_>,
        may_be_asked: &dyn Fn(&DocumentPlace) -> bool,
    ) -> Result<Found, Gone> {
        let (file, place) = self.locate(wanted)?;
        let is_file = place.number.is_none() && place.path == path_name(&file);
        let mut document = if is_file && is_single(&file, &self.options) {
            Arc::new(self.single(&file)?)
        } else if let Some(document) = self.line(&file, &place) {
            Arc::new(document)
        } else {
            self.of_many(&file, &place, may_be_asked)?
        };
        if document.id != wanted.id {
            Arc::make_mut(&mut document).id = wanted.id.to_owned();
        }
        Ok(Found { document, file, is_file })
    }

    /// The file that has to be read for a document, and its size; nothing if the document is kept, or only a
    /// line has to be read.
    pub fn cost(&self, wanted: Wanted<'_>) -> Option<(PathBuf, u64)> {
        let (file, place) = self.locate(wanted).ok()?;
        let kept = self.files.get(&file).filter(|kept| kept.stamp == stamp(&file));
        let is_kept = kept.is_some_and(|kept| kept.documents.contains_key(&name(&place)));
        if is_kept || place.byte.is_some() {
            return None;
        }
        let size = file.metadata().ok()?.len();
        Some((file, size))
    }

    /// The file on disk, and the place of the document as reading that file names it.
    fn locate(&self, wanted: Wanted<'_>) -> Result<(PathBuf, DocumentPlace), Gone> {
        let named =
            |path: &str, number| DocumentPlace { path: path.to_owned(), number, byte: None };
        let mut tries = Vec::new();
        match wanted.place {
            Some(place) => tries.push(place.clone()),
            None => {
                // Of two documents with one id, the second has a number after it.
                let root = wanted.id.rsplit_once('#').filter(|(_, number)| is_number(number));
                for id in [Some(wanted.id), root.map(|(root, _)| root)].into_iter().flatten() {
                    tries.push(named(id, None));
                    if let Some((path, number)) = id.rsplit_once(':')
                        && let Ok(number) = number.parse()
                    {
                        tries.push(named(path, Some(number)));
                    }
                }
            }
        }
        for place in &tries {
            if place.path == "stdin" && place.number.is_some() {
                return Err(Gone::StandardInput);
            }
            for base in &self.bases {
                if let Some((file, within)) = on_disk(base, &place.path) {
                    let path = format!("{}{within}", path_name(&file));
                    return Ok((file, DocumentPlace { path, ..*place }));
                }
            }
        }
        let first = tries.first().map_or(wanted.id, |place| &*place.path);
        Err(Gone::File(first.to_owned()))
    }

    fn single(&self, file: &Path) -> Result<Document, Gone> {
        let unreadable = |error: firsthand_input::ReadError| Gone::Unreadable(error.to_string());
        let mut read =
            firsthand_input::read(&[file.to_path_buf()], &self.options).map_err(unreadable)?;
        match read.next() {
            Some(document) => document.map_err(unreadable),
            None => Err(Gone::Document(path_name(file))),
        }
    }

    /// The document on a line, by where that starts; none if it does not start there any more.
    fn line(&self, file: &Path, place: &DocumentPlace) -> Option<Document> {
        let (number, byte) = (place.number?, place.byte?);
        let read = firsthand_input::read_line_at(file, number, byte, &self.options);
        read.ok().map(|item| item.document)
    }

    fn of_many(
        &mut self,
        file: &Path,
        place: &DocumentPlace,
        may_be_asked: &dyn Fn(&DocumentPlace) -> bool,
    ) -> Result<Arc<Document>, Gone> {
        let stamp = stamp(file);
        if let Some(kept) = self.files.get(file).filter(|kept| kept.stamp == stamp) {
            match kept.documents.get(&name(place)) {
                Some(document) => return Ok(Arc::clone(document)),
                None if kept.is_whole => return Err(Gone::Document(path_name(file))),
                None => {}
            }
        }
        self.forget(file);
        if self.kept >= self.most {
            self.files.clear();
            self.kept = 0;
        }
        let unreadable = |error: firsthand_input::ReadError| Gone::Unreadable(error.to_string());
        let batches =
            firsthand_input::open(&[file.to_path_buf()], &self.options).map_err(unreadable)?;
        let mut kept = KeptFile { stamp, documents: HashMap::new(), is_whole: true };
        let mut failed = None;
        for batch in batches {
            for item in batch.into_documents(&self.options) {
                let (at, document) = match item {
                    Ok(Item { document, place, .. }) => (DocumentPlace::of(&place), document),
                    Err(error) => {
                        if name(&DocumentPlace::of(&error.place)) == name(place) {
                            failed = Some(unreadable(error));
                        }
                        continue;
                    }
                };
                let is_wanted = name(&at) == name(place);
                if is_wanted || may_be_asked(&at) {
                    if !is_wanted && self.kept + document.text.len() > self.most {
                        kept.is_whole = false;
                        continue;
                    }
                    self.kept += document.text.len() + 256;
                    kept.documents.insert(name(&at), Arc::new(document));
                }
            }
        }
        let found = kept.documents.get(&name(place)).cloned();
        self.files.insert(file.to_path_buf(), kept);
        found.ok_or_else(|| failed.unwrap_or_else(|| Gone::Document(path_name(file))))
    }

    fn forget(&mut self, file: &Path) {
        if let Some(kept) = self.files.remove(file) {
            let bytes = kept.documents.values().map(|document| document.text.len() + 256);
            self.kept = self.kept.saturating_sub(bytes.sum());
        }
    }
}

fn name(place: &DocumentPlace) -> PlaceName {
    (place.path.clone(), place.number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a file is one document, by its name.
fn is_single(file: &Path, options: &ReadOptions) -> bool {
    let kind = options.reading.kind.or(firsthand_input::kind_of(file).0);
    kind.is_some_and(firsthand_input::Kind::is_single)
}

fn stamp(file: &Path) -> Stamp {
    match file.metadata() {
        Ok(metadata) => (metadata.len(), metadata.modified().ok()),
        Err(_) => (0, None),
    }
}

/// The file that a path leads to, and what is left of the path within it, which is an archive then.
fn on_disk(base: &Path, path: &str) -> Option<(PathBuf, String)> {
    let whole = base.join(path);
    if fs::metadata(&whole).is_ok_and(|file| file.is_file()) {
        return Some((whole, String::new()));
    }
    let slashes = path.match_indices('/').map(|(at, _)| at).rev();
    slashes.filter(|at| *at > 0).find_map(|at| {
        let file = base.join(&path[..at]);
        fs::metadata(&file).is_ok_and(|file| file.is_file()).then(|| (file, path[at..].to_owned()))
    })
}
