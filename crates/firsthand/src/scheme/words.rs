//! Shingles: each run of `n` words.
//!
//! The hash of a shingle is a polynomial of the XXH3 hashes of its words, so it rolls from one
//! shingle to the next in one step; it is then mixed, so that all its bits are equally good.

use super::Feature;
use crate::tokens::Tokens;

/// Distinguishes it from other schemes.
const SEED: u64 = 0x5348_494e_474c_4531;
/// The base of the polynomial; odd, so that no information is lost.
const BASE: u64 = 0x9e37_79b1_85eb_ca87;

/// The most words a shingle can have.
pub(crate) const MOST_WORDS: usize = 64;

/// A text of fewer than `n` words is one shingle, so that it can still be compared.
pub(super) fn features(tokens: &Tokens, n: usize, mut emit: impl FnMut(Feature)) {
    let last = words_of(n, tokens.len()).saturating_sub(1) as u32;
    let hashes = shingles(tokens.hashes(), n).zip(0..);
    hashes.for_each(|(hash, first)| emit(Feature { hash, first, last: first + last }));
}

/// The hashes of all shingles, from those of the words.
#[inline]
pub(crate) fn shingles(words: &[u64], n: usize) -> impl Iterator<Item = u64> {
    let n = words_of(n, words.len());
    // What the first word of a shingle contributes, once the shingle has rolled past it.
    let leaving = (0..n).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let add = |sum: u64, word: &u64| sum.wrapping_mul(BASE).wrapping_add(*word);
    let first = words[..n].iter().fold(0, add);
    let mut sum = first;
    // Not `scan`, whose length is not known before.
    let others = words[n..].iter().zip(words).map(move |(word, left)| {
        // Each sum waits for the one before: what does not need it is worked out beside it.
        sum = add(sum, &word.wrapping_sub(left.wrapping_mul(leaving)));
        sum
    });
    (n > 0).then_some(first).into_iter().chain(others).map(mix)
}

/// How many words a shingle has.
#[inline]
fn words_of(n: usize, words: usize) -> usize {
    n.clamp(1, MOST_WORDS).min(words)
}

/// The finaliser of XXH3: every bit of the sum affects every bit of the hash.
#[inline]
fn mix(sum: u64) -> u64 {
    let hash = sum ^ SEED;
    let hash = (hash ^ (hash >> 37)).wrapping_mul(0x1656_6791_9e37_79f9);
    hash ^ (hash >> 32)
}

/// Writes shingles out as words.
pub(super) fn described(
    tokens: &Tokens,
    mut emit: impl FnMut(Feature, &str),
    features: impl FnOnce(&mut dyn FnMut(Feature)),
) {
    features(&mut |feature| {
        let words = (feature.first..=feature.last).map(|at| tokens.word(at as usize));
        emit(feature, &words.collect::<Vec<_>>().join(" "));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(text: &str, n: usize) -> Vec<u64> {
        let mut found = Vec::new();
        features(&Tokens::new(text), n, |feature| found.push(feature.hash));
        found
    }

    #[test]
    fn the_hash_rolls_to_what_the_words_alone_give() {
        let text = "one two three four five six seven";
        for n in 1..=7 {
            let words: Vec<&str> = text.split(' ').collect();
            let alone: Vec<u64> = words.windows(n).map(|w| hashes(&w.join(" "), n)[0]).collect();
            assert_eq!(hashes(text, n), alone);
        }
    }

    #[test]
    fn order_counts_and_short_texts_are_one_shingle() {
        assert_ne!(hashes("a b", 2), hashes("b a", 2));
        assert_eq!(hashes("a b", 5), hashes("a b", 2));
        assert!(hashes("", 5).is_empty());
    }
}
