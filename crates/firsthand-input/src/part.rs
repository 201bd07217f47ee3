//! What a batch is made of: pieces of input, cut out but not yet looked into.

use std::sync::Arc;

use crate::csv::Rows;
use crate::error::ReadError;
use crate::lines::Chunk;
use crate::parquet::Group;
use crate::place::{At, Place};
use crate::walk::Input;
use crate::warc;
use firsthand::settings::Kind;

/// A piece of input.
#[derive(Debug)]
pub(crate) enum BatchPart {
    /// A file that is one document, read by whoever works on it.
    File(Input),
    /// Lines of JSONL.
    Lines { name: Arc<str>, chunk: Chunk },
    /// Rows of CSV.
    Rows(Rows),
    /// Rows of Parquet.
    Group(Group),
    /// A record of a web archive.
    Warc(warc::WarcPiece),
    /// One document that was cut out of something larger.
    Document(CutDocument),
    /// What cannot be read.
    Unread(ReadError),
}

/// One document that was cut out of something larger: a member of an archive, a message of a
/// mailbox, an element of a JSON array, an item of a feed.
#[derive(Debug)]
pub(crate) struct CutDocument {
    pub(crate) name: Arc<str>,
    /// Where it is in the file of this name; none for a whole member of an archive.
    pub(crate) at: Option<At>,
    /// What it was cut out of, or what the member is.
    pub(crate) kind: Kind,
    pub(crate) bytes: Vec<u8>,
}

impl CutDocument {
    /// Where it is.
    pub(crate) fn place(&self) -> Place {
        Place { path: self.name.to_string(), at: self.at }
    }
}
