//! Phrases that mail programs write around other messages, in many languages.

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::memchr2;

/// Between rules: a forwarded message.
pub(super) static FORWARDED: Phrases = Phrases::new(include_str!("phrases/forwarded.txt"));

/// Between rules: an answered or forwarded message.
pub(super) static ORIGINAL: Phrases = Phrases::new(include_str!("phrases/original.txt"));

/// Without rules: a forwarded message.
pub(super) static BEGIN: Phrases = Phrases::new(include_str!("phrases/begin.txt"));

/// A header that programs copy into texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopiedHeader {
    From,
    Sent,
    Date,
    To,
    Subject,
    Other,
}

impl CopiedHeader {
    pub(super) const COUNT: usize = 6;
}

/// In the order of [`CopiedHeader`].
static HEADS: [(CopiedHeader, Phrases); CopiedHeader::COUNT] = [
    (CopiedHeader::From, Phrases::new(include_str!("phrases/header_from.txt"))),
    (CopiedHeader::Sent, Phrases::new(include_str!("phrases/header_sent.txt"))),
    (CopiedHeader::Date, Phrases::new(include_str!("phrases/header_date.txt"))),
    (CopiedHeader::To, Phrases::new(include_str!("phrases/header_to.txt"))),
    (CopiedHeader::Subject, Phrases::new(include_str!("phrases/header_subject.txt"))),
    (CopiedHeader::Other, Phrases::new(include_str!("phrases/header_other.txt"))),
];

/// The header on a line.
pub(super) fn head(line: &str) -> Option<CopiedHeader> {
    // Most lines have neither a colon nor the first byte of a full-width one.
    memchr2(b':', 0xEF, &line.as_bytes()[..line.len().min(60)])?;
    // `*From:* Ann`, as converted from HTML.
    let line = line.trim_start_matches(['*', ' ']);
    let mut start = line.char_indices().take(30);
    let (end, _) = start.find(|(_, c)| matches!(c, ':' | '：'))?;
    let name = fold(line[..end].trim_end_matches(['*', ' ', '\u{A0}']));
    HEADS.iter().find(|(_, names)| names.are(name.as_bytes())).map(|(head, _)| *head)
}

/// A text for [`Phrases`], which ignore the case of ASCII letters only.
pub(super) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

/// Whether the headers of a message, which start with author or date, may start with this byte.
pub(super) fn may_start_heads(first: u8) -> bool {
    let starts = |head: CopiedHeader| HEADS[head as usize].1.places[0][usize::from(first)] != 0;
    first == b'*' || !first.is_ascii() || starts(CopiedHeader::From) || starts(CopiedHeader::Date)
}

/// The characters of rules.
const RULE: [u8; 7] = *b"-_=*~#+";

/// Whether a line is a rule: at least five such characters, and otherwise only spaces.
pub(super) fn is_rule(line: &str) -> bool {
    static OF_RULE: [bool; 256] = bytes_of(&[&RULE, b" >|."]);
    let is_of_rule = |byte: &u8| OF_RULE[usize::from(*byte)];
    let bytes = line.as_bytes();
    bytes.len() >= 5 && is_of_rule(&bytes[0]) && bytes[run(bytes)..].iter().all(is_of_rule)
}

/// The text between rules.
pub(super) fn without_rules(line: &str) -> Option<&str> {
    static AROUND: [bool; 256] = bytes_of(&[&RULE, b" ><|:"]);
    let is_inside = |byte: &u8| !AROUND[usize::from(*byte)];
    let bytes = line.as_bytes();
    let run = if is_inside(bytes.first()?) { 0 } else { run(bytes) };
    let first = run + bytes[run..].iter().position(is_inside)?;
    let last = bytes.iter().rposition(is_inside)?;
    line.get(first..=last)
}

/// A lower bound on the number of equal leading bytes, comparing many at once since rules are long.
fn run(line: &[u8]) -> usize {
    let same = [line.first().copied().unwrap_or_default(); 16];
    16 * line.as_chunks().0.iter().take_while(|chunk| **chunk == same).count()
}

/// A table of the bytes in any of several sets.
const fn bytes_of(sets: &[&[u8]]) -> [bool; 256] {
    let mut are_in = [false; 256];
    let mut set = 0;
    while set < sets.len() {
        let mut at = 0;
        while at < sets[set].len() {
            are_in[sets[set][at] as usize] = true;
            at += 1;
        }
        set += 1;
    }
    are_in
}

/// The number of leading bytes by which phrases are filtered.
const TELLING: usize = 6;

/// Phrases to search for, ignoring the case of ASCII letters.
pub(super) struct Phrases {
    /// In lower case, each ended by a line end, or by a bar where it ends in a space.
    phrases: &'static str,
    /// For each position and byte, the phrases that may have it there: bit `n` means phrases `n`,
    /// `n + 8` and so on.
    places: [[u8; 256]; TELLING],
    /// The phrases one by one, once they are needed.
    list: OnceLock<Vec<&'static str>>,
}

impl Phrases {
    /// The phrases of a table.
    pub(super) const fn new(phrases: &'static str) -> Self {
        let (text, mut places) = (phrases.as_bytes(), [[0; 256]; TELLING]);
        let (mut start, mut end, mut number) = (0, 0, 0);
        while end < text.len() {
            if !matches!(text[end], b'\n' | b'|') {
                end += 1;
                continue;
            }
            let mut at = 0;
            while at < 256 * TELLING && start < end {
                let (byte, place) = (at % 256, at / 256);
                // Anything may follow a phrase.
                if start + place >= end || (byte as u8).to_ascii_lowercase() == text[start + place]
                {
                    places[place][byte] |= bit(number);
                }
                at += 1;
            }
            number += (start < end) as usize;
            (start, end) = (end + 1, end + 1);
        }
        Self { phrases, places, list: OnceLock::new() }
    }

    /// Whether a text begins with a phrase; for phrases of at least two bytes.
    #[inline]
    pub(super) fn begin(&self, text: &[u8]) -> bool {
        text.first_chunk().is_some_and(|two| self.may_begin(*two)) && self.begin_fully(text)
    }

    fn begin_fully(&self, text: &[u8]) -> bool {
        self.any(text, |phrase| is_start(phrase, text))
    }

    /// Whether a text is a phrase.
    pub(super) fn are(&self, text: &[u8]) -> bool {
        self.any(text, |phrase| text.eq_ignore_ascii_case(phrase))
    }

    /// Whether a phrase starts in the first 200 bytes of a text; for phrases of at least two bytes.
    pub(super) fn are_in(&self, text: &str) -> bool {
        let text = text.as_bytes();
        (1..text.len().min(201))
            .any(|at| self.may_begin([text[at - 1], text[at]]) && self.begin_fully(&text[at - 1..]))
    }

    /// A fast filter that excludes most texts.
    #[inline]
    fn may_begin(&self, [first, second]: [u8; 2]) -> bool {
        self.places[0][usize::from(first)] & self.places[1][usize::from(second)] != 0
    }

    /// Whether one of the phrases that pass the filter satisfies `is_meant`.
    fn any(&self, text: &[u8], is_meant: impl Fn(&[u8]) -> bool) -> bool {
        let mut may = u8::MAX;
        for (place, byte) in text[..text.len().min(TELLING)].iter().enumerate() {
            may &= self.places[place][usize::from(*byte)];
            if may == 0 {
                return false;
            }
        }
        let list = self.list.get_or_init(|| {
            self.phrases.split(['\n', '|']).filter(|phrase| !phrase.is_empty()).collect()
        });
        list.iter()
            .enumerate()
            .any(|(number, phrase)| may & bit(number) != 0 && is_meant(phrase.as_bytes()))
    }
}

fn is_start(phrase: &[u8], text: &[u8]) -> bool {
    text.get(..phrase.len()).is_some_and(|start| start.eq_ignore_ascii_case(phrase))
}

/// The bit of a phrase in [`Phrases::places`].
const fn bit(number: usize) -> u8 {
    1 << (number % 8)
}
