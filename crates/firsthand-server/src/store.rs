//! A stream with its store: the judge that changes it, and views of it beside the judge for what takes long.

use crate::disk::Disk;
use crate::judge::Judge;
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use firsthand::Settings;
use firsthand::online::{StoreError, StoredCluster, Upkeep};
use firsthand_jobs::store::{OpenStore, Reviewed, upkeep};
use firsthand_jobs::stream::{LineSigner, StreamSession};
use firsthand_jobs::{JobError, Unobserved};
use firsthand_store::ManagedStore;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// A shared store is asked this often, at most, what other processes have done.
const STALE: Duration = Duration::from_millis(100);

/// A list of clusters is made anew after this many times the time that it took.
const PATIENCE: u32 = 10;

/// A stream with its store.
#[derive(Debug)]
pub(crate) struct StoreSource {
    pub(crate) judge: Judge,
    pub(crate) signer: LineSigner,
    pub(crate) disk: Arc<Disk>,
    pub(crate) keep_text: bool,
    /// The settings of the store, without its salt.
    pub(crate) settings: Settings,
    address: String,
    clusters: Mutex<Option<Arc<ClusterList>>>,
    /// Counts the requests that have decided something.
    decisions: AtomicU64,
    /// What other processes do with the store, if it is shared.
    others: Option<std::sync::Mutex<Others>>,
}

/// What is known of a store that other processes change as well.
#[derive(Clone, Copy, Debug, Default)]
struct Others {
    asked: Option<Instant>,
    rounds: u64,
    decisions: u64,
}

/// The clusters of a store as of a moment.
#[derive(Debug)]
pub(crate) struct ClusterList {
    pub(crate) clusters: Vec<StoredCluster>,
    /// What people have done with them.
    pub(crate) reviewed: Reviewed,
    changes: u64,
    decisions: u64,
    made: Instant,
    took: Duration,
}

/// What has changed since, by numbers that are others then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revisions {
    pub(crate) changes: u64,
    pub(crate) decisions: u64,
}

/// The problem of a store that fails.
pub(crate) fn store_problem(error: &StoreError) -> Problem {
    match error {
        StoreError::Damaged(_) => Problem::new(Code::Internal)
            .detail("the store is damaged; see `firsthand store verify`"),
        _ => Problem::new(Code::Unavailable).detail("the store cannot be used now; try again"),
    }
}

/// The problem of a job that fails.
pub(crate) fn job_problem(error: &JobError) -> Problem {
    match error {
        JobError::Store(error) | JobError::Round(error) => store_problem(error),
        _ => Problem::new(Code::Unavailable).detail("the store cannot be used now; try again"),
    }
}

/// A thread of the pool that was lost.
pub(crate) fn lost(_: tokio::task::JoinError) -> Problem {
    Problem::new(Code::Internal)
}

/// A view of a store for reading.
pub(crate) enum StoreView {
    /// Its own, as of the last round.
    Own(Box<Upkeep<Box<dyn ManagedStore>>>),
    /// The judge's, for a store in memory.
    Judge(Judge),
}

impl StoreView {
    /// Asks the store something. The caller's thread waits.
    pub(crate) fn ask<T: Send + 'static>(
        &mut self,
        ask: impl FnOnce(&mut Upkeep<Box<dyn ManagedStore>>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        match self {
            Self::Own(upkeep) => ask(upkeep),
            Self::Judge(judge) => judge.call_blocking(move |session| ask(session.upkeep()))?,
        }
        .map_err(|error| store_problem(&error))
    }
}

impl StoreSource {
    pub(crate) fn start(
        store: OpenStore,
        keep_text: bool,
        least_free: u64,
        metrics: &Arc<Metrics>,
    ) -> Result<Self, JobError> {
        let address = store.address.clone();
        let others = store.is_shared().then(std::sync::Mutex::default);
        let folder = Some(PathBuf::from(&address)).filter(|folder| folder.is_dir());
        let disk = Arc::new(Disk::new(folder, least_free));
        let signer = LineSigner::new(&store, &Unobserved::default());
        let mut settings = store.detector.settings().clone();
        // It is nobody's business.
        settings.stream.salt = 0;
        let judge = Judge::start(store, keep_text, metrics, &disk)?;
        let clusters = Mutex::new(None);
        let decisions = AtomicU64::new(0);
        Ok(Self { judge, signer, disk, keep_text, settings, address, clusters, decisions, others })
    }

    /// A number that is another one after every decision, and one that is another one after every change of
    /// the store; those of other processes are noticed after a tenth of a second. The caller's thread waits.
    pub(crate) fn revisions(&self) -> Revisions {
        let others = self.others.as_ref().map(|others| self.ask_others(others)).unwrap_or_default();
        Revisions {
            // Both only grow, so that a sum stays the same only if both do.
            changes: self.judge.changes() + others.rounds,
            decisions: self.decisions.load(Ordering::Relaxed).wrapping_add(others.decisions),
        }
    }

    fn ask_others(&self, others: &std::sync::Mutex<Others>) -> Others {
        let mut known = others.lock().unwrap_or_else(PoisonError::into_inner);
        if known.asked.is_none_or(|asked| asked.elapsed() >= STALE) {
            let (sender, answer) = std::sync::mpsc::channel();
            self.judge.enqueue(Box::new(move |session| {
                let rounds = session.upkeep().store_mut().rounds_of_all();
                let decisions = session.upkeep().decisions_revision();
                let _ = sender.send((rounds, decisions));
            }));
            // A store that cannot be asked is asked again; what is shown says so by itself.
            if let Ok((Ok(rounds), Ok(decisions))) = answer.recv() {
                *known = Others { asked: Some(Instant::now()), rounds, decisions };
            }
        }
        *known
    }

    /// Notes that something was decided: what people see next must show it.
    pub(crate) fn note_decisions(&self) {
        self.judge.note_change();
        self.decisions.fetch_add(1, Ordering::Relaxed);
        if let Some(others) = &self.others {
            others.lock().unwrap_or_else(PoisonError::into_inner).asked = None;
        }
    }

    /// Asks the store something between two rounds.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut StreamSession<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.judge.call(ask).await?.map_err(|error| store_problem(&error))
    }

    /// A view for reading. The caller's thread waits.
    pub(crate) fn view(&self) -> Result<StoreView, Problem> {
        match &*self.address {
            "memory:" => Ok(StoreView::Judge(self.judge.clone())),
            address => {
                let (upkeep, _) = upkeep(address, false).map_err(|error| job_problem(&error))?;
                Ok(StoreView::Own(Box::new(upkeep)))
            }
        }
    }

    /// The clusters. A list that took long is used for a while, though documents arrive.
    pub(crate) async fn clusters(self: &Arc<Self>) -> Result<Arc<ClusterList>, Problem> {
        let mut known = self.clusters.lock().await;
        let source = Arc::clone(self);
        let revisions = tokio::task::spawn_blocking(move || source.revisions());
        let Revisions { changes, decisions } = revisions.await.map_err(lost)?;
        if let Some(list) = &*known
            && list.decisions == decisions
            && (list.changes == changes || list.made.elapsed() < list.took * PATIENCE)
        {
            return Ok(Arc::clone(list));
        }
        let source = Arc::clone(self);
        let made = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            let (clusters, reviewed) =
                source.view()?.ask(|upkeep| Ok((upkeep.clusters(1)?, Reviewed::read(upkeep)?)))?;
            Ok(ClusterList {
                clusters,
                reviewed,
                changes,
                decisions,
                made: Instant::now(),
                took: began.elapsed(),
            })
        });
        let list = Arc::new(made.await.map_err(lost)??);
        *known = Some(Arc::clone(&list));
        Ok(list)
    }
}
