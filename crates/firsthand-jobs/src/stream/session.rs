//! Rounds with a store: documents in, answers out. A round that failed is tried again where waiting
//! can help.

use super::arrivals::Prepared;
use crate::error::JobError;
use crate::observer::{Notice, Observer};
use crate::store::OpenStore;
use firsthand::online::{Answer, Arrival, Changes, Holdings, Online, StoreError};
use firsthand_store::{ManagedStore, StopCheck};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long to wait, in milliseconds, before each further attempt on a shared store.
const WAITS: [u64; 6] = [100, 300, 1_000, 3_000, 5_000, 10_000];

/// No further attempt is made after this time.
const RETRY_FOR: Duration = Duration::from_secs(60);

/// Judges the documents of a stream with its store.
pub(crate) struct StreamSession<'a> {
    online: Online<Box<dyn ManagedStore>>,
    /// Whether the store is a server, which may come back.
    shared: bool,
    /// Whether documents are kept.
    keep: bool,
    observer: &'a dyn Observer,
    /// The jump of the clock that was last noticed.
    jumped: Option<i64>,
    /// Hears when the job is cancelled, to cut a wait short.
    cancelled: Receiver<()>,
}

impl<'a> StreamSession<'a> {
    pub(crate) fn new(store: OpenStore, keep: bool, observer: &'a dyn Observer) -> Self {
        let shared = store.is_shared();
        Self::over(Online::new(store.detector, store.store), shared, keep, observer)
    }

    /// As [`new`](Self::new), for a store that was in use before.
    pub(crate) fn over(
        mut online: Online<Box<dyn ManagedStore>>,
        shared: bool,
        keep: bool,
        observer: &'a dyn Observer,
    ) -> Self {
        let cancel = observer.cancel().clone();
        let store = online.upkeep().store_mut();
        store.stop_when(StopCheck::new(move || cancel.is_cancelled()));
        let (sender, cancelled) = channel();
        observer.cancel().on_cancel(move || {
            let _ = sender.send(());
        });
        Self { online, shared, keep, observer, jumped: None, cancelled }
    }

    /// Answers everything that was prepared, in order. When it returns, what is kept is durable.
    pub(crate) fn judge(&mut self, round: Vec<Prepared>) -> Result<Vec<Answer>, JobError> {
        let (mut arrivals, mut errors) = (Vec::new(), Vec::with_capacity(round.len()));
        for prepared in round {
            match prepared {
                Ok(arrival) => {
                    arrivals.push(arrival);
                    errors.push(None);
                }
                Err(answer) => errors.push(Some(*answer)),
            }
        }
        let answers = match arrivals.is_empty() {
            true => Vec::new(),
            false => self.judge_arrivals(&arrivals)?,
        };
        let (from, jumped) = self.online.clock();
        if let Some(to) = jumped.filter(|_| self.jumped.is_none()) {
            self.observer.notice(Notice::ClockJump { from, to });
        }
        self.jumped = jumped;
        let mut answers = answers.into_iter();
        Ok(errors.into_iter().filter_map(|error| error.or_else(|| answers.next())).collect())
    }

    /// The store, for another session.
    pub(crate) fn into_online(self) -> Online<Box<dyn ManagedStore>> {
        self.online
    }

    /// What the store holds.
    pub(crate) fn holdings(&mut self) -> Result<Holdings, StoreError> {
        self.online.upkeep().holdings()
    }

    /// The store itself.
    pub(crate) fn store(&mut self) -> &mut dyn ManagedStore {
        &mut **self.online.upkeep().store_mut()
    }

    /// Stores something beside the documents, durably.
    pub(crate) fn commit(&mut self, changes: &Changes) -> Result<(), JobError> {
        self.with_retries(|online| {
            let store = online.upkeep().store_mut();
            store.begin()?;
            store.commit(changes.clone())
        })
    }

    fn judge_arrivals(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, JobError> {
        let keep = self.keep;
        // A round can be repeated: what the first attempt stored is answered as repeated.
        self.with_retries(|online| match keep {
            true => online.add(arrivals),
            false => online.check(arrivals),
        })
    }

    /// Calls `attempt` until it succeeds or waiting cannot help. A shared store reconnects by itself.
    fn with_retries<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Online<Box<dyn ManagedStore>>) -> Result<T, StoreError>,
    ) -> Result<T, JobError> {
        let began = Instant::now();
        let mut waits = WAITS.iter().map(|wait| Duration::from_millis(*wait));
        loop {
            let error = match attempt(&mut self.online) {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            let may_help = matches!(error, StoreError::Failed(_))
                && self.shared
                && !self.observer.is_cancelled()
                && began.elapsed() < RETRY_FOR;
            let wait = if may_help { waits.next() } else { None };
            let Some(wait) = wait else { return Err(JobError::Round(error)) };
            self.observer.notice(Notice::StoreRetry { error: &error, wait });
            // Either way there is one more attempt.
            let _ = self.cancelled.recv_timeout(wait);
        }
    }
}
