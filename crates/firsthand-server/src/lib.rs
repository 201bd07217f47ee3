//! firsthand as an HTTP service: documents are judged as they arrive, and people look at clusters.
//!
//! [`run`] takes a listener, [`ServerSettings`] and a future that ends when the service is to stop, so that
//! tests run the real service on a free port.
//!
//! - `accept`, `connection`, `tls`: connections with their limits, and an orderly end
//! - `guard`, `keys`, `clients`: who may ask for what, and how much at once
//! - `watch`, `metrics`: one line in the log for each request, and what is counted
//! - `problem`: errors, as documents that programs can read
//! - `limits`: every limit, by name
//! - `source`, `store`, `judge`, `disk`: the store or the results that are served, and the one thread that
//!   changes the store
//! - `body`, `decode`, `array`, `upload`, `line_problem`, `spool`: documents that are sent, and their answers
//! - `api`, `params`, `cursor`, `diff`: the endpoints under /v1
//! - `openapi`, `probes`: the description of the interface, and whether the service is well
//! - `page`: the page on which people look at copies

// A problem is made once for a request that is refused: its size does not matter.
#![allow(clippy::result_large_err)]

mod accept;
mod api;
mod array;
mod body;
mod clients;
mod connection;
mod cursor;
mod decode;
mod diff;
mod disk;
mod guard;
mod judge;
mod keys;
mod limits;
mod line_problem;
mod metrics;
mod openapi;
mod page;
mod params;
mod probes;
mod problem;
mod service;
mod source;
mod spool;
mod state;
mod store;
mod stream_access;
mod tls;
mod upload;
mod watch;

pub use keys::{Grant, Keys, KeysError, Scope, Scopes};
pub use limits::{Limits, NamedLimit};
pub use openapi::openapi_json;
pub use problem::{Code, Problem};
pub use service::{Content, RunError, ServerSettings, run, run_until_cancelled};
pub use tls::{TlsError, TlsFiles};

/// Puts a message into the log of the service.
pub fn log(text: &str) {
    tracing::info!("{text}");
}
