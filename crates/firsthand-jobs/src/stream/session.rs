//! Rounds with a store: documents in, answers out. A round that failed is tried again where waiting
//! can help.

use super::arrivals::{Prepared, SignedDocument};
use super::complete::complete;
use super::import::Import;
use super::keep_texts::keep_texts;
use crate::decisions::{Decision, DecisionsError};
use crate::error::{JobError, OpenError};
use crate::kept_text::KeptText;
use crate::observer::{Notice, Observer};
use crate::store::OpenStore;
use firsthand::online::{
    Answer, Arrival, Changes, DecideError, Deleted, Holdings, LeftOut, Online, Seq, Store,
    StoreError, Upkeep,
};
use firsthand_store::{ManagedStore, StopCheck};
use std::fmt;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long to wait, in milliseconds, before each further attempt on a shared store.
const WAITS: [u64; 6] = [100, 300, 1_000, 3_000, 5_000, 10_000];

/// No further attempt is made after this time.
const RETRY_FOR: Duration = Duration::from_secs(60);

/// Judges the documents of a stream with its store, in rounds that the caller makes up.
pub struct StreamSession<'a> {
    online: Online<Box<dyn ManagedStore>>,
    /// Whether the store is a server, which may come back.
    shared: bool,
    /// Whether documents are kept.
    keep: bool,
    /// Whether their texts are kept, too.
    keeps_texts: bool,
    observer: &'a dyn Observer,
    /// The jump of the clock that was last noticed.
    jumped: Option<i64>,
    /// Hears when the job is cancelled, to cut a wait short.
    cancelled: Receiver<()>,
}

impl fmt::Debug for StreamSession<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("StreamSession").field("keep", &self.keep).finish_non_exhaustive()
    }
}

impl<'a> StreamSession<'a> {
    /// A session with a store; `keep` says whether the documents that are judged are kept.
    pub fn new(store: OpenStore, keep: bool, observer: &'a dyn Observer) -> Self {
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
        Self { online, shared, keep, keeps_texts: false, observer, jumped: None, cancelled }
    }

    /// From now on the texts of documents that are kept are kept, too.
    ///
    /// # Errors
    ///
    /// If the store is in memory, or the texts that are there cannot be read.
    pub fn keep_texts(&mut self) -> Result<(), JobError> {
        self.store().texts(true)?.ok_or(OpenError::NoTexts)?;
        self.keeps_texts = true;
        Ok(())
    }

    /// Answers everything that was prepared, in order. When it returns, what is kept is durable.
    pub(crate) fn judge(&mut self, round: Vec<Prepared>) -> Result<Vec<Answer>, JobError> {
        let (mut arrivals, mut texts) = (Vec::new(), Vec::new());
        let mut errors = Vec::with_capacity(round.len());
        for prepared in round {
            match prepared {
                Ok(SignedDocument { arrival, text }) => {
                    arrivals.push(arrival);
                    texts.push(text);
                    errors.push(None);
                }
                Err(answer) => errors.push(Some(*answer)),
            }
        }
        let answers = match arrivals.is_empty() {
            true => Vec::new(),
            false if self.keep => self.add_with_texts(&arrivals, &texts)?,
            false => self.check(&arrivals)?,
        };
        let mut answers = answers.into_iter();
        Ok(errors.into_iter().filter_map(|error| error.or_else(|| answers.next())).collect())
    }

    /// The store, for another session.
    pub(crate) fn into_online(self) -> Online<Box<dyn ManagedStore>> {
        self.online
    }

    /// Answers documents, in order, and keeps them. When it returns, they are durable.
    ///
    /// # Errors
    ///
    /// If the store fails and waiting does not help. None of the documents is acknowledged then; those
    /// that were stored all the same get the same answers when they are sent again.
    pub fn add(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, JobError> {
        self.judge_arrivals(arrivals, true)
    }

    /// The same with the texts of the documents, which are kept if [`Self::keep_texts`] was called.
    ///
    /// # Errors
    ///
    /// As [`Self::add`], also if the texts cannot be kept.
    pub fn add_with_texts(
        &mut self,
        arrivals: &[Arrival],
        texts: &[Option<KeptText>],
    ) -> Result<Vec<Answer>, JobError> {
        if !self.keeps_texts {
            return self.judge_arrivals(arrivals, true);
        }
        let first = self.next_number().map_err(JobError::Round)?;
        let answers = self.judge_arrivals(arrivals, true)?;
        self.with_retries(|online| keep_texts(online.upkeep(), first, &answers, texts))?;
        Ok(answers)
    }

    /// The text of a document; `None` if texts are not kept, or not this one.
    ///
    /// # Errors
    ///
    /// If it cannot be read as it was written.
    pub fn text(&mut self, id: &str) -> Result<Option<KeptText>, StoreError> {
        let Some(texts) = self.store().texts(false)? else { return Ok(None) };
        texts.get(id)?.map(|bytes| KeptText::from_bytes(&bytes)).transpose()
    }

    /// Whether the store has texts, of this session or an earlier one.
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn has_texts(&mut self) -> Result<bool, StoreError> {
        Ok(self.store().texts(false)?.is_some())
    }

    /// The number that the next document gets.
    pub(crate) fn next_number(&mut self) -> Result<Seq, StoreError> {
        let store = self.store();
        let head = store.begin()?;
        store.abandon();
        Ok(head.next)
    }

    /// Deletes a document, its text first; see [`Upkeep::delete`].
    ///
    /// # Errors
    ///
    /// If the store fails.
    pub fn delete(&mut self, id: &str) -> Result<Option<Deleted>, StoreError> {
        crate::store::erase_texts(self.store(), &[id])?;
        self.online.upkeep().delete(id)
    }

    /// Takes down a decision about documents, and obeys it from now on; see [`Upkeep::decide`]. What it
    /// leaves out is the rest of the cluster, or its original. Returns the number of its line.
    ///
    /// # Errors
    ///
    /// If the store fails and waiting does not help.
    pub fn decide(
        &mut self,
        decision: &Decision,
    ) -> Result<Result<(usize, Decision), DecideError>, JobError> {
        self.with_retries(|online| {
            let mut decision = decision.clone();
            complete(online.upkeep(), &mut decision)?;
            let taken = online.upkeep().decide(vec![decision])?.remove(0);
            let line = match taken {
                Ok(line) => line,
                Err(error) => return Ok(Err(error)),
            };
            let lines = online.upkeep().decisions()?;
            let decision = lines.get(line - 1).cloned().flatten();
            Ok(decision.map(|decision| (line, decision)).ok_or(DecideError::Line(line)))
        })
    }

    /// Takes down a decision as it is, and obeys it from now on; the number of its line.
    ///
    /// # Errors
    ///
    /// If the store fails and waiting does not help.
    pub fn take_down(
        &mut self,
        decision: &Decision,
    ) -> Result<Result<usize, DecideError>, JobError> {
        self.with_retries(|online| {
            Ok(online.upkeep().import_decisions(vec![decision.clone()])?.remove(0))
        })
    }

    /// Takes down decisions from a file, but for those that were taken down before, so that the same file
    /// may be given again with more in it; returns how many are new.
    ///
    /// # Errors
    ///
    /// If the store fails and waiting does not help, or one makes no sense here.
    pub fn import_decisions(&mut self, lines: &[Option<Decision>]) -> Result<usize, JobError> {
        let known = self.with_retries(|online| Ok(online.upkeep().decisions()?.to_vec()))?;
        let mut import = Import::new(&known);
        for (number, line) in (1..).zip(lines) {
            let Some(decision) = line else { continue };
            let Some(new) = import.next(number, decision) else { continue };
            let line = self.take_down(&new)?;
            let line = line.map_err(|error| DecisionsError::NotTaken { line: number, error })?;
            import.took(number, line);
        }
        Ok(import.new)
    }

    /// Answers documents without keeping them, each as if it were the next to arrive.
    ///
    /// # Errors
    ///
    /// If the store fails and waiting does not help.
    pub fn check(&mut self, arrivals: &[Arrival]) -> Result<Vec<Answer>, JobError> {
        self.judge_arrivals(arrivals, false)
    }

    /// The number of candidates that documents were compared with so far.
    pub fn candidates(&self) -> u64 {
        self.online.candidates()
    }

    /// What the window has left out so far.
    pub(crate) fn left_out(&self) -> LeftOut {
        self.online.left_out()
    }

    /// Look-ups and upkeep, between rounds.
    pub fn upkeep(&mut self) -> &mut Upkeep<Box<dyn ManagedStore>> {
        self.online.upkeep()
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

    fn judge_arrivals(
        &mut self,
        arrivals: &[Arrival],
        keep: bool,
    ) -> Result<Vec<Answer>, JobError> {
        // A round can be repeated: what the first attempt stored is answered as repeated.
        let answers = self.with_retries(|online| match keep {
            true => online.add(arrivals),
            false => online.check(arrivals),
        })?;
        let (from, jumped) = self.online.clock();
        if let Some(to) = jumped.filter(|_| self.jumped.is_none()) {
            let by = self.online.jumped_by();
            self.observer.notice(Notice::ClockJump { from, to, by });
        }
        self.jumped = jumped;
        Ok(answers)
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
