//! Runs a job while Python waits: the lock of the interpreter is free, an interrupt ends the job, progress
//! and messages go to whoever asked for them.

use crate::errors::{self, FirsthandError};
use crate::pool::pool;
use firsthand_input::ReadError;
use firsthand_jobs::problems::Unread;
use firsthand_jobs::{Cancel, JobError, Notice, Observer, Phase, numbers};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often an interrupt is looked for and progress told.
const PULSE: Duration = Duration::from_millis(50);

/// The levels of `logging`.
const DEBUG: u8 = 10;
const INFO: u8 = 20;
const WARNING: u8 = 30;

/// Hears a job out on its threads, and tells Python from the thread that waits.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) cancel: Cancel,
    messages: Mutex<Vec<(u8, String)>>,
    phase: Mutex<(String, Option<u64>)>,
    documents: AtomicU64,
    bytes: AtomicU64,
    /// In millionths.
    matched: AtomicU64,
}

impl Observer for Watch {
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn phase(&self, phase: Phase<'_>) {
        let (name, bytes) = match phase {
            Phase::Reading { bytes } => ("reading".to_owned(), bytes),
            Phase::Preparing => ("preparing".to_owned(), None),
            Phase::Matching => ("matching".to_owned(), None),
            Phase::Writing => ("writing".to_owned(), None),
            Phase::Measuring { method, number, of } => {
                (format!("measuring {method} ({number} of {of})"), None)
            }
            Phase::Step(name) | Phase::Other(name) => (name.to_owned(), None),
        };
        self.say(DEBUG, name.clone());
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = (name, bytes);
    }

    fn bytes(&self, read: u64) {
        self.bytes.store(read, Ordering::Relaxed);
    }

    fn documents(&self, more: u64) {
        self.documents.fetch_add(more, Ordering::Relaxed);
    }

    fn matched(&self, share: f64) {
        self.matched.store((share * 1e6) as u64, Ordering::Relaxed);
    }

    fn problem(&self, error: &ReadError) {
        self.say(DEBUG, errors::of_read_words(error));
    }

    fn read(&self, unread: &Unread) {
        let unreadable = &unread.unreadable;
        if let Some(first) = unreadable.list.values().next() {
            let words = errors::of_read_words(first);
            let count = numbers::counted(unreadable.count as u64, "input");
            self.say(WARNING, format!("{count} could not be read; the first: {words}"));
        }
    }

    fn notice(&self, notice: Notice<'_>) {
        let (level, words) = match notice {
            Notice::NoField { key, names } => {
                (WARNING, format!("no record has {} ({key}_field)", names.join(" or ")))
            }
            Notice::PairsNotListed { pairs, limit } => (
                WARNING,
                format!(
                    "there are more than {} pairs: each near-duplicate is listed with its original \
                     only",
                    pairs.max(limit)
                ),
            ),
            Notice::Unmatchable { id, is_empty: true } => (DEBUG, format!("{id:?} is empty")),
            Notice::Unmatchable { id, is_empty: false } => {
                (DEBUG, format!("{id:?} is too short for more than exact copies"))
            }
            Notice::NotMeasured { method, error } => {
                (WARNING, format!("{method} could not be measured: {}", errors::words(error)))
            }
            Notice::Labels { note } => (INFO, note.to_owned()),
            Notice::PairsNotCounted { method, pairs } => {
                (WARNING, format!("{method} states {pairs} further pairs, which are not counted"))
            }
            Notice::BeyondMemory { memory, scratch } => (
                INFO,
                format!(
                    "the collection takes more than {}: the rest goes to disk, {}",
                    numbers::bytes(memory),
                    scratch.display()
                ),
            ),
            Notice::NewStore { profile } => {
                (INFO, format!("a new store with the profile {profile:?}"))
            }
            Notice::Window { .. } => {
                (WARNING, "the store is used with another window than before".to_owned())
            }
            Notice::ClockJump { .. } => {
                (WARNING, "the time of the stream has jumped ahead".to_owned())
            }
            Notice::StoreRetry { error, wait } => {
                (WARNING, format!("{}; trying again in {wait:?}", errors::words(error)))
            }
            _ => return,
        };
        self.say(level, words);
    }

    fn wording(&self) -> fn(&ReadError) -> String {
        errors::of_read_words
    }
}

impl Watch {
    fn say(&self, level: u8, words: String) {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).push((level, words));
    }

    /// Runs a job on threads of its own.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        progress: Option<&Py<PyAny>>,
        job: impl FnOnce(&Self) -> Result<T, JobError> + Send,
    ) -> PyResult<T> {
        let pool = pool(threads)?;
        let mut interrupt = None;
        let ended = py.detach(|| {
            std::thread::scope(|scope| {
                let (sender, end) = channel();
                let job = scope.spawn(move || {
                    let ended = pool.install(|| job(self));
                    // Whoever waits may have gone.
                    let _ = sender.send(());
                    ended
                });
                // An error of the channel is the end of the job, too.
                while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(PULSE) {
                    let told = Python::attach(|py| {
                        py.check_signals()?;
                        self.tell(py, progress)
                    });
                    if let Err(error) = told {
                        interrupt.get_or_insert(error);
                        self.cancel.cancel();
                    }
                }
                job.join()
            })
        });
        let told = self.tell(py, progress);
        match (interrupt, ended) {
            (Some(error), _) => Err(error),
            (None, Ok(Ok(value))) => told.map(|()| value),
            (None, Ok(Err(error))) => Err(errors::of_job(&error)),
            (None, Err(_)) => Err(FirsthandError::new_err("a thread of firsthand panicked")),
        }
    }

    /// Hands messages to `logging`, and the state to whoever asked for progress.
    fn tell(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let messages =
            std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner));
        if !messages.is_empty() {
            let logger = py.import("logging")?.call_method1("getLogger", ("firsthand",))?;
            for (level, words) in messages {
                logger.call_method1("log", (level, "%s", words))?;
            }
        }
        if let Some(progress) = progress {
            let (phase, bytes) = self.phase.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let read = self.bytes.load(Ordering::Relaxed);
            let share = match (phase.as_str(), bytes) {
                ("reading", Some(bytes)) if bytes > 0 => {
                    Some((read as f64 / bytes as f64).min(1.0))
                }
                ("matching", _) => Some(self.matched.load(Ordering::Relaxed) as f64 / 1e6),
                _ => None,
            };
            let documents = self.documents.load(Ordering::Relaxed);
            progress.call1(py, (phase, documents, share))?;
        }
        Ok(())
    }
}
