//! Which documents lie under the keys of a probe.

use super::{bucket::Bucket, postings::Local, run::Unread};
use firsthand::online::{Cap, Found, List, Probe};

/// Answers a probe from the buckets that may have documents of its times.
pub(super) fn find<'a>(
    probe: &Probe,
    buckets: impl Iterator<Item = &'a Bucket>,
) -> Result<Found, Unread> {
    let near: Vec<&Bucket> = buckets
        .filter(|bucket| {
            let sum = bucket.sum();
            sum.first <= probe.to && sum.last >= probe.from
        })
        .collect();
    let mut scratch: Vec<Local> = Vec::new();
    let mut under = |key: u64| {
        let (mut seqs, mut total) = (Vec::new(), 0);
        for bucket in &near {
            total += bucket.list(key, probe, &mut scratch, &mut seqs)?;
        }
        seqs.sort_unstable();
        Ok(List::cut(seqs, total, probe.cap))
    };
    let lists: Result<Vec<List>, Unread> = probe.keys.iter().map(|&key| under(key)).collect();
    Ok(Found { lists: lists? })
}

/// The parts of an ascending list that may be wanted.
pub(super) fn ends<T: Copy>(list: &[T], cap: Cap) -> (&[T], &[T]) {
    let (first, last) = cap.ends(list.len());
    (&list[..first], &list[list.len() - last..])
}
