//! Shingles: each run of `n` words.

use super::Feature;
use crate::tokens::Tokens;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const SEED: u64 = 1;

/// The most words that a shingle can have.
pub(crate) const MOST_WORDS: usize = 64;

/// A text of fewer than `n` words is one shingle, so that it can still be compared.
pub(super) fn features(tokens: &Tokens, n: usize, mut emit: impl FnMut(Feature)) {
    let hashes = tokens.hashes();
    if hashes.is_empty() {
        return;
    }
    let n = n.clamp(1, hashes.len().min(MOST_WORDS));
    let mut bytes = [0u8; 8 * MOST_WORDS];
    for (first, words) in hashes.windows(n).enumerate() {
        for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let hash = xxh3_64_with_seed(&bytes[..8 * n], SEED);
        emit(Feature { hash, first: first as u32, last: (first + n - 1) as u32 });
    }
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
