//! Opening a store: reading its logs up to the last complete round.
//!
//! A round is complete when its commit record is in every log that it touched. Each round is synced
//! before the next begins, so only the last one can be incomplete; it was never acknowledged, and is
//! cut off. Anything else that cannot be read is damage, and so is an incomplete round that the journal
//! has recorded as acknowledged.

use super::{
    Tuning,
    bucket::Bucket,
    build::RunMaker,
    disk::{Disk, Handle},
    errors::damaged,
    files::{self, FileKind},
    journal::{self, Journal, JournalState},
    log::{Log, LogEvent, LogReader, LogRound},
    main_log::MainContents,
    record::{HEADER_LENGTH, LogHeader, RoundState},
    run::{Run, RunError},
};
use firsthand::online::StoreError;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The contents of a generation.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) state: RoundState,
    pub(super) main: Log,
    pub(super) main_contents: MainContents,
    pub(super) buckets: BTreeMap<i64, Bucket>,
    /// None if the store is only read.
    pub(super) journal: Option<Journal>,
    /// The number of the next log.
    pub(super) next_log: u64,
}

/// The files of a generation.
pub(super) struct Generation<'a> {
    disk: &'a Arc<Disk>,
    folder: &'a Path,
    /// The header of its logs, apart from their numbers.
    header: LogHeader,
    tuning: &'a Tuning,
    files: Vec<(String, FileKind)>,
}

impl<'a> Generation<'a> {
    pub(super) fn new(
        disk: &'a Arc<Disk>,
        folder: &'a Path,
        header: LogHeader,
        tuning: &'a Tuning,
    ) -> Result<Self, StoreError> {
        Ok(Self { disk, folder, header, tuning, files: files::list(folder)? })
    }

    /// Whether files have been added or deleted since.
    pub(super) fn has_changed(&self) -> bool {
        files::list(self.folder).map_or(true, |files| files != self.files)
    }

    /// The main log with the highest number, of those that are wanted.
    fn main(&self, wanted: impl Fn(u64) -> bool) -> Result<u64, StoreError> {
        let mains = self.files.iter().filter_map(|(_, kind)| match *kind {
            FileKind::Main { log } if wanted(log) => Some(log),
            _ => None,
        });
        mains.max().ok_or_else(|| {
            StoreError::Damaged(format!(
                "{} has no main log; restore the store from a backup, or start a new one",
                self.folder.display()
            ))
        })
    }

    /// Reads everything up to the last complete round, and cuts off what follows.
    pub(super) fn recover(&self) -> Result<Recovered, StoreError> {
        let Self { disk, folder, header, files, .. } = self;
        let recorded = journal::read(disk, folder)?;
        let main = self.main(|_| true)?;
        let mut main_contents = MainContents::default();
        let path = folder.join(files::main(main));
        let header = LogHeader { log: main, ..*header };
        let mut main = RecoveringLog::read(disk, &path, header, None, |log, part| {
            main_contents.apply(log, part.events)
        })?;
        if main.last.is_none() {
            return Err(damaged(&path, 0, "it cannot be read"));
        }
        let mut logs = main_contents.logs.clone();
        for event in main.last.iter().flat_map(|part| &part.events) {
            if let LogEvent::BucketLog { log, bucket } = *event {
                logs.insert(log, bucket);
            }
        }
        let mut units = BTreeMap::new();
        for (&id, &number) in &logs {
            if folder.join(files::log(id)).exists() {
                units.insert(id, self.read_bucket(number, id)?);
            }
        }
        let state = settle(&mut main, &mut units, &logs, &recorded)?;
        if let Some(part) = main.last.take() {
            main_contents.apply(&main.log, part.events)?;
        }
        let mut buckets = BTreeMap::new();
        for (&id, &number) in &main_contents.logs {
            let Some((mut unit, mut bucket)) = units.remove(&id) else {
                return Err(damaged(&folder.join(files::log(id)), 0, "it is missing"));
            };
            unit.check(&recorded, state)?;
            if unit.log.end < bucket.recent_from.max(HEADER_LENGTH + 1) {
                let what = "committed rounds are missing";
                return Err(damaged(unit.log.handle.path(), unit.log.end, what));
            }
            unit.finish()?;
            if let Some(part) = unit.last.take() {
                bucket.apply(&part.events, part.commit.state.round)?;
            }
            bucket.log = unit.log;
            buckets.insert(number, bucket);
        }
        main.check(&recorded, state)?;
        main.finish()?;
        let live = |name: &(String, FileKind)| match name.1 {
            FileKind::Main { log } => log == main.log.id,
            FileKind::Log { log } | FileKind::Run { log, .. } => {
                main_contents.logs.contains_key(&log)
            }
            FileKind::Temporary => false,
            FileKind::Other => true,
        };
        let dead = files.iter().filter(|name| !live(name));
        dead.for_each(|(name, _)| files::delete(&folder.join(name)));
        let known = files.iter().filter_map(|(_, kind)| match *kind {
            FileKind::Main { log } | FileKind::Log { log } | FileKind::Run { log, .. } => Some(log),
            _ => None,
        });
        let next_log = known.chain(logs.keys().copied()).max().unwrap_or(0) + 1;
        let ends = std::iter::once((main.log.id, main.log.end))
            .chain(buckets.values().map(|bucket| (bucket.log.id, bucket.log.end)));
        let journal = Some(Journal::begin(disk, folder, state, ends)?);
        Ok(Recovered { state, main: main.log, main_contents, buckets, journal, next_log })
    }

    /// Reads everything as of the last round in the journal, and changes nothing: another process may be
    /// adding rounds meanwhile. What the journal has recorded never changes any more; but the files may
    /// be deleted, and then this fails.
    pub(super) fn read(&self, recorded: &JournalState) -> Result<Recovered, StoreError> {
        let main = self.main(|log| recorded.ends.contains_key(&log))?;
        let main = self.recorded_log(main, files::main(main), recorded)?;
        let mut main_contents = MainContents::default();
        self.each_round(&main, HEADER_LENGTH, |part| main_contents.apply(&main, part.events))?;
        let mut buckets = BTreeMap::new();
        for (&id, &number) in &main_contents.logs {
            let log = self.recorded_log(id, files::log(id), recorded)?;
            let mut bucket = Bucket::new(number, log.clone(), HEADER_LENGTH);
            self.take_runs(&mut bucket, log.end)?;
            self.each_round(&log, bucket.recent_from, |part| {
                bucket.apply(&part.events, part.commit.state.round)
            })?;
            buckets.insert(number, bucket);
        }
        let state = recorded.state;
        Ok(Recovered { state, main, main_contents, buckets, journal: None, next_log: 0 })
    }

    /// A log up to the end that the journal has recorded.
    fn recorded_log(
        &self,
        id: u64,
        name: String,
        recorded: &JournalState,
    ) -> Result<Log, StoreError> {
        let handle = Handle::new(self.disk, &self.folder.join(name));
        let end = recorded.ends.get(&id).copied();
        let end = end.ok_or_else(|| damaged(handle.path(), 0, "the journal does not know it"))?;
        Ok(Log { id, handle, end })
    }

    /// Reads the rounds of a log from an offset to its end, all of which must be complete.
    fn each_round(
        &self,
        log: &Log,
        from: u64,
        mut each: impl FnMut(LogRound) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut reader = LogReader::new(&log.handle, log.id, 0)?;
        if !reader.is_headed(LogHeader { log: log.id, ..self.header })? {
            return Err(damaged(log.handle.path(), 0, "its header cannot be read"));
        }
        reader = LogReader::new(&log.handle, log.id, from)?;
        while reader.at() < log.end {
            let at = reader.at();
            let unreadable = || damaged(log.handle.path(), at, "a committed round cannot be read");
            each(reader.round()?.ok_or_else(unreadable)?)?;
        }
        Ok(())
    }

    fn run_maker(&self, log: u64) -> RunMaker {
        let (disk, folder) = (Arc::clone(self.disk), self.folder.to_owned());
        RunMaker { disk, folder, header: LogHeader { log, ..self.header } }
    }

    /// Reads a bucket: its runs, and the part of its log that they do not cover. Its last round is held
    /// back.
    fn read_bucket(&self, number: i64, id: u64) -> Result<(RecoveringLog, Bucket), StoreError> {
        let path = self.folder.join(files::log(id));
        let log = Log { id, handle: Handle::new(self.disk, &path), end: 0 };
        let place = self.run_maker(id);
        let mut bucket = Bucket::new(number, log, HEADER_LENGTH);
        let unused = self.take_runs(&mut bucket, u64::MAX)?;
        unused.iter().for_each(|path| files::delete(path));
        let start = bucket.runs.last().map(|run| (run.footer.to, run.footer.state));
        let unit = RecoveringLog::read(self.disk, &path, place.header, start, |_, part| {
            bucket.log.end = part.end;
            bucket.apply(&part.events, part.commit.state.round)?;
            if bucket.recent.count() < self.tuning.postings {
                return Ok(());
            }
            // Another round follows, so this one is complete and can go into a run.
            match place.flush(&bucket.freeze(part.commit.state)) {
                Ok(run) => {
                    bucket.install(run);
                    Ok(())
                }
                Err(RunError::Failed(error)) => Err(error),
                Err(RunError::Damaged { .. }) => Ok(()),
            }
        })?;
        Ok((unit, bucket))
    }

    /// Reads a bucket whose rounds are all known to be complete.
    pub(super) fn reread(&self, number: i64, log: u64) -> Result<Bucket, StoreError> {
        let (mut unit, mut bucket) = self.read_bucket(number, log)?;
        if let Some(part) = unit.last.take() {
            bucket.apply(&part.events, part.commit.state.round)?;
        }
        bucket.log = unit.log;
        Ok(bucket)
    }

    /// Takes the runs that cover the log from its beginning, without a gap and to this end at most;
    /// returns the paths of all others.
    fn take_runs(&self, bucket: &mut Bucket, end: u64) -> Result<Vec<PathBuf>, StoreError> {
        let mut runs: Vec<(u64, u64, &str)> = Vec::new();
        for (name, kind) in &self.files {
            match *kind {
                FileKind::Run { log, from, to } if log == bucket.log.id => {
                    runs.push((from, to, name));
                }
                _ => {}
            }
        }
        // Of those that begin at the same offset, the longest first: it was merged from the others.
        runs.sort_by_key(|&(from, to, _)| (from, std::cmp::Reverse(to)));
        let header = LogHeader { log: bucket.log.id, ..self.header };
        let mut unused = Vec::new();
        for (from, to, name) in runs {
            let path = self.folder.join(name);
            let is_next = from == bucket.recent_from && to <= end;
            let taken = is_next
                && match Run::open(Handle::new(self.disk, &path), header, from, to) {
                    Ok((run, documents)) => bucket.add_run(run, documents),
                    Err(RunError::Damaged { .. }) => false,
                    Err(RunError::Failed(error)) => return Err(error),
                };
            if !taken {
                unused.push(path);
            }
        }
        bucket.count();
        Ok(unused)
    }
}

/// A log that was read. Its last round is held back until it is known to be complete in all logs.
struct RecoveringLog {
    log: Log,
    state: RoundState,
    /// The state before the last round.
    before: RoundState,
    last: Option<LogRound>,
    length: u64,
    reader: LogReader,
}

impl RecoveringLog {
    fn read(
        disk: &Arc<Disk>,
        path: &Path,
        header: LogHeader,
        start: Option<(u64, RoundState)>,
        mut each: impl FnMut(&Log, LogRound) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let handle = Handle::new(disk, path);
        let mut reader = LogReader::new(&handle, header.log, 0)?;
        let mut log = Log { id: header.log, handle, end: 0 };
        let length = log.handle.length()?;
        let (mut last, mut state, mut before) =
            (None::<LogRound>, RoundState::default(), RoundState::default());
        if reader.is_headed(header)? {
            if let Some((at, known)) = start {
                reader = LogReader::new(&log.handle, header.log, at)?;
                state = known;
            }
            log.end = reader.at().min(length);
            while let Some(part) = reader.round()? {
                log.end = part.end;
                (before, state) = (state, part.commit.state);
                if let Some(earlier) = last.replace(part) {
                    each(&log, earlier)?;
                }
            }
        }
        Ok(Self { log, state, before, last, length, reader })
    }

    /// Drops the last round.
    fn cut(&mut self) {
        if let Some(part) = self.last.take() {
            self.log.end = part.start;
            self.state = self.before;
        }
    }

    /// Refuses a log that is damaged, rather than cut short by a crash.
    fn check(&mut self, recorded: &JournalState, state: RoundState) -> Result<(), StoreError> {
        let path = self.log.handle.path();
        let seen = recorded.ends.get(&self.log.id).copied().unwrap_or(0);
        if seen > self.log.end {
            let what = if self.length < seen {
                format!("it ends at byte {} and was {seen} bytes long", self.length)
            } else {
                "a committed round cannot be read".to_owned()
            };
            return Err(damaged(path, self.log.end, &what));
        }
        if self.reader.at() < self.length
            && self.reader.rounds_beyond()?.iter().any(|&round| round != state.round + 1)
        {
            let what = "committed rounds follow something that cannot be read";
            return Err(damaged(self.log.handle.path(), self.reader.at(), what));
        }
        Ok(())
    }

    /// Truncates the file to complete rounds, and syncs it.
    fn finish(&self) -> Result<(), StoreError> {
        if self.log.end < self.length {
            return self.log.handle.cut(self.log.end);
        }
        self.log.handle.sync()
    }
}

/// Drops the last round if it is not complete in all logs. Returns the state after the last complete
/// round.
fn settle(
    main: &mut RecoveringLog,
    units: &mut BTreeMap<u64, (RecoveringLog, Bucket)>,
    logs: &BTreeMap<u64, i64>,
    recorded: &JournalState,
) -> Result<RoundState, StoreError> {
    let mut ends: BTreeMap<u64, u64> = logs.keys().map(|&id| (id, 0)).collect();
    ends.extend(units.values().map(|(unit, _)| (unit.log.id, unit.log.end)));
    ends.insert(main.log.id, main.log.end);
    let mut all: Vec<&mut RecoveringLog> = units.values_mut().map(|(unit, _)| unit).collect();
    all.push(main);
    let highest = all.iter().map(|unit| unit.state.round).max().unwrap_or(0);
    // Earlier rounds are complete, since another one followed. The logs that they touched may be gone.
    let is_torn = |part: &LogRound| {
        part.commit.state.round == highest
            && part.commit.parts.iter().any(|(log, end)| ends.get(log).is_some_and(|e| e < end))
    };
    let mut state = RoundState::default();
    for unit in &mut all {
        if unit.last.as_ref().is_some_and(is_torn) {
            if highest <= recorded.state.round {
                let what = format!("round {highest} is not complete in all logs that it touched");
                return Err(damaged(unit.log.handle.path(), unit.log.end, &what));
            }
            unit.cut();
        }
        if unit.state.round >= state.round {
            state = unit.state;
        }
    }
    if state.round < recorded.state.round {
        let what = format!("round {} was acknowledged and is missing", recorded.state.round);
        return Err(damaged(all[all.len() - 1].log.handle.path(), 0, &what));
    }
    Ok(state)
}
