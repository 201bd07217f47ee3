//! Counts, over the whole life of a store, of what its bounds have cost.

use super::{
    round::Round,
    store::{Head, Store, StoreError},
};
use crate::bytes::{Reader, Writer};

/// The named value under which the counts are stored.
const NAME: &str = "tallies";

/// Documents given up or not kept, and keys not read in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StoreCounters {
    /// Documents evicted by a bound on documents or bytes.
    pub(super) given_up: u64,
    /// Documents that arrived too late to be kept.
    pub(super) late: u64,
    /// Crowded keys that were met.
    pub(super) capped: u64,
    /// Where the time of the stream has jumped to, if that is not settled.
    pub(super) jumped: Option<i64>,
}

impl StoreCounters {
    pub(super) fn load<S: Store>(round: &mut Round<'_, S>) -> Result<Self, StoreError> {
        let bytes = round.value(NAME)?.unwrap_or_default();
        let mut from = Reader(&bytes);
        let mut next = || from.number().unwrap_or(0);
        let (given_up, late, capped) = (next(), next(), next());
        let jumped = from.option(Reader::fixed).flatten().map(|time| time as i64);
        Ok(Self { given_up, late, capped, jumped })
    }

    /// Counts the documents of buckets that are given up.
    pub(super) fn give_up(&mut self, head: &Head, buckets: &[i64]) {
        let given_up = head.buckets.iter().filter(|bucket| buckets.contains(&bucket.number));
        self.given_up += given_up.map(|bucket| bucket.documents).sum::<u64>();
    }

    /// Stores the counts if they have changed.
    pub(super) fn save<S: Store>(&self, known: &Self, round: &mut Round<'_, S>) {
        if self != known {
            let mut out = Writer::default();
            out.number(self.given_up);
            out.number(self.late);
            out.number(self.capped);
            out.option(self.jumped, |out, time| out.fixed(time as u64));
            round.changes.values.push((NAME.to_owned(), out.finish()));
        }
    }
}
