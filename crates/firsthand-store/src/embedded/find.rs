//! Finding the documents under the keys of a probe.

use super::{
    bucket::Bucket,
    postings::Local,
    run::{Footer, Run, RunError},
};
use firsthand::online::{BuildHashed, Cap, Found, List, Probe};
use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{Hash, Hasher},
};

/// Lists in a cache from which on it is emptied before the next round.
const CACHED_LISTS: usize = 16_384;

/// Lists that were read from runs: keys that many documents share, such as those of boilerplate, are
/// read once. Entries stay valid because runs never change; a merged run has a name of its own.
#[derive(Debug, Default)]
pub(super) struct ListCache {
    read: HashMap<CachedKey, (Box<[Local]>, usize), BuildHashed>,
}

/// A key of a run, and the cap on the documents under it.
#[derive(Debug, PartialEq, Eq)]
struct CachedKey {
    log: u64,
    from: u64,
    to: u64,
    key: u64,
    cap: Cap,
}

impl Hash for CachedKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // A key is a hash already. It is looked up in many runs of one log.
        state.write_u64(self.key ^ self.from.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
}

impl ListCache {
    /// Empties the cache if it has grown large.
    pub(super) fn trim(&mut self) {
        if self.read.len() > CACHED_LISTS {
            self.read.clear();
        }
    }

    /// Appends the documents under a key of a run to a list. Returns their number.
    pub(super) fn list(
        &mut self,
        run: &Run,
        key: u64,
        cap: Cap,
        list: &mut Vec<Local>,
    ) -> Result<usize, RunError> {
        if !run.may_have(key) {
            return Ok(0);
        }
        let Footer { header, from, to, .. } = run.footer;
        let (locals, count) =
            match self.read.entry(CachedKey { log: header.log, from, to, key, cap }) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let mut locals = Vec::new();
                    let count = run.list(key, cap, &mut locals)?;
                    entry.insert((locals.into_boxed_slice(), count))
                }
            };
        list.extend_from_slice(locals);
        Ok(*count)
    }
}

/// Answers a probe from the buckets that may hold documents of its time range.
pub(super) fn find<'a>(
    probe: &Probe,
    lists: &mut ListCache,
    buckets: impl Iterator<Item = &'a Bucket>,
) -> Result<Found, RunError> {
    let near: Vec<&Bucket> = buckets
        .filter(|bucket| bucket.sum.first <= probe.to && bucket.sum.last >= probe.from)
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
    let found: Result<Vec<List>, RunError> = probe.keys.iter().map(|&key| under(key)).collect();
    Ok(Found { lists: found? })
}

/// The beginning and the end of an ascending list, as far as a cap allows.
pub(super) fn ends<T: Copy>(list: &[T], cap: Cap) -> (&[T], &[T]) {
    let (first, last) = cap.ends(list.len());
    (&list[..first], &list[list.len() - last..])
}
