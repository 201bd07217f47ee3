//! The language of a text, for choosing number words and furniture.

/// A language whose figures can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextLanguage {
    English,
    German,
    French,
    Spanish,
}

/// Bytes of a text that are examined.
const START: usize = 4000;

impl TextLanguage {
    /// The most likely language of a text, by its most frequent words.
    pub(super) fn of(text: &str) -> Self {
        let start = &text[..text.floor_char_boundary(START)];
        let count =
            |words: &[&str]| start.split_whitespace().filter(|word| words.contains(word)).count();
        let all = [
            (Self::Spanish, count(&["el", "los", "y", "que", "las", "del"])),
            (Self::French, count(&["le", "les", "et", "des", "est", "dans"])),
            (Self::German, count(&["der", "die", "und", "das", "ist", "nicht"])),
            (Self::English, count(&["the", "and", "of", "is", "that", "was"])),
        ];
        let most = all.into_iter().max_by_key(|(_, count)| *count);
        most.map_or(Self::English, |(language, _)| language)
    }
}
