//! Words to features: what a document is reduced to before it is compared.
//!
//! A feature is a 64-bit hash of a few words or characters. It is computed with XXH3 from bytes
//! that are the same on every machine, so it can be stored. Each scheme has its own seed, so
//! features of different schemes do not collide by construction.

mod antecedent;
mod chars;
pub(crate) mod lexicon;
mod prose;
mod spot;
mod words;

pub use antecedent::{Antecedent, AntecedentError};
pub use spot::Spot;
pub(crate) use words::{MOST_WORDS, shingles};

use crate::tokens::Tokens;
use serde::{Deserialize, Serialize};

/// How a document is turned into features.
///
/// ```
/// use firsthand::{Settings, settings::Scheme};
///
/// let settings = Settings { scheme: Scheme::Words { n: 3 }, ..Settings::profile("corpus")? };
/// assert!(firsthand::Detector::new(settings).is_ok());
/// # Ok::<(), firsthand::SettingsError>(())
/// ```
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

/// A feature and the words it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) hash: u64,
    /// The first and the last word it covers.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Scheme {
    /// Calls `emit` with each feature, in text order, repetitions included.
    pub(crate) fn features(&self, tokens: &Tokens, emit: impl FnMut(Feature)) {
        match self {
            Self::Spot(spot) => spot.features(tokens, emit),
            Self::Prose { n } => prose::features(tokens, *n, emit),
            Self::Words { n } => words::features(tokens, *n, emit),
            Self::Chars { q } => chars::features(tokens, *q, emit),
        }
    }

    /// The same with a readable form of each feature.
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
