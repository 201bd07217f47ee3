//! A store in memory: the plain definition of what every store does, and the fastest for tests and
//! for windows that need not outlive the process.

use super::store::{Bucket, Changes, Found, Head, Hit, Probe, Seq, Store, StoreError, Stored};
use crate::hashed::BuildHashed;
use std::collections::{BTreeMap, HashMap};

/// A store that is gone with the process.
#[derive(Debug, Default)]
pub struct Memory {
    next: Seq,
    clock: Option<i64>,
    documents: BTreeMap<Seq, Kept>,
    buckets: BTreeMap<i64, Postings>,
    values: HashMap<String, Vec<u8>>,
}

#[derive(Debug)]
struct Kept {
    bucket: i64,
    time: i64,
    payload: Vec<u8>,
}

/// The keys of one bucket, and what the bucket comes to.
#[derive(Debug)]
struct Postings {
    sum: Bucket,
    lists: HashMap<u64, Vec<Posting>, BuildHashed>,
}

/// A document under a key.
pub(super) type Posting = (Seq, i64);

impl Memory {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn add_keys(&mut self, seq: Seq, keys: &[u64]) {
        let Some(kept) = self.documents.get(&seq) else { return };
        let Some(bucket) = self.buckets.get_mut(&kept.bucket) else { return };
        for &key in keys {
            bucket.lists.entry(key).or_default().push((seq, kept.time));
        }
    }
}

impl Store for Memory {
    fn begin(&mut self) -> Result<Head, StoreError> {
        let buckets = self.buckets.values().map(|bucket| bucket.sum).collect();
        Ok(Head { next: self.next.max(1), clock: self.clock, buckets })
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        Ok(probes
            .iter()
            .map(|probe| {
                let near = self
                    .buckets
                    .values()
                    .filter(|bucket| bucket.sum.first <= probe.to && bucket.sum.last >= probe.from);
                let near: Vec<&Postings> = near.collect();
                answer(probe, |key, list| {
                    for bucket in &near {
                        list.extend(bucket.lists.get(&key).into_iter().flatten());
                    }
                })
            })
            .collect())
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        let payload = |seq| self.documents.get(seq).map(|kept| kept.payload.clone());
        Ok(documents.iter().map(payload).collect())
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.values.get(name).cloned())
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.clock = changes.clock.or(self.clock);
        for entry in changes.insert {
            let (number, time, bytes) = (entry.bucket, entry.time, entry.payload.len() as u64);
            let empty = Bucket { number, documents: 0, bytes: 0, first: time, last: time };
            let bucket = self
                .buckets
                .entry(number)
                .or_insert_with(|| Postings { sum: empty, lists: HashMap::default() });
            let sum = &mut bucket.sum;
            sum.documents += 1;
            sum.bytes += bytes;
            sum.first = sum.first.min(time);
            sum.last = sum.last.max(time);
            self.next = entry.seq + 1;
            let kept = Kept { bucket: number, time, payload: entry.payload };
            self.documents.insert(entry.seq, kept);
            self.add_keys(entry.seq, &entry.keys);
        }
        for (seq, payload) in changes.replace {
            if let Some(kept) = self.documents.get_mut(&seq)
                && let Some(bucket) = self.buckets.get_mut(&kept.bucket)
            {
                bucket.sum.bytes += payload.len() as u64;
                bucket.sum.bytes -= kept.payload.len() as u64;
                kept.payload = payload;
            }
        }
        for (seq, keys) in changes.keys {
            self.add_keys(seq, &keys);
        }
        self.values.extend(changes.values);
        for number in changes.forget {
            if self.buckets.remove(&number).is_some() {
                self.documents.retain(|_, kept| kept.bucket != number);
            }
        }
        Ok(())
    }

    fn abandon(&mut self) {}

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        let stored = |(&seq, kept): (&Seq, &Kept)| Stored {
            seq,
            bucket: kept.bucket,
            time: kept.time,
            payload: kept.payload.clone(),
        };
        Ok(self.documents.range(from..).take(most).map(stored).collect())
    }

    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        Ok(vec![("kind".to_owned(), "memory".to_owned())])
    }
}

/// Answers a probe with what `list` finds under each key, in any order.
pub(super) fn answer(probe: &Probe, list: impl Fn(u64, &mut Vec<Posting>)) -> Found {
    let mut found = Found::default();
    let mut shared: Vec<Seq> = Vec::new();
    let mut postings = Vec::new();
    for &key in &probe.keys {
        postings.clear();
        list(key, &mut postings);
        postings.retain(|&(_, time)| probe.from <= time && time <= probe.to);
        postings.sort_unstable();
        let half = probe.most / 2;
        let is_capped = probe.most > 0 && postings.len() > probe.most;
        found.capped += u32::from(is_capped);
        for (at, &(seq, _)) in postings.iter().enumerate() {
            if !is_capped || at < probe.most - half || at + half >= postings.len() {
                shared.push(seq);
            }
        }
    }
    shared.sort_unstable();
    let runs = shared.chunk_by(|a, b| a == b);
    let hits = runs.map(|run| Hit { seq: run[0], common: run.len() as u32 });
    found.hits = hits.filter(|hit| hit.common >= probe.least).collect();
    found
}
