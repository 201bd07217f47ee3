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
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// The contents of a generation.
#[derive(Debug)]
pub(super) struct Recovered {
    pub(super) state: RoundState,
    pub(super) main: Log,
    pub(super) main_contents: MainContents,
    pub(super) buckets: BTreeMap<i64, Bucket>,
    pub(super) journal: Journal,
    /// The number of the next log.
    pub(super) next_log: u64,
}

/// Reads a generation. `header` is that of its logs, apart from their numbers.
pub(super) fn recover(
    disk: &Arc<Disk>,
    folder: &Path,
    header: LogHeader,
    tuning: &Tuning,
) -> Result<Recovered, StoreError> {
    let recorded = journal::read(disk, folder)?;
    let files = files::list(folder)?;
    let main = files.iter().filter_map(|(_, kind)| match kind {
        FileKind::Main { log } => Some(*log),
        _ => None,
    });
    let Some(main) = main.max() else {
        return Err(StoreError::Damaged(format!(
            "{} has no main log; restore the store from a backup, or start a new one",
            folder.display()
        )));
    };
    let mut main_contents = MainContents::default();
    let path = folder.join(files::main(main));
    let mut main =
        RecoveringLog::read(disk, &path, LogHeader { log: main, ..header }, None, |log, part| {
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
        let path = folder.join(files::log(id));
        if !path.exists() {
            continue;
        }
        let header = LogHeader { log: id, ..header };
        units.insert(id, read_bucket(disk, folder, &files, number, header, tuning)?);
    }
    let state = settle(&mut main, &mut units, &logs, &recorded)?;
    if let Some(part) = main.last.take() {
        main_contents.apply(&main.log, part.events)?;
    }
    let mut buckets = BTreeMap::new();
    for (&id, &number) in &main_contents.logs {
        let Some((mut unit, mut bucket)) = units.remove(&id) else {
            let path = folder.join(files::log(id));
            return Err(damaged(&path, 0, "it is missing"));
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
        FileKind::Log { log } | FileKind::Run { log, .. } => main_contents.logs.contains_key(&log),
        FileKind::Temporary => false,
        FileKind::Other => true,
    };
    files.iter().filter(|name| !live(name)).for_each(|(name, _)| files::delete(&folder.join(name)));
    let known = files.iter().filter_map(|(_, kind)| match *kind {
        FileKind::Main { log } | FileKind::Log { log } | FileKind::Run { log, .. } => Some(log),
        _ => None,
    });
    let next_log = known.chain(logs.keys().copied()).max().unwrap_or(0) + 1;
    let ends = std::iter::once((main.log.id, main.log.end))
        .chain(buckets.values().map(|bucket| (bucket.log.id, bucket.log.end)));
    let journal = Journal::begin(disk, folder, state, ends)?;
    Ok(Recovered { state, main: main.log, main_contents, buckets, journal, next_log })
}

/// Reads a bucket: its runs, and the part of its log that they do not cover. Its last round is held
/// back.
fn read_bucket(
    disk: &Arc<Disk>,
    folder: &Path,
    files: &[(String, FileKind)],
    number: i64,
    header: LogHeader,
    tuning: &Tuning,
) -> Result<(RecoveringLog, Bucket), StoreError> {
    let path = folder.join(files::log(header.log));
    let log = Log { id: header.log, handle: Handle::new(disk, &path), end: 0 };
    let place = RunMaker { disk: Arc::clone(disk), folder: folder.to_owned(), header };
    let mut bucket = Bucket::new(number, log, HEADER_LENGTH);
    take_runs(&mut bucket, &place, files)?;
    let start = bucket.runs.last().map(|run| (run.footer.to, run.footer.state));
    let unit = RecoveringLog::read(disk, &path, header, start, |_, part| {
        bucket.log.end = part.end;
        bucket.apply(&part.events, part.commit.state.round)?;
        if bucket.recent.count() < tuning.postings {
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
pub(super) fn reread(
    disk: &Arc<Disk>,
    folder: &Path,
    files: &[(String, FileKind)],
    number: i64,
    header: LogHeader,
    tuning: &Tuning,
) -> Result<Bucket, StoreError> {
    let (mut unit, mut bucket) = read_bucket(disk, folder, files, number, header, tuning)?;
    if let Some(part) = unit.last.take() {
        bucket.apply(&part.events, part.commit.state.round)?;
    }
    bucket.log = unit.log;
    Ok(bucket)
}

/// Takes the runs that cover the log from its beginning without a gap; deletes all others, which are
/// rebuilt from the log.
fn take_runs(
    bucket: &mut Bucket,
    place: &RunMaker,
    files: &[(String, FileKind)],
) -> Result<(), StoreError> {
    let mut runs: Vec<(u64, u64, &str)> = Vec::new();
    for (name, kind) in files {
        match *kind {
            FileKind::Run { log, from, to } if log == bucket.log.id => runs.push((from, to, name)),
            _ => {}
        }
    }
    // Of those that begin at the same offset, the longest first: it was merged from the others.
    runs.sort_by_key(|&(from, to, _)| (from, std::cmp::Reverse(to)));
    for (from, to, name) in runs {
        let path = place.folder.join(name);
        let is_next = from == bucket.recent_from;
        let taken = is_next
            && match Run::open(Handle::new(&place.disk, &path), place.header, from, to) {
                Ok((run, documents)) => bucket.add_run(run, documents),
                Err(RunError::Damaged { .. }) => false,
                Err(RunError::Failed(error)) => return Err(error),
            };
        if !taken {
            files::delete(&path);
        }
    }
    bucket.count();
    Ok(())
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
            if highest <= recorded.round {
                let what = format!("round {highest} is not complete in all logs that it touched");
                return Err(damaged(unit.log.handle.path(), unit.log.end, &what));
            }
            unit.cut();
        }
        if unit.state.round >= state.round {
            state = unit.state;
        }
    }
    if state.round < recorded.round {
        let what = format!("round {} was acknowledged and is missing", recorded.round);
        return Err(damaged(all[all.len() - 1].log.handle.path(), 0, &what));
    }
    Ok(state)
}
