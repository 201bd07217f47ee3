//! The inverted index of prefixes: from a feature to the records that have it, by size.

use crate::prefetch::prefetch;
use rayon::prelude::*;

/// The index is split into this many shards by the leading bits of the feature, so that each shard
/// is sorted within the cache and by one task.
const SHARD_BITS: u32 = 7;
const SHARDS: usize = 1 << SHARD_BITS;
/// Records gathered by one task, at most: few enough that all threads have some.
const CHUNK: usize = 4096;
/// Tasks for each thread, if the records are few.
const TASKS: usize = 4;

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
    /// Each feature, and where its postings start.
    features: Vec<(u64, u32)>,
    postings: Vec<PrefixPosting<T>>,
}

/// Where the postings of a feature are in its shard.
#[derive(Clone, Copy, Default)]
pub(super) struct PostingPlace {
    start: u32,
    end: u32,
}

type IndexEntry<T> = (u64, PrefixPosting<T>);

impl<T: Copy + Send + Sync> PrefixIndex<T> {
    /// Indexes the given features of `records` records, each with a detail.
    pub(super) fn new<I>(records: usize, features: impl Fn(usize) -> I + Sync) -> Self
    where
        I: Iterator<Item = (u64, T)>,
    {
        let chunk = records.div_ceil(TASKS * rayon::current_num_threads()).clamp(1, CHUNK);
        let records: Vec<u32> = (0..records as u32).collect();
        let gathered: Vec<Vec<Vec<IndexEntry<T>>>> = records
            .par_chunks(chunk)
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

    fn shard(&self, feature: u64) -> &IndexShard<T> {
        &self.parts[(feature >> (64 - SHARD_BITS)) as usize]
    }

    /// The records whose indexed prefix has the feature, in ascending order.
    pub(super) fn get(&self, feature: u64) -> &[PrefixPosting<T>] {
        let shard = self.shard(feature);
        shard.postings(shard.find(feature, shard.bucket(feature)))
    }

    /// Finds the postings of many features, in place of what is in `places`. A large index misses the caches with
    /// every step: each is taken for all features before the next, so that they are waited for together.
    pub(super) fn find(&self, features: &[u64], places: &mut Vec<PostingPlace>) {
        places.clear();
        for &feature in features {
            let shard = self.shard(feature);
            prefetch(&shard.table, bucket(feature, shard.shift));
        }
        places.extend(features.iter().map(|&feature| {
            let shard = self.shard(feature);
            let place = shard.bucket(feature);
            prefetch(&shard.features, place.start as usize);
            place
        }));
        for (place, &feature) in places.iter_mut().zip(features) {
            let shard = self.shard(feature);
            *place = shard.find(feature, *place);
            prefetch(&shard.postings, place.start as usize);
        }
    }

    /// What was found for a feature.
    pub(super) fn postings(&self, feature: u64, place: PostingPlace) -> &[PrefixPosting<T>] {
        self.shard(feature).postings(place)
    }
}

impl<T: Copy> IndexShard<T> {
    fn new(mut entries: Vec<IndexEntry<T>>) -> Self {
        entries.sort_unstable_by_key(|(feature, posting)| (*feature, posting.record));
        // A feature that only one record has in its indexed prefix may still be looked up by a
        // longer record, so every list is kept.
        let mut features: Vec<(u64, u32)> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            if features.last().is_none_or(|(last, _)| *last != entry.0) {
                features.push((entry.0, at as u32));
            }
        }
        let buckets = features.len().next_power_of_two();
        let shift = 64 - buckets.trailing_zeros();
        let mut table = vec![0u32; buckets + 1];
        for &(feature, _) in &features {
            table[bucket(feature, shift) + 1] += 1;
        }
        // The end of the last.
        features.push((u64::MAX, entries.len() as u32));
        for at in 1..table.len() {
            table[at] += table[at - 1];
        }
        let postings = entries.iter().map(|&(_, posting)| posting).collect();
        Self { shift, table, features, postings }
    }

    /// Where a feature would be among the features.
    #[inline]
    fn bucket(&self, feature: u64) -> PostingPlace {
        let bucket = bucket(feature, self.shift);
        PostingPlace { start: self.table[bucket], end: self.table[bucket + 1] }
    }

    /// Where its postings are, if it is in this bucket.
    #[inline]
    fn find(&self, feature: u64, bucket: PostingPlace) -> PostingPlace {
        let some = &self.features[bucket.start as usize..=bucket.end as usize];
        let found = some.windows(2).find(|two| two[0].0 == feature);
        found.map_or_else(PostingPlace::default, |two| PostingPlace {
            start: two[0].1,
            end: two[1].1,
        })
    }

    fn postings(&self, place: PostingPlace) -> &[PrefixPosting<T>] {
        &self.postings[place.start as usize..place.end as usize]
    }
}

/// The bits after those that chose the shard; all features of a shard share the leading ones.
fn bucket(feature: u64, shift: u32) -> usize {
    (feature << SHARD_BITS).checked_shr(shift).unwrap_or(0) as usize
}
