//! What is done between rounds: recent keys become runs, and runs become fewer.

use super::{
    Embedded,
    build::RunMaker,
    files,
    record::LogHeader,
    run::RunError,
    tiers,
    worker::{FinishedRun, WorkerTask},
};
use firsthand::online::StoreError;
use std::ops::Range;

/// Rounds wait when so many runs are to be made.
const PENDING: usize = 6;

impl Embedded {
    pub(super) fn place(&self, log: u64) -> RunMaker {
        let header = LogHeader { log, ..self.header };
        let (disk, folder) = (self.disk.clone(), self.folder.clone());
        RunMaker { disk, folder, header }
    }

    fn number_of(&self, log: u64) -> Option<i64> {
        self.main_contents.logs.get(&log).copied()
    }

    /// Takes in what was done in the background.
    pub(super) fn take_done(&mut self) -> Result<(), StoreError> {
        while let Some(done) = self.worker.take() {
            self.install(done)?;
        }
        Ok(())
    }

    /// Waits until nothing is under way.
    pub(super) fn wait_for_worker(&mut self) -> Result<(), StoreError> {
        while let Some(done) = self.worker.wait() {
            self.install(done)?;
        }
        Ok(())
    }

    fn install(&mut self, done: FinishedRun) -> Result<(), StoreError> {
        let bucket = self.number_of(done.log).and_then(|number| self.buckets.get_mut(&number));
        let Some(bucket) = bucket.filter(|bucket| bucket.log.id == done.log) else {
            // Forgotten meanwhile.
            files::delete(&self.folder.join(files::run(done.log, done.from, done.to)));
            return Ok(());
        };
        // What was done may be another run of the same log.
        bucket.merging = bucket.merging.filter(|part| *part != (done.from, done.to));
        match done.run {
            Ok(run) => {
                for old in bucket.install(run) {
                    // A run that was made again has the name of the one before.
                    if bucket.runs.iter().all(|run| run.handle.path() != old.handle.path()) {
                        files::delete(old.handle.path());
                    }
                }
                self.merge_if_due(done.log);
                Ok(())
            }
            Err(RunError::Damaged { log, from, to }) => self.repair(log, from, to),
            // The keys are in memory, or in the runs that were to be merged: nothing is lost, and it
            // is tried again when there are more.
            Err(RunError::Failed(StoreError::Failed(reason))) => {
                self.remark = Some(reason);
                Ok(())
            }
            Err(RunError::Failed(error)) => Err(error),
        }
    }

    fn merge_if_due(&mut self, log: u64) {
        let number = self.number_of(log);
        let Some(bucket) = number.and_then(|number| self.buckets.get(&number)) else { return };
        let unit = self.tuning.postings as u64;
        let due = match bucket.quiet {
            true => tiers::all(&bucket.runs),
            false => tiers::due(&bucket.runs, unit, self.tuning.fan),
        };
        if let Some(range) = due {
            self.merge(bucket.number, range);
        }
    }

    /// Has runs of a bucket made one, unless some of them are at it already.
    pub(super) fn merge(&mut self, number: i64, range: Range<usize>) {
        let Some(log) = self.buckets.get(&number).map(|bucket| bucket.log.id) else { return };
        let place = self.place(log);
        if let Some(bucket) = self.buckets.get_mut(&number)
            && bucket.merging.is_none()
            && let Some(runs @ [first, .., last]) = bucket.runs.get(range)
        {
            bucket.merging = Some((first.footer.from, last.footer.to));
            self.worker.send(WorkerTask::Merge(place, runs.to_vec()));
        }
    }

    /// Makes runs of recent keys where there are many: of a bucket that has many by itself, and else
    /// of those that nothing was added to for longest.
    pub(super) fn freeze_if_due(&mut self) -> Result<(), StoreError> {
        let full =
            self.buckets.values().filter(|bucket| bucket.recent.count() >= self.tuning.postings);
        let mut due: Vec<i64> = full.map(|bucket| bucket.number).collect();
        let mut quiet = Vec::new();
        let mut total: usize = self.buckets.values().map(|bucket| bucket.recent.count()).sum();
        if total > self.tuning.total {
            let mut by_age: Vec<_> = self.buckets.values().collect();
            by_age.sort_by_key(|bucket| bucket.touched);
            for bucket in by_age {
                if total > self.tuning.total && bucket.recent.count() > 0 {
                    total -= bucket.recent.count();
                    due.push(bucket.number);
                    quiet.push(bucket.number);
                }
            }
        }
        for number in due {
            let Some(log) = self.buckets.get(&number).map(|bucket| bucket.log.id) else { continue };
            let place = self.place(log);
            if let Some(bucket) = self.buckets.get_mut(&number)
                && bucket.recent.count() > 0
            {
                bucket.quiet = quiet.contains(&number);
                let frozen = bucket.freeze(self.state);
                self.worker.send(WorkerTask::Flush(place, frozen));
            }
        }
        while self.worker.pending() > PENDING
            && let Some(done) = self.worker.wait()
        {
            self.install(done)?;
        }
        Ok(())
    }

    /// Makes a damaged run again from its log.
    pub(super) fn repair(&mut self, log: u64, from: u64, to: u64) -> Result<(), StoreError> {
        let place = self.place(log);
        let number = self.number_of(log);
        let Some(bucket) = number.and_then(|number| self.buckets.get_mut(&number)) else {
            return Ok(());
        };
        let local = |seq| bucket.local(seq).map(|at| (at as u32, bucket.documents[at]));
        match place.rebuild(&bucket.log.handle, from, to, local) {
            Ok(run) => {
                bucket.install(run);
                self.rebuilt += 1;
                Ok(())
            }
            Err(RunError::Failed(error)) => Err(error),
            Err(RunError::Damaged { .. }) => Err(StoreError::Failed(format!(
                "{} cannot be read back as it was written; the disk may be failing",
                self.folder.join(files::run(log, from, to)).display()
            ))),
        }
    }
}
