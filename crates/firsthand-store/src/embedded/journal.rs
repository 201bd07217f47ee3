//! The witness: a small file that says how far each log went when a round was acknowledged.
//!
//! Logs tell by themselves what a crash has cut short. What they cannot tell is a last round that was
//! cut short from one that was whole, acknowledged, and damaged since. The journal is written after the
//! logs are durable and before anyone is told, so whatever it names must be there. It is not needed to
//! get anything back: where its own last line is lost, the logs stand alone.

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

// The journal checks its frames like a log; no log has this number.
const ID: u64 = u64::MAX;

const LONGEST: u64 = 1 << 20;

/// How far each log goes.
pub(super) type LogEnds = HashMap<u64, u64>;

/// What the journal has seen.
#[derive(Debug, Default)]
pub(super) struct JournalState {
    pub(super) round: u64,
    pub(super) ends: LogEnds,
}

/// Reads what the journal has seen.
pub(super) fn read(disk: &Arc<Disk>, folder: &Path) -> Result<JournalState, StoreError> {
    let path = path(folder);
    if !path.exists() {
        return Err(StoreError::Damaged(format!(
            "{} is missing, which tells whether the logs beside it are whole; copy the store back \
             from a backup, or begin a new one",
            path.display()
        )));
    }
    let mut reader = LogReader::new(&Handle::new(disk, &path), ID, 0)?;
    let mut witness = JournalState::default();
    while let Some((_, record)) = reader.next()? {
        if let LogRecord::Commit(commit) = record {
            witness.round = commit.state.round;
            witness.ends.extend(commit.parts);
        }
    }
    Ok(witness)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("journal")
}

/// The journal as it is written.
#[derive(Debug)]
pub(super) struct Journal {
    handle: Arc<Handle>,
    /// Bytes that it began with.
    beginning: u64,
    end: u64,
}

impl Journal {
    /// Begins a new one in the place of any other.
    pub(super) fn begin(
        disk: &Arc<Disk>,
        folder: &Path,
        commit: &Commit,
    ) -> Result<Self, StoreError> {
        let path = path(folder);
        let mut frames = Frames::new(ID, 0);
        record::write(&mut frames, &LogRecord::Commit(commit.clone()));
        disk.replace(&path, frames.bytes(), None)?;
        let handle = Handle::new(disk, &path);
        Ok(Self { handle, beginning: frames.end(), end: frames.end() })
    }

    /// Whether it is time to begin a new one.
    pub(super) fn is_long(&self) -> bool {
        self.end > LONGEST.max(8 * self.beginning)
    }

    /// Witnesses a round.
    pub(super) fn witness(&mut self, commit: &Commit) -> Result<(), StoreError> {
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

    /// Makes it durable.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        self.handle.sync()
    }
}

/// The state with which a journal begins.
pub(super) fn beginning(state: RoundState, ends: impl Iterator<Item = (u64, u64)>) -> Commit {
    Commit { state, parts: ends.collect() }
}
