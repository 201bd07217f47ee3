//! DDD's q-grams: each run of `q` characters after spaces and punctuation are removed.

use super::Feature;
use crate::tokens::Tokens;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const SEED: u64 = 2;

/// The letters, marks and digits of all words, concatenated.
struct Characters {
    text: String,
    /// For each character, its start and the word it belongs to.
    places: Vec<(u32, u32)>,
}

impl Characters {
    fn new(tokens: &Tokens) -> Self {
        let mut text = String::with_capacity(tokens.text().len());
        let mut places = Vec::with_capacity(tokens.text().len());
        for (at, word) in tokens.words().enumerate() {
            for c in word.chars().filter(|c| !c.is_ascii_punctuation()) {
                places.push((text.len() as u32, at as u32));
                text.push(c);
            }
        }
        Self { text, places }
    }

    /// The text of each gram with its first and last word; a shorter text is a single gram.
    fn grams(&self, q: usize) -> impl Iterator<Item = (&str, u32, u32)> {
        let q = q.clamp(1, self.places.len().max(1));
        self.places.windows(q).enumerate().map(move |(at, gram)| {
            let end = self.places.get(at + q).map_or(self.text.len(), |next| next.0 as usize);
            (&self.text[gram[0].0 as usize..end], gram[0].1, gram[q - 1].1)
        })
    }
}

pub(super) fn features(tokens: &Tokens, q: usize, mut emit: impl FnMut(Feature)) {
    for (gram, first, last) in Characters::new(tokens).grams(q) {
        emit(Feature { hash: xxh3_64_with_seed(gram.as_bytes(), SEED), first, last });
    }
}

pub(super) fn described(tokens: &Tokens, q: usize, mut emit: impl FnMut(Feature, &str)) {
    for (gram, first, last) in Characters::new(tokens).grams(q) {
        let hash = xxh3_64_with_seed(gram.as_bytes(), SEED);
        emit(Feature { hash, first, last }, gram);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rose_is_a_flower() {
        let tokens = Tokens::new("A rose is a flower");
        let letters = Characters::new(&tokens);
        let grams: Vec<&str> = letters.grams(3).map(|gram| gram.0).collect();
        let expected =
            ["aro", "ros", "ose", "sei", "eis", "isa", "saf", "afl", "flo", "low", "owe", "wer"];
        assert_eq!(grams, expected);
    }

    #[test]
    fn punctuation_within_words_goes_too_and_short_texts_are_one_gram() {
        let tokens = Tokens::new("U.S. it's 1,000");
        assert_eq!(Characters::new(&tokens).text, "usits1000");
        let tokens = Tokens::new("Ja!");
        let letters = Characters::new(&tokens);
        assert_eq!(letters.grams(4).map(|gram| gram.0).collect::<Vec<_>>(), ["ja"]);
        assert_eq!(Characters::new(&Tokens::new("...")).grams(4).count(), 0);
    }
}
