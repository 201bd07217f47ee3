//! The parts of a batch: input that was cut out but not yet parsed.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use crate::csv::Rows;
use crate::error::ReadError;
use crate::lines::Chunk;
use crate::memory::MemoryPart;
use crate::parquet::Group;
use crate::place::{At, Place};
use crate::record_file::RecordFile;
use crate::walk::Input;
use crate::warc;
use firsthand::settings::Kind;

/// One part of a batch.
#[derive(Debug)]
pub(crate) enum BatchPart {
    /// A file that is one document; it is read when the document is built.
    File(Input),
    /// Lines of JSONL, and whether their bytes are those of the file on disk.
    Lines { name: Arc<str>, chunk: Chunk, is_as_on_disk: bool },
    /// Rows of CSV.
    Rows(Rows),
    /// Rows of Parquet.
    Group(Group),
    /// Rows of a table in memory.
    Memory(MemoryPart),
    /// A record of a web archive.
    Warc(warc::WarcPiece),
    /// One document from a larger file.
    Document(CutDocument),
    /// The start of a file of records; only for copying.
    Begin(Box<RecordFile>),
    /// Input that cannot be read.
    Unread(ReadError),
}

impl BatchPart {
    /// A checksum of the content of a part that items come from: of a table, of the columns that are
    /// read; of what cannot be read, of its place.
    pub(crate) fn sum(&self) -> Option<u64> {
        Some(match self {
            BatchPart::File(input) => content_sum(input.path()?).unwrap_or(0),
            BatchPart::Group(group) => group.sum(),
            BatchPart::Lines { chunk, .. } => xxh3_64(&chunk.bytes),
            BatchPart::Rows(rows) => {
                // Under other names of columns the same rows are others.
                xxh3_64_with_seed(&rows.bytes, xxh3_64(rows.header()))
            }
            BatchPart::Begin(_) | BatchPart::Memory(_) => return None,
            BatchPart::Warc(piece) if piece.role() == warc::Role::Beside => return None,
            BatchPart::Warc(piece) => xxh3_64(piece.raw().0),
            BatchPart::Document(document) => xxh3_64(&document.bytes),
            BatchPart::Unread(error) => xxh3_64(error.place.to_string().as_bytes()),
        })
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
