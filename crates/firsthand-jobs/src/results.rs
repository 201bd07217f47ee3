//! Results and where they go.

pub mod file;
