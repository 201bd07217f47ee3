//! Where the documents and clusters come from that are served: a store, or the results of a search.

use crate::problem::{Code, Problem};
use crate::store::StoreSource;
use firsthand_jobs::review::Review;
use std::sync::Arc;

/// What is served.
#[derive(Debug)]
pub(crate) enum Source {
    /// The store of a stream.
    Store(Arc<StoreSource>),
    /// Results that `dedup` has written, under review.
    Results(Arc<Review>),
}

impl Source {
    /// The store.
    pub(crate) fn store(&self) -> Result<&Arc<StoreSource>, Problem> {
        match self {
            Self::Store(store) => Ok(store),
            Self::Results(_) => Err(Problem::new(Code::Conflict).detail(
                "this service shows the results of a search, and has no store; start `firsthand serve`",
            )),
        }
    }
}
