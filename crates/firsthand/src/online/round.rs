//! One round with a store: a view of the store that includes the round's own changes.

use super::{
    buried::{self, BuriedCounts},
    page_cache::{PageCache, StoredPage},
    record::DocumentRecord,
    store::{Bucket, Changes, Entry, Found, Head, List, Probe, Seq, Store, StoreError},
};
use crate::{hashed::BuildHashed, keys, parallel::parallel_map};
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

/// The store during a round, with the changes that the round will commit.
pub(super) struct Round<'a, S> {
    store: &'a mut S,
    pages: &'a mut PageCache,
    /// The head of the store, updated by the changes of the round.
    pub(super) head: Head,
    /// Records that were read or changed; `None` if the document is gone.
    records: BTreeMap<Seq, Option<Arc<DocumentRecord>>>,
    /// The records that the round has added or changed.
    changed: BTreeMap<Seq, Arc<DocumentRecord>>,
    /// The keys that the round adds.
    added: HashMap<u64, Vec<(Seq, i64)>, BuildHashed>,
    pub(super) changes: Changes,
    /// The first document that [`Self::take_added`] has not returned.
    untaken: Seq,
    /// Whether the round has changed documents that were stored before.
    pub(super) has_replaced: bool,
    /// Documents whose records were replaced since [`Self::take_touched`].
    touched: Vec<Seq>,
    /// Documents that the round has buried.
    buried: Vec<Seq>,
    /// The number of candidates that documents of the round were compared with.
    pub(super) compared: u64,
}

impl<'a, S: Store> Round<'a, S> {
    pub(super) fn begin(store: &'a mut S, pages: &'a mut PageCache) -> Result<Self, StoreError> {
        let head = store.begin()?;
        Ok(Self {
            store,
            pages,
            head,
            records: BTreeMap::new(),
            changed: BTreeMap::new(),
            added: HashMap::default(),
            changes: Changes::default(),
            has_replaced: false,
            touched: Vec::new(),
            buried: Vec::new(),
            untaken: 0,
            compared: 0,
        })
    }

    pub(super) fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.value(name)
    }

    pub(super) fn values(&mut self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.store.values(names)
    }

    /// Sets a named value; the last one counts.
    pub(super) fn set_value(&mut self, name: &str, value: Vec<u8>) {
        self.changes.values.retain(|(other, _)| other != name);
        self.changes.values.push((name.to_owned(), value));
    }

    /// Makes the changes durable.
    pub(super) fn commit(mut self) -> Result<(), StoreError> {
        if let Err(error) = self.count_buried() {
            self.abandon();
            return Err(error);
        }
        match self.changes.is_empty() {
            true => self.store.abandon(),
            false => self.store.commit(self.changes)?,
        }
        Ok(())
    }

    /// Counts the documents that the round has buried, by bucket.
    fn count_buried(&mut self) -> Result<(), StoreError> {
        if self.buried.is_empty() && self.changes.forget.is_empty() {
            return Ok(());
        }
        let mut counts = self.buried_counts()?;
        let before = counts.clone();
        for seq in std::mem::take(&mut self.buried) {
            // A document of this round is not in the store yet.
            let bucket = match self.changes.insert.iter().find(|entry| entry.seq == seq) {
                Some(entry) => Some(entry.bucket),
                None => {
                    self.store.scan(seq, 1)?.first().filter(|it| it.seq == seq).map(|it| it.bucket)
                }
            };
            counts.add(bucket);
        }
        // The number of a bucket that is forgotten may be that of a new one.
        counts.forget(&self.changes.forget);
        if counts != before {
            self.set_value(buried::NAME, counts.to_bytes());
        }
        Ok(())
    }

    /// How many documents of the store are dead, by bucket.
    pub(super) fn buried_counts(&mut self) -> Result<BuriedCounts, StoreError> {
        let bytes = self.value(buried::NAME)?.unwrap_or_default();
        Ok(BuriedCounts::from_bytes(&bytes, &self.head))
    }

    pub(super) fn abandon(self) {
        self.store.abandon();
    }

    /// The documents in the store under the keys of probes, without those that the round adds.
    pub(super) fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        match probes.is_empty() {
            true => Ok(Vec::new()),
            false => self.store.find(probes),
        }
    }

    /// Adds to the documents of the store those that the round has added.
    pub(super) fn merged(&self, probe: &Probe, mut found: Found) -> Found {
        for (key, list) in probe.keys.iter().zip(&mut found.lists) {
            let mut fresh = self.fresh(*key, probe).peekable();
            if fresh.peek().is_none() {
                continue;
            }
            let mut seqs = std::mem::take(&mut list.seqs);
            seqs.extend(fresh);
            seqs.sort_unstable();
            // Of a crowded key, both ends of the list are here. New documents come after them, unless
            // an earlier document was given a further key.
            let total = if list.crowded { usize::MAX } else { seqs.len() };
            *list = List::cut(seqs, total, probe.cap);
        }
        found
    }

    /// The documents under the keys of a probe, including those that the round has added.
    pub(super) fn under(&self, probe: &Probe, found: &Found) -> Vec<Seq> {
        self.merged(probe, found.clone()).lists.into_iter().flat_map(|list| list.seqs).collect()
    }

    /// The documents that the round has added under a key, within the times of a probe.
    fn fresh(&self, key: u64, probe: &Probe) -> impl Iterator<Item = Seq> {
        let list = self.added.get(&key).into_iter().flatten();
        list.filter(|(_, time)| (probe.from..=probe.to).contains(time)).map(|&(seq, _)| seq)
    }

    /// Whether the round has added a document under one of the keys of a probe.
    pub(super) fn has_added(&self, probe: &Probe) -> bool {
        probe.keys.iter().any(|key| self.fresh(*key, probe).next().is_some())
    }

    /// Loads the records that will be needed, all at once.
    pub(super) fn fetch(&mut self, seqs: impl Iterator<Item = Seq>) -> Result<(), StoreError> {
        let mut wanted: Vec<Seq> = seqs.filter(|seq| !self.records.contains_key(seq)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        if wanted.is_empty() {
            return Ok(());
        }
        let payloads = self.store.load(&wanted)?;
        let loaded: Vec<(Seq, Option<Vec<u8>>)> = wanted.into_iter().zip(payloads).collect();
        let records = parallel_map(&loaded, |(seq, payload)| {
            payload.as_ref().map(|payload| decode(*seq, payload).map(Arc::new)).transpose()
        });
        for ((seq, _), record) in loaded.iter().zip(records) {
            self.records.insert(*seq, record?);
        }
        Ok(())
    }

    /// A record that was fetched before.
    pub(super) fn fetched(&self, seq: Seq) -> Option<&Arc<DocumentRecord>> {
        self.records.get(&seq)?.as_ref()
    }

    /// A record; `None` if the document is gone.
    pub(super) fn record(&mut self, seq: Seq) -> Result<Option<Arc<DocumentRecord>>, StoreError> {
        self.fetch(std::iter::once(seq))?;
        Ok(self.records.get(&seq).cloned().flatten())
    }

    /// Loads the pages that will be needed, all at once.
    pub(super) fn fetch_pages(
        &mut self,
        seqs: impl Iterator<Item = Seq>,
    ) -> Result<(), StoreError> {
        let next = self.changes.insert.first().map_or(self.head.next, |entry| entry.seq);
        self.pages.fetch(self.store, seqs.filter(|seq| *seq < next))
    }

    /// A page; `None` if it is gone.
    pub(super) fn page(&mut self, seq: Seq) -> Result<Option<Arc<StoredPage>>, StoreError> {
        // The changes of the round are not in the store yet.
        if let Some(record) = self.changed.get(&seq) {
            return Ok(Some(Arc::new(StoredPage {
                id: record.id.clone(),
                site: record.site.clone(),
                headline: record.headline.clone(),
                lines: record.lines.clone(),
                dead: record.dead,
            })));
        }
        self.fetch_pages(std::iter::once(seq))?;
        Ok(self.pages.get(seq))
    }

    /// At most `most` records of the store, from the number `from` on, with numbers and buckets.
    pub(super) fn scan(
        &mut self,
        from: Seq,
        most: usize,
    ) -> Result<Vec<(Seq, i64, DocumentRecord)>, StoreError> {
        let stored = self.store.scan(from, most)?.into_iter();
        stored.map(|s| Ok((s.seq, s.bucket, decode(s.seq, &s.payload)?))).collect()
    }

    /// Hands on all documents of the store, in the order of arrival, a bounded number of them in memory.
    pub(super) fn each(
        &mut self,
        mut add: impl FnMut(Seq, &DocumentRecord),
    ) -> Result<(), StoreError> {
        const STEP: usize = 1024;
        let mut from = 0;
        loop {
            let part = self.scan(from, STEP)?;
            let Some((last, ..)) = part.last() else { return Ok(()) };
            from = last + 1;
            part.iter().for_each(|(seq, _, record)| add(*seq, record));
        }
    }

    /// The times of the latest documents of the store, in the order of arrival.
    pub(super) fn last_times(&mut self, most: usize) -> Result<Vec<i64>, StoreError> {
        let from = self.head.next.saturating_sub(most as u64);
        Ok(self.store.scan(from, most)?.iter().map(|stored| stored.time).collect())
    }

    /// Records as they are in the store, without keeping them.
    pub(super) fn read(&mut self, seqs: &[Seq]) -> Result<Vec<Option<DocumentRecord>>, StoreError> {
        let payloads = self.store.load(seqs)?.into_iter().zip(seqs);
        payloads.map(|(payload, seq)| payload.map(|p| decode(*seq, &p)).transpose()).collect()
    }

    /// The document that was added last, unless it was taken before.
    pub(super) fn take_added(&mut self) -> Option<(Seq, i64, Arc<DocumentRecord>)> {
        let entry = self.changes.insert.last().filter(|entry| entry.seq >= self.untaken)?;
        self.untaken = entry.seq + 1;
        Some((entry.seq, entry.bucket, self.changed.get(&entry.seq)?.clone()))
    }

    /// The sequence number of the next document.
    pub(super) fn next(&self) -> Seq {
        self.head.next
    }

    /// Adds a document.
    pub(super) fn insert(&mut self, record: DocumentRecord, bucket: i64, mut keys: Vec<u64>) {
        keys.sort_unstable();
        keys.dedup();
        let (seq, time) = (self.head.next, record.time);
        self.head.next += 1;
        let payload = record.to_bytes();
        self.count(bucket, time, payload.len() as u64);
        for &key in &keys {
            self.added.entry(key).or_default().push((seq, time));
        }
        self.keep(seq, record);
        self.changes.insert.push(Entry { seq, bucket, time, keys, payload });
    }

    fn keep(&mut self, seq: Seq, record: DocumentRecord) {
        let record = Arc::new(record);
        self.changed.insert(seq, record.clone());
        self.records.insert(seq, Some(record));
    }

    fn count(&mut self, number: i64, time: i64, bytes: u64) {
        let buckets = &mut self.head.buckets;
        let at = buckets.partition_point(|bucket| bucket.number < number);
        if buckets.get(at).is_none_or(|bucket| bucket.number != number) {
            buckets.insert(at, Bucket::empty(number, time));
        }
        buckets[at].add(time, bytes);
    }

    /// Replaces the record of a document.
    pub(super) fn replace(&mut self, seq: Seq, record: DocumentRecord) {
        let payload = record.to_bytes();
        self.has_replaced = true;
        self.touched.push(seq);
        if record.dead && self.fetched(seq).is_none_or(|before| !before.dead) {
            self.buried.push(seq);
        }
        self.pages.forget(seq);
        self.keep(seq, record);
        // A document of this round is not in the store yet.
        match self.changes.insert.iter_mut().find(|entry| entry.seq == seq) {
            Some(entry) => entry.payload = payload,
            None => {
                self.changes.replace.retain(|(other, _)| *other != seq);
                self.changes.replace.push((seq, payload));
            }
        }
    }

    /// Makes another document the original in place of this one, which becomes one of its copies.
    pub(super) fn forward(&mut self, seq: Seq, record: &DocumentRecord, to: Seq) {
        self.replace(seq, DocumentRecord { forward: Some(to), ..record.clone() });
        self.add_keys(seq, record.time, vec![keys::of_members(to)]);
    }

    /// Gives a document further keys.
    pub(super) fn add_keys(&mut self, seq: Seq, time: i64, keys: Vec<u64>) {
        for &key in &keys {
            self.added.entry(key).or_default().push((seq, time));
        }
        self.changes.keys.push((seq, keys));
    }

    /// The documents whose records were replaced since it was last asked.
    pub(super) fn take_touched(&mut self) -> Vec<Seq> {
        std::mem::take(&mut self.touched)
    }

    /// Drops the changes of the round, so that the next document is judged by the store alone.
    pub(super) fn undo(&mut self, head: &Head) {
        for seq in std::mem::take(&mut self.changed).into_keys() {
            self.records.remove(&seq);
        }
        self.head = head.clone();
        self.added.clear();
        self.changes = Changes::default();
        self.has_replaced = false;
        self.touched.clear();
        self.buried.clear();
    }
}

/// Decodes the payload of a document.
pub(super) fn decode(seq: Seq, payload: &[u8]) -> Result<DocumentRecord, StoreError> {
    DocumentRecord::from_bytes(payload).ok_or_else(|| unreadable(seq))
}

pub(super) fn unreadable(seq: Seq) -> StoreError {
    StoreError::Damaged(format!(
        "document {seq} of the store cannot be read: the store is damaged, verify it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        features::Features,
        online::{Cap, Memory, record::StoredVerdict},
    };

    fn record(time: i64) -> DocumentRecord {
        DocumentRecord {
            id: String::new(),
            generation: 0,
            time,
            content: 0,
            url: None,
            title: None,
            source: None,
            site: None,
            headline: crate::lines::Headline::default(),
            lines: Vec::new(),
            text: None,
            features: Features::default(),
            figures: Vec::new(),
            said: StoredVerdict::original(""),
            forward: None,
            dead: false,
        }
    }

    #[test]
    fn what_a_round_adds_is_as_good_as_stored() {
        let cap = Cap { most: 6, first: 2, last: 2 };
        let probe = |from| Probe { keys: vec![5, 7], from, to: 100, cap };
        for committed in 0..12 {
            let (mut store, mut pages) = (Memory::new(), PageCache::default());
            let mut found = Vec::new();
            for numbers in [0..committed, committed..12] {
                let mut round = Round::begin(&mut store, &mut pages).unwrap();
                let before = round.find(&[probe(0), probe(4)]).unwrap();
                for number in numbers {
                    let keys = if number % 3 == 0 { vec![5, 7] } else { vec![5] };
                    round.insert(record(number), 0, keys);
                }
                if round.next() > 4 {
                    round.add_keys(2, 1, vec![7]);
                }
                found = vec![
                    round.merged(&probe(0), before[0].clone()),
                    round.merged(&probe(4), before[1].clone()),
                ];
                // The further key is added only once, in the last round.
                match round.next() > 12 {
                    true => round.abandon(),
                    false => {
                        round.changes.keys.clear();
                        round.commit().unwrap();
                    }
                }
            }
            let lists = |seqs: [&[Seq]; 2], crowded| Found {
                lists: [(seqs[0], crowded), (seqs[1], false)]
                    .map(|(seqs, crowded)| List { seqs: seqs.to_vec(), crowded })
                    .into(),
            };
            assert_eq!(found[0], lists([&[1, 2, 11, 12], &[1, 2, 4, 7, 10]], true), "{committed}");
            assert_eq!(found[1], lists([&[5, 6, 11, 12], &[7, 10]], true), "{committed}");
        }
    }
}
