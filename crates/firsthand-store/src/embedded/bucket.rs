//! A bucket: a log, the table of its documents, and the keys that lead to them.

use super::{
    errors::damaged,
    find::ends,
    log::{Event, Log},
    postings::{Local, Postings},
};
use firsthand::online::{Bucket as Sum, Probe, Seq, StoreError};

/// Documents that are forgotten together.
#[derive(Debug)]
pub(super) struct Bucket {
    pub(super) number: i64,
    pub(super) log: Log,
    /// By number.
    pub(super) documents: Vec<Document>,
    bytes: u64,
    first: i64,
    last: i64,
    /// The keys that are in no run yet.
    pub(super) recent: Postings,
}

/// Where a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) seq: Seq,
    pub(super) time: i64,
    pub(super) place: u64,
    pub(super) length: u32,
}

impl Bucket {
    pub(super) fn new(number: i64, log: Log) -> Self {
        Self {
            number,
            log,
            documents: Vec::new(),
            bytes: 0,
            first: i64::MAX,
            last: i64::MIN,
            recent: Postings::default(),
        }
    }

    pub(super) fn sum(&self) -> Sum {
        Sum {
            number: self.number,
            documents: self.documents.len() as u64,
            bytes: self.bytes,
            first: self.first,
            last: self.last,
        }
    }

    /// Which of its documents has a number.
    pub(super) fn local(&self, seq: Seq) -> Option<usize> {
        self.documents.binary_search_by_key(&seq, |document| document.seq).ok()
    }

    /// What is kept of a document.
    pub(super) fn payload(&self, local: usize) -> Result<Vec<u8>, StoreError> {
        let Document { seq, place, length, .. } = self.documents[local];
        self.log.payload(seq, place, length)
    }

    /// Takes in what a round did.
    pub(super) fn apply(&mut self, events: &[Event]) -> Result<(), StoreError> {
        for event in events {
            match *event {
                Event::Document { seq, time, place, length } => {
                    if self.documents.last().is_some_and(|last| last.seq >= seq) {
                        return Err(self.odd(place, seq));
                    }
                    self.documents.push(Document { seq, time, place, length });
                    self.bytes += u64::from(length);
                    self.first = self.first.min(time);
                    self.last = self.last.max(time);
                }
                Event::Payload { seq, place, length } => {
                    let local = self.local(seq).ok_or_else(|| self.odd(place, seq))?;
                    let document = &mut self.documents[local];
                    self.bytes += u64::from(length);
                    self.bytes -= u64::from(document.length);
                    (document.place, document.length) = (place, length);
                }
                Event::Keys { seq, ref keys } => {
                    let local = self.local(seq).ok_or_else(|| self.odd(self.log.end, seq))?;
                    for &key in keys {
                        self.recent.add(key, local as Local);
                    }
                }
                Event::Value { .. } | Event::Opened { .. } | Event::Forgotten { .. } => {
                    return Err(self.odd(self.log.end, 0));
                }
            }
        }
        Ok(())
    }

    /// Adds the documents under a key that a probe can see to a list; of a long list, both ends.
    /// Returns how many there are.
    pub(super) fn list(
        &self,
        key: u64,
        probe: &Probe,
        list: &mut Vec<Seq>,
    ) -> Result<usize, StoreError> {
        let found = self.recent.get(key);
        let is_within = probe.from <= self.first && self.last <= probe.to;
        if is_within {
            let (early, late) = ends(found, probe.most);
            list.extend(early.iter().chain(late).map(|&local| self.documents[local as usize].seq));
            return Ok(found.len());
        }
        let times = probe.from..=probe.to;
        let seen = found.iter().map(|&local| self.documents[local as usize]);
        let seen: Vec<Document> = seen.filter(|document| times.contains(&document.time)).collect();
        let (early, late) = ends(&seen, probe.most);
        list.extend(early.iter().chain(late).map(|document| document.seq));
        Ok(seen.len())
    }

    fn odd(&self, place: u64, seq: Seq) -> StoreError {
        let what = format!("a record of document {seq} that cannot stand there");
        damaged(self.log.handle.path(), place, &what)
    }
}
