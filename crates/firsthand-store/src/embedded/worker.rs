//! The background thread, which writes and merges runs so that rounds do not wait for them.

use super::{
    build::{FrozenKeys, RunMaker},
    disk::Handle,
    run::{Run, RunError},
};
use firsthand::online::StoreError;
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread::JoinHandle,
};

/// Work for the background thread.
#[derive(Debug)]
pub(super) enum WorkerTask {
    Flush(RunMaker, FrozenKeys),
    Merge(RunMaker, Vec<Arc<Run>>),
    /// Syncs a file that no round waits for.
    Sync(Arc<Handle>),
}

/// A run that is finished. It replaces all runs and keys of its part of the log, `from..to`.
#[derive(Debug)]
pub(super) struct FinishedRun {
    pub(super) log: u64,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) run: Result<Arc<Run>, RunError>,
}

/// The thread and its tasks. Where only one thread is allowed, tasks are done when they are sent.
#[derive(Debug)]
pub(super) struct Worker {
    tasks: Option<Sender<WorkerTask>>,
    finished: Receiver<FinishedRun>,
    thread: Option<JoinHandle<()>>,
    /// Tasks that were sent and whose runs have not been taken yet.
    pending: usize,
    /// Runs that were made without the thread.
    inline: VecDeque<FinishedRun>,
}

impl Worker {
    /// A worker without a thread.
    pub(super) fn without_thread() -> Self {
        let (_, finished) = mpsc::channel();
        Self { tasks: None, finished, thread: None, pending: 0, inline: VecDeque::new() }
    }

    /// Starts the thread, unless the current rayon pool has only one.
    pub(super) fn start() -> Result<Self, StoreError> {
        if rayon::current_num_threads() == 1 {
            return Ok(Self::without_thread());
        }
        let (tasks, todo) = mpsc::channel();
        let (report, finished) = mpsc::channel();
        let work = move || {
            for task in todo {
                // Nobody listens any more once the store is closed.
                if let Some(run) = work(task)
                    && report.send(run).is_err()
                {
                    break;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("firsthand-store".to_owned())
            .spawn(work)
            .map_err(|e| StoreError::Failed(format!("cannot start a thread: {e}")))?;
        let (tasks, thread) = (Some(tasks), Some(thread));
        Ok(Self { tasks, finished, thread, pending: 0, inline: VecDeque::new() })
    }

    pub(super) fn send(&mut self, task: WorkerTask) {
        let makes_run = !matches!(task, WorkerTask::Sync(_));
        match &self.tasks {
            Some(tasks) => {
                if tasks.send(task).is_ok() {
                    self.pending += usize::from(makes_run);
                }
            }
            None => {
                let run = work(task);
                self.pending += usize::from(run.is_some());
                self.inline.extend(run);
            }
        }
    }

    /// A run that is finished, without waiting for one.
    pub(super) fn take(&mut self) -> Option<FinishedRun> {
        let run = self.inline.pop_front().or_else(|| self.finished.try_recv().ok())?;
        self.pending -= 1;
        Some(run)
    }

    /// The next run to be finished; none if no task is pending.
    pub(super) fn wait(&mut self) -> Option<FinishedRun> {
        if self.pending == 0 {
            return None;
        }
        let run = self.inline.pop_front().or_else(|| self.finished.recv().ok())?;
        self.pending -= 1;
        Some(run)
    }

    /// Waits until the thread has ended.
    pub(super) fn end(&mut self) {
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    pub(super) fn pending(&self) -> usize {
        self.pending
    }
}

fn work(task: WorkerTask) -> Option<FinishedRun> {
    match task {
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
            // A failure only matters if a crash and damage follow; the next round reports it.
            let _ = handle.sync();
            None
        }
    }
}
