//! Web archives: records of a crawl, plain or compressed one by one.
//!
//! A thread of its own finds where records begin and end ([`records`], in a [`window`] over
//! [`members`] of gzip); what a record holds is looked at by whoever works on it ([`document`]).
//! A record that is broken is told of and passed over: the next one is found by its version line,
//! behind damaged gzip data by the next member that begins with one.

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

use self::document::Parts;
use self::fields::Fields;
use self::members::Members;
use self::records::{Found, Records, Role, WarcRecord};
use self::seen::Original;
use self::window::{Source, Window};
use crate::batch::{Item, Raw, finish};
use crate::build_document::Made;
use crate::error::{ReadError, Reason};
use crate::job::Job;
use crate::kind::Compression;
use crate::options::ReadOptions;
use crate::part::Part;
use crate::place::{At, Place, Unit};
use crate::sink::Flow;
use crate::stream::{self, Bytes};
use firsthand::settings::Limit;

pub(crate) use self::seen::Seen;

/// What every record begins with.
const START: &[u8; 5] = b"WARC/";

/// Revisits may read so much again before the ratio of [`Limit::Ratio`] counts.
const FREE: u64 = 64 << 20;

/// A record that was cut out.
#[derive(Debug)]
pub(crate) struct Piece {
    name: Arc<str>,
    at: At,
    role: Role,
    bytes: Vec<u8>,
    /// Where its body begins and ends.
    head: usize,
    end: usize,
    /// Whether it came out of gzip.
    gzip: bool,
    /// The record that this one refers to.
    original: Option<Box<Original>>,
}

/// Cuts a web archive into records.
pub(crate) fn cut(job: &mut Job<'_>, raw: Bytes<'_>, named: Compression) -> Flow {
    let source = match opened(job, raw, named) {
        Ok(source) => source,
        Err(error) => return job.failed(None, &error),
    };
    let window = Window::new(source, 0);
    let gzip = window.is_gzip();
    let mut records = Records::new(window, &job.settings.reading.limits, job.copying);
    let mut reread = 0_u64;
    while let Some(found) = records.next() {
        let record = match found {
            Found::WarcRecord(record) => record,
            Found::Large(record) => {
                let reason = document::too_large(record.parts(), job.settings);
                job.unread(at(record.number, record.byte), reason)?;
                continue;
            }
            Found::Bad { number, byte, reason } => {
                job.unread(at(number, byte), reason)?;
                continue;
            }
        };
        let mut original = None;
        let headers = record.bytes.get(..record.head).unwrap_or_default();
        match (record.role, record.spot) {
            // What lies in an archive cannot be read again.
            (Role::Document, Some(spot)) if job.depth == 0 => {
                job.seen.remember(headers, spot, record.size);
            }
            (Role::Revisit, _) => original = job.seen.original(headers).map(Box::new),
            _ => {}
        }
        if let Some(original) = &original {
            // A few lines stand for a whole page: a file of revisits is a kind of compression.
            reread = reread.saturating_add(original.size);
            let most = records.window.read().saturating_mul(job.settings.reading.limits.ratio);
            if reread > most.saturating_add(FREE) {
                let reason = Reason::beyond(Limit::Ratio, &job.settings.reading.limits);
                job.unread(at(record.number, record.byte), reason)?;
                continue;
            }
        }
        let size = record.size as u64;
        if record.role == Role::Beside && !job.copying {
            job.sink.beside(None, size)?;
            continue;
        }
        let WarcRecord { number, byte, role, bytes, head, end, .. } = record;
        let at = At { unit: Unit::Record, number, byte };
        let name = Arc::clone(&job.name);
        let part = Part::Warc(Piece { name, at, role, bytes, head, end, gzip, original });
        match role {
            Role::Beside => job.sink.beside(Some(part), size)?,
            Role::Document | Role::Revisit => job.sink.push(part, size)?,
        }
    }
    Ok(())
}

/// Finds out how an archive is compressed.
fn opened<'a>(job: &mut Job<'_>, raw: Bytes<'a>, named: Compression) -> io::Result<Source<'a>> {
    let (start, raw) = stream::peek(raw, crate::sniff::START)?;
    if start.starts_with(START) {
        return Ok(Source::Plain(raw));
    }
    let outer = Compression::from_magic(&start);
    let compression = if named == Compression::None { outer } else { named };
    let mut inner = Vec::new();
    if outer == Compression::Gzip {
        let decoder = flate2::read::GzDecoder::new(&start[..]);
        // The start of a member is enough; that it is cut off here is no error.
        decoder.take(Compression::MAGIC as u64).read_to_end(&mut inner).unwrap_or_default();
    }
    let nested = Compression::from_magic(&inner) != Compression::None;
    job.compression = compression;
    match compression {
        Compression::Gzip if !nested => {
            let members = Members::new(raw::Raw::new(raw, 0), job.budget.clone());
            Ok(Source::Gzip(Box::new(members)))
        }
        Compression::None => Ok(Source::Plain(raw)),
        _ => {
            let layers = job.settings.reading.limits.layers.saturating_sub(job.depth);
            Ok(Source::Other(stream::plain(raw, named, &job.budget, layers)?.0))
        }
    }
}

impl Piece {
    /// The document, or why there is none; nothing for records that are not documents.
    pub(crate) fn item(&self, settings: &ReadOptions) -> Option<Result<Item, ReadError>> {
        if self.role == Role::Beside {
            return None;
        }
        let place = Place { path: self.name.to_string(), at: Some(self.at) };
        Some(finish(place, |place| self.document(place, settings)))
    }

    fn document(&self, place: &Place, settings: &ReadOptions) -> Made {
        let own = Fields::after_first_line(&self.bytes[..self.head]);
        if self.role == Role::Document {
            let body = &self.bytes[self.head..self.end];
            return document::make(own, Parts { fields: own, body }, place, settings);
        }
        let original = self.original.as_deref();
        match original.and_then(|original| again::record(original, &settings.reading.limits)) {
            Some(record) => document::make(own, record.parts(), place, settings),
            None => {
                let named = own.bare("WARC-Target-URI").or_else(|| own.bare("WARC-Refers-To"));
                Err(Reason::Revisit(named.unwrap_or_else(|| "a page without a name".to_owned())))
            }
        }
    }

    /// The record as it came.
    pub(crate) fn raw(&self) -> Option<Raw<'_>> {
        let (bytes, gzip) = (&self.bytes[..], self.gzip);
        Some(match self.role {
            Role::Beside => Raw::Beside { bytes, gzip },
            Role::Document | Role::Revisit => Raw::Record { bytes, gzip },
        })
    }
}

impl WarcRecord {
    fn parts(&self) -> Parts<'_> {
        let fields = Fields::after_first_line(&self.bytes[..self.head]);
        Parts { fields, body: &self.bytes[self.head..self.end] }
    }
}

fn at(number: u64, byte: Option<u64>) -> Option<At> {
    Some(At { unit: Unit::Record, number, byte })
}

fn bad(detail: String) -> Reason {
    Reason::BadRecord { format: "WARC record", detail }
}
