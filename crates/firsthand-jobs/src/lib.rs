//! The jobs of firsthand without a terminal, between the libraries and their front ends.
//!
//! A job takes [settings](Layers), inputs and an [`Observer`], and returns values. It knows no flag, no
//! console and no signal: a front end turns what a person asks for into [`Layers`], shows what the
//! observer hears, and turns a [`JobError`] into its own words.
//!
//! - [`stream`]: JSON lines to answers, as they arrive
//! - [`watch`]: the files of a folder to answers, as they arrive
//! - [`store`]: the store of a stream, opened and looked after
//! - [`answers`]: where the answers of a stream go
//! - [`settings`]: from profile, model, file and single settings to the settings that hold
//! - [`reading`]: the loop that reads inputs, shared by all jobs
//! - [`problems`]: what was not read, by reason and in order
//! - [`results`]: the writers of results
//! - [`model_file`]: models as files
//! - [`numbers`], [`clock`]: numbers and times as people write them

pub mod answers;
mod cancel;
pub mod clock;
mod error;
#[cfg(feature = "learn")]
pub mod model_file;
pub mod numbers;
mod observer;
pub mod problems;
pub mod reading;
pub mod results;
pub mod settings;
pub mod store;
pub mod stream;
mod temp_files;
pub mod watch;

pub use cancel::Cancel;
pub use error::{InputError, JobError, OpenError, OutputError};
pub use observer::{Notice, Observer, Phase, Unobserved};
pub use problems::Unread;
pub use settings::{Layers, LayersError, Overrides, Purpose, RunSettings};
pub use temp_files::{TempFileGuard, TempFiles};
