//! The fast path to the same words: a small automaton for ASCII and the common European letters.
//!
//! A stretch between white space with any other character is left to [`super::slow`]. Characters
//! are looked up in tables; the one beyond ASCII is filled by asking ICU itself. ASCII with single
//! spaces, which is most text, has a path of its own: `bitmap`.

mod bitmap;
mod masks;

pub(super) use bitmap::WordEdges;

use super::{Tokens, WordForm, slow};
use std::sync::LazyLock;

/// The role of a character in word boundaries, after UAX 29.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoundaryClass {
    Letter,
    Digit,
    /// `_` joins letters and digits.
    Joiner,
    /// `.` and `'` stay within a word or a number.
    Mid,
    /// `:` stays within a word.
    MidLetter,
    /// `,` and `;` stay within a number.
    MidNumber,
    Other,
    Space,
    /// Left to ICU.
    Unknown,
}
use BoundaryClass::{Digit, Joiner, Letter, Mid, MidLetter, MidNumber, Other, Space, Unknown};

const ASCII: [BoundaryClass; 128] = {
    let mut table = [Other; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Letter,
            b'0'..=b'9' => Digit,
            b'_' => Joiner,
            b'.' | b'\'' => Mid,
            b':' => MidLetter,
            b',' | b';' => MidNumber,
            b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r' => Space,
            _ => Other,
        };
        byte += 1;
    }
    table
};

/// Letters, digits and joiners: the bytes that continue a word.
const IN_WORD: [bool; 128] = {
    let mut table = [false; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = matches!(ASCII[byte], Letter | Digit | Joiner);
        byte += 1;
    }
    table
};

/// Latin, Cyrillic and general punctuation.
const KNOWN: [std::ops::Range<u32>; 3] = [0x80..0x250, 0x400..0x460, 0x2010..0x2030];

static BEYOND_ASCII: LazyLock<Vec<(BoundaryClass, char)>> = LazyLock::new(|| {
    KNOWN
        .iter()
        .flat_map(|range| range.clone())
        .map(|code| char::from_u32(code).map_or((Unknown, ' '), classify))
        .collect()
});

/// The class and lower-case form of a character, according to ICU; `Unknown` unless it is simple.
fn classify(c: char) -> (BoundaryClass, char) {
    if c == '’' {
        return (Mid, '\'');
    }
    if c.is_whitespace() {
        return (Space, ' ');
    }
    let mut lower = c.to_lowercase();
    let (Some(small), None) = (lower.next(), lower.next()) else { return (Unknown, c) };
    let stable = |c: char| {
        let mut buffer = [0; 4];
        slow::NFKC.is_normalized(c.encode_utf8(&mut buffer))
    };
    if !stable(c) || !stable(small) || c == '\u{ad}' {
        return (Unknown, c);
    }
    let segments =
        |left: &str, right: &str| slow::WORDS.segment_str(&format!("{left}{c}{right}")).count() - 1;
    if c.is_alphabetic() && segments("a", "a") == 1 && segments("1", "1") == 1 {
        return (Letter, small);
    }
    let apart = ["a", "1", "_"].iter().all(|side| segments(side, side) == 3);
    if !c.is_alphanumeric() && apart { (Other, c) } else { (Unknown, c) }
}

fn beyond_ascii(c: char) -> (BoundaryClass, char) {
    let mut before = 0;
    for range in KNOWN {
        if range.contains(&(c as u32)) {
            return BEYOND_ASCII[before + (c as u32 - range.start) as usize];
        }
        before += range.len();
    }
    if c.is_whitespace() { (Space, ' ') } else { (Unknown, c) }
}

/// Whether a mark continues the word, given the classes before and after it.
#[inline]
fn carries(before: BoundaryClass, mark: BoundaryClass, behind: BoundaryClass) -> bool {
    before == behind
        && match mark {
            Mid => matches!(before, Letter | Digit),
            MidLetter => before == Letter,
            MidNumber => before == Digit,
            _ => false,
        }
}

/// Appends the words of a line.
pub(super) fn line(line: &str, tokens: &mut Tokens) {
    let mut rest = line;
    while !rest.is_empty() {
        // ASCII in one go, up to the stretch between spaces that contains something else.
        let other = if rest.is_ascii() { None } else { rest.bytes().position(|byte| byte >= 128) };
        let plain = match other {
            None => rest.len(),
            Some(end) => {
                let bytes = &rest.as_bytes()[..end];
                let space = bytes.iter().rposition(|&byte| ASCII[byte as usize & 127] == Space);
                space.map_or(0, |space| space + 1)
            }
        };
        ascii(rest[..plain].trim(), tokens);
        rest = &rest[plain..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if end > 0 && !european(&rest[..end], tokens) {
            slow::chunk(&rest[..end], tokens);
        }
        rest = rest[end..].trim_start();
    }
}

/// Appends ASCII text without white space around it.
fn ascii(text: &str, tokens: &mut Tokens) {
    if text.is_empty() {
        return;
    }
    let start = open(tokens);
    // A line of a page is often too short to gain by vectors.
    let mut edges = std::mem::take(&mut tokens.edges);
    if text.len() >= bitmap::SHORTEST && edges.find(text.as_bytes()) {
        match tokens.for_run {
            true => bitmap::push_hashes(text, &edges, tokens),
            false => bitmap::push_words(text, &edges, tokens),
        }
    } else {
        irregular(text, start, tokens);
    }
    tokens.edges = edges;
}

/// Appends any ASCII text: copied, with runs of white space collapsed, then lower-cased.
fn irregular(text: &str, start: usize, tokens: &mut Tokens) {
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(Space, |&byte| ASCII[byte as usize & 127]);
    // Text that has been read but not yet copied starts here.
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        match class(at) {
            Letter | Digit | Joiner => {
                let word = at;
                let mut digit = false;
                loop {
                    at = behind_letters(bytes, at);
                    while bytes.get(at).is_some_and(|&byte| IN_WORD[byte as usize & 127]) {
                        digit |= bytes[at].is_ascii_digit();
                        at += 1;
                    }
                    let mark = class(at);
                    if mark == Space || !carries(class(at - 1), mark, class(at + 1)) {
                        break;
                    }
                    at += 1;
                }
                // Joiners alone are not a word.
                if bytes[word] != b'_' || bytes[word..at].iter().any(|&byte| byte != b'_') {
                    let base = tokens.text.len();
                    let capital = bytes[word].is_ascii_uppercase();
                    let form = WordForm { capital, digit, ascii: true };
                    tokens.push_word(base + word - copied, base + at - copied, form);
                }
            }
            // A single space, as between most words, is left in place.
            Space if bytes[at] == b' ' && class(at + 1) != Space => at += 1,
            Space => {
                let space = at;
                while at < bytes.len() && class(at) == Space {
                    at += 1;
                }
                tokens.text.push_str(&text[copied..space]);
                tokens.text.push(' ');
                copied = at;
            }
            _ => at += 1,
        }
    }
    tokens.text.push_str(&text[copied..]);
    tokens.text[start..].make_ascii_lowercase();
}

/// The end of the run of ASCII letters that starts here, eight at a time; the text is ASCII.
#[inline]
fn behind_letters(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    while let Some(&eight) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        // With the case bit set, letters are 0x61 to 0x7a: adding lifts them over the high bit.
        let lower = u64::from_le_bytes(eight) | (ONES * 0x20);
        let letters = (lower + ONES * 0x1f) & !(lower + ONES * 0x05);
        let others = !letters & (ONES * 0x80);
        if others != 0 {
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at
}

/// Appends a stretch of European letters and punctuation; returns false and does nothing for
/// others.
fn european(chunk: &str, tokens: &mut Tokens) -> bool {
    let class = |c: char| match u8::try_from(c) {
        Ok(byte) if byte < 128 => (ASCII[byte as usize], byte.to_ascii_lowercase() as char),
        _ => beyond_ascii(c),
    };
    if chunk.chars().any(|c| class(c).0 == Unknown) {
        return false;
    }
    open(tokens);
    // Where it starts, whether it has more than joiners, and its form.
    let mut word: Option<(usize, bool, WordForm)> = None;
    let mut before = Other;
    let mut rest = chunk.chars();
    while let Some(c) = rest.next() {
        let (here, small) = class(c);
        let at = tokens.text.len();
        tokens.text.push(small);
        let behind = rest.clone().next().map_or(Other, |next| class(next).0);
        if matches!(here, Letter | Digit | Joiner) {
            let begin = WordForm { capital: c != small, digit: false, ascii: false };
            let (start, more, form) = word.unwrap_or((at, false, begin));
            let form = WordForm { digit: form.digit || here == Digit, ..form };
            word = Some((start, more || here != Joiner, form));
            before = here;
        } else if !(word.is_some() && carries(before, here, behind)) {
            if let Some((start, true, form)) = word.take() {
                tokens.push_word(start, at, form);
            }
            before = Other;
        }
    }
    if let Some((start, true, form)) = word {
        tokens.push_word(start, tokens.text.len(), form);
    }
    true
}

/// Separates a new stretch from the text before it and returns where it starts.
fn open(tokens: &mut Tokens) -> usize {
    if !tokens.text.is_empty() {
        tokens.text.push(' ');
    }
    tokens.text.len()
}
