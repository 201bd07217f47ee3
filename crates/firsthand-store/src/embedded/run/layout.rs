//! The layout of a run: pages of keys, of documents, of the first key of each page, of the filter, and
//! a footer page that describes them.

use super::{
    bloom::Bloom,
    pages::{CONTENT, pages},
};
use crate::embedded::record::{LogHeader, RoundState};

/// Bytes of a key and its document.
pub(super) const POSTING: usize = 12;
/// Keys in a page.
pub(super) const POSTINGS: u64 = (CONTENT / POSTING) as u64;
/// Bytes of a document.
pub(super) const DOCUMENT: usize = 32;
/// Documents in a page.
pub(super) const DOCUMENTS: u64 = (CONTENT / DOCUMENT) as u64;
/// First keys in a page.
pub(super) const FENCES: u64 = (CONTENT / 8) as u64;

const MAGIC: u64 = u64::from_le_bytes(*b"fh.run.1");

/// The last page of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::embedded) struct Footer {
    pub(in crate::embedded) header: LogHeader,
    /// The part of the log whose keys it has.
    pub(in crate::embedded) from: u64,
    pub(in crate::embedded) to: u64,
    /// The state of the store at the end of that part.
    pub(in crate::embedded) state: RoundState,
    /// Number of payloads that were replaced in that part.
    pub(in crate::embedded) replaced: u64,
    pub(in crate::embedded) postings: u64,
    pub(in crate::embedded) documents: u64,
    /// Number of distinct keys that the filter has room for.
    pub(in crate::embedded) distinct: u64,
}

impl Footer {
    /// The seed of the checksums of its pages.
    pub(super) fn salt(header: LogHeader, from: u64) -> u64 {
        header.store ^ header.log.rotate_left(40) ^ from.rotate_left(8)
    }

    pub(super) fn key_pages(&self) -> u64 {
        pages(self.postings, POSTINGS)
    }

    pub(super) fn document_pages(&self) -> u64 {
        pages(self.documents, DOCUMENTS)
    }

    pub(super) fn fence_pages(&self) -> u64 {
        pages(self.key_pages(), FENCES)
    }

    pub(super) fn bloom_pages(&self) -> u64 {
        pages(Bloom::length(self.distinct), CONTENT as u64)
    }

    /// The number of the last page, which holds the footer.
    pub(super) fn last(&self) -> u64 {
        self.key_pages() + self.document_pages() + self.fence_pages() + self.bloom_pages()
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let RoundState { round, next, clock } = self.state;
        let numbers = [
            MAGIC,
            self.header.store,
            self.header.generation,
            self.header.log,
            self.from,
            self.to,
            round,
            next,
            u64::from(clock.is_some()),
            clock.unwrap_or(0) as u64,
            self.replaced,
            self.postings,
            self.documents,
            self.distinct,
        ];
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (chunks, _) = bytes.as_chunks::<8>();
        let mut numbers = chunks.iter().map(|chunk| u64::from_le_bytes(*chunk));
        let mut next = || numbers.next();
        if next()? != MAGIC {
            return None;
        }
        let header = LogHeader { store: next()?, generation: next()?, log: next()? };
        let (from, to) = (next()?, next()?);
        let (round, number, has_clock, clock) = (next()?, next()?, next()?, next()?);
        let clock = (has_clock == 1).then_some(clock as i64);
        let state = RoundState { round, next: number, clock };
        let (replaced, postings) = (next()?, next()?);
        let (documents, distinct) = (next()?, next()?);
        Some(Self { header, from, to, state, replaced, postings, documents, distinct })
    }
}
