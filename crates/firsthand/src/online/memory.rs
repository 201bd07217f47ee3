//! A store in memory: the reference for what every store does, and the fastest one for tests and for
//! windows that need not outlive the process.

use super::store::{Bucket, Changes, Found, Head, List, Probe, Seq, Store, StoreError, Stored};
use crate::{hashed::BuildHashed, parallel::parallel_map};
use std::collections::{BTreeMap, HashMap};

/// A store in memory, lost when the process ends.
///
/// ```
/// use firsthand::online::{Changes, Entry, Memory, Probe, Store};
///
/// let mut store = Memory::new();
/// let seq = store.begin()?.next;
/// let entry = Entry { seq, keys: vec![7], ..Entry::default() };
/// store.commit(Changes { insert: vec![entry], ..Changes::default() })?;
/// let found = store.find(&[Probe { keys: vec![7], ..Probe::default() }])?;
/// assert_eq!(found[0].lists[0].seqs, [seq]);
/// # Ok::<(), firsthand::online::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    next: Seq,
    clock: Option<i64>,
    documents: BTreeMap<Seq, MemoryDocument>,
    buckets: BTreeMap<i64, MemoryBucket>,
    values: HashMap<String, Vec<u8>>,
}

#[derive(Debug)]
struct MemoryDocument {
    bucket: i64,
    time: i64,
    payload: Vec<u8>,
}

/// The keys of one bucket, and its totals.
#[derive(Debug)]
struct MemoryBucket {
    sum: Bucket,
    /// The documents under each key, in ascending order of sequence number.
    lists: HashMap<u64, Vec<Posting>, BuildHashed>,
}

/// A document under a key, and its time.
type Posting = (Seq, i64);

impl Memory {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn add_keys(&mut self, seq: Seq, keys: &[u64]) {
        let Some(kept) = self.documents.get(&seq) else { return };
        let Some(bucket) = self.buckets.get_mut(&kept.bucket) else { return };
        for &key in keys {
            let list = bucket.lists.entry(key).or_default();
            // A document may be given further keys after later documents were added.
            let at = list.partition_point(|&(other, _)| other <= seq);
            list.insert(at, (seq, kept.time));
        }
    }

    /// The documents under each key of a probe.
    fn lists(&self, probe: &Probe) -> Vec<List> {
        let near: Vec<&MemoryBucket> = self
            .buckets
            .values()
            .filter(|bucket| bucket.sum.first <= probe.to && bucket.sum.last >= probe.from)
            .collect();
        let list = |key| {
            let (mut seqs, mut total) = (Vec::new(), 0);
            for bucket in &near {
                let Some(list) = bucket.lists.get(key) else { continue };
                total += bucket.seen(list, probe, &mut seqs);
            }
            seqs.sort_unstable();
            List::cut(seqs, total, probe.cap)
        };
        probe.keys.iter().map(list).collect()
    }
}

impl MemoryBucket {
    /// Adds the documents of a list that a probe may want, and returns how many are within its times.
    fn seen(&self, list: &[Posting], probe: &Probe, seqs: &mut Vec<Seq>) -> usize {
        // If the whole bucket is within the times, the middle of a long list need not be read.
        if probe.from <= self.sum.first && self.sum.last <= probe.to {
            let (first, last) = probe.cap.ends(list.len());
            let wanted = list[..first].iter().chain(&list[list.len() - last..]);
            seqs.extend(wanted.map(|&(seq, _)| seq));
            return list.len();
        }
        let before = seqs.len();
        let within = list.iter().filter(|(_, time)| (probe.from..=probe.to).contains(time));
        seqs.extend(within.map(|&(seq, _)| seq));
        seqs.len() - before
    }
}

impl Store for Memory {
    fn begin(&mut self) -> Result<Head, StoreError> {
        let buckets = self.buckets.values().map(|bucket| bucket.sum).collect();
        Ok(Head { next: self.next.max(1), clock: self.clock, buckets })
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        Ok(parallel_map(probes, |probe| Found { lists: self.lists(probe) }))
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
            let bucket = self.buckets.entry(number).or_insert_with(|| MemoryBucket {
                sum: Bucket::empty(number, time),
                lists: HashMap::default(),
            });
            bucket.sum.add(time, bytes);
            self.next = entry.seq + 1;
            let kept = MemoryDocument { bucket: number, time, payload: entry.payload };
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
        let stored = |(&seq, kept): (&Seq, &MemoryDocument)| Stored {
            seq,
            bucket: kept.bucket,
            time: kept.time,
            payload: kept.payload.clone(),
        };
        Ok(self.documents.range(from..).take(most).map(stored).collect())
    }
}
