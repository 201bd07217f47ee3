//! The jobs of firsthand without a terminal, between the libraries and their front ends.
//!
//! A job takes [settings](Layers), inputs and an [`Observer`], and returns values. It knows no flag, no
//! console and no signal: a front end turns what a person asks for into [`Layers`], shows what the
//! observer hears, and turns a [`JobError`] into its own words.
//!
//! - [`dedup`]: all near-duplicates of a collection, in clusters
//! - [`explain`]: how similar two documents are, and why
//! - [`extract`]: the texts that documents are compared by
//! - [`stream`]: JSON lines to answers, as they arrive
//! - [`watch`]: the files of a folder to answers, as they arrive
//! - [`store`]: the store of a stream, opened and looked after
//! - [`held_store`]: a store that a caller with documents of its own holds open
//! - [`answers`]: where the answers of a stream go
//! - [`settings`]: from profile, model, file and single settings to the settings that hold
//! - [`reading`]: the loop that reads inputs, shared by all jobs
//! - [`documents`]: the documents of inputs themselves
//! - [`problems`]: what was not read, by reason and in order
//! - [`findings`], [`descriptions`], [`report`], [`results`]: what was found, and the writers of it
//! - [`decisions`]: what people have decided about copies, an input like any other
//! - [`review`]: results as people look at them and decide about them
//! - [`texts`], [`largest`]: documents of results read again from the inputs
//! - [`values`]: what was found, row by row
//! - [`model_file`]: models as files
//! - [`labels`]: labelled documents and the ground truth that follows from their labels
//! - [`evaluate`], [`tune`], [`sample`]: how good methods are, which threshold to use, which pairs to
//!   label
//! - `learn`, `model_weights`: models from labelled documents, and what they make of a document
//! - [`numbers`], [`visible`]: numbers as people write them, and text that is safe to show
//!
//! # Threads
//!
//! Everything that computes runs on the current rayon thread pool, or on at most as many scoped threads:
//! a front end limits a job by the size of that pool. Beside it there are threads that mostly wait: one
//! that reads and decompresses inputs, one that hands the lines of a stream to the pool, one for the
//! notifications of a watched folder, and one that writes an embedded store in the background.

pub mod answers;
pub mod beyond;
mod cancel;
pub mod decisions;
pub mod dedup;
mod description;
pub mod descriptions;
pub mod documents;
mod error;
pub mod evaluate;
pub mod explain;
pub mod extract;
pub mod findings;
pub mod held_store;
mod input_order;
mod inputs;
mod kept_text;
pub mod labels;
pub mod largest;
#[cfg(feature = "learn")]
pub mod learn;
#[cfg(feature = "learn")]
pub mod model_file;
#[cfg(feature = "learn")]
pub mod model_weights;
mod named;
pub mod numbers;
mod observer;
mod packed_description;
mod pair_list;
pub mod problems;
mod process_memory;
pub mod reading;
pub mod report;
pub mod results;
pub mod review;
pub mod sample;
pub mod settings;
mod site_counts;
pub mod sources;
pub mod store;
pub mod stream;
mod temp_files;
pub mod texts;
pub mod tune;
pub mod values;
pub mod visible;
pub mod watch;

pub use cancel::Cancel;
#[cfg(feature = "learn")]
pub use error::ModelFileError;
pub use error::{
    DocumentError, InputError, JobError, LabelError, MemoryError, OpenError, OutputError,
    SampleError,
};
pub use input_order::InputFate;
pub use inputs::{InputTable, Inputs};
pub use kept_text::KeptText;
pub use observer::{Notice, Observer, Phase, Unobserved};
pub use pair_list::PairList;
pub use problems::Unread;
pub use settings::{Layers, LayersError, Purpose, SettingsFile};
pub use temp_files::{TempFileGuard, TempFiles};
