//! Jobs without a terminal, a theme per file.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod beyond;
mod decisions;
mod dedup;
mod labelled;
mod texts;
