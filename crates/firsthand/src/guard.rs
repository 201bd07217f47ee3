//! The number guard: figures of two texts that are alike, and which of them changed.

use serde::Serialize;

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number of things or people.
    Count,
    /// A day, a month or a year.
    Date,
    /// An amount of money.
    Price,
    /// A result of a game or a vote.
    Score,
    /// A share of a hundred.
    Percent,
    /// A length, a weight, a temperature or the like.
    Measure,
}

/// A figure that changed from one text to the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// As the earlier text has it.
    pub before: String,
    /// As the later text has it.
    pub after: String,
    /// What it is.
    pub kind: Kind,
}

impl Change {
    /// As bytes, to be kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        Vec::new()
    }

    /// From bytes that were kept; none if they are damaged.
    pub fn from_bytes(_bytes: &[u8]) -> Option<Self> {
        None
    }
}

/// What the guard keeps of a text: its figures, and enough of its words to align it with another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {}

impl Figures {
    /// Reads the figures of a text.
    pub fn read(_text: &str) -> Self {
        Self {}
    }

    /// The figures that changed from this text to a later one.
    pub fn changed(&self, _later: &Self) -> Vec<Change> {
        Vec::new()
    }

    /// As bytes, to be kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        Vec::new()
    }

    /// From bytes that were kept; none if they are damaged.
    pub fn from_bytes(_bytes: &[u8]) -> Option<Self> {
        Some(Self {})
    }
}
