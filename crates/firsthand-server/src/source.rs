//! Where the documents and clusters come from that are served: a store, or the results of a search.

use firsthand_jobs::review::Review;
use std::sync::Arc;

/// What is served.
#[derive(Debug)]
pub(crate) enum Source {
    /// The store of a stream, by its address.
    Store(String),
    /// Results that `dedup` has written, under review.
    Results(Arc<Review>),
}
