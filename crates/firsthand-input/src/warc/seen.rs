//! Where records lie that revisits may refer to.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::fields::Fields;
use super::window::Spot;
use crate::stream::Source;

/// No more records than this are remembered: about a gigabyte.
const MOST: usize = 16 << 20;
/// A record in the middle of compressed data is only read again if no more has to be decompressed
/// before it.
const CHEAP: u64 = 1 << 20;

/// Where the records lie that were read so far, in all files.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The file that is read now, if it can be read again.
    open: Option<Arc<Source>>,
    sources: Vec<Arc<Source>>,
    records: Vec<Remembered>,
    /// The names of records, hashed.
    names: HashMap<u64, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Remembered {
    disk: u64,
    /// What its headers hash to: a file may change.
    sum: u32,
    skip: u32,
    size: u32,
    source: u32,
}

/// Where the original of a revisit lies.
#[derive(Clone, Debug)]
pub(crate) struct Original {
    pub(crate) source: Arc<Source>,
    pub(crate) spot: Spot,
    pub(crate) size: u64,
    sum: u32,
}

impl Seen {
    /// Another file is read from now on.
    pub(crate) fn open(&mut self, source: &Source) {
        self.open = match source {
            Source::File(_) | Source::Memory(_) => Some(Arc::new(source.clone())),
            Source::Stdin => None,
        };
    }

    /// Remembers a record of the open file; `headers` are all of them.
    pub(crate) fn remember(&mut self, headers: &[u8], spot: Spot, size: usize) {
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
        let fields = Fields::after_first_line(headers);
        for name in names(fields).into_iter().flatten() {
            self.names.entry(name).or_insert(number);
        }
    }

    /// The original of a revisit. What refers to this revisit will find the same.
    pub(crate) fn original(&mut self, headers: &[u8]) -> Option<Original> {
        let fields = Fields::after_first_line(headers);
        let by_id = fields.bare("WARC-Refers-To").map(|id| hashed(1, &[&id]));
        let uri = fields.bare("WARC-Refers-To-Target-URI");
        let date = fields.get("WARC-Refers-To-Date");
        let by_visit = uri.zip(date).map(|(uri, date)| hashed(2, &[&uri, &date]));
        let by_digest = fields.get("WARC-Payload-Digest").map(|digest| hashed(3, &[&digest]));
        let referred = [by_id, by_visit, by_digest].into_iter().flatten();
        let number = referred.filter_map(|name| self.names.get(&name)).next().copied()?;
        for name in names(fields).into_iter().flatten() {
            self.names.entry(name).or_insert(number);
        }
        let record = self.records.get(number as usize)?;
        Some(Original {
            source: Arc::clone(self.sources.get(record.source as usize)?),
            spot: Spot { disk: record.disk, skip: record.skip.into() },
            size: record.size.into(),
            sum: record.sum,
        })
    }
}

impl Original {
    /// Whether a record with these headers is the one that was meant.
    pub(crate) fn is(&self, headers: &[u8]) -> bool {
        sum(headers) == self.sum
    }
}

/// What a record may be called by: its id, its page and date, its content.
fn names(fields: Fields<'_>) -> [Option<u64>; 3] {
    let uri = fields.bare("WARC-Target-URI");
    let date = fields.get("WARC-Date");
    [
        fields.bare("WARC-Record-ID").map(|id| hashed(1, &[&id])),
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
