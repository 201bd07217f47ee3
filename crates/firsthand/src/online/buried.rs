//! How many of the stored documents are dead: deleted, or replaced by a later one with the same id.
//!
//! A bucket counts what was put into it, and keeps a record of the dead until it is forgotten.

use super::{
    round::Round,
    store::{Head, Store, StoreError},
};
use crate::bytes::{Reader, Writer};
use std::collections::BTreeMap;

/// The named value under which the counts are stored.
const NAME: &str = "buried";

/// The number of dead documents of each bucket.
#[derive(Debug, Default)]
pub(super) struct BuriedCounts(BTreeMap<i64, u64>);

impl BuriedCounts {
    /// The counts as they are stored, of the buckets that are still there.
    pub(super) fn load<S: Store>(round: &mut Round<'_, S>) -> Result<Self, StoreError> {
        let bytes = round.value(NAME)?.unwrap_or_default();
        let mut from = Reader(&bytes);
        let mut counts = BTreeMap::new();
        while let Some((bucket, count)) = from.fixed().zip(from.number()) {
            counts.insert(bucket as i64, count);
        }
        counts.retain(|number, _| round.head.buckets.iter().any(|bucket| bucket.number == *number));
        Ok(Self(counts))
    }

    /// Counts a dead document of a bucket; `None` if it is gone with its bucket.
    pub(super) fn add(&mut self, bucket: Option<i64>) {
        bucket.into_iter().for_each(|bucket| *self.0.entry(bucket).or_default() += 1);
    }

    pub(super) fn save<S: Store>(&self, round: &mut Round<'_, S>) {
        let mut out = Writer::default();
        for (bucket, count) in &self.0 {
            out.fixed(*bucket as u64);
            out.number(*count);
        }
        round.set_value(NAME, out.finish());
    }

    /// The number of living documents in some buckets of a store.
    pub(super) fn living(&self, head: &Head, is_counted: impl Fn(i64) -> bool) -> u64 {
        let buckets = head.buckets.iter().filter(|bucket| is_counted(bucket.number));
        buckets
            .map(|bucket| {
                let dead = self.0.get(&bucket.number).copied().unwrap_or(0);
                bucket.documents.saturating_sub(dead)
            })
            .sum()
    }
}
