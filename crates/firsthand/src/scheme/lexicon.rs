//! All word lists in one table: the role of a word in each language, and the language of a text.

use crate::{hashed::BuildHashed, languages::Language};
use std::{borrow::Borrow, collections::HashMap, iter, sync::LazyLock};
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

/// Words at the beginning of a text by which its language is told, and the least percentage of stop
/// words among them. Prose has about 40; lists and foreign texts have few.
const START: (usize, usize) = (400, 15);
/// Words sampled from each part of the rest, and their least percentage: higher, so that encoded
/// files, which have some short "words", are not mistaken for prose.
const PART: (usize, usize) = (200, 20);
/// Parts of the rest, at most, and the fewest words of one.
const PARTS: (usize, usize) = (3, 100);

/// Stop words of each language, counted side by side: a few additions count for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Votes([u64; 4]);

/// Bits of a count, enough for a whole sample.
const COUNT: usize = 10;
/// Counts in a 64-bit number.
const COUNTS: usize = 64 / COUNT;
const _: () = assert!(START.0 < 1 << COUNT && Language::ALL.len() <= 4 * COUNTS);

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

    /// Adds the votes of one more word; at most 1023 words fit.
    fn add(&mut self, word: &Self) {
        self.0.iter_mut().zip(&word.0).for_each(|(sum, votes)| *sum += votes);
    }

    /// The language with the most votes among this many words, and its share in thousandths.
    fn winner(&self, words: usize) -> Option<(usize, usize)> {
        let votes = |bit: usize| {
            (self.0[bit / COUNTS] >> (bit % COUNTS * COUNT)) as usize & ((1 << COUNT) - 1)
        };
        let best = (0..Language::ALL.len()).rev().max_by_key(|&bit| votes(bit))?;
        (votes(best) > 0).then(|| (best, votes(best) * 1000 / words))
    }
}

/// The language of a text, by the roles of its words.
pub(crate) fn detect(roles: &[Roles]) -> Option<usize> {
    detect_by(roles, |&roles| Votes::of(roles))
}

/// The same, given the votes of each word. Every part of the text has a say: a foreign or senseless
/// beginning must not decide what the rest is compared by.
pub(crate) fn detect_by<T, V: Borrow<Votes>>(
    words: &[T],
    votes: impl Fn(&T) -> V,
) -> Option<usize> {
    let (start, rest) = words.split_at(words.len().min(START.0));
    let part = rest.len().div_ceil(PARTS.0).max(PART.0);
    let parts = rest.chunks(part).filter(|part| part.len() >= PARTS.1);
    let mut weights = [0; Language::ALL.len()];
    for (part, (most, least)) in iter::once((start, START)).chain(parts.map(|part| (part, PART))) {
        let count = part.len().min(most);
        let mut sum = Votes::default();
        (0..count).for_each(|at| sum.add(votes(&part[at * part.len() / count]).borrow()));
        if let Some((language, share)) = sum.winner(count)
            && share >= least * 10
        {
            // Squared, so that one part of prose counts for more than several that are hardly prose.
            weights[language] += share * share;
        }
    }
    let best = (0..weights.len()).rev().max_by_key(|&language| weights[language])?;
    (weights[best] > 0).then_some(best)
}
