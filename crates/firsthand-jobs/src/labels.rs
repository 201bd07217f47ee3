//! Labelled documents in any of the usual layouts, and the ground truth that follows from their labels.

mod by_name;
mod documents;
mod graded;
mod layout;
mod reading_cache;
mod summary;
mod truth;

pub use by_name::{MethodName, named_methods, present, settings_by_name};
pub use documents::LabelledDocuments;
pub use layout::{GradedFile, Layout};
pub use reading_cache::{NamedSettings, ReadingCache};
pub use summary::LabelSummary;
pub use truth::Labels;
