//! What everyone who cuts a stream into pieces needs besides the stream.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::sink::{Flow, Sink};
use crate::compression::Compression;
use crate::error::{ReadError, Reason};
use crate::options::ReadOptions;
use crate::part::{BatchPart, CutDocument};
use crate::place::{At, Place, Unit};
use crate::stream::{Budget, Bytes};
use crate::warc::Seen;
use firsthand::settings::Kind;

/// The cutting of one file or member.
pub(super) struct FileContext<'a> {
    /// The file as places and ids call it.
    pub(super) name: Arc<str>,
    pub(super) settings: &'a ReadOptions,
    pub(super) sink: &'a mut Sink,
    pub(super) budget: Budget,
    /// How the file was compressed, for messages.
    pub(super) compression: Compression,
    /// How many archives this lies in.
    pub(super) depth: u64,
    /// Records of web archives that revisits may refer to.
    pub(super) seen: &'a mut Seen,
    /// Whether records that are no documents are handed on too, to be copied.
    pub(super) copying: bool,
}

impl FileContext<'_> {
    /// Hands on a document that was cut out.
    pub(super) fn piece(&mut self, kind: Kind, at: Option<At>, bytes: Vec<u8>) -> Flow {
        let length = bytes.len() as u64;
        let name = Arc::clone(&self.name);
        self.sink.push(BatchPart::Document(CutDocument { name, at, kind, bytes }), length)
    }

    /// Tells of something that cannot be read.
    pub(super) fn unread(&mut self, at: Option<At>, reason: Reason) -> Flow {
        let place = Place { path: self.name.to_string(), at };
        self.sink.unread(ReadError::at(place, reason))
    }

    /// Tells that reading failed.
    pub(super) fn failed(&mut self, at: Option<At>, error: &io::Error) -> Flow {
        let reason = Reason::from_io(error, self.compression);
        self.unread(at, reason)
    }

    /// A copy of a stream that can be read from anywhere, gone when it is closed.
    pub(super) fn seekable(&self, mut stream: Bytes<'_>) -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut stream, &mut file)?;
        io::Seek::rewind(&mut file)?;
        Ok(file)
    }
}

/// The position of something that is counted.
pub(super) fn at(unit: Unit, number: u64) -> Option<At> {
    Some(At { unit, number, byte: None })
}
