//! The bucket of each document.

use firsthand::online::Seq;
use std::collections::VecDeque;

/// The bucket of each document number, from the earliest document that may exist on.
#[derive(Debug, Default)]
pub(super) struct DocumentBuckets {
    first: Seq,
    buckets: VecDeque<i64>,
}

impl DocumentBuckets {
    /// The bucket of a document, if it exists.
    pub(super) fn get(&self, seq: Seq) -> Option<i64> {
        self.buckets.get(usize::try_from(seq.checked_sub(self.first)?).ok()?).copied()
    }

    /// Adds a document. Numbers ascend; `get` is meaningless for those that are skipped.
    pub(super) fn push(&mut self, seq: Seq, bucket: i64) {
        if self.buckets.is_empty() {
            self.first = seq;
        }
        let gap = seq - self.first - self.buckets.len() as u64;
        self.buckets.extend(std::iter::repeat_n(bucket, gap as usize + 1));
    }

    /// The numbers of documents that may exist.
    pub(super) fn range(&self) -> std::ops::Range<Seq> {
        self.first..self.first + self.buckets.len() as u64
    }

    /// Drops the earliest numbers whose documents are gone.
    pub(super) fn trim(&mut self, is_gone: impl Fn(Seq, i64) -> bool) {
        while let Some(&bucket) = self.buckets.front()
            && is_gone(self.first, bucket)
        {
            self.buckets.pop_front();
            self.first += 1;
        }
    }
}
