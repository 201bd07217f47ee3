//! A commit: the changes of a round are written to the logs that it touches, synced, recorded in the
//! journal, and only then applied in memory.

use super::{
    Embedded,
    bucket::Bucket,
    disk::{CrashPoint, Handle},
    files,
    frame::{Frames, LONGEST},
    journal::Journal,
    log::{Log, LogEvent},
    record::{self, Commit, HEADER_LENGTH, LogHeader, LogRecord, RoundState, keys_to_bytes},
    texts,
    worker::WorkerTask,
};
use firsthand::online::{Changes, Seq, StoreError};
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

/// How often the journal is synced. A crash of the machine may lose its last records, which matters
/// only if the logs are damaged as well.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// What a round adds to one log.
struct LogDraft {
    frames: Frames,
    events: Vec<LogEvent>,
    /// The file; none until it is created.
    handle: Option<Arc<Handle>>,
}

/// What a round adds to all logs.
struct RoundDraft<'a> {
    store: &'a Embedded,
    next_log: u64,
    main: LogDraft,
    buckets: BTreeMap<i64, LogDraft>,
    /// The buckets of the documents of this round.
    new: BTreeMap<Seq, i64>,
    forget: HashSet<i64>,
}

impl LogDraft {
    fn new(id: u64, end: u64, handle: Option<Arc<Handle>>) -> Self {
        Self { frames: Frames::new(id, end), events: Vec::new(), handle }
    }

    fn of(log: &Log) -> Self {
        Self::new(log.id, log.end, Some(Arc::clone(&log.handle)))
    }

    fn write(&mut self, record: &LogRecord<'_>) {
        let place = record::write(&mut self.frames, record);
        self.events.extend(LogEvent::of(record, place));
    }

    fn write_keys(&mut self, seq: Seq, keys: &[u64]) {
        if !keys.is_empty() {
            self.write(&LogRecord::Keys { seq, keys: &keys_to_bytes(keys) });
        }
    }
}

impl RoundDraft<'_> {
    /// The bucket of a document, if the document exists after the round.
    fn bucket_of(&self, seq: Seq) -> Option<i64> {
        let number = match self.new.get(&seq) {
            Some(&number) => number,
            None => self.store.locate(seq)?.0.sum.number,
        };
        (!self.forget.contains(&number)).then_some(number)
    }

    fn draft(&mut self, number: i64) -> &mut LogDraft {
        self.buckets.entry(number).or_insert_with(|| match self.store.buckets.get(&number) {
            Some(bucket) => LogDraft::of(&bucket.log),
            None => {
                let log = self.next_log;
                self.next_log += 1;
                let mut draft = LogDraft::new(log, 0, None);
                draft.write(&LogRecord::Header(LogHeader { log, ..self.store.header }));
                self.main.write(&LogRecord::BucketLog { log, bucket: number });
                draft
            }
        })
    }

    fn add(&mut self, changes: &Changes) {
        for entry in &changes.insert {
            self.new.insert(entry.seq, entry.bucket);
            if self.forget.contains(&entry.bucket) {
                continue;
            }
            let draft = self.draft(entry.bucket);
            let (seq, time, payload) = (entry.seq, entry.time, entry.payload.as_slice());
            draft.write(&LogRecord::Document { seq, time, payload });
            draft.write_keys(seq, &entry.keys);
        }
        for (seq, payload) in &changes.replace {
            if let Some(number) = self.bucket_of(*seq) {
                self.draft(number).write(&LogRecord::Payload { seq: *seq, payload });
            }
        }
        for (seq, keys) in &changes.keys {
            if let Some(number) = self.bucket_of(*seq) {
                self.draft(number).write_keys(*seq, keys);
            }
        }
        for (name, value) in &changes.values {
            self.main.write(&LogRecord::Value { name, value });
        }
        for number in &self.forget {
            if let Some(bucket) = self.store.buckets.get(number) {
                self.main.write(&LogRecord::Forgotten { log: bucket.log.id });
            }
        }
    }
}

impl Embedded {
    /// Writes a round and applies it.
    pub(super) fn write_round(&mut self, changes: &Changes) -> Result<(), StoreError> {
        check(self.state, changes)?;
        let clock = changes.clock.or(self.state.clock);
        let next = self.state.next + changes.insert.len() as u64;
        let state = RoundState { round: self.state.round + 1, next, clock };
        let mut drafts = RoundDraft {
            next_log: self.next_log,
            main: LogDraft::of(&self.main),
            buckets: BTreeMap::new(),
            new: BTreeMap::new(),
            forget: changes.forget.iter().copied().collect(),
            store: self,
        };
        drafts.add(changes);
        let RoundDraft { main, mut buckets, next_log, new, .. } = drafts;
        let is_all_else_untouched = buckets.is_empty();
        let touches_main = !main.frames.bytes().is_empty()
            || is_all_else_untouched && (clock, next) != (self.state.clock, self.state.next);
        if is_all_else_untouched && !touches_main {
            return Ok(());
        }
        let mut touched: Vec<&mut LogDraft> = buckets.values_mut().collect();
        let mut main = main;
        if touches_main {
            touched.push(&mut main);
        }
        let commit = seal(&mut touched, state);
        if let Err(error) = self.persist(&mut touched, &commit) {
            self.undo(&touched);
            self.broken = Some(error.to_string());
            return Err(error);
        }
        self.state = state;
        self.next_log = next_log;
        self.apply_round(main, buckets, &new, changes)?;
        // The round is durable, whether the rest succeeds or not.
        if let Err(error) = self.maintain() {
            self.broken = Some(error.to_string());
        }
        Ok(())
    }

    fn maintain(&mut self) -> Result<(), StoreError> {
        if self.main.end > self.tuning.main && self.main.end > 2 * self.main_contents.live() {
            self.rewrite_main()?;
        }
        self.install_finished()?;
        self.freeze_if_due()
    }

    /// Writes the records, syncs them, and records the round in the journal.
    fn persist(&mut self, drafts: &mut [&mut LogDraft], commit: &Commit) -> Result<(), StoreError> {
        let mut is_new = false;
        for draft in drafts.iter_mut() {
            if draft.handle.is_none() {
                is_new = true;
                let path = self.folder.join(files::log(draft.frames.log()));
                draft.handle = Some(Handle::create(&self.disk, &path)?);
            }
        }
        for draft in drafts.iter() {
            let Some(handle) = &draft.handle else { continue };
            let (start, bytes) = (draft.frames.start(), draft.frames.bytes());
            let half = if self.disk.may_crash(CrashPoint::InAppend) { bytes.len() / 2 } else { 0 };
            if half > 0 {
                handle.write(start, &bytes[..half])?;
                self.disk.reach(CrashPoint::InAppend);
            }
            handle.write(start + half as u64, &bytes[half..])?;
        }
        self.disk.reach(CrashPoint::BeforeSync);
        for handle in drafts.iter().filter_map(|draft| draft.handle.as_ref()) {
            handle.sync()?;
        }
        if is_new {
            self.disk.sync_folder(&self.folder)?;
        }
        self.disk.reach(CrashPoint::AfterSync);
        if self.journal()?.is_long() {
            let mut ends = self.ends();
            ends.extend(commit.parts.iter().copied());
            let journal = Journal::begin(&self.disk, &self.folder, commit.state, ends)?;
            self.journal = Some(journal);
            return Ok(());
        }
        self.journal()?.record(commit)?;
        if self.synced.elapsed() > SYNC_EVERY {
            self.synced = Instant::now();
            let handle = self.journal()?.handle();
            self.worker.send(WorkerTask::Sync(handle));
        }
        Ok(())
    }

    /// Removes, as far as possible, what a failed round has written.
    fn undo(&self, drafts: &[&mut LogDraft]) {
        for draft in drafts {
            if let Some(handle) = &draft.handle {
                let _ = handle.cut(draft.frames.start());
            }
        }
    }

    fn apply_round(
        &mut self,
        main: LogDraft,
        buckets: BTreeMap<i64, LogDraft>,
        new: &BTreeMap<Seq, i64>,
        changes: &Changes,
    ) -> Result<(), StoreError> {
        self.main.end = main.frames.end();
        self.main_contents.apply(&self.main, main.events)?;
        for (&seq, &number) in new {
            self.owners.push(seq, number);
        }
        for (number, draft) in buckets {
            let Some(handle) = draft.handle else { continue };
            let end = draft.frames.end();
            let log = Log { id: draft.frames.log(), handle, end };
            let bucket = self
                .buckets
                .entry(number)
                .or_insert_with(|| Bucket::new(number, log, HEADER_LENGTH));
            bucket.log.end = end;
            bucket.apply(&draft.events, self.state.round)?;
        }
        if !changes.forget.is_empty() {
            self.disk.reach(CrashPoint::InExpiry);
        }
        for number in &changes.forget {
            if let Some(bucket) = self.buckets.remove(number) {
                bucket.delete();
                files::delete(&texts::file_of(&self.texts_folder(), *number));
            }
        }
        if let Some(texts) = self.texts.as_mut().filter(|_| !changes.forget.is_empty()) {
            let live: Vec<i64> = self.buckets.keys().copied().collect();
            texts.keep_buckets(&live);
        }
        self.trim_owners();
        Ok(())
    }
}

/// Adds the commit record to every log that the round touches.
fn seal(drafts: &mut [&mut LogDraft], state: RoundState) -> Commit {
    let end = record::commit_frame(drafts.len());
    let parts = drafts.iter().map(|draft| (draft.frames.log(), draft.frames.end() + end));
    let commit = Commit { state, parts: parts.collect() };
    for draft in drafts {
        record::write(&mut draft.frames, &LogRecord::Commit(commit.clone()));
    }
    commit
}

/// Refuses changes that cannot be written.
fn check(state: RoundState, changes: &Changes) -> Result<(), StoreError> {
    for (entry, expected) in changes.insert.iter().zip(state.next..) {
        if entry.seq != expected {
            let text = format!(
                "document {} was added instead of {expected}; numbers have no gaps",
                entry.seq
            );
            return Err(StoreError::Failed(text));
        }
    }
    let payloads = changes.insert.iter().map(|entry| (entry.seq, entry.payload.len()));
    let replaced = changes.replace.iter().map(|(seq, payload)| (*seq, payload.len()));
    let keys = changes.insert.iter().map(|entry| (entry.seq, 8 * entry.keys.len()));
    let further = changes.keys.iter().map(|(seq, keys)| (*seq, 8 * keys.len()));
    let mut lengths = payloads.chain(replaced).chain(keys).chain(further);
    if let Some((seq, length)) = lengths.find(|(_, length)| *length > LONGEST - 64) {
        let text = format!("document {seq} has {length} bytes to store; the limit is {LONGEST}");
        return Err(StoreError::Failed(text));
    }
    Ok(())
}
