//! Near-duplicate detection for documents.

mod document;
pub mod matcher;
mod measure;
mod threshold;

pub use document::Document;
pub use measure::{Measure, Rule};
pub use threshold::{Threshold, ThresholdError};
