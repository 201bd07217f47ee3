//! Near-duplicate detection for documents.

mod document;

pub use document::Document;
