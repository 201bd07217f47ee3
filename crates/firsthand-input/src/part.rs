//! The parts of a batch: input that was cut out but not yet parsed.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::csv::Rows;
use crate::error::ReadError;
use crate::lines::Chunk;
use crate::parquet::Group;
use crate::place::{At, Place};
use crate::walk::Input;
use crate::warc;
use firsthand::settings::Kind;

/// One part of a batch.
#[derive(Debug)]
pub(crate) enum BatchPart {
    /// A file that is one document; it is read when the document is built.
    File(Input),
    /// Lines of JSONL.
    Lines { name: Arc<str>, chunk: Chunk },
    /// Rows of CSV.
    Rows(Rows),
    /// Rows of Parquet.
    Group(Group),
    /// A record of a web archive.
    Warc(warc::WarcPiece),
    /// One document from a larger file.
    Document(CutDocument),
    /// Input that cannot be read.
    Unread(ReadError),
}

impl BatchPart {
    /// A checksum of the content of a part that items come from. A table, of which only some columns
    /// are read, is known by its length and the time of its last change.
    pub(crate) fn sum(&self) -> Option<u64> {
        Some(match self {
            BatchPart::File(input) => content_sum(input.path()?).unwrap_or(0),
            BatchPart::Group(group) => group.file().metadata().map_or(0, |file| sum_of(&file)),
            BatchPart::Lines { chunk, .. } => xxh3_64(&chunk.bytes),
            BatchPart::Rows(rows) => xxh3_64(&rows.bytes),
            BatchPart::Warc(piece) if piece.role() == warc::Role::Beside => return None,
            BatchPart::Warc(piece) => xxh3_64(piece.raw().0),
            BatchPart::Document(document) => xxh3_64(&document.bytes),
            BatchPart::Unread(_) => return None,
        })
    }

    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        match self {
            BatchPart::File(input) => input.name(),
            BatchPart::Group(group) => group.name().to_owned(),
            BatchPart::Lines { name, .. } => name.to_string(),
            BatchPart::Rows(rows) => rows.name.to_string(),
            BatchPart::Warc(piece) => piece.name().to_owned(),
            BatchPart::Document(document) => document.name.to_string(),
            BatchPart::Unread(error) => error.place.path.clone(),
        }
    }
}

/// A checksum of a whole file. Memory is not a matter of its size.
fn content_sum(path: &Path) -> io::Result<u64> {
    let (mut file, mut sum) = (File::open(path)?, Xxh3::new());
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(sum.digest()),
            read => sum.update(&piece[..read]),
        }
    }
}

fn sum_of(file: &Metadata) -> u64 {
    let time = file.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let time = time.map_or(0, |time| time.as_nanos());
    xxh3_64(&[file.len().to_le_bytes().as_slice(), &time.to_le_bytes()].concat())
}

/// One document from a larger file: a member of an archive, a message of a mailbox, an element of
/// a JSON array, an item of a feed.
#[derive(Debug)]
pub(crate) struct CutDocument {
    pub(crate) name: Arc<str>,
    /// The position in the named file; `None` for a whole member of an archive.
    pub(crate) at: Option<At>,
    /// The kind of the file it came from, or of the member.
    pub(crate) kind: Kind,
    pub(crate) bytes: Vec<u8>,
}

impl CutDocument {
    pub(crate) fn place(&self) -> Place {
        Place { path: self.name.to_string(), at: self.at }
    }
}
