//! The service over real sockets, on the loopback interface.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod client;
mod decisions;
mod documents;
mod endpoints;
mod interface;
mod keys;
mod limits;
mod openings;
mod page;
// Shared with the tests of stores, which also crash servers.
#[allow(dead_code)]
#[path = "../../../firsthand-store/tests/stores/server/mod.rs"]
mod postgres;
mod stopping;
mod texts;
mod tls;
