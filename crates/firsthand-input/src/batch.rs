//! A batch of input that one thread turns into documents.

use std::path::Path;
use std::sync::Arc;

use memchr::memchr;

use crate::build_document;
use crate::compression::Compression;
use crate::csv::{self, TableHeader};
use crate::error::{ReadError, Reason};
use crate::item::{Item, finish};
use crate::mail;
use crate::noted_part::NotedPart;
use crate::options::ReadOptions;
use crate::parquet::{self, Group};
use crate::part::{BatchPart, CutDocument};
use crate::place::{Place, Unit};
use crate::stream::{self, Budget};
use crate::walk::Input;
use crate::warc::Role;
use firsthand::settings::{Kind, Limit};

/// Some records or a few files, not yet parsed.
#[derive(Debug)]
pub struct Batch {
    index: usize,
    parts: Vec<BatchPart>,
    /// Per part, the number of the input that it is from.
    inputs: Vec<usize>,
    bytes: u64,
    /// What a second reading knows its parts by, if there is one.
    pub(crate) noted: Vec<NotedPart>,
}

/// The unchanged input of one item of [`Batch::documents`].
#[derive(Clone, Copy, Debug)]
pub enum Raw<'a> {
    /// A line of JSONL, without its line end.
    Line(&'a [u8]),
    /// An element of a JSON array.
    Element(&'a [u8]),
    /// A row of CSV with its line end, and the first row of its file.
    Row {
        /// The row.
        row: &'a [u8],
        /// The names of the columns.
        header: &'a TableHeader,
    },
    /// A row of a Parquet table, counted from 0 in its row group.
    Cells(&'a Group, usize),
    /// A message of a mailbox, with its `From ` line.
    Message(&'a [u8]),
    /// A record of a web archive, with all its headers.
    Record {
        /// The record, decompressed.
        bytes: &'a [u8],
        /// Whether records were compressed.
        gzip: bool,
    },
    /// A record of a web archive that is not a document and belongs to no item.
    Beside {
        /// The record, decompressed.
        bytes: &'a [u8],
        /// Whether records were compressed.
        gzip: bool,
    },
    /// A record of a web archive that is too large to be copied.
    TooLarge,
    /// A file.
    File(&'a Path),
    /// Nothing that could be copied: a skipped folder entry, a member of an archive, or a stream.
    Nothing,
}

impl Batch {
    pub(crate) fn new(index: usize, parts: Vec<BatchPart>, inputs: Vec<usize>, bytes: u64) -> Self {
        Self { index, parts, inputs, bytes, noted: Vec::new() }
    }

    /// The parts, each with the number of the input that it is from.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, &BatchPart)> {
        self.inputs.iter().copied().zip(&self.parts)
    }

    /// The position of this batch in input order, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The numbers of the first and the last input that it has parts of.
    pub fn input_range(&self) -> Option<(usize, usize)> {
        Some((*self.inputs.first()?, *self.inputs.last()?))
    }

    /// Notes what a second reading knows its parts by.
    pub(crate) fn note_parts(&mut self) {
        let mut first = 0;
        let noted = self.parts().filter_map(|(input, part)| {
            let sum = part.sum()?;
            let items = part.raw().filter(|raw| !matches!(raw, Raw::Beside { .. })).count();
            first += items;
            Some(NotedPart { input, sum, batch: self.index, first: first - items, items })
        });
        self.noted = noted.collect();
    }

    /// What a second reading knows its parts by, as numbers; see [`Batches::resume`](crate::Batches::resume).
    pub fn noted_parts(&self) -> Vec<[u64; 5]> {
        self.noted.iter().map(|part| part.to_numbers()).collect()
    }

    /// The approximate number of bytes to parse.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The bytes on disk that are read only when documents are built.
    pub fn bytes_left_to_read(&self) -> u64 {
        let bytes = |part: &BatchPart| match part {
            BatchPart::File(input) => input.size.unwrap_or(0),
            BatchPart::Group(group) => group.bytes_on_disk(),
            _ => 0,
        };
        self.parts.iter().map(bytes).sum()
    }

    /// Builds the documents: one item per document or error, in input order. Ids are those of the
    /// input; [`Ids`](firsthand::collections::Ids) makes them unique.
    pub fn documents<'a>(
        &'a self,
        options: &'a ReadOptions,
    ) -> impl Iterator<Item = Result<Item, ReadError>> + 'a {
        let mut cursor = BatchCursor::default();
        std::iter::from_fn(move || self.next_item(&mut cursor, options))
    }

    /// As [`documents`](Self::documents), consuming the batch.
    pub fn into_documents(
        self,
        options: &ReadOptions,
    ) -> impl Iterator<Item = Result<Item, ReadError>> {
        let mut cursor = BatchCursor::default();
        std::iter::from_fn(move || self.next_item(&mut cursor, options))
    }

    /// The unchanged input of each item of [`documents`](Self::documents), errors included.
    pub fn raw(&self) -> impl Iterator<Item = Raw<'_>> {
        self.parts.iter().flat_map(BatchPart::raw)
    }

    pub(crate) fn next_item(
        &self,
        cursor: &mut BatchCursor,
        options: &ReadOptions,
    ) -> Option<Result<Item, ReadError>> {
        loop {
            let part = self.parts.get(cursor.part)?;
            let item = match part {
                BatchPart::File(input) => cursor.once().then(|| input.item(options)),
                BatchPart::Document(piece) => cursor.once().then(|| piece.item(options)),
                BatchPart::Unread(error) => cursor.once().then(|| Err(error.clone())),
                BatchPart::Warc(piece) => cursor.once().then(|| piece.item(options)).flatten(),
                BatchPart::Lines { name, chunk, is_as_on_disk } => {
                    cursor.lines.next(&chunk.bytes).map(|(offset, line, start)| {
                        let place = Place::line(&**name, chunk.first_line + offset);
                        let byte = is_as_on_disk.then_some(chunk.byte + start as u64);
                        line_item(line, place, byte, options)
                    })
                }
                BatchPart::Rows(rows) => cursor.rows.next(rows).map(|(place, row)| {
                    finish(place, |place| csv::item(rows, row, place, options))
                }),
                BatchPart::Group(group) => cursor.cells.next(group, options),
                BatchPart::Memory(part) => {
                    cursor.count(part.rows()).map(|row| part.item(row, options))
                }
                BatchPart::Begin(_) => None,
            };
            match item {
                Some(item) => return Some(item),
                None => cursor.next_part(),
            }
        }
    }
}

impl BatchPart {
    /// The unchanged input of each of its items.
    pub(crate) fn raw(&self) -> impl Iterator<Item = Raw<'_>> {
        let mut cursor = BatchCursor::default();
        std::iter::from_fn(move || self.next_raw(&mut cursor))
    }

    fn next_raw<'a>(&'a self, cursor: &mut BatchCursor) -> Option<Raw<'a>> {
        match self {
            BatchPart::File(input) => cursor.once().then(|| match input.path() {
                Some(path) => Raw::File(path),
                None => Raw::Nothing,
            }),
            BatchPart::Document(CutDocument { kind, at: Some(_), bytes, .. }) => {
                cursor.once().then_some(match kind {
                    Kind::Json => Raw::Element(bytes),
                    Kind::Mbox => Raw::Message(bytes),
                    _ => Raw::Nothing,
                })
            }
            BatchPart::Unread(error) if error.is_skip() && is_record(&error.place) => {
                cursor.once().then_some(Raw::TooLarge)
            }
            BatchPart::Document(_) | BatchPart::Unread(_) => cursor.once().then_some(Raw::Nothing),
            BatchPart::Warc(piece) => cursor.once().then(|| {
                let (bytes, gzip) = piece.raw();
                match piece.role() {
                    Role::Beside => Raw::Beside { bytes, gzip },
                    Role::Document | Role::Revisit => Raw::Record { bytes, gzip },
                }
            }),
            BatchPart::Lines { chunk, .. } => {
                cursor.lines.next(&chunk.bytes).map(|(_, line, _)| Raw::Line(line))
            }
            BatchPart::Rows(rows) => {
                cursor.rows.next(rows).map(|(_, row)| Raw::Row { row, header: &rows.table })
            }
            BatchPart::Group(group) => cursor.count(group.rows()).map(|row| Raw::Cells(group, row)),
            BatchPart::Memory(part) => cursor.count(part.rows()).map(|_| Raw::Nothing),
            BatchPart::Begin(_) => None,
        }
    }
}

/// Whether a place is a record of a web archive. An unread record has no bytes because it was too
/// large.
fn is_record(place: &Place) -> bool {
    place.at.is_some_and(|at| at.unit == Unit::Record)
}

/// The position in a batch.
#[derive(Default)]
pub(crate) struct BatchCursor {
    part: usize,
    /// Items of the part already returned.
    items: usize,
    lines: LineCursor,
    rows: csv::RowsCursor,
    cells: parquet::GroupCursor,
}

impl BatchCursor {
    fn once(&mut self) -> bool {
        self.count(1).is_some()
    }

    fn count(&mut self, items: usize) -> Option<usize> {
        let at = self.items;
        self.items += 1;
        (at < items).then_some(at)
    }

    fn next_part(&mut self) {
        *self = Self { part: self.part + 1, ..Self::default() };
    }
}

/// The position in a chunk of lines.
#[derive(Debug, Default)]
struct LineCursor {
    position: usize,
    line: u64,
}

impl LineCursor {
    /// The number of the next line that is not blank, counted from 0, the line, and where it starts.
    fn next<'a>(&mut self, bytes: &'a [u8]) -> Option<(u64, &'a [u8], usize)> {
        while self.position < bytes.len() {
            let (start, rest) = (self.position, &bytes[self.position..]);
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            let number = self.line;
            self.position += end + 1;
            self.line += 1;
            let line = bare(&rest[..end]);
            if !line.trim_ascii().is_empty() {
                return Some((number, line, start));
            }
        }
        None
    }
}

/// A line without what is not part of its record.
pub(crate) fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

/// The document on a line, which starts at a byte of its file, if that can be said.
pub(crate) fn line_item(
    line: &[u8],
    place: Place,
    byte: Option<u64>,
    options: &ReadOptions,
) -> Result<Item, ReadError> {
    let mut item = finish(place, |place| build_document::from_json(line, place, options))?;
    if let Some(at) = &mut item.place.at {
        at.byte = byte;
    }
    Ok(item)
}

impl Input {
    fn item(&self, options: &ReadOptions) -> Result<Item, ReadError> {
        finish(Place::file(self.name()), |place| {
            let bytes = self.content(options)?;
            let path = self.path().map(|path| (path, self.above));
            build_document::from_file(&bytes, self.kind, place, path, options)
        })
    }

    /// The whole file, unless it is larger than the limit.
    fn content(&self, options: &ReadOptions) -> Result<Vec<u8>, Reason> {
        let limits = &options.reading.limits;
        let is_plain = self.compression == Compression::None;
        if is_plain && self.size.is_some_and(|size| size > limits.file) {
            return Err(Reason::beyond(Limit::File, limits));
        }
        let budget = Budget::new(limits, Arc::default());
        let open = || {
            let raw = budget.open(&self.source)?;
            let (plain, _) = stream::plain(raw, self.compression, &budget, limits.layers)?;
            stream::read_all(plain, Limit::File, limits)
        };
        open().map_err(|error| Reason::from_io(&error, self.compression))
    }
}

impl CutDocument {
    fn item(&self, options: &ReadOptions) -> Result<Item, ReadError> {
        finish(self.place(), |place| match self.kind {
            Kind::Json => build_document::from_json(&self.bytes, place, options),
            Kind::Mbox => {
                build_document::from_mail(&mail::mbox::message(&self.bytes), place, options)
            }
            Kind::Feed => crate::feed::item(&self.bytes, place, options),
            kind => build_document::from_file(&self.bytes, kind, place, None, options),
        })
    }
}
