//! What handlers share.

use crate::keys::Keys;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::{Code, Problem};
use crate::source::Source;
use firsthand_jobs::review::Review;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::watch;

/// What handlers share: cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct AppState(Arc<Shared>);

/// See [`AppState`].
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: Arc<Limits>,
    pub(crate) keys: Keys,
    /// The names by which the service may be addressed, in lower case, without ports.
    pub(crate) hosts: Vec<String>,
    pub(crate) metrics: Arc<Metrics>,
    /// Where documents and clusters come from.
    pub(crate) source: Source,
    /// The clusters as people look at them; none if their decisions cannot be read.
    pub(crate) review: Option<Arc<Review>>,
    /// Whether the service is about to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    pub(crate) clients: crate::clients::Clients,
}

impl AppState {
    pub(crate) fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }

    /// The clusters as people look at them.
    pub(crate) fn review(&self) -> Result<Arc<Review>, Problem> {
        let detail = "the decisions in the store cannot be read; see `firsthand store verify`";
        self.review.clone().ok_or_else(|| Problem::new(Code::Internal).detail(detail))
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
