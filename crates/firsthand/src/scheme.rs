//! Words to features: what a document is reduced to before it is compared.
//!
//! A feature is a 64-bit hash of a few words or characters. It is made with XXH3 from bytes that
//! are the same on every machine, so that it may be kept on disk. Each scheme has a seed of its
//! own: features of different schemes never meet by design.

mod antecedent;
mod chars;
pub(crate) mod lexicon;
mod prose;
mod spot;
mod words;

pub use antecedent::{Antecedent, AntecedentError};
pub use spot::Spot;
pub(crate) use words::MOST_WORDS;

use crate::tokens::Tokens;
use serde::{Deserialize, Serialize};

/// How a document is turned into features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Scheme {
    /// SpotSigs: short chains of words that follow a stop word.
    Spot(Spot),
    /// Shingles of `n` words that begin with a stop word of the document's language: nearly half of
    /// prose, and little of lists and page furniture. All shingles where no language is detected.
    Prose {
        /// Words per shingle.
        n: usize,
    },
    /// Shingles of `n` words.
    Words {
        /// Words per shingle.
        n: usize,
    },
    /// DDD: `q`-grams of characters, without spaces and punctuation.
    Chars {
        /// Characters per gram.
        q: usize,
    },
}

/// A feature and the words it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) hash: u64,
    /// The first and the last word that it touches.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Scheme {
    /// Calls `emit` with each feature, in the order of the text, repetitions included.
    pub(crate) fn features(&self, tokens: &Tokens, emit: impl FnMut(Feature)) {
        match self {
            Self::Spot(spot) => spot.features(tokens, emit),
            Self::Prose { n } => prose::features(tokens, *n, emit),
            Self::Words { n } => words::features(tokens, *n, emit),
            Self::Chars { q } => chars::features(tokens, *q, emit),
        }
    }

    /// The same with what each feature says, for a person to read.
    pub(crate) fn described(&self, tokens: &Tokens, emit: impl FnMut(Feature, &str)) {
        match self {
            Self::Spot(spot) => spot.described(tokens, emit),
            Self::Prose { n } => {
                words::described(tokens, emit, |emit| prose::features(tokens, *n, emit));
            }
            Self::Words { n } => {
                words::described(tokens, emit, |emit| words::features(tokens, *n, emit));
            }
            Self::Chars { q } => chars::described(tokens, *q, emit),
        }
    }
}
