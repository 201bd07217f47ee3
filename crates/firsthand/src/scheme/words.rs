//! Shingles: each run of `n` words.

use super::Feature;
use crate::tokens::Tokens;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const SEED: u64 = 1;

/// A text of fewer than `n` words is one shingle, so that it can still be compared.
pub(super) fn features(tokens: &Tokens, n: usize, mut emit: impl FnMut(Feature)) {
    let hashes = tokens.hashes();
    if hashes.is_empty() {
        return;
    }
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    let n = n.clamp(1, hashes.len());
    for (first, shingle) in bytes.windows(8 * n).step_by(8).enumerate() {
        let hash = xxh3_64_with_seed(shingle, SEED);
        emit(Feature { hash, first: first as u32, last: (first + n - 1) as u32 });
    }
}

pub(super) fn describe(tokens: &Tokens, feature: Feature) -> String {
    let words = (feature.first..=feature.last).map(|at| tokens.word(at as usize));
    words.collect::<Vec<_>>().join(" ")
}
