//! Web archives (WARC): records of a crawl, plain or compressed one by one.
//!
//! The reading thread finds the start and end of records ([`records`], in a [`window`] over
//! [`members`] of gzip); their content is parsed when documents are built ([`document`]). A broken
//! record is reported and skipped: the next one is found by its version line, or after damaged gzip
//! data by the next member that begins with one.

mod again;
mod coding;
mod document;
mod fields;
mod gzip;
mod http;
mod members;
mod raw;
mod records;
mod scan;
mod seen;
mod window;

#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::sync::Arc;

use self::document::RecordParts;
use self::fields::HeaderFields;
use self::members::Members;
use crate::build_document::Made;
use crate::compression::Compression;
use crate::error::{ReadError, Reason};
use crate::item::{Item, finish};
use crate::options::ReadOptions;
use crate::place::{At, Place, Unit};
use crate::stream::{self, Budget, Bytes};

pub(crate) use self::document::too_large;
pub(crate) use self::records::{Records, Role, WarcEntry, WarcRecord};
pub(crate) use self::seen::{RevisitTarget, Seen};
pub(crate) use self::window::{RecordWindow, WindowSource};

/// The start of every record.
const START: &[u8; 5] = b"WARC/";

/// A record, not yet parsed.
#[derive(Debug)]
pub(crate) struct WarcPiece {
    name: Arc<str>,
    at: At,
    role: Role,
    bytes: Vec<u8>,
    /// The start and end of its body.
    head: usize,
    end: usize,
    /// Whether it was compressed by gzip.
    gzip: bool,
    /// The original that a revisit refers to.
    original: Option<Box<RevisitTarget>>,
}

/// Detects how an archive is compressed, and stores it in `told` for messages.
pub(crate) fn open<'a>(
    raw: Bytes<'a>,
    named: Compression,
    layers: u64,
    budget: &Budget,
    told: &mut Compression,
) -> io::Result<WindowSource<'a>> {
    let (start, raw) = stream::peek(raw, crate::sniff::START)?;
    if start.starts_with(START) {
        return Ok(WindowSource::Plain(raw));
    }
    let outer = Compression::from_magic(&start);
    let compression = if named == Compression::None { outer } else { named };
    let mut inner = Vec::new();
    if outer == Compression::Gzip {
        let decoder = flate2::read::GzDecoder::new(&start[..]);
        // The start of a member is enough; being cut off here is not an error.
        decoder.take(Compression::MAGIC as u64).read_to_end(&mut inner).unwrap_or_default();
    }
    let nested = Compression::from_magic(&inner) != Compression::None;
    *told = compression;
    match compression {
        Compression::Gzip if !nested => {
            let members = Members::new(raw::PositionedStream::new(raw, 0), budget.clone());
            Ok(WindowSource::Gzip(Box::new(members)))
        }
        Compression::None => Ok(WindowSource::Plain(raw)),
        _ => Ok(WindowSource::Other(stream::plain(raw, named, budget, layers)?.0)),
    }
}

impl WarcPiece {
    pub(crate) fn new(
        name: Arc<str>,
        record: WarcRecord,
        gzip: bool,
        original: Option<Box<RevisitTarget>>,
    ) -> Self {
        let WarcRecord { number, byte, role, bytes, head, end, .. } = record;
        let at = At { unit: Unit::Record, number, byte };
        Self { name, at, role, bytes, head, end, gzip, original }
    }

    /// The unchanged record, and whether it was compressed by gzip.
    pub(crate) fn raw(&self) -> (&[u8], bool) {
        (&self.bytes, self.gzip)
    }

    /// Whether it is a document, a revisit or something else.
    pub(crate) fn role(&self) -> Role {
        self.role
    }

    /// The document, or why it cannot be read; `None` for records that are not documents.
    pub(crate) fn item(&self, options: &ReadOptions) -> Option<Result<Item, ReadError>> {
        if self.role == Role::Beside {
            return None;
        }
        let place = Place { path: self.name.to_string(), at: Some(self.at) };
        Some(finish(place, |place| self.document(place, options)))
    }

    fn document(&self, place: &Place, options: &ReadOptions) -> Made {
        let own = HeaderFields::after_first_line(&self.bytes[..self.head]);
        if self.role == Role::Document {
            let body = &self.bytes[self.head..self.end];
            return document::make(own, RecordParts { fields: own, body }, place, options);
        }
        let original = self.original.as_deref();
        match original.and_then(|original| again::record(original, &options.reading.limits)) {
            Some(record) => document::make(own, record.parts(), place, options),
            None => {
                let named = own.bare("WARC-Target-URI").or_else(|| own.bare("WARC-Refers-To"));
                Err(Reason::Revisit(named.unwrap_or_else(|| "an unnamed page".to_owned())))
            }
        }
    }
}

impl WarcRecord {
    pub(crate) fn parts(&self) -> RecordParts<'_> {
        let fields = HeaderFields::after_first_line(&self.bytes[..self.head]);
        RecordParts { fields, body: &self.bytes[self.head..self.end] }
    }
}

fn bad(detail: String) -> Reason {
    Reason::BadRecord { format: "WARC record", detail }
}
