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
//! - `source`: the store or the results that are served
//! - `openapi`, `probes`: the interface and its description
//! - `page`: the page on which people look at copies

mod accept;
mod clients;
mod connection;
mod guard;
mod keys;
mod limits;
mod metrics;
mod openapi;
mod page;
mod probes;
mod problem;
mod service;
mod source;
mod state;
mod tls;
mod watch;

pub use keys::{Grant, Keys, KeysError, Scope, Scopes};
pub use limits::{Limits, NamedLimit};
pub use openapi::openapi_json;
pub use problem::{Code, Problem};
pub use service::{Content, RunError, ServerSettings, run, run_until_cancelled};
pub use tls::{TlsError, TlsFiles};
