//! What a store says about itself: numbers stay numbers, so that whoever shows them chooses how.

use serde::Serialize;

/// A value that a store tells about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// Words.
    Text(String),
    /// A number of things.
    Count(u64),
    /// A size in bytes.
    Bytes(u64),
}

impl Fact {
    /// A number of things in memory.
    pub(crate) fn count(number: usize) -> Self {
        Self::Count(number as u64)
    }
}

impl From<String> for Fact {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}
