//! Stores in memory, in a folder and in PostgreSQL, a theme per file.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod decisions;
mod embedded_law;
mod embedded_reading;
mod embedded_trouble;
mod erasure;
mod postgres_law;
mod postgres_opening;
mod postgres_shared;
mod postgres_silent;
mod postgres_tls;
mod server;
mod store_story;
mod story;
mod texts;
mod told;
