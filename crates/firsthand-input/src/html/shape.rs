//! The characters of a block: separators, the end of a sentence, the start of a label.

/// Counts over the characters of a block.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharacterCounts {
    /// Characters that separate labels rather than occur in sentences.
    pub(super) marks: u32,
    /// Whether the last character ends a sentence.
    pub(super) ends: bool,
    /// Whether it starts like a copyright notice or an advertisement.
    pub(super) label: bool,
}

/// Starts of notices that are not part of a story, in lower case.
#[rustfmt::skip]
const LABELS: [&str; 20] = [
    "©", "(c) ", "copyright", "all rights", "alle rechte", "tous droits", "todos los derechos",
    "todos os direitos", "tutti i diritti", "wszelkie prawa", "все права", "advertis", "sponsored",
    "ad:", "anzeige", "werbung", "publicidad", "publicité", "pubblicità", "advertentie",
];

/// The first bytes of these.
const FIRST_BYTES: [bool; 256] = first_bytes();

const fn first_bytes() -> [bool; 256] {
    let (mut bytes, mut i) = ([false; 256], 0);
    while i < LABELS.len() {
        bytes[LABELS[i].as_bytes()[0] as usize] = true;
        i += 1;
    }
    bytes
}

/// Examines the characters of a block.
pub(super) fn shape(text: &str) -> CharacterCounts {
    let mut marks = text.bytes().filter(|byte| matches!(byte, b'|' | b'>' | b'/')).count();
    if !text.is_ascii() {
        marks += text.matches(['©', '»', '«', '•', '·', '›']).count();
    }
    let end = text.trim_end_matches(['"', '\'', ')', '\u{201d}', '\u{2019}', '»', ']']);
    let ends = end.ends_with(['.', '!', '?', ':', '…', '。', '！', '？']);
    let first = text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    let begins = |label: &&str| {
        label.bytes().next() == first
            && text.get(..label.len()).is_some_and(|start| start.eq_ignore_ascii_case(label))
    };
    let may_begin = first.is_some_and(|byte| FIRST_BYTES[usize::from(byte)]);
    let label = may_begin && LABELS.iter().any(begins);
    CharacterCounts { marks: u32::try_from(marks).unwrap_or(u32::MAX), ends, label }
}
