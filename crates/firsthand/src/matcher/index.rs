//! The inverted index of prefixes: from a feature to the records that have it, by size.

use rayon::prelude::*;

/// The index is split into this many shards by the leading bits of the feature, so that each shard
/// is sorted within the cache and by one task.
const SHARD_BITS: u32 = 7;
const SHARDS: usize = 1 << SHARD_BITS;
/// Records gathered by one task.
const CHUNK: usize = 4096;

/// One occurrence of a feature in a prefix.
#[derive(Clone, Copy)]
pub(super) struct PrefixPosting<T> {
    pub(super) record: u32,
    /// What the join needs to know about it.
    pub(super) detail: T,
}

pub(super) struct PrefixIndex<T> {
    parts: Vec<IndexShard<T>>,
}

/// The features of one range of values, sorted, with a table for finding them.
struct IndexShard<T> {
    shift: u32,
    table: Vec<u32>,
    features: Vec<u64>,
    starts: Vec<u32>,
    postings: Vec<PrefixPosting<T>>,
}

type IndexEntry<T> = (u64, PrefixPosting<T>);

impl<T: Copy + Send + Sync> PrefixIndex<T> {
    /// Indexes the given features of `records` records, each with a detail.
    pub(super) fn new<I>(records: usize, features: impl Fn(usize) -> I + Sync) -> Self
    where
        I: Iterator<Item = (u64, T)>,
    {
        let records: Vec<u32> = (0..records as u32).collect();
        let gathered: Vec<Vec<Vec<IndexEntry<T>>>> = records
            .par_chunks(CHUNK)
            .map(|records| {
                let mut parts: Vec<Vec<IndexEntry<T>>> = vec![Vec::new(); SHARDS];
                for &record in records {
                    for (feature, detail) in features(record as usize) {
                        let part = (feature >> (64 - SHARD_BITS)) as usize;
                        parts[part].push((feature, PrefixPosting { record, detail }));
                    }
                }
                parts
            })
            .collect();
        let parts = (0..SHARDS)
            .into_par_iter()
            .map(|part| {
                let chunks = gathered.iter().map(|parts| parts[part].as_slice());
                IndexShard::new(chunks.collect::<Vec<_>>().concat())
            })
            .collect();
        Self { parts }
    }

    /// The records whose indexed prefix has the feature, in ascending order.
    pub(super) fn get(&self, feature: u64) -> &[PrefixPosting<T>] {
        self.parts[(feature >> (64 - SHARD_BITS)) as usize].get(feature)
    }
}

impl<T: Copy> IndexShard<T> {
    fn new(mut entries: Vec<IndexEntry<T>>) -> Self {
        entries.sort_unstable_by_key(|(feature, posting)| (*feature, posting.record));
        // A feature that only one record has in its indexed prefix may still be looked up by a
        // longer record, so every list is kept.
        let mut features: Vec<u64> = Vec::new();
        let mut starts = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            if features.last() != Some(&entry.0) {
                features.push(entry.0);
                starts.push(at as u32);
            }
        }
        starts.push(entries.len() as u32);
        let buckets = features.len().next_power_of_two();
        let shift = 64 - buckets.trailing_zeros();
        let mut table = vec![0u32; buckets + 1];
        for &feature in &features {
            table[bucket(feature, shift) + 1] += 1;
        }
        for at in 1..table.len() {
            table[at] += table[at - 1];
        }
        let postings = entries.iter().map(|&(_, posting)| posting).collect();
        Self { shift, table, features, starts, postings }
    }

    fn get(&self, feature: u64) -> &[PrefixPosting<T>] {
        let bucket = bucket(feature, self.shift);
        let (from, to) = (self.table[bucket] as usize, self.table[bucket + 1] as usize);
        match self.features[from..to].iter().position(|&known| known == feature) {
            Some(at) => {
                let (start, end) = (self.starts[from + at], self.starts[from + at + 1]);
                &self.postings[start as usize..end as usize]
            }
            None => &[],
        }
    }
}

/// The bits after those that chose the shard; all features of a shard share the leading ones.
fn bucket(feature: u64, shift: u32) -> usize {
    (feature << SHARD_BITS).checked_shr(shift).unwrap_or(0) as usize
}
