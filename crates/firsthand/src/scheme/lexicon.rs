//! All word lists in one table: what a word is in each language, and which language a text is in.

use crate::{hashed::BuildHashed, languages::Language};
use std::{collections::HashMap, sync::LazyLock};
use xxhash_rust::xxh3::xxh3_64;

/// A bit per language, in the order of [`Language::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    pub(crate) antecedent: u32,
    pub(crate) stop_word: u32,
}

/// Hash of a word to its roles.
static LEXICON: LazyLock<HashMap<u64, Roles, BuildHashed>> = LazyLock::new(|| {
    let mut lexicon: HashMap<u64, Roles, BuildHashed> = HashMap::default();
    for (bit, language) in Language::ALL.iter().enumerate() {
        let lists = language.lists();
        for word in lists.antecedents {
            lexicon.entry(xxh3_64(word.as_bytes())).or_default().antecedent |= 1 << bit;
        }
        for word in lists.stop_words {
            lexicon.entry(xxh3_64(word.as_bytes())).or_default().stop_word |= 1 << bit;
        }
    }
    lexicon
});

pub(crate) fn roles(word: u64) -> Roles {
    LEXICON.get(&word).copied().unwrap_or_default()
}

/// All words that have roles.
#[cfg_attr(not(feature = "learn"), allow(dead_code))]
pub(crate) fn all() -> impl Iterator<Item = (u64, Roles)> {
    LEXICON.iter().map(|(&word, &roles)| (word, roles))
}

/// How many words tell the language.
const SAMPLE: usize = 400;
/// Prose has about 40 stop words in 100 words of its own language; lists and foreign texts have
/// few. Percent.
const LEAST_SHARE: usize = 15;

/// The language whose stop words the text uses most, if it uses enough of them.
pub(crate) fn detect(roles: &[Roles]) -> Option<usize> {
    detect_among(roles.len(), roles.iter().copied())
}

/// The same for so many words, one after the other.
pub(crate) fn detect_among(words: usize, roles: impl Iterator<Item = Roles>) -> Option<usize> {
    let sample = words.min(SAMPLE);
    let mut votes = [0usize; 32];
    for word in roles.take(sample) {
        let mut languages = word.stop_word;
        while languages != 0 {
            votes[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
    let (best, &most) = votes.iter().enumerate().rev().max_by_key(|(_, votes)| **votes)?;
    (most > 0 && most * 100 >= sample * LEAST_SHARE).then_some(best)
}
