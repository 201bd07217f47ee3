//! The number guard: which figures changed between two similar texts.
//!
//! [`Figures::read`] reads a text once and keeps little of it: its figures, each with its exact
//! value, and hashes of the few words around each one, with every number masked. Where two texts
//! have the same words, the figures among them refer to the same thing; if their values differ, the
//! figure has changed ([`Figures::changed`]). The same value written differently is not a change,
//! nor is a figure that only one of the texts has.
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
mod number_locale;
mod pieces;
mod read;
mod spelled;
#[cfg(test)]
mod tests;
mod value;
mod view;
mod words;

use serde::Serialize;
use value::Value;

/// What a figure expresses.
///
/// ```
/// use firsthand::guard::{FigureKind, Figures};
///
/// let kind = |before: &str, after: &str| {
///     let text = |figure| format!("The club said that its new stand had {figure} on Monday.");
///     let changes = Figures::read(&text(before)).changed(&Figures::read(&text(after)));
///     changes.first().map(|change| change.kind)
/// };
/// assert_eq!(kind("cost 5 million euros", "cost 6 million euros"), Some(FigureKind::Price));
/// assert_eq!(kind("held 300 people", "held 400 people"), Some(FigureKind::Count));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// A number of things or people.
    Count,
    /// A day, a month or a year.
    Date,
    /// An amount of money.
    Price,
    /// The result of a game or a vote.
    Score,
    /// A percentage.
    Percent,
    /// A length, a weight, a temperature, a duration or the like.
    Measure,
}

/// A figure that changed from one text to the other.
///
/// ```
/// use firsthand::guard::{Change, Figures};
///
/// let before = Figures::read("The council has approved a budget of 5 million euros for new
/// schools.");
/// let after = Figures::read("The council has approved a budget of 6 million euros for new
/// schools.");
/// let change = &before.changed(&after)[0];
/// assert_eq!(Change::from_bytes(&change.to_bytes()).as_ref(), Some(change));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// As written in the earlier text.
    pub before: String,
    /// As written in the later text.
    pub after: String,
    /// What the figure expresses.
    pub kind: FigureKind,
}

impl Change {
    /// Encodes the change as bytes, for storage.
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes::write_change(self)
    }

    /// Decodes stored bytes; `None` if they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes::read_change(bytes)
    }
}

/// What the guard keeps of a text: its figures, and enough of its words to align it with another.
///
/// ```
/// use firsthand::guard::Figures;
///
/// let figures = Figures::read("About 40 homes lost power on Monday.");
/// assert_eq!(Figures::from_bytes(&figures.to_bytes()), Some(figures));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Short hashes of the words near figures, with [`MASK`] for every number and [`GAP`] where
    /// words were left out.
    words: Vec<u16>,
    /// In ascending order of position among the words.
    figures: Vec<Figure>,
}

/// A figure of a text.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    /// Its position among the words.
    at: u32,
    value: Value,
    kind: FigureKind,
    /// The unit's number, 0 if there is none.
    unit: u8,
    /// Whether the word after it says what it counts.
    noun: bool,
    /// Words of its sentence or line before it, at most [`MANY`].
    lead: u8,
    /// Words of its sentence or line after it, at most [`MANY`].
    trail: u8,
    /// As written, with its unit or what it counts.
    written: String,
}

/// Words of a sentence around a figure are counted up to this number.
const MANY: u8 = 3;
/// Marks a place where words were left out.
const GAP: u16 = 0;
/// Replaces every number.
const MASK: u16 = 1;

impl Figures {
    /// Reads the figures of a text.
    pub fn read(text: &str) -> Self {
        read::read(text)
    }

    /// The figures that changed from this text to a later one, each listed once.
    pub fn changed(&self, later: &Self) -> Vec<Change> {
        compare::changes(self, later)
    }

    /// Encodes the figures as bytes, for storage.
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes::write(self)
    }

    /// Decodes stored bytes; `None` if they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes::read(bytes)
    }
}
