//! The number guard: figures of two texts that are alike, and which of them changed.
//!
//! A text is read once ([`Figures::read`]), and what is kept of it is small: its figures, each with
//! what it says exactly, and hashes of the few words around each of them, in which every figure is
//! masked. Where two texts have the same words, the figures among them stand for the same thing; if
//! they say different things, one has changed ([`Figures::changed`]). The same value written in another
//! way is no change, and neither is a figure that only one of the texts has.
//!
//! ```
//! use firsthand::guard::Figures;
//!
//! let first = Figures::read("The fire in the old town has killed seventeen people, police said.");
//! let later = Figures::read("The fire in the old town has killed 23 people, police said.");
//! let changed = first.changed(&later);
//! assert_eq!((&*changed[0].before, &*changed[0].after), ("seventeen people", "23 people"));
//! ```

mod align;
mod amount;
mod bytes;
mod codes;
mod compare;
mod compound;
mod convert;
mod dates;
mod digits;
mod furniture;
mod pieces;
mod read;
mod spelled;
mod tongue;
mod value;
mod view;
mod words;

use serde::Serialize;
use value::Value;

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
    /// A length, a weight, a temperature, a stretch of time or the like.
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
        bytes::write_change(self)
    }

    /// From bytes that were kept; none if they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes::read_change(bytes)
    }
}

/// What the guard keeps of a text: its figures, and enough of its words to align it with another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Short hashes of the words near figures, [`MASK`] for every number, [`GAP`] where words were
    /// left out.
    words: Vec<u16>,
    /// Ascending by their places among the words.
    figures: Vec<Figure>,
}

/// A figure of a text.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    /// Its place among the words.
    at: u32,
    value: Value,
    kind: Kind,
    /// The unit by its number, 0 if there is none.
    unit: u8,
    /// Whether the word behind it says what it counts.
    noun: bool,
    /// How many words of its sentence or line stand before it, at most [`MANY`].
    lead: u8,
    /// How many stand behind it, at most [`MANY`].
    trail: u8,
    /// As it is written, with its unit or what it counts.
    written: String,
}

/// More words of a sentence than these are not counted.
const MANY: u8 = 3;
/// Stands for words that were left out.
const GAP: u16 = 0;
/// Stands for a number.
const MASK: u16 = 1;

impl Figures {
    /// Reads the figures of a text.
    pub fn read(text: &str) -> Self {
        read::read(text)
    }

    /// The figures that changed from this text to a later one, each once.
    pub fn changed(&self, later: &Self) -> Vec<Change> {
        compare::changes(self, later)
    }

    /// As bytes, to be kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes::write(self)
    }

    /// From bytes that were kept; none if they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes::read(bytes)
    }
}
