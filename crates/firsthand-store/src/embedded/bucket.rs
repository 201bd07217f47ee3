//! A bucket: its log, the table of its documents, and the keys that lead to them.

use super::{
    build::FrozenKeys,
    errors::damaged,
    files,
    find::{ListCache, ends},
    log::{Log, LogEvent},
    postings::{Local, Postings},
    record::RoundState,
    run::{Run, RunError},
};
use firsthand::online::{Bucket as BucketSummary, Cap, Probe, Seq, StoreError};
use std::sync::Arc;

/// Documents that are forgotten together.
#[derive(Debug)]
pub(super) struct Bucket {
    /// Its number, and sums over its documents.
    pub(super) sum: BucketSummary,
    pub(super) log: Log,
    /// In ascending order of their numbers.
    pub(super) documents: Vec<DocumentPlace>,
    /// The keys of the log from byte `recent_from` on.
    pub(super) recent: Postings,
    pub(super) recent_from: u64,
    /// Number of documents when the log ended there.
    recent_first: usize,
    /// Which of those documents have changed since.
    changed: Vec<Local>,
    /// Number of payloads that were replaced since.
    recent_replaced: u64,
    /// Earlier keys that are being written to runs, in the order of the log.
    pub(super) frozen: Vec<FrozenKeys>,
    /// The keys before those, in the order of the log.
    pub(super) runs: Vec<Arc<Run>>,
    /// Number of payloads in the log that were replaced later and are obsolete.
    pub(super) replaced: u64,
    /// Whether it has gone longest without an addition, so that all its runs may be merged.
    pub(super) quiet: bool,
    /// The part of the log whose runs are being merged.
    pub(super) merging: Option<(u64, u64)>,
    /// The last round that added something.
    pub(super) touched: u64,
}

/// A document and the place of its payload in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DocumentPlace {
    pub(super) seq: Seq,
    pub(super) time: i64,
    pub(super) place: u64,
    pub(super) length: u32,
}

impl Bucket {
    /// An empty bucket. `recent_from` is where the records of its log begin.
    pub(super) fn new(number: i64, log: Log, recent_from: u64) -> Self {
        Self {
            sum: empty(number),
            log,
            documents: Vec::new(),
            recent: Postings::default(),
            recent_from,
            recent_first: 0,
            changed: Vec::new(),
            recent_replaced: 0,
            frozen: Vec::new(),
            runs: Vec::new(),
            replaced: 0,
            quiet: false,
            merging: None,
            touched: 0,
        }
    }

    /// Adds the next run and its documents; false if it does not continue where the last one ends.
    pub(super) fn add_run(&mut self, run: Run, documents: Vec<(Local, DocumentPlace)>) -> bool {
        let fits = run.footer.from == self.recent_from && {
            let mut length = self.documents.len();
            documents.iter().all(|&(local, _)| {
                length = length.max(local as usize + usize::from(local as usize == length));
                (local as usize) < length
            })
        };
        if !fits {
            return false;
        }
        for (local, document) in documents {
            match self.documents.get_mut(local as usize) {
                Some(place) => *place = document,
                None => self.documents.push(document),
            }
        }
        self.recent_from = run.footer.to;
        self.recent_first = self.documents.len();
        self.touched = run.footer.state.round;
        self.replaced += run.footer.replaced;
        self.runs.push(Arc::new(run));
        true
    }

    /// Computes sums over the documents that runs have added.
    pub(super) fn count(&mut self) {
        self.sum = empty(self.sum.number);
        for document in &self.documents {
            self.sum.add(document.time, u64::from(document.length));
        }
    }

    /// The index of a document in the table.
    pub(super) fn local(&self, seq: Seq) -> Option<usize> {
        self.documents.binary_search_by_key(&seq, |document| document.seq).ok()
    }

    /// Reads the payload of a document.
    pub(super) fn payload(&self, local: usize) -> Result<Vec<u8>, StoreError> {
        let DocumentPlace { seq, place, length, .. } = self.documents[local];
        self.log.payload(seq, place, length)
    }

    /// Applies what a round wrote to the log.
    pub(super) fn apply(&mut self, events: &[LogEvent], round: u64) -> Result<(), StoreError> {
        self.touched = round;
        self.quiet = false;
        for event in events {
            match *event {
                LogEvent::Document { seq, time, place, length } => {
                    let is_due = self.documents.last().is_none_or(|last| last.seq < seq);
                    if !is_due || self.documents.len() == Local::MAX as usize {
                        return Err(self.unexpected(place, seq));
                    }
                    self.documents.push(DocumentPlace { seq, time, place, length });
                    self.sum.add(time, u64::from(length));
                }
                LogEvent::Payload { seq, place, length } => {
                    let local = self.local(seq).ok_or_else(|| self.unexpected(place, seq))?;
                    let document = &mut self.documents[local];
                    self.sum.bytes += u64::from(length);
                    self.sum.bytes -= u64::from(document.length);
                    (document.place, document.length) = (place, length);
                    self.replaced += 1;
                    self.recent_replaced += 1;
                    if local < self.recent_first {
                        self.changed.push(local as Local);
                    }
                }
                LogEvent::Keys { seq, ref keys } => {
                    let local =
                        self.local(seq).ok_or_else(|| self.unexpected(self.log.end, seq))?;
                    for &key in keys {
                        self.recent.add(key, local as Local);
                    }
                }
                LogEvent::Value { .. }
                | LogEvent::BucketLog { .. }
                | LogEvent::Forgotten { .. } => {
                    return Err(self.unexpected(self.log.end, 0));
                }
            }
        }
        Ok(())
    }

    /// Moves the recent keys aside so that they can be written to a run. The log must be committed up
    /// to its end.
    pub(super) fn freeze(&mut self, state: RoundState) -> FrozenKeys {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        changed.dedup();
        let new = self.recent_first as Local..self.documents.len() as Local;
        let documents =
            changed.into_iter().chain(new).map(|local| (local, self.documents[local as usize]));
        let frozen = FrozenKeys {
            from: self.recent_from,
            to: self.log.end,
            state,
            replaced: std::mem::take(&mut self.recent_replaced),
            postings: Arc::new(std::mem::take(&mut self.recent)),
            documents: Arc::new(documents.collect()),
        };
        self.recent_from = self.log.end;
        self.recent_first = self.documents.len();
        self.frozen.push(frozen.clone());
        frozen
    }

    /// Replaces all runs and keys within the run's part of the log; returns the runs that are no longer
    /// needed. If the new run overlaps another only in part, that is the new run itself: a key must not
    /// be in two runs.
    pub(super) fn install(&mut self, run: Arc<Run>) -> Vec<Arc<Run>> {
        let (from, to) = (run.footer.from, run.footer.to);
        let within = |other: &Arc<Run>| other.footer.from >= from && other.footer.to <= to;
        let apart = |other: &Arc<Run>| other.footer.to <= from || other.footer.from >= to;
        if self.runs.iter().any(|other| !within(other) && !apart(other)) {
            return vec![run];
        }
        self.frozen.retain(|frozen| frozen.from < from || frozen.to > to);
        let (old, mut runs): (Vec<_>, Vec<_>) = self.runs.drain(..).partition(within);
        let at = runs.partition_point(|other| other.footer.from < from);
        runs.insert(at, run);
        self.runs = runs;
        old
    }

    /// Appends the documents under a key that match a probe to a list; if there are more than the
    /// probe's cap, the first and the last of them. Returns their number. `scratch` saves allocations.
    pub(super) fn list(
        &self,
        key: u64,
        probe: &Probe,
        lists: &mut ListCache,
        scratch: &mut Vec<Local>,
        list: &mut Vec<Seq>,
    ) -> Result<usize, RunError> {
        let is_within = probe.from <= self.sum.first && self.sum.last <= probe.to;
        let cap = if is_within { probe.cap } else { Cap::NONE };
        scratch.clear();
        let mut total = 0;
        for run in &self.runs {
            total += lists.list(run, key, cap, scratch)?;
        }
        for postings in self.in_memory() {
            let found = postings.get(key);
            let (early, late) = ends(found, cap);
            scratch.extend_from_slice(early);
            scratch.extend_from_slice(late);
            total += found.len();
        }
        if is_within {
            list.extend(
                scratch.iter().filter_map(|&local| self.at(local)).map(|document| document.seq),
            );
            return Ok(total);
        }
        let times = probe.from..=probe.to;
        scratch.retain(|&local| self.at(local).is_some_and(|it| times.contains(&it.time)));
        scratch.sort_unstable();
        let (early, late) = ends(scratch, probe.cap);
        let seen = early.iter().chain(late).filter_map(|&local| self.at(local));
        list.extend(seen.map(|document| document.seq));
        Ok(scratch.len())
    }

    /// Keys that are not in a run yet.
    pub(super) fn in_memory(&self) -> impl Iterator<Item = &Postings> {
        self.frozen.iter().map(|frozen| &*frozen.postings).chain([&self.recent])
    }

    /// Deletes its files.
    pub(super) fn delete(&self) {
        files::delete(self.log.handle.path());
        self.runs.iter().for_each(|run| files::delete(run.handle.path()));
    }

    fn at(&self, local: Local) -> Option<&DocumentPlace> {
        self.documents.get(local as usize)
    }

    fn unexpected(&self, place: u64, seq: Seq) -> StoreError {
        let what = format!("a record of document {seq} is out of place");
        damaged(self.log.handle.path(), place, &what)
    }
}

fn empty(number: i64) -> BucketSummary {
    BucketSummary { first: i64::MAX, last: i64::MIN, ..BucketSummary::empty(number, 0) }
}
