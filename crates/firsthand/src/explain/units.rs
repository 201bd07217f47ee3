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
    let mut starts = Vec::new();
    let mut space = true;
    for (at, c) in line.char_indices() {
        if space && !c.is_whitespace() {
            starts.push(at);
        }
        space = c.is_whitespace();
    }
    if line.chars().any(without_spaces) {
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
    let unit = |(start, end): (&usize, usize)| {
        let text = &line[*start..end];
        let tokens = Tokens::new(&folding.apply(text));
        Unit { text, key: xxh3_64(tokens.text().as_bytes()) }
    };
    starts.iter().zip(ends).map(unit).collect()
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

    #[test]
    fn case_does_not_count_and_punctuation_does() {
        let key = |line| of(line, Folding::default())[0].key;
        assert_eq!(key("Storm"), key("STORM "));
        assert_ne!(key("storm"), key("storm."));
    }
}
