//! Hashes of words that hold for one run: quicker than those that are kept in stores and models, and
//! as wide.
//!
//! Nearly all words have at most sixteen bytes. These are read as one number, whatever their length, so
//! that there is nothing to guess for the processor; up to twice as many as two numbers, which may overlap.

use xxhash_rust::xxh3::xxh3_64;

/// Bytes that are read of a word, whether it has them or not: a text needs as many behind it.
pub(super) const READ: usize = 16;

/// What is behind a text while its words are hashed.
pub(super) const PADDING: &str = "                ";

/// Odd numbers with a byte that no text has, so that no factor becomes zero.
const FACTORS: [[u64; 2]; 2] = [
    [0xff51_afd7_ed55_8ccd, 0x9e37_79b1_ffeb_ca87],
    [0xc2b2_ae3d_ffd4_eb4f, 0x1656_67b1_ff37_79f9],
];

/// The bytes of a word of each length.
const BYTES: [u128; READ + 1] = {
    let mut masks = [0; READ + 1];
    let mut length = 1;
    while length <= READ {
        masks[length] = u128::MAX >> (8 * (READ - length));
        length += 1;
    }
    masks
};

/// The hash of the word from `start` to `end` of a text.
#[inline(always)]
pub(super) fn hash(text: &[u8], start: usize, end: usize) -> u64 {
    // No word has the byte 0, so those behind its end tell its length as well.
    match (BYTES.get(end - start), text[start..].first_chunk()) {
        (Some(mask), Some(bytes)) => mix(u128::from_le_bytes(*bytes) & mask, FACTORS[0]),
        _ => hash_long(&text[start..end]),
    }
}

/// The hash of a word that has more bytes.
#[inline(never)]
fn hash_long(word: &[u8]) -> u64 {
    match (word.first_chunk(), word.last_chunk()) {
        (Some(first), Some(last)) if word.len() <= 2 * READ => {
            let (first, last) = (u128::from_le_bytes(*first), u128::from_le_bytes(*last));
            let both = mix(first, FACTORS[0]) ^ mix(last, FACTORS[1]).rotate_left(32);
            both.wrapping_add((word.len() as u64).wrapping_mul(FACTORS[1][0]))
        }
        _ => xxh3_64(word),
    }
}

#[inline(always)]
fn mix(bytes: u128, factors: [u64; 2]) -> u64 {
    let (low, high) = (bytes as u64 ^ factors[0], (bytes >> 64) as u64 ^ factors[1]);
    let product = u128::from(low) * u128::from(high);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_have_hashes_of_their_own_wherever_they_stand() {
        let all = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(3);
        let mut hashes = HashSet::new();
        let mut words = HashSet::new();
        for start in 0..30 {
            for end in start + 1..=start + 40 {
                let text = format!("{}{PADDING}", &all[..end]);
                let inside = format!("{all}{PADDING}");
                let value = hash(text.as_bytes(), start, end);
                assert_eq!(value, hash(inside.as_bytes(), start, end));
                hashes.insert(value);
                words.insert(&all[start..end]);
            }
        }
        assert_eq!(hashes.len(), words.len());
    }
}
