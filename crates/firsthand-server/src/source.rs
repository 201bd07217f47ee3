//! Where the documents and clusters come from that are served: a store, or the results of a search.

use std::path::PathBuf;

/// What is served.
#[derive(Debug)]
pub(crate) enum Source {
    /// The store of a stream, by its address.
    Store(String),
    /// A folder of results that `dedup` has written.
    Results(PathBuf),
}
