//! The parts of a batch: input that was cut out but not yet parsed.

use std::sync::Arc;

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
