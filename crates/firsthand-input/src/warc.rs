//! Web archives (WARC): records of a crawl, plain or compressed one by one.
//!
//! The reading thread finds the start and end of records ([`records`], in a [`window`] over
//! [`members`] of gzip); their content is parsed when documents are built ([`document`]). A broken
//! record is reported and skipped: the next one is found by its version line, or after damaged gzip
//! data by the next member that begins with one.

mod again;
mod arc;
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

/// The format of a web archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveFormat {
    Warc,
    /// Its predecessor.
    Arc,
}

impl ArchiveFormat {
    /// The format of an archive that starts with these bytes.
    fn of(start: &[u8]) -> Self {
        let is_arc = start.starts_with(b"filedesc:") || arc::ArcLine::read(start).is_some();
        if is_arc { Self::Arc } else { Self::Warc }
    }

    /// Whether a compressed member with these first bytes begins with a record; `None` if there are
    /// too few of them.
    fn begins(self, member: &[u8]) -> Option<bool> {
        let starts: &[&[u8]] = match self {
            Self::Warc => &[START],
            Self::Arc => &[b"http:/", b"https:", b"ftp://", b"filedesc:", b"dns:"],
        };
        if starts.iter().any(|start| member.starts_with(start)) {
            return Some(true);
        }
        let may = starts.iter().any(|start| start.starts_with(member));
        if may { None } else { Some(false) }
    }
}

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

/// Detects the format of an archive and how it is compressed, which is stored in `told` for messages.
pub(crate) fn open<'a>(
    raw: Bytes<'a>,
    named: Compression,
    layers: u64,
    budget: &Budget,
    told: &mut Compression,
) -> io::Result<RecordWindow<'a>> {
    let (start, raw) = stream::peek(raw, crate::sniff::START)?;
    if start.starts_with(START) {
        return Ok(RecordWindow::new(WindowSource::Plain(raw), 0, ArchiveFormat::Warc));
    }
    let outer = Compression::from_magic(&start);
    let compression = if named == Compression::None { outer } else { named };
    let mut inner = Vec::new();
    if outer == Compression::Gzip {
        let decoder = flate2::read::GzDecoder::new(&start[..]);
        // The start of a member is enough; being cut off here is not an error.
        decoder.take(crate::sniff::START as u64).read_to_end(&mut inner).unwrap_or_default();
    }
    let nested = Compression::from_magic(&inner) != Compression::None;
    *told = compression;
    let (source, format) = match compression {
        Compression::Gzip if !nested => {
            let format = ArchiveFormat::of(&inner);
            let members = Members::new(raw::PositionedStream::new(raw, 0), budget.clone(), format);
            (WindowSource::Gzip(Box::new(members)), format)
        }
        Compression::None => (WindowSource::Plain(raw), ArchiveFormat::of(&start)),
        _ => {
            let plain = stream::plain(raw, named, budget, layers)?.0;
            let (start, plain) = stream::peek(plain, crate::sniff::START)?;
            (WindowSource::Other(plain), ArchiveFormat::of(&start))
        }
    };
    Ok(RecordWindow::new(source, 0, format))
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
