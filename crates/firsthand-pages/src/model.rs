//! What a model has learned, and what it makes of documents: as text and as JSON.

mod grams;
mod pair;
mod weights;
mod words;

pub use grams::grams;
pub use pair::pair;
pub use weights::{summary, weights};

/// The same as text for people and as JSON for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct TextAndJson {
    /// For people.
    pub text: String,
    /// For programs.
    pub json: serde_json::Value,
}
