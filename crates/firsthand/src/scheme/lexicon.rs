//! All word lists in one table: the role of a word in each language, and the language of a text.

use crate::{hashed::BuildHashed, languages::Language};
use std::{collections::HashMap, sync::LazyLock};
use xxhash_rust::xxh3::xxh3_64;

/// A bit per language, in the order of [`Language::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roles {
    pub(crate) antecedent: u32,
    pub(crate) stop_word: u32,
}

/// The roles of each word, by its hash.
static LEXICON: LazyLock<HashMap<u64, Roles, BuildHashed>> = LazyLock::new(|| {
    let mut lexicon: HashMap<u64, Roles, BuildHashed> = HashMap::default();
    for (bit, language) in Language::ALL.iter().enumerate() {
        let lists = language.lists();
        for word in &lists.antecedents {
            lexicon.entry(xxh3_64(word.as_bytes())).or_default().antecedent |= 1 << bit;
        }
        for word in &lists.stop_words {
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

/// Words from which the language is detected.
pub(crate) const SAMPLE: usize = 400;
/// The least percentage of stop words in prose, which has about 40; lists and foreign texts have
/// few.
const LEAST_SHARE: usize = 15;

/// Stop words of each language, counted side by side: a few additions count for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Votes([u64; 4]);

/// Bits of a count, enough for a whole sample.
const COUNT: usize = 10;
/// Counts in a 64-bit number.
const COUNTS: usize = 64 / COUNT;
const _: () = assert!(SAMPLE < 1 << COUNT && Language::ALL.len() <= 4 * COUNTS);

impl Votes {
    /// The votes of one word.
    pub(crate) fn of(roles: Roles) -> Self {
        let mut votes = Self::default();
        let mut languages = roles.stop_word;
        while languages != 0 {
            let bit = languages.trailing_zeros() as usize;
            votes.0[bit / COUNTS] |= 1 << (bit % COUNTS * COUNT);
            languages &= languages - 1;
        }
        votes
    }

    /// Adds the votes of one more word; at most [`SAMPLE`] words fit.
    pub(crate) fn add(&mut self, word: &Self) {
        self.0.iter_mut().zip(&word.0).for_each(|(sum, votes)| *sum += votes);
    }

    /// The language whose stop words a text of this length uses most, if it uses enough of them.
    pub(crate) fn winner(&self, words: usize) -> Option<usize> {
        let votes = |bit: usize| {
            (self.0[bit / COUNTS] >> (bit % COUNTS * COUNT)) as usize & ((1 << COUNT) - 1)
        };
        let best = (0..Language::ALL.len()).rev().max_by_key(|&bit| votes(bit))?;
        (votes(best) > 0 && votes(best) * 100 >= words * LEAST_SHARE).then_some(best)
    }
}

/// The language of a text, by the roles of its words.
pub(crate) fn detect(roles: &[Roles]) -> Option<usize> {
    let sample = &roles[..roles.len().min(SAMPLE)];
    let mut votes = Votes::default();
    sample.iter().for_each(|word| votes.add(&Votes::of(*word)));
    votes.winner(sample.len())
}
