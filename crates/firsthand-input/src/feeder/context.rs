//! The context in which a file is cut into documents.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::sink::{Flow, Sink, Stopped};
use crate::compression::Compression;
use crate::error::{ReadError, Reason};
use crate::options::ReadOptions;
use crate::part::{BatchPart, CutDocument};
use crate::place::{At, Place, Unit};
use crate::record_file::{Columns, RecordFile, has_columns};
use crate::stream::{Budget, Bytes};
use crate::warc::Seen;
use firsthand::settings::{Kind, Limits};

/// A file or archive member that is being cut into documents.
pub(super) struct FileContext<'a> {
    /// Its name in places and ids.
    pub(super) name: Arc<str>,
    pub(super) options: &'a ReadOptions,
    pub(super) sink: &'a mut Sink,
    pub(super) budget: Budget,
    /// How the file was compressed, for messages.
    pub(super) compression: Compression,
    /// The number of archives and compressions around it.
    pub(super) depth: u64,
    /// WARC records that revisits may refer to.
    pub(super) seen: &'a mut Seen,
    /// How its bytes are compressed, the outermost first.
    pub(super) around: Vec<Compression>,
    /// Whether to pass on records that are not documents, so that they can be copied.
    pub(super) copying: bool,
}

impl<'a> FileContext<'a> {
    pub(super) fn limits(&self) -> &'a Limits {
        &self.options.reading.limits
    }

    /// The number of archives and compressions that may still be inside it.
    pub(super) fn layers(&self) -> u64 {
        self.limits().layers.min(Limits::MOST_LAYERS).saturating_sub(self.depth)
    }

    /// Counts records; false, after a report, if the rest of the file is not read. `size` is the
    /// least number of bytes of the file on disk.
    pub(super) fn admit(&mut self, records: u64, size: u64) -> Result<bool, Stopped> {
        // The limit is reported once, however many members an archive has.
        if self.budget.records(0, size).is_some() {
            return Ok(false);
        }
        match self.budget.records(records, size) {
            Some(limit) => {
                self.unread(None, Reason::beyond(limit, self.limits()))?;
                Ok(false)
            }
            None => Ok(true),
        }
    }

    /// Passes on a document.
    pub(super) fn piece(&mut self, kind: Kind, at: Option<At>, bytes: Vec<u8>) -> Flow {
        let length = bytes.len() as u64;
        let name = Arc::clone(&self.name);
        self.sink.push(BatchPart::Document(CutDocument { name, at, kind, bytes }), length)
    }

    /// Says that the records of a file of this kind follow; only for copying.
    pub(super) fn begin(&mut self, kind: Kind, columns: Columns) -> Flow {
        if !self.copying {
            return Ok(());
        }
        let (name, layers) = (Arc::clone(&self.name), self.around.clone());
        let file = RecordFile { name, kind, layers, columns };
        self.sink.beside(Some(BatchPart::Begin(Box::new(file))), 0)
    }

    /// Why a file of this kind is refused where columns are to be added to its records.
    pub(super) fn no_columns(&self, kind: Kind) -> Option<Reason> {
        let is_refused = !self.options.added_columns.is_empty() && !has_columns(kind);
        is_refused.then(|| Reason::NoColumns(kind.name()))
    }

    /// Reports input that cannot be read.
    pub(super) fn unread(&mut self, at: Option<At>, reason: Reason) -> Flow {
        let place = Place { path: self.name.to_string(), at };
        self.sink.unread(ReadError::at(place, reason))
    }

    /// Reports an I/O error.
    pub(super) fn failed(&mut self, at: Option<At>, error: &io::Error) -> Flow {
        let reason = match at {
            Some(_) => Reason::ending(error, self.compression),
            None => Reason::from_io(error, self.compression),
        };
        self.unread(at, reason)
    }

    /// Copies a stream to an anonymous temporary file, so that it can be read in any order.
    pub(super) fn seekable(&self, mut stream: Bytes<'_>) -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut stream, &mut file)?;
        io::Seek::rewind(&mut file)?;
        Ok(file)
    }
}

/// The position of a numbered unit.
pub(super) fn at(unit: Unit, number: u64) -> Option<At> {
    Some(At { unit, number, byte: None })
}
