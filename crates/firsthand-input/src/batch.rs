//! A handful of input that one thread turns into documents.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use firsthand::Document;
use memchr::memchr;

use crate::decode::{self, Source};
use crate::error::{ReadError, Reason};
use crate::kind::Compression;
use crate::lines::Chunk;
use crate::make;
use crate::settings::Settings;
use crate::walk::{Entry, Input, name_of};

/// Some lines of a file, or a few files: cheap to make, costly to turn into documents.
#[derive(Debug)]
pub struct Batch {
    index: usize,
    content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Lines { name: Arc<str>, chunk: Chunk },
    Entries(Vec<Entry>),
}

/// The input behind one item of [`Batch::documents`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw<'a> {
    /// The line of JSONL, without its line end.
    Line(&'a [u8]),
    /// The file.
    File(&'a Path),
    /// Nothing that could be copied: a folder entry that was passed over, or a stream.
    Nothing,
}

impl Batch {
    pub(crate) fn new(index: usize, content: Content) -> Self {
        Self { index, content }
    }

    /// The position of this batch among all: results put in this order are in input order.
    pub fn index(&self) -> usize {
        self.index
    }

    /// About how many bytes there are to work on.
    pub fn bytes(&self) -> usize {
        match &self.content {
            Content::Lines { chunk, .. } => chunk.bytes.len(),
            Content::Entries(entries) => entries
                .iter()
                .filter_map(|entry| entry.as_ref().ok()?.size)
                .fold(0, |sum, size| sum.saturating_add(usize::try_from(size).unwrap_or(sum))),
        }
    }

    /// Parses and extracts: one item for each document or failure, in input order. Ids are as
    /// the input has them; [`Ids`](firsthand::Ids) makes them unique.
    pub fn documents<'a>(
        &'a self,
        settings: &'a Settings,
    ) -> impl Iterator<Item = Result<Document, ReadError>> + 'a {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || self.next_document(&mut cursor, settings))
    }

    /// The inputs behind [`documents`](Self::documents), item by item, failures included.
    pub fn raw(&self) -> impl Iterator<Item = Raw<'_>> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || match &self.content {
            Content::Lines { chunk, .. } => cursor.line(&chunk.bytes).map(|(_, l)| Raw::Line(l)),
            Content::Entries(entries) => cursor.entry(entries).map(|entry| match entry {
                Ok(Input { source: Source::File(path), .. }) => Raw::File(path),
                _ => Raw::Nothing,
            }),
        })
    }

    pub(crate) fn next_document(
        &self,
        cursor: &mut Cursor,
        settings: &Settings,
    ) -> Option<Result<Document, ReadError>> {
        match &self.content {
            Content::Lines { name, chunk } => {
                let (offset, line) = cursor.line(&chunk.bytes)?;
                let number = chunk.first_line + offset;
                let limit = settings.limits.line_bytes;
                let document = if line.len() > limit {
                    Err(Reason::LineTooLong { limit })
                } else {
                    make::from_line(line, || format!("{name}:{number}"), settings)
                };
                Some(document.map_err(|reason| ReadError::line(&**name, number, reason)))
            }
            Content::Entries(entries) => Some(match cursor.entry(entries)? {
                Ok(input) => input.document(settings),
                Err(problem) => Err(problem.clone()),
            }),
        }
    }
}

/// How far a batch has been read.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    position: usize,
    line: u64,
}

impl Cursor {
    /// The next line that is not blank, and its number counted from 0.
    fn line<'a>(&mut self, bytes: &'a [u8]) -> Option<(u64, &'a [u8])> {
        while self.position < bytes.len() {
            let rest = &bytes[self.position..];
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let number = self.line;
            self.position += end + 1;
            self.line += 1;
            let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
            let line = make::without_mark(line);
            if !line.trim_ascii().is_empty() {
                return Some((number, line));
            }
        }
        None
    }

    fn entry<'a>(&mut self, entries: &'a [Entry]) -> Option<&'a Entry> {
        let entry = entries.get(self.position);
        self.position += 1;
        entry
    }
}

impl Input {
    /// What places and ids call it.
    pub(crate) fn name(&self) -> String {
        match &self.source {
            Source::File(path) if !self.stdin => name_of(path),
            _ => "stdin".to_owned(),
        }
    }

    fn document(&self, settings: &Settings) -> Result<Document, ReadError> {
        let name = self.name();
        let path = match &self.source {
            Source::File(path) if !self.stdin => Some((path.as_path(), self.above)),
            _ => None,
        };
        self.content(settings.limits.file_bytes)
            .and_then(|bytes| make::from_file(&bytes, self.kind, name.clone(), path, settings))
            .map_err(|reason| ReadError::file(name, reason))
    }

    /// The whole file, unless it is larger than the limit.
    fn content(&self, limit: usize) -> Result<Vec<u8>, Reason> {
        let too_large = Reason::FileTooLarge { limit };
        let size = self.size.map_or(0, |size| usize::try_from(size).unwrap_or(usize::MAX));
        if size > limit && self.compression == Compression::None {
            return Err(too_large);
        }
        let (stream, compression) = decode::open(&self.source, self.compression, Arc::default())
            .map_err(|error| Reason::from_io(&error, self.compression))?;
        let mut bytes = Vec::with_capacity(size.min(limit).saturating_add(1));
        stream
            .take((limit as u64).saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Reason::from_io(&error, compression))?;
        if bytes.len() > limit { Err(too_large) } else { Ok(bytes) }
    }
}
