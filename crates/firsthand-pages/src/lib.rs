//! Results of firsthand as people read them: HTML pages and pictures for a browser, tables and text for
//! a terminal or a notebook.
//!
//! Every function takes a value of [`firsthand`] or [`firsthand_jobs`] and returns a string. Nothing here
//! knows an argument or asks a terminal for its width; nothing here decides an answer. Texts of documents
//! appear only as text: what would be markup, or would move a cursor, is spelled out.
//!
//! - [`answer`]: the answer of a stream
//! - [`evaluation`], [`stream_evaluation`]: how good methods are
//! - [`explanation`]: why two documents are near-duplicates or not
//! - [`histogram`]: the scores of a collection
//! - [`overview`]: the largest clusters of a collection
//! - [`tuning`]: which method and threshold labels favour
//! - `model`: what a model has learned, and what it makes of documents
//!
//! [`wrapped`] makes text fit a width, in [`columns`] of a terminal.

pub mod answer;
mod command;
pub mod evaluation;
pub mod explanation;
pub mod histogram;
mod markup;
#[cfg(feature = "learn")]
pub mod model;
pub mod overview;
mod page;
mod plot;
mod sides;
pub mod stream_evaluation;
mod table;
pub mod tuning;
mod wrap;

pub use command::explain_command;
pub use wrap::{columns, wrapped};
