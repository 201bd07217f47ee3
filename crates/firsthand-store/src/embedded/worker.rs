//! A thread that makes runs in the background, so that no round waits for it.

use super::{
    build::{FrozenKeys, RunMaker},
    disk::Handle,
    run::{Run, RunError},
};
use firsthand::online::StoreError;
use std::{
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread::JoinHandle,
};

/// Something to do.
#[derive(Debug)]
pub(super) enum WorkerTask {
    Flush(RunMaker, FrozenKeys),
    Merge(RunMaker, Vec<Arc<Run>>),
    /// Makes a file durable that nobody waits for.
    Sync(Arc<Handle>),
}

/// What was done: the run that takes the place of all that is within its part of the log.
#[derive(Debug)]
pub(super) struct FinishedRun {
    pub(super) log: u64,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) run: Result<Arc<Run>, RunError>,
}

/// The thread, and what is under way.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Option<Sender<WorkerTask>>,
    done: Receiver<FinishedRun>,
    thread: Option<JoinHandle<()>>,
    pending: usize,
}

impl Worker {
    pub(super) fn start() -> Result<Self, StoreError> {
        let (jobs, todo) = mpsc::channel();
        let (report, done) = mpsc::channel();
        let work = move || {
            for job in todo {
                // Nobody listens any more when the store is closed.
                if let Some(done) = work(job)
                    && report.send(done).is_err()
                {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("firsthand-store".to_owned())
            .spawn(work)
            .map_err(|e| StoreError::Failed(format!("cannot start a thread: {e}")))?;
        Ok(Self { jobs: Some(jobs), done, thread: Some(thread), pending: 0 })
    }

    pub(super) fn send(&mut self, job: WorkerTask) {
        let counts = !matches!(job, WorkerTask::Sync(_));
        if let Some(jobs) = &self.jobs
            && jobs.send(job).is_ok()
        {
            self.pending += usize::from(counts);
        }
    }

    /// What has been done, without waiting for more.
    pub(super) fn take(&mut self) -> Option<FinishedRun> {
        let done = self.done.try_recv().ok()?;
        self.pending -= 1;
        Some(done)
    }

    /// What is done next; none if nothing is under way.
    pub(super) fn wait(&mut self) -> Option<FinishedRun> {
        if self.pending == 0 {
            return None;
        }
        let done = self.done.recv().ok()?;
        self.pending -= 1;
        Some(done)
    }

    /// Waits until the thread has ended.
    pub(super) fn end(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    pub(super) fn pending(&self) -> usize {
        self.pending
    }
}

fn work(job: WorkerTask) -> Option<FinishedRun> {
    match job {
        WorkerTask::Flush(place, frozen) => {
            let run = place.flush(&frozen);
            Some(FinishedRun { log: place.header.log, from: frozen.from, to: frozen.to, run })
        }
        WorkerTask::Merge(place, runs) => {
            let (from, to) = (runs.first()?.footer.from, runs.last()?.footer.to);
            let run = place.merge(&runs).transpose()?;
            Some(FinishedRun { log: place.header.log, from, to, run })
        }
        WorkerTask::Sync(handle) => {
            // A failure matters only together with a crash and damage; the next round notices it.
            let _ = handle.sync();
            None
        }
    }
}
