//! The inverted index of prefixes: feature to the records that have it, in order of size.

use super::prefixes::Prefixes;
use rayon::prelude::*;

/// The index is cut into this many parts by the leading bits of the feature, so that each part is
/// sorted within the cache and by one task.
const PARTS_BITS: u32 = 7;
const PARTS: usize = 1 << PARTS_BITS;
/// Records gathered by one task.
const CHUNK: usize = 4096;

/// One occurrence of a feature in a prefix.
#[derive(Clone, Copy)]
pub(super) struct Posting {
    pub(super) record: u32,
    /// How many kept features of the record are rarer.
    pub(super) position: u32,
}

pub(super) struct Index {
    parts: Vec<Part>,
}

/// The features of one stretch of values, sorted, with a table that leads near each.
struct Part {
    shift: u32,
    table: Vec<u32>,
    features: Vec<u64>,
    starts: Vec<u32>,
    postings: Vec<Posting>,
}

type Entry = (u64, u32, u32);

impl Index {
    pub(super) fn new(prefixes: &Prefixes) -> Self {
        let records: Vec<u32> = (0..prefixes.len() as u32).collect();
        let gathered: Vec<Vec<Vec<Entry>>> = records
            .par_chunks(CHUNK)
            .map(|records| {
                let mut parts: Vec<Vec<Entry>> = vec![Vec::new(); PARTS];
                for &record in records {
                    let length = prefixes.indexed[record as usize] as usize;
                    let rarest = &prefixes.rarest(record as usize)[..length];
                    for (position, &feature) in rarest.iter().enumerate() {
                        let part = (feature >> (64 - PARTS_BITS)) as usize;
                        parts[part].push((feature, record, position as u32));
                    }
                }
                parts
            })
            .collect();
        let parts = (0..PARTS)
            .into_par_iter()
            .map(|part| {
                let chunks = gathered.iter().map(|parts| parts[part].as_slice());
                Part::new(chunks.collect::<Vec<_>>().concat())
            })
            .collect();
        Self { parts }
    }

    /// The records whose indexed prefix has the feature, in ascending order.
    pub(super) fn get(&self, feature: u64) -> &[Posting] {
        self.parts[(feature >> (64 - PARTS_BITS)) as usize].get(feature)
    }
}

impl Part {
    fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_unstable();
        // A feature that one record alone holds in its indexed prefix may still be looked up by a
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
        let postings =
            entries.iter().map(|&(_, record, position)| Posting { record, position }).collect();
        Self { shift, table, features, starts, postings }
    }

    fn get(&self, feature: u64) -> &[Posting] {
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

/// The bits behind those that chose the part; all features of a part share the leading ones.
fn bucket(feature: u64, shift: u32) -> usize {
    (feature << PARTS_BITS).checked_shr(shift).unwrap_or(0) as usize
}
