//! Upkeep between rounds: recent keys are written to runs, and runs are merged.

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

/// Pending runs above which rounds wait for the background thread.
const MOST_PENDING: usize = 6;

impl Embedded {
    pub(super) fn place(&self, log: u64) -> RunMaker {
        let header = LogHeader { log, ..self.header };
        let (disk, folder) = (self.disk.clone(), self.folder.clone());
        RunMaker { disk, folder, header }
    }

    fn number_of(&self, log: u64) -> Option<i64> {
        self.main_contents.logs.get(&log).copied()
    }

    /// Installs the runs that the background thread has finished.
    pub(super) fn install_finished(&mut self) -> Result<(), StoreError> {
        while let Some(finished) = self.worker.take() {
            self.install(finished)?;
        }
        Ok(())
    }

    /// Waits until the background thread is idle.
    pub(super) fn wait_for_worker(&mut self) -> Result<(), StoreError> {
        while let Some(finished) = self.worker.wait() {
            self.install(finished)?;
        }
        Ok(())
    }

    fn install(&mut self, finished: FinishedRun) -> Result<(), StoreError> {
        let bucket = self.number_of(finished.log).and_then(|number| self.buckets.get_mut(&number));
        let Some(bucket) = bucket.filter(|bucket| bucket.log.id == finished.log) else {
            // The bucket was forgotten meanwhile.
            files::delete(&self.folder.join(files::run(finished.log, finished.from, finished.to)));
            return Ok(());
        };
        // The finished run may be another one of the same log.
        bucket.merging = bucket.merging.filter(|part| *part != (finished.from, finished.to));
        match finished.run {
            Ok(run) => {
                for old in bucket.install(run) {
                    // A rebuilt run has the name of the one that it replaces.
                    if bucket.runs.iter().all(|run| run.handle.path() != old.handle.path()) {
                        files::delete(old.handle.path());
                    }
                }
                self.merge_if_due(finished.log);
                Ok(())
            }
            Err(RunError::Damaged { log, from, to }) => self.repair(log, from, to),
            // The keys are still in memory, or in the runs that were to be merged: nothing is lost, and
            // the next flush or merge tries again.
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
            self.merge(bucket.sum.number, range);
        }
    }

    /// Starts merging runs of a bucket, unless a merge is under way there.
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

    /// Starts writing recent keys to runs: those of a bucket that has many, and if all buckets together
    /// have too many, those of the buckets that have gone longest without an addition.
    pub(super) fn freeze_if_due(&mut self) -> Result<(), StoreError> {
        let full =
            self.buckets.values().filter(|bucket| bucket.recent.count() >= self.tuning.postings);
        let mut due: Vec<i64> = full.map(|bucket| bucket.sum.number).collect();
        let mut quiet = Vec::new();
        let mut total: usize = self.buckets.values().map(|bucket| bucket.recent.count()).sum();
        if total > self.tuning.total {
            let mut by_age: Vec<_> = self.buckets.values().collect();
            by_age.sort_by_key(|bucket| bucket.touched);
            for bucket in by_age {
                if total > self.tuning.total && bucket.recent.count() > 0 {
                    total -= bucket.recent.count();
                    due.push(bucket.sum.number);
                    quiet.push(bucket.sum.number);
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
        while self.worker.pending() > MOST_PENDING
            && let Some(finished) = self.worker.wait()
        {
            self.install(finished)?;
        }
        Ok(())
    }

    /// Rebuilds a damaged run from its log.
    pub(super) fn repair(&mut self, log: u64, from: u64, to: u64) -> Result<(), StoreError> {
        let place = self.place(log);
        let number = self.number_of(log);
        let Some(bucket) = number.and_then(|number| self.buckets.get_mut(&number)) else {
            return Ok(());
        };
        let local = |seq| bucket.local(seq).map(|at| (at as u32, bucket.documents[at]));
        let keys = place.reread_keys(&bucket.log.handle, from, to, local)?;
        if self.journal.is_none() {
            // A reader keeps them in memory.
            bucket.runs.retain(|run| (run.footer.from, run.footer.to) != (from, to));
            bucket.frozen.push(keys);
            return Ok(());
        }
        match place.flush(&keys) {
            Ok(run) => {
                bucket.install(run);
                self.rebuilt += 1;
                Ok(())
            }
            Err(RunError::Failed(error)) => Err(error),
            Err(RunError::Damaged { .. }) => Err(StoreError::Failed(format!(
                "{} was rebuilt and still cannot be read; the disk may be failing",
                self.folder.join(files::run(log, from, to)).display()
            ))),
        }
    }
}
