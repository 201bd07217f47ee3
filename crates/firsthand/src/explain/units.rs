//! A passage cut into the units of a difference: words with the punctuation and space around them.

use crate::tokens::{Folding, Tokens, segments};
use xxhash_rust::xxh3::xxh3_64;

/// A word as it is written, with its punctuation and the white space after it.
pub(super) struct Unit<'a> {
    pub(super) text: &'a str,
    /// The hash of its normalised text: case and obfuscation do not count, punctuation does.
    pub(super) key: u64,
}

/// Cuts at white space, and between words in scripts that are written without spaces.
pub(super) fn of(line: &str, folding: Folding) -> Vec<Unit<'_>> {
    let mut starts = Vec::with_capacity(line.len() / 4);
    let mut space = true;
    let mut note = |at: usize, is_space: bool| {
        if space && !is_space {
            starts.push(at);
        }
        space = is_space;
    };
    let is_ascii = line.is_ascii();
    if is_ascii {
        let is_space = |byte: u8| byte == b' ' || (b'\t'..=b'\r').contains(&byte);
        line.bytes().enumerate().for_each(|(at, byte)| note(at, is_space(byte)));
    } else {
        line.char_indices().for_each(|(at, c)| note(at, c.is_whitespace()));
    }
    if !is_ascii && line.chars().any(without_spaces) {
        let inner = segments(line).filter(|&at| {
            let before = line[..at].chars().next_back();
            let after = line[at..].chars().next();
            before.is_some_and(without_spaces) && after.is_some_and(char::is_alphanumeric)
        });
        starts.extend(inner);
        starts.sort_unstable();
        starts.dedup();
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    let mut lower = String::new();
    let unit = |(start, end): (&usize, usize)| {
        let text = &line[*start..end];
        Unit { text, key: key(text, folding, &mut lower) }
    };
    starts.iter().zip(ends).map(unit).collect()
}

/// The hash of a unit's normalised text. Of ASCII without white space inside that is its lower case, and there
/// are hundreds of units to a passage.
fn key(text: &str, folding: Folding, lower: &mut String) -> u64 {
    let word = text.trim_ascii_end();
    if word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_whitespace() || byte == 0x0b) {
        lower.clear();
        lower.push_str(word);
        lower.make_ascii_lowercase();
        return xxh3_64(lower.as_bytes());
    }
    xxh3_64(Tokens::new(&folding.apply(text)).text().as_bytes())
}

/// Thai, Lao, Burmese, Khmer, and the characters of Chinese and Japanese with their punctuation.
fn without_spaces(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff65}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<&str> {
        of(line, Folding::default()).iter().map(|unit| unit.text).collect()
    }

    #[test]
    fn words_keep_what_surrounds_them() {
        assert_eq!(texts("He said:  “No, never.”"), ["He ", "said:  ", "“No, ", "never.”"]);
        assert_eq!(
            texts("我们在北京大学学习。很好"),
            ["我们", "在", "北京", "大学", "学习。", "很好"]
        );
        assert!(texts(" ").is_empty());
    }

    proptest! {
        #[test]
        fn keys_are_those_of_the_normalised_text(line in "[a-zA-Z0-9 .,:;'_\\t\\x0b\\x1f\\x7f-é日]{0,40}") {
            for unit in of(&line, Folding::default()) {
                let normalised = Tokens::new(unit.text);
                prop_assert_eq!(unit.key, xxh3_64(normalised.text().as_bytes()), "{:?}", unit.text);
            }
        }
    }

    #[test]
    fn case_does_not_count_and_punctuation_does() {
        let key = |line| of(line, Folding::default())[0].key;
        assert_eq!(key("Storm"), key("STORM "));
        assert_ne!(key("storm"), key("storm."));
    }
}
