//! Building runs: from keys in memory, from other runs, or from the log.

use super::{
    bucket::DocumentPlace,
    disk::{CrashPoint, Disk, Handle},
    errors::damaged,
    files,
    log::{LogEvent, LogReader},
    postings::{Local, Postings},
    record::{LogHeader, RoundState},
    run::{Footer, Run, RunError, RunWriter},
};
use firsthand::online::StoreError;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    path::{Path, PathBuf},
    sync::Arc,
};

/// The keys of a part of a log, on their way from memory to a run.
#[derive(Clone, Debug)]
pub(super) struct FrozenKeys {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) state: RoundState,
    pub(super) postings: Arc<Postings>,
    /// Number of payloads that were replaced in that part.
    pub(super) replaced: u64,
    /// The documents that were added or changed in that part.
    pub(super) documents: Arc<Vec<(Local, DocumentPlace)>>,
}

/// Builds the runs of one log.
#[derive(Clone, Debug)]
pub(super) struct RunMaker {
    pub(super) disk: Arc<Disk>,
    pub(super) folder: PathBuf,
    /// The header of the log.
    pub(super) header: LogHeader,
}

impl RunMaker {
    fn path(&self, from: u64, to: u64) -> PathBuf {
        self.folder.join(files::run(self.header.log, from, to))
    }

    /// The footer, as far as it is known before the keys are written.
    fn footer(&self, from: u64, to: u64, state: RoundState, replaced: u64) -> Footer {
        let (postings, documents, distinct) = (0, 0, 0);
        Footer { header: self.header, from, to, state, replaced, postings, documents, distinct }
    }

    fn open(&self, path: &Path, from: u64, to: u64) -> Result<Arc<Run>, RunError> {
        let (run, _) = Run::open(Handle::new(&self.disk, path), self.header, from, to)?;
        Ok(Arc::new(run))
    }

    /// Writes keys from memory to a run.
    pub(super) fn flush(&self, frozen: &FrozenKeys) -> Result<Arc<Run>, RunError> {
        let FrozenKeys { from, to, state, replaced, .. } = *frozen;
        let path = self.path(from, to);
        let sorted = frozen.postings.sorted();
        let distinct = sorted.chunk_by(|a, b| a.0 == b.0).count() as u64;
        let mut writer =
            RunWriter::new(&self.disk, &path, self.header, from, distinct, CrashPoint::InFlush)?;
        for (key, local) in sorted {
            writer.posting(key, local)?;
        }
        writer.finish(&path, &frozen.documents, self.footer(from, to, state, replaced))?;
        self.open(&path, from, to)
    }

    /// Merges consecutive runs into one.
    pub(super) fn merge(&self, runs: &[Arc<Run>]) -> Result<Option<Arc<Run>>, RunError> {
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return Ok(None) };
        let (from, to, state) = (first.footer.from, last.footer.to, last.footer.state);
        let path = self.path(from, to);
        let replaced = runs.iter().map(|run| run.footer.replaced).sum();
        let distinct = runs.iter().map(|run| run.footer.distinct).sum();
        let mut writer =
            RunWriter::new(&self.disk, &path, self.header, from, distinct, CrashPoint::InMerge)?;
        let mut cursors: Vec<_> = runs.iter().map(Run::cursor).collect();
        let mut heap = BinaryHeap::new();
        for (number, cursor) in cursors.iter_mut().enumerate() {
            heap.extend(cursor.next()?.map(|posting| Reverse((posting, number))));
        }
        while let Some(Reverse(((key, local), number))) = heap.pop() {
            writer.posting(key, local)?;
            heap.extend(cursors[number].next()?.map(|posting| Reverse((posting, number))));
        }
        let mut documents = BTreeMap::new();
        for run in runs {
            documents.extend(run.documents()?);
        }
        let documents: Vec<_> = documents.into_iter().collect();
        writer.finish(&path, &documents, self.footer(from, to, state, replaced))?;
        self.open(&path, from, to).map(Some)
    }

    /// Reads the keys of a part of a log again. `local` finds documents of the bucket by their numbers.
    pub(super) fn reread_keys(
        &self,
        log: &Arc<Handle>,
        from: u64,
        to: u64,
        local: impl Fn(u64) -> Option<(Local, DocumentPlace)>,
    ) -> Result<FrozenKeys, StoreError> {
        let mut reader = LogReader::new(log, self.header.log, from)?;
        let mut postings = Postings::default();
        let mut documents = BTreeMap::new();
        let (mut state, mut replaced) = (None, 0);
        while reader.at() < to {
            let unreadable = |at| damaged(log.path(), at, "a committed round cannot be read");
            let part = reader.round()?.ok_or_else(|| unreadable(reader.at()))?;
            for event in part.events {
                replaced += u64::from(matches!(event, LogEvent::Payload { .. }));
                match event {
                    LogEvent::Document { seq, .. } | LogEvent::Payload { seq, .. } => {
                        documents.extend(local(seq));
                    }
                    LogEvent::Keys { seq, keys } => {
                        let (local, _) = local(seq).ok_or_else(|| unreadable(part.start))?;
                        keys.into_iter().for_each(|key| postings.add(key, local));
                    }
                    _ => return Err(unreadable(part.start)),
                }
            }
            state = Some(part.commit.state);
        }
        let Some(state) = state else {
            let empty = format!("{} has no round at byte {from}", log.path().display());
            return Err(StoreError::Damaged(empty));
        };
        let documents = Arc::new(documents.into_iter().collect());
        let postings = Arc::new(postings);
        Ok(FrozenKeys { from, to, state, replaced, postings, documents })
    }
}
