//! The files of a watched folder, from the moment they are noticed until they are finished.

use super::finished_files::{FileVersion, FinishedFiles};
use super::folder_watcher::FolderEvent;
use super::judge_files::{JudgedFiles, judge_files, relative};
use super::or_current;
use super::settling_files::SettlingFiles;
use crate::answers::{AnswerCounts, AnswerSink};
use crate::error::{JobError, OutputError};
use crate::observer::{Notice, Observer};
use crate::stream::{LineSigner, StreamSession, StreamSummary};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The most files that are read together and noted as finished together.
const FILES_TOGETHER: usize = 64;

/// Endings of names that programs give to files they are still writing.
const UNFINISHED: [&str; 5] = [".tmp", ".part", ".partial", ".crdownload", ".filepart"];

pub(super) struct WatchState<'a> {
    folder: PathBuf,
    settle: Duration,
    line_signer: LineSigner,
    session: StreamSession<'a>,
    observer: &'a dyn Observer,
    finished: FinishedFiles,
    /// Files that were read in this run and are not noted as finished: they could not be read, or
    /// changed meanwhile.
    tried: HashMap<String, FileVersion>,
    settling: SettlingFiles,
    counts: AnswerCounts,
    /// When the whole folder was listed last, and how long that took.
    pub(super) listed: Instant,
    pub(super) listing_time: Duration,
}

impl<'a> WatchState<'a> {
    pub(super) fn new(
        folder: PathBuf,
        settle: Duration,
        line_signer: LineSigner,
        mut session: StreamSession<'a>,
        observer: &'a dyn Observer,
    ) -> Result<Self, JobError> {
        let finished = FinishedFiles::load(session.store(), or_current(&folder))?;
        Ok(Self {
            folder,
            settle,
            line_signer,
            session,
            observer,
            finished,
            tried: HashMap::new(),
            settling: SettlingFiles::default(),
            counts: AnswerCounts::default(),
            listed: Instant::now(),
            listing_time: Duration::ZERO,
        })
    }

    /// Notices every file of the folder.
    pub(super) fn list_all(&mut self) {
        let started = Instant::now();
        self.list(&self.folder.clone(), false);
        self.listed = Instant::now();
        self.listing_time = started.elapsed();
    }

    fn list(&mut self, folder: &Path, complete: bool) {
        let options = &self.line_signer.options;
        let (mut files, unread) = firsthand_input::list(folder, options);
        if folder != self.folder {
            files.retain(|path| firsthand_input::is_listed(&self.folder, path, options));
        }
        for path in files {
            self.notice_file(path, complete);
        }
        for error in unread.iter().filter(|error| !error.is_skip()) {
            self.observer.problem(error);
        }
    }

    /// Handles events; true if the job was cancelled.
    pub(super) fn handle(&mut self, events: Vec<FolderEvent>) -> bool {
        for event in events {
            match event {
                FolderEvent::Changed(path) => self.notice_path(path, false),
                FolderEvent::Written(path) => {
                    self.notice_path(path.clone(), false);
                    self.settling.set_open(&path, true);
                }
                FolderEvent::Closed(path) => {
                    self.notice_path(path.clone(), false);
                    self.settling.set_open(&path, false);
                }
                FolderEvent::Renamed(path) => self.notice_path(path, true),
                FolderEvent::Overflow => self.list_all(),
                FolderEvent::Cancelled => return true,
            }
        }
        false
    }

    fn notice_path(&mut self, path: PathBuf, complete: bool) {
        match std::fs::symlink_metadata(&path) {
            // A folder may have files in it before the system watches it.
            Ok(metadata) if metadata.is_dir() => self.list(&path, complete),
            Ok(_) if firsthand_input::is_listed(&self.folder, &path, &self.line_signer.options) => {
                self.notice_file(path, complete);
            }
            _ => {}
        }
    }

    fn notice_file(&mut self, path: PathBuf, complete: bool) {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        let unfinished = name.is_some_and(|name| UNFINISHED.iter().any(|end| name.ends_with(end)));
        let Ok(metadata) = path.metadata() else { return };
        let version = FileVersion::new(&metadata);
        if unfinished || self.is_done(&path, version) {
            return;
        }
        let age =
            metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        let complete = complete || age.is_some_and(|age| age > self.settle);
        self.settling.notice(path, version, complete, Instant::now());
    }

    fn is_done(&self, path: &Path, version: FileVersion) -> bool {
        let name = self.name(path);
        self.finished.contains(&name, version) || self.tried.get(&name) == Some(&version)
    }

    fn name(&self, path: &Path) -> String {
        relative(&self.folder, &path.to_string_lossy())
    }

    /// How long until the next file may have settled; none if there is no such file.
    pub(super) fn until_settled(&self) -> Option<Duration> {
        self.settling.until_next(self.settle, Instant::now())
    }

    /// Reads and judges the files that have settled; true if the job was cancelled.
    pub(super) fn judge_settled(&mut self, sink: &mut dyn AnswerSink) -> Result<bool, JobError> {
        let now = Instant::now();
        let mut settled = Vec::new();
        for (path, version) in self.settling.take_settled(self.settle, now) {
            match path.metadata().map(|metadata| FileVersion::new(&metadata)) {
                Ok(current) if current != version => {
                    self.settling.notice(path, current, false, now);
                }
                // Perhaps it has yet to be written: it is read if it ever is.
                _ if version.size == 0 => {
                    self.observer.notice(Notice::EmptyFile { path: &path });
                    self.tried.insert(self.name(&path), version);
                }
                _ => settled.push((path, version)),
            }
        }
        for chunk in settled.chunks(FILES_TOGETHER) {
            if self.judge_chunk(chunk, sink)? || self.observer.is_cancelled() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn judge_chunk(
        &mut self,
        chunk: &[(PathBuf, FileVersion)],
        sink: &mut dyn AnswerSink,
    ) -> Result<bool, JobError> {
        let files: Vec<PathBuf> = chunk.iter().map(|(path, _)| path.clone()).collect();
        let Self { folder, line_signer, session, observer, counts, .. } = self;
        let mut take_answers = |answers: Vec<_>| {
            counts.add(&answers);
            observer.documents(answers.len() as u64);
            sink.write(&answers).map_err(OutputError::Stream)
        };
        let JudgedFiles { unread, cancelled } =
            judge_files(folder, &files, line_signer, session, *observer, &mut take_answers)?;
        if cancelled {
            return Ok(true);
        }
        // Answers are on disk before their files are noted as finished.
        sink.sync().map_err(OutputError::Stream)?;
        let mut finished = Vec::new();
        for (path, version) in chunk {
            let name = self.name(path);
            let unchanged = path.metadata().is_ok_and(|now| FileVersion::new(&now) == *version);
            match unchanged && !unread.contains(&name) {
                true => finished.push((name, *version)),
                false => {
                    self.tried.insert(name, *version);
                }
            }
        }
        let session = &mut self.session;
        self.finished.add(&finished, |changes| session.commit(changes))?;
        Ok(false)
    }

    /// Ends the job.
    pub(super) fn finish(mut self, elapsed: Duration) -> StreamSummary {
        let (left_out, holdings) = (self.session.left_out(), self.session.holdings());
        StreamSummary { counts: self.counts, blank_lines: 0, left_out, elapsed, holdings }
    }
}
