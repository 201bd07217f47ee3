//! Remembers the locations of records that revisits may refer to.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::fields::HeaderFields;
use super::window::RecordLocation;
use crate::stream::Source;

/// The most records remembered, in about a gigabyte.
const MOST: usize = 16 << 20;
/// The most bytes to decompress before a record that is read again.
const CHEAP: u64 = 1 << 20;

/// The locations of the records of all files read so far.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The current file, if it can be read again.
    open: Option<Arc<Source>>,
    sources: Vec<Arc<Source>>,
    records: Vec<Remembered>,
    /// The hashed names of records.
    names: HashMap<u64, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Remembered {
    disk: u64,
    /// A checksum of its headers, to detect a changed file.
    sum: u32,
    skip: u32,
    size: u32,
    source: u32,
}

/// The location of the original of a revisit.
#[derive(Clone, Debug)]
pub(crate) struct RevisitTarget {
    pub(crate) source: Arc<Source>,
    pub(crate) spot: RecordLocation,
    pub(crate) size: u64,
    sum: u32,
}

impl Seen {
    /// Starts a new file.
    pub(crate) fn open(&mut self, source: &Source) {
        self.open = match source {
            Source::File(_) | Source::Memory(_) => Some(Arc::new(source.clone())),
            Source::Stdin => None,
        };
    }

    /// Remembers a record of the current file by all its headers.
    pub(crate) fn remember(&mut self, headers: &[u8], spot: RecordLocation, size: usize) {
        let Some(source) = &self.open else { return };
        if spot.skip > CHEAP || self.records.len() >= MOST {
            return;
        }
        if !self.sources.last().is_some_and(|last| Arc::ptr_eq(last, source)) {
            self.sources.push(Arc::clone(source));
        }
        let number = self.records.len() as u32;
        self.records.push(Remembered {
            disk: spot.disk,
            sum: sum(headers),
            skip: spot.skip as u32,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            source: self.sources.len() as u32 - 1,
        });
        let fields = HeaderFields::after_first_line(headers);
        for name in names(fields, OWN).into_iter().flatten() {
            self.names.entry(name).or_insert(number);
        }
    }

    /// The original of a revisit. Later references to this revisit find the same original.
    pub(crate) fn original(&mut self, headers: &[u8]) -> Option<RevisitTarget> {
        let fields = HeaderFields::after_first_line(headers);
        let referred = names(fields, REFERRED).into_iter().flatten();
        let number = referred.filter_map(|name| self.names.get(&name)).next().copied()?;
        for name in names(fields, OWN).into_iter().flatten() {
            self.names.entry(name).or_insert(number);
        }
        let record = self.records.get(number as usize)?;
        Some(RevisitTarget {
            source: Arc::clone(self.sources.get(record.source as usize)?),
            spot: RecordLocation { disk: record.disk, skip: record.skip.into() },
            size: record.size.into(),
            sum: record.sum,
        })
    }
}

impl RevisitTarget {
    /// Whether these are the headers of the remembered record.
    pub(crate) fn is(&self, headers: &[u8]) -> bool {
        sum(headers) == self.sum
    }
}

/// The fields with the id, URL and date of a record, and of the one that it refers to.
const OWN: [&str; 3] = ["WARC-Record-ID", "WARC-Target-URI", "WARC-Date"];
const REFERRED: [&str; 3] = ["WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"];

/// The hashed names of a record: its id, its URL and date, its content.
fn names(fields: HeaderFields<'_>, [id, uri, date]: [&str; 3]) -> [Option<u64>; 3] {
    let (uri, date) = (fields.bare(uri), fields.get(date));
    [
        fields.bare(id).map(|id| hashed(1, &[&id])),
        uri.zip(date).map(|(uri, date)| hashed(2, &[&uri, &date])),
        fields.get("WARC-Payload-Digest").map(|digest| hashed(3, &[&digest])),
    ]
}

fn hashed(kind: u8, words: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (kind, words).hash(&mut hasher);
    hasher.finish()
}

fn sum(headers: &[u8]) -> u32 {
    let mut hasher = DefaultHasher::new();
    headers.hash(&mut hasher);
    hasher.finish() as u32
}
