//! Which documents lie under the keys of a probe.

use super::{
    bucket::Bucket,
    postings::Local,
    run::{Run, Unread},
};
use firsthand::online::{Cap, Found, List, Probe};
use std::collections::{HashMap, hash_map::Entry};

/// The log of a run, its place there, a key, and how many of its documents are wanted.
type Wanted = (u64, u64, u64, Cap);

/// Lists that were read from runs while many probes are answered: what all of them ask for, as the keys
/// of boilerplate, is read once.
#[derive(Debug, Default)]
pub(super) struct Lists {
    read: HashMap<Wanted, (Vec<Local>, usize)>,
}

impl Lists {
    /// Adds the documents under a key of a run to a list. Returns how many there are.
    pub(super) fn list(
        &mut self,
        run: &Run,
        key: u64,
        cap: Cap,
        list: &mut Vec<Local>,
    ) -> Result<usize, Unread> {
        if !run.may_have(key) {
            return Ok(0);
        }
        let (locals, count) =
            match self.read.entry((run.footer.header.log, run.footer.from, key, cap)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let mut locals = Vec::new();
                    let count = run.list(key, cap, &mut locals)?;
                    entry.insert((locals, count))
                }
            };
        list.extend_from_slice(locals);
        Ok(*count)
    }
}

/// Answers a probe from the buckets that may have documents of its times.
pub(super) fn find<'a>(
    probe: &Probe,
    lists: &mut Lists,
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
            total += bucket.list(key, probe, lists, &mut scratch, &mut seqs)?;
        }
        seqs.sort_unstable();
        Ok(List::cut(seqs, total, probe.cap))
    };
    let found: Result<Vec<List>, Unread> = probe.keys.iter().map(|&key| under(key)).collect();
    Ok(Found { lists: found? })
}

/// The parts of an ascending list that may be wanted.
pub(super) fn ends<T: Copy>(list: &[T], cap: Cap) -> (&[T], &[T]) {
    let (first, last) = cap.ends(list.len());
    (&list[..first], &list[list.len() - last..])
}
