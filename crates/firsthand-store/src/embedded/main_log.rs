//! The main log: named values, and the log of each bucket. It is rewritten when most of it is obsolete.

use super::{
    disk::{Disk, Handle},
    errors::damaged,
    files,
    frame::Frames,
    log::{Log, LogEvent},
    record::{self, Commit, LogHeader, LogRecord, RoundState, commit_length},
};
use firsthand::online::StoreError;
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::Arc,
};

/// The current contents of the main log.
#[derive(Debug, Default)]
pub(super) struct MainContents {
    pub(super) values: HashMap<String, Vec<u8>>,
    /// The bucket of each log.
    pub(super) logs: BTreeMap<u64, i64>,
}

impl MainContents {
    pub(super) fn apply(&mut self, log: &Log, events: Vec<LogEvent>) -> Result<(), StoreError> {
        for event in events {
            match event {
                LogEvent::Value { name, value } => {
                    self.values.insert(name, value);
                }
                LogEvent::BucketLog { log, bucket } => {
                    self.logs.insert(log, bucket);
                }
                LogEvent::Forgotten { log } => {
                    self.logs.remove(&log);
                }
                _ => {
                    return Err(damaged(
                        log.handle.path(),
                        log.end,
                        "it has a record of a document",
                    ));
                }
            }
        }
        Ok(())
    }

    /// The length of a new main log with these contents.
    pub(super) fn live(&self) -> u64 {
        let values = self.values.iter().map(|(name, value)| name.len() + value.len() + 21);
        (values.sum::<usize>() + 29 * self.logs.len() + 128) as u64
    }
}

/// Writes a new main log.
pub(super) fn make(
    disk: &Arc<Disk>,
    folder: &Path,
    header: LogHeader,
    state: RoundState,
    main_contents: &MainContents,
) -> Result<Log, StoreError> {
    let mut frames = Frames::new(header.log, 0);
    record::write(&mut frames, &LogRecord::Header(header));
    for (name, value) in &main_contents.values {
        record::write(&mut frames, &LogRecord::Value { name, value });
    }
    for (&log, &bucket) in &main_contents.logs {
        record::write(&mut frames, &LogRecord::BucketLog { log, bucket });
    }
    let end = frames.end() + (super::frame::AROUND + commit_length(1)) as u64;
    let commit = Commit { state, parts: vec![(header.log, end)] };
    record::write(&mut frames, &LogRecord::Commit(commit));
    let path = folder.join(files::main(header.log));
    disk.replace(&path, frames.bytes(), None)?;
    Ok(Log { id: header.log, handle: Handle::new(disk, &path), end })
}
