//! How many of the stored documents are dead: deleted, or replaced by a later one with the same id.
//!
//! A bucket counts what was put into it, and keeps a record of the dead until it is forgotten.

use super::store::Head;
use crate::bytes::{Reader, Writer};
use std::collections::BTreeMap;

/// The named value under which the counts are stored.
pub(super) const NAME: &str = "buried";

/// The number of dead documents of each bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BuriedCounts(BTreeMap<i64, u64>);

impl BuriedCounts {
    /// Decodes the counts of the buckets that are still there.
    pub(super) fn from_bytes(bytes: &[u8], head: &Head) -> Self {
        let mut from = Reader(bytes);
        let mut counts = BTreeMap::new();
        while let Some((bucket, count)) = from.fixed().zip(from.number()) {
            counts.insert(bucket as i64, count);
        }
        counts.retain(|number, _| head.buckets.iter().any(|bucket| bucket.number == *number));
        Self(counts)
    }

    /// Counts a dead document of a bucket; `None` if it is gone with its bucket.
    pub(super) fn add(&mut self, bucket: Option<i64>) {
        bucket.into_iter().for_each(|bucket| *self.0.entry(bucket).or_default() += 1);
    }

    /// Leaves out buckets that are forgotten.
    pub(super) fn forget(&mut self, buckets: &[i64]) {
        self.0.retain(|bucket, _| !buckets.contains(bucket));
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        for (bucket, count) in &self.0 {
            out.fixed(*bucket as u64);
            out.number(*count);
        }
        out.finish()
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
