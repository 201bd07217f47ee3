//! The same words, faster: a small automaton for ASCII and the common letters of Europe.
//!
//! A stretch between white space that holds anything else is left to [`super::slow`]. What a
//! character does is looked up in tables; the one beyond ASCII is filled by asking ICU itself.

use super::{Tokens, slow};
use std::sync::LazyLock;

/// What a character means for word boundaries, after UAX 29.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
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
use Class::{Digit, Joiner, Letter, Mid, MidLetter, MidNumber, Other, Space, Unknown};

const ASCII: [Class; 128] = {
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

/// Latin, Cyrillic and general punctuation.
const KNOWN: [std::ops::Range<u32>; 3] = [0x80..0x250, 0x400..0x460, 0x2010..0x2030];

static BEYOND_ASCII: LazyLock<Vec<(Class, char)>> = LazyLock::new(|| {
    KNOWN
        .iter()
        .flat_map(|range| range.clone())
        .map(|code| char::from_u32(code).map_or((Unknown, ' '), classify))
        .collect()
});

/// The class and lower-case form of a character, as ICU has it; unknown unless it is simple.
fn classify(c: char) -> (Class, char) {
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
    let segments = |left: &str, right: &str| {
        slow::WORDS.segment_str(&format!("{left}{c}{right}")).count() - 1
    };
    if c.is_alphabetic() && segments("a", "a") == 1 && segments("1", "1") == 1 {
        return (Letter, small);
    }
    let apart = ["a", "1", "_"].iter().all(|side| segments(side, side) == 3);
    if !c.is_alphanumeric() && apart { (Other, c) } else { (Unknown, c) }
}

fn beyond_ascii(c: char) -> (Class, char) {
    let mut before = 0;
    for range in KNOWN {
        if range.contains(&(c as u32)) {
            return BEYOND_ASCII[before + (c as u32 - range.start) as usize];
        }
        before += range.len();
    }
    if c.is_whitespace() { (Space, ' ') } else { (Unknown, c) }
}

/// Where the automaton stands within a stretch of text.
#[derive(Clone, Copy)]
struct Cutter {
    /// The start of the word being read.
    word: Option<usize>,
    /// The class of its last letter, digit or joiner.
    last: Class,
    /// A mark within the word and where it stands: what follows tells whether the word goes on.
    mark: Option<(usize, Class)>,
}

impl Cutter {
    const START: Self = Self { word: None, last: Other, mark: None };

    /// Takes the character that stands `at` this place of the normalised text.
    #[inline]
    fn step(&mut self, class: Class, at: usize, tokens: &mut Tokens) {
        match class {
            Letter | Digit => {
                if let Some((_, mark)) = self.mark {
                    let goes_on = self.last == class
                        && match mark {
                            MidLetter => class == Letter,
                            MidNumber => class == Digit,
                            _ => true,
                        };
                    if goes_on {
                        self.mark = None;
                    } else {
                        self.end(at, tokens);
                    }
                }
                self.word.get_or_insert(at);
                self.last = class;
            }
            Joiner => {
                if self.mark.is_some() {
                    self.end(at, tokens);
                }
                if self.word.is_none() {
                    self.word = Some(at);
                }
                self.last = Joiner;
            }
            Mid | MidLetter | MidNumber
                if self.mark.is_none() && matches!(self.last, Letter | Digit) =>
            {
                self.mark = Some((at, class));
            }
            _ => self.end(at, tokens),
        }
    }

    /// Ends the word, at the latest before `at`.
    #[inline]
    fn end(&mut self, at: usize, tokens: &mut Tokens) {
        let stop = self.mark.map_or(at, |(mark, _)| mark);
        if let Some(start) = self.word {
            // Joiners alone are no word.
            if tokens.text.as_bytes()[start..stop].iter().any(|&byte| byte != b'_') {
                tokens.push_word(start, stop);
            }
        }
        *self = Self::START;
    }
}

/// Appends the words of a line.
pub(super) fn line(line: &str, tokens: &mut Tokens) {
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let end = ascii(rest, tokens).unwrap_or_else(|| {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            if !european(&rest[..end], tokens) {
                slow::chunk(&rest[..end], tokens);
            }
            end
        });
        rest = rest[end..].trim_start();
    }
}

/// Appends the stretch up to the next white space and returns its length; nothing is done if it
/// holds anything but ASCII.
fn ascii(text: &str, tokens: &mut Tokens) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut length = 0;
    loop {
        match bytes.get(length) {
            Some(&byte) if byte >= 128 => return None,
            Some(&byte) if ASCII[byte as usize] != Space => length += 1,
            _ => break,
        }
    }
    let base = open(tokens);
    tokens.text.push_str(&text[..length]);
    tokens.text[base..].make_ascii_lowercase();
    let mut cutter = Cutter::START;
    for (at, &byte) in bytes[..length].iter().enumerate() {
        cutter.step(ASCII[byte as usize & 127], base + at, tokens);
    }
    cutter.end(base + length, tokens);
    Some(length)
}

/// The same for a stretch with letters and punctuation of Europe; nothing is done for others.
fn european(chunk: &str, tokens: &mut Tokens) -> bool {
    let class = |c: char| match u8::try_from(c) {
        Ok(byte) if byte < 128 => (ASCII[byte as usize], byte.to_ascii_lowercase() as char),
        _ => beyond_ascii(c),
    };
    if chunk.chars().any(|c| class(c).0 == Unknown) {
        return false;
    }
    open(tokens);
    let mut cutter = Cutter::START;
    for c in chunk.chars() {
        let (class, small) = class(c);
        let at = tokens.text.len();
        cutter.step(class, at, tokens);
        tokens.text.push(small);
    }
    let end = tokens.text.len();
    cutter.end(end, tokens);
    true
}

/// Separates a new stretch from the text before it and returns where it starts.
fn open(tokens: &mut Tokens) -> usize {
    if !tokens.text.is_empty() {
        tokens.text.push(' ');
    }
    tokens.text.len()
}
