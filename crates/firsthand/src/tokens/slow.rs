//! The definition of words: ICU's normaliser and segmenter, on any text.

use super::{Tokens, WordForm};
use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use std::sync::LazyLock;

pub(super) static NFKC: LazyLock<ComposingNormalizerBorrowed<'static>> =
    LazyLock::new(ComposingNormalizer::new_nfkc);

/// Dictionaries rather than neural models for Thai and similar scripts: the same words on every
/// machine.
pub(super) static WORDS: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// Appends a stretch of text without white space.
pub(super) fn chunk(chunk: &str, tokens: &mut Tokens) {
    let mut plain = normalise(chunk);
    if plain.is_empty() {
        return;
    }
    if !tokens.text.is_empty() {
        plain.insert(0, ' ');
    }
    let base = tokens.text.len();
    tokens.text.push_str(&plain);
    // Of several words in one stretch, only the first can have a capital.
    let mut capital = chunk.starts_with(char::is_uppercase);
    let mut start = 0;
    for end in WORDS.segment_str(&plain) {
        let word = &plain[start..end];
        if word.chars().any(char::is_alphanumeric) {
            let digit = word.bytes().any(|byte| byte.is_ascii_digit());
            tokens.push_word(base + start, base + end, WordForm { capital, digit, ascii: false });
            capital = false;
        }
        start = end;
    }
}

/// NFKC and lower case, with plain apostrophes and without soft hyphens and byte-order marks; the
/// dot that lower-casing leaves over a Turkish capital I is removed as well.
fn normalise(chunk: &str) -> String {
    let folded: String = chunk
        .chars()
        .filter(|c| !matches!(c, '\u{ad}' | '\u{feff}'))
        .map(|c| if matches!(c, '’' | 'ʼ') { '\'' } else { c })
        .collect();
    let lower = NFKC.normalize(&folded).to_lowercase().replace("i\u{307}", "i");
    // Compatibility forms may contain spaces; lower-casing may leave a combination open.
    NFKC.normalize(&lower).split_whitespace().collect::<Vec<_>>().join(" ")
}
