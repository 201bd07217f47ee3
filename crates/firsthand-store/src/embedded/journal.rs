//! The journal: a small file with the length of each log when a round was acknowledged.
//!
//! The logs alone show that their last round is incomplete, but not whether a crash cut it short before
//! it was acknowledged, or whether it was damaged afterwards. The journal is written after the logs are
//! synced and before the round is acknowledged, so whatever it records must be in the logs. Recovery
//! does not depend on it: if its own last record is lost, the logs decide.

use super::{
    disk::{Disk, Handle},
    frame::Frames,
    log::LogReader,
    record::{self, Commit, LogRecord, RoundState},
};
use firsthand::online::StoreError;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

// The journal has frames like those of a log; no log has this number.
const ID: u64 = u64::MAX;

/// Length in bytes from which on the journal is replaced by a new one.
const LONGEST: u64 = 1 << 20;

/// The end of each log.
pub(super) type LogEnds = HashMap<u64, u64>;

/// What the journal has recorded.
#[derive(Debug, Default)]
pub(super) struct JournalState {
    pub(super) state: RoundState,
    pub(super) ends: LogEnds,
}

/// Reads the journal.
pub(super) fn read(disk: &Arc<Disk>, folder: &Path) -> Result<JournalState, StoreError> {
    let path = path(folder);
    if !path.exists() {
        return Err(StoreError::Damaged(format!(
            "{} is missing, and without it the logs beside it cannot be checked; restore the store \
             from a backup, or start a new one",
            path.display()
        )));
    }
    let mut reader = LogReader::new(&Handle::new(disk, &path), ID, 0)?;
    let mut recorded = JournalState::default();
    while let Some((_, record)) = reader.next()? {
        if let LogRecord::Commit(commit) = record {
            recorded.state = commit.state;
            recorded.ends.extend(commit.parts);
        }
    }
    Ok(recorded)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("journal")
}

/// The journal, open for writing.
#[derive(Debug)]
pub(super) struct Journal {
    handle: Arc<Handle>,
    /// Length of its first record.
    beginning: u64,
    end: u64,
}

impl Journal {
    /// Begins a new journal, which replaces any other.
    pub(super) fn begin(
        disk: &Arc<Disk>,
        folder: &Path,
        state: RoundState,
        ends: impl IntoIterator<Item = (u64, u64)>,
    ) -> Result<Self, StoreError> {
        let path = path(folder);
        let mut frames = Frames::new(ID, 0);
        let commit = Commit { state, parts: ends.into_iter().collect() };
        record::write(&mut frames, &LogRecord::Commit(commit));
        disk.replace(&path, frames.bytes(), None)?;
        let handle = Handle::new(disk, &path);
        Ok(Self { handle, beginning: frames.end(), end: frames.end() })
    }

    /// Whether it is time to begin a new one.
    pub(super) fn is_long(&self) -> bool {
        self.end > LONGEST.max(8 * self.beginning)
    }

    /// Records a round.
    pub(super) fn record(&mut self, commit: &Commit) -> Result<(), StoreError> {
        let mut frames = Frames::new(ID, self.end);
        record::write(&mut frames, &LogRecord::Commit(commit.clone()));
        self.handle.write(self.end, frames.bytes())?;
        self.end = frames.end();
        Ok(())
    }

    /// The file.
    pub(super) fn handle(&self) -> Arc<Handle> {
        Arc::clone(&self.handle)
    }

    /// Waits until it is on the disk.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.handle.sync()
    }
}
