//! The one thread that has the store open to change it: it judges documents in rounds, and answers look-ups
//! between them.
//!
//! The engine is synchronous. Requests hand their signed documents over and wait; a round takes what is
//! there, so that the documents of many requests share a commit.

use crate::disk::Disk;
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use firsthand::online::{Answer, Arrival, StoreError, Verdict};
use firsthand_jobs::store::{OpenStore, StoreRequest, open};
use firsthand_jobs::stream::{ROUND_BYTES, ROUND_DOCUMENTS, StreamSession};
use firsthand_jobs::{Cancel, JobError, KeptText, Notice, Observer};
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::sync::oneshot;

/// Look-ups that are answered between two rounds.
const LOOK_UPS: usize = 64;

/// Documents of one request that are judged together.
pub(crate) struct Documents {
    pub(crate) arrivals: Vec<Arrival>,
    /// Their texts, if they are kept.
    pub(crate) texts: Vec<Option<KeptText>>,
    /// Whether they are stored.
    pub(crate) keep: bool,
    /// About how many bytes they take.
    pub(crate) size: usize,
}

type Reply = oneshot::Sender<Result<Vec<Answer>, Problem>>;
type Call = Box<dyn FnOnce(&mut StreamSession<'_>) + Send>;

#[derive(Default)]
struct Queue {
    documents: VecDeque<(Documents, Reply)>,
    calls: VecDeque<Call>,
    is_closed: bool,
}

struct Inner {
    queue: Mutex<Queue>,
    changed: Condvar,
    metrics: Arc<Metrics>,
    disk: Arc<Disk>,
    has_failed: AtomicBool,
    /// Counts the rounds that may have changed something.
    changes: AtomicU64,
}

/// The judge, for everybody who has something for it.
#[derive(Clone)]
pub(crate) struct Judge {
    inner: Arc<Inner>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Judge({})", if self.has_failed() { "failed" } else { "well" })
    }
}

/// The answer where the judge is not to be had.
fn gone() -> Problem {
    Problem::new(Code::Unavailable).detail("the store cannot be used now; try again")
}

impl Judge {
    /// Starts the thread. `keep_text` says whether texts are kept.
    pub(crate) fn start(
        store: OpenStore,
        keep_text: bool,
        metrics: &Arc<Metrics>,
        disk: &Arc<Disk>,
    ) -> Result<Self, JobError> {
        let inner = Arc::new(Inner {
            queue: Mutex::default(),
            changed: Condvar::new(),
            metrics: Arc::clone(metrics),
            disk: Arc::clone(disk),
            has_failed: AtomicBool::new(false),
            changes: AtomicU64::new(1),
        });
        let of_thread = Arc::clone(&inner);
        let (ready, is_ready) = std::sync::mpsc::channel();
        let thread = std::thread::Builder::new().name("firsthand-judge".to_owned());
        let thread = thread
            .spawn(move || work(&of_thread, store, keep_text, &ready))
            .map_err(JobError::Thread)?;
        let judge = Self { inner, thread: Arc::new(Mutex::new(Some(thread))) };
        match is_ready.recv() {
            Ok(Err(error)) => Err(error),
            _ => Ok(judge),
        }
    }

    /// Whether the store has failed and is not open again.
    pub(crate) fn has_failed(&self) -> bool {
        self.inner.has_failed.load(Ordering::Relaxed)
    }

    /// A number that is another one after every change of the store by this service.
    pub(crate) fn changes(&self) -> u64 {
        self.inner.changes.load(Ordering::Relaxed)
    }

    /// Hands documents over; the answers come in their order.
    pub(crate) fn submit(
        &self,
        documents: Documents,
    ) -> oneshot::Receiver<Result<Vec<Answer>, Problem>> {
        let (reply, answers) = oneshot::channel();
        let mut queue = self.inner.lock();
        match queue.is_closed {
            true => {
                let _ = reply.send(Err(gone()));
            }
            false => {
                self.inner.metrics.queue_bytes.add(documents.size);
                queue.documents.push_back((documents, reply));
                self.inner.changed.notify_one();
            }
        }
        answers
    }

    /// Calls something between two rounds.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut StreamSession<'_>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.send(call).await.map_err(|_| gone())
    }

    /// The same, for a thread that may wait.
    pub(crate) fn call_blocking<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut StreamSession<'_>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        self.send(call).blocking_recv().map_err(|_| gone())
    }

    fn send<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut StreamSession<'_>) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, value) = oneshot::channel();
        let mut queue = self.inner.lock();
        // If it is closed, the call is dropped, and so is its sender.
        if !queue.is_closed {
            queue.calls.push_back(Box::new(move |session| {
                let _ = sender.send(call(session));
            }));
            self.inner.changed.notify_one();
        }
        value
    }

    /// Has something done between two rounds, without waiting for it; false if there are none any more. A
    /// task that cannot be done is dropped.
    pub(crate) fn enqueue(&self, task: Call) -> bool {
        let mut queue = self.inner.lock();
        if !queue.is_closed {
            queue.calls.push_back(task);
            self.inner.changed.notify_one();
        }
        !queue.is_closed
    }

    /// Notes that a call has changed the store.
    pub(crate) fn note_change(&self) {
        self.inner.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends the thread once it has done what it was given, and closes the store.
    pub(crate) fn end(&self) {
        self.inner.lock().is_closed = true;
        self.inner.changed.notify_all();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// Calls, and documents for a round.
type Work = (Vec<Call>, Vec<(Documents, Reply)>);

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something to do: calls, and documents for a round; none once the queue is closed and
    /// empty.
    fn take(&self) -> Option<Work> {
        let mut queue = self.lock();
        while queue.calls.is_empty() && queue.documents.is_empty() {
            if queue.is_closed {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        let most = queue.calls.len().min(LOOK_UPS);
        let calls = queue.calls.drain(..most).collect();
        let (mut taken, mut documents, mut bytes) = (Vec::new(), 0, 0);
        while let Some((next, _)) = queue.documents.front() {
            let fits = documents + next.arrivals.len() <= ROUND_DOCUMENTS
                && bytes + next.size <= ROUND_BYTES;
            let is_alike =
                taken.first().is_none_or(|(first, _): &(Documents, _)| first.keep == next.keep);
            if !taken.is_empty() && (!fits || !is_alike) {
                break;
            }
            documents += next.arrivals.len();
            bytes += next.size;
            taken.extend(queue.documents.pop_front());
        }
        self.metrics.queue_bytes.sub(bytes);
        Some((calls, taken))
    }
}

/// What the judge tells the log.
struct Log(Cancel);

impl Observer for Log {
    fn cancel(&self) -> &Cancel {
        &self.0
    }

    fn notice(&self, notice: Notice<'_>) {
        match notice {
            Notice::StoreRetry { wait, .. } => {
                tracing::warn!(
                    milliseconds = wait.as_millis(),
                    "the store failed and is asked again"
                );
            }
            Notice::ClockJump { .. } => tracing::warn!("the time of the stream has jumped ahead"),
            _ => {}
        }
    }
}

/// The thread.
fn work(
    inner: &Inner,
    store: OpenStore,
    keep_text: bool,
    ready: &std::sync::mpsc::Sender<Result<(), JobError>>,
) {
    let log = Log(Cancel::default());
    let address = store.address.clone();
    let start = |store: OpenStore| {
        let mut session = StreamSession::new(store, true, &log);
        match keep_text {
            true => session.keep_texts().map(|()| session),
            false => Ok(session),
        }
    };
    let mut session = match start(store) {
        Ok(session) => Some(session),
        Err(error) => {
            let _ = ready.send(Err(error));
            return;
        }
    };
    let _ = ready.send(Ok(()));
    let reopen = |writable: bool| {
        let request =
            StoreRequest { address: address.clone(), writable, ..StoreRequest::default() };
        open(request, &log)
    };
    while let Some((calls, batches)) = inner.take() {
        let mut reader = None;
        if session.is_none() {
            session = reopen(true).and_then(start).ok();
            inner.has_failed.store(session.is_none(), Ordering::Relaxed);
            if session.is_none() {
                // Checking and looking up need no room on a disk that is full.
                reader = reopen(false).map(|store| StreamSession::new(store, true, &log)).ok();
            }
        }
        let is_writable = session.is_some();
        let is_possible = |(documents, _): &(Documents, Reply)| is_writable || !documents.keep;
        let open_session = session.as_mut().or(reader.as_mut());
        let (batches, refused): (Vec<_>, Vec<_>) =
            batches.into_iter().partition(|batch| open_session.is_some() && is_possible(batch));
        for (_, reply) in refused {
            let _ = reply.send(Err(gone()));
        }
        // Without a session calls are dropped, which whoever waits for them notices.
        let Some(open_session) = open_session else { continue };
        for call in calls {
            call(open_session);
        }
        if batches.is_empty() {
            continue;
        }
        if judge(inner, open_session, batches).is_err() {
            // A store in a folder refuses everything after a failure, until it is opened again.
            session = None;
            inner.has_failed.store(true, Ordering::Relaxed);
        }
    }
}

/// Judges the documents of some requests in one round.
fn judge(
    inner: &Inner,
    session: &mut StreamSession<'_>,
    batches: Vec<(Documents, Reply)>,
) -> Result<(), ()> {
    let keep = batches.first().is_some_and(|(documents, _)| documents.keep);
    let (mut arrivals, mut texts, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for (documents, reply) in batches {
        parts.push((documents.arrivals.len(), reply));
        arrivals.extend(documents.arrivals);
        texts.extend(documents.texts);
    }
    let (began, candidates) = (Instant::now(), session.candidates());
    let judged = match keep {
        true => session.add_with_texts(&arrivals, &texts),
        false => session.check(&arrivals),
    };
    match judged {
        Ok(answers) => {
            inner.metrics.round(began.elapsed());
            inner.metrics.candidates.add(session.candidates() - candidates);
            if keep {
                inner.changes.fetch_add(1, Ordering::Relaxed);
            }
            let mut answers = answers.into_iter();
            for (count, reply) in parts {
                let answers: Vec<Answer> = answers.by_ref().take(count).collect();
                count_verdicts(&inner.metrics, &answers);
                let _ = reply.send(Ok(answers));
            }
            Ok(())
        }
        Err(error) => {
            tracing::error!(kind = kind(&error), "a round failed; nothing of it is acknowledged");
            inner.disk.look_again();
            let problem = match inner.disk.is_nearly_full() {
                true => crate::disk::full(),
                false => gone(),
            };
            for (_, reply) in parts {
                let _ = reply.send(Err(problem.clone()));
            }
            Err(())
        }
    }
}

/// The kind of an error, for the log: the error itself may name what documents hold.
fn kind(error: &JobError) -> &'static str {
    match error {
        JobError::Round(StoreError::Damaged(_)) | JobError::Store(StoreError::Damaged(_)) => {
            "damaged"
        }
        JobError::Round(StoreError::Failed(_)) | JobError::Store(StoreError::Failed(_)) => "failed",
        _ => "other",
    }
}

fn count_verdicts(metrics: &Metrics, answers: &[Answer]) {
    let verdicts = [
        (Verdict::Original, "original"),
        (Verdict::Duplicate, "duplicate"),
        (Verdict::Update, "update"),
        (Verdict::TooShort, "too_short"),
        (Verdict::Error, "error"),
    ];
    for (verdict, label) in verdicts {
        let count = answers.iter().filter(|answer| answer.verdict == verdict).count() as u64;
        if count > 0 {
            metrics.verdicts(label, count);
        }
    }
}
