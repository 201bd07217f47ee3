//! Text to pieces: words, numbers, and the marks that matter next to a number.
//!
//! Words are hashed in lower case and end at apostrophes, because copies of a text differ in case
//! and in the kind of apostrophe. Web and mail addresses are skipped entirely: their digits are not
//! figures.

use xxhash_rust::xxh3::xxh3_64;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceClass {
    /// Letters, and digits after them, such as `MH17`.
    Word,
    /// Digits, and the points, commas and apostrophes between them.
    Number,
    /// Any other character that is not white space.
    Mark(char),
}

/// What separates a piece from the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing.
    None,
    /// A space of the kind that separates groups of digits.
    Narrow,
    /// Other white space.
    Space,
    /// A line break.
    Line,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPiece {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) class: PieceClass,
    pub(super) gap: Gap,
    /// Whether it starts with a capital.
    pub(super) capital: bool,
    /// The hash of a word.
    pub(super) hash: u64,
}

/// Longer texts are read only up to here.
const MOST_BYTES: usize = 64 << 20;

/// The pieces of a text.
pub(super) fn pieces(text: &str) -> Vec<TextPiece> {
    let text = &text[..text.floor_char_boundary(MOST_BYTES)];
    let bytes = text.as_bytes();
    let mut pieces: Vec<TextPiece> = Vec::with_capacity(text.len() / 5 + 8);
    let mut gap = Gap::Line;
    // The start of the current stretch without white space, and whether it has a point between
    // letters, as host names do.
    let (mut stretch, mut dotted) = (0, false);
    let mut buffer = String::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // Most pieces are short ASCII words.
        if byte.is_ascii_alphabetic()
            && let Some((end, hash)) = plain_word(bytes, at)
        {
            let (class, capital) = (PieceClass::Word, byte.is_ascii_uppercase());
            pieces.push(TextPiece { start: at as u32, end: end as u32, class, gap, capital, hash });
            (at, gap) = (end, Gap::None);
            continue;
        }
        if byte == b' ' {
            gap = gap.max(Gap::Space);
            (stretch, dotted, at) = (pieces.len(), false, at + 1);
            continue;
        }
        let c = if byte < 128 { byte as char } else { char_at(text, at) };
        let start = at;
        at += c.len_utf8();
        if c.is_whitespace() || is_blank(c) {
            gap = gap.max(match c {
                '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => Gap::Line,
                '\u{a0}' | '\u{202f}' | '\u{2009}' => Gap::Narrow,
                c if is_blank(c) => Gap::None,
                _ => Gap::Space,
            });
            if gap != Gap::None {
                (stretch, dotted) = (pieces.len(), false);
            }
            continue;
        }
        let class = if digit(c).is_some() {
            at = number_end(text, at);
            PieceClass::Number
        } else if c.is_alphabetic() {
            if !alone(c) {
                at = word_end(text, at);
            }
            PieceClass::Word
        } else {
            PieceClass::Mark(c)
        };
        let address = match class {
            PieceClass::Mark('@') => true,
            PieceClass::Mark(':') => text[at..].starts_with("//"),
            PieceClass::Mark('/') => dotted,
            _ => false,
        };
        if address {
            pieces.truncate(stretch);
            at += text[at..].find(char::is_whitespace).unwrap_or(text.len() - at);
            continue;
        }
        if class == PieceClass::Mark('.') && gap == Gap::None && pieces.len() > stretch {
            let before = pieces.last().is_some_and(|piece| piece.class == PieceClass::Word);
            dotted |= before && text[at..].starts_with(char::is_alphabetic);
        }
        let hash =
            if class == PieceClass::Word { hash_lower(&text[start..at], &mut buffer) } else { 0 };
        let (start, end) = (start as u32, at as u32);
        pieces.push(TextPiece { start, end, class, gap, capital: c.is_uppercase(), hash });
        gap = Gap::None;
    }
    pieces
}

/// The case-insensitive hash of a word.
pub(super) fn hash_word(word: &str) -> u64 {
    hash_lower(word, &mut String::new())
}

/// ASCII letters and digits in lower case; 0 for everything else.
const LOWER: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let c = byte as u8;
        if c.is_ascii_alphanumeric() || c == b'_' {
            table[byte] = c.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

/// The end and the hash of a short ASCII word; `None` if it is long or not ASCII.
fn plain_word(bytes: &[u8], start: usize) -> Option<(usize, u64)> {
    let mut small = [0; 24];
    let mut len = 0;
    for (&byte, place) in bytes[start..].iter().zip(&mut small) {
        let lower = LOWER[byte as usize];
        if lower == 0 {
            break;
        }
        *place = lower;
        len += 1;
    }
    let ends = len < small.len() && bytes.get(start + len).is_none_or(|&byte| byte < 128);
    ends.then(|| (start + len, xxh3_64(&small[..len])))
}

fn hash_lower(word: &str, buffer: &mut String) -> u64 {
    buffer.clear();
    buffer.extend(word.chars().filter(|&c| !is_blank(c)).flat_map(char::to_lowercase));
    xxh3_64(buffer.as_bytes())
}

fn char_at(text: &str, at: usize) -> char {
    text[at..].chars().next().unwrap_or(' ')
}

/// Invisible characters: soft hyphens, zero-width spaces and joiners, direction marks.
fn is_blank(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Scripts without spaces between words: each character counts as a word.
fn alone(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..)
}

/// The end of a word whose first character has been read.
fn word_end(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => at += 1,
            Some(128..) => {
                let c = char_at(text, at);
                let joined = matches!(c, '\u{300}'..='\u{36f}') || is_blank(c);
                if !joined && (!c.is_alphanumeric() || alone(c)) {
                    return at;
                }
                at += c.len_utf8();
            }
            _ => return at,
        }
    }
}

/// The end of a number whose first digit has been read.
fn number_end(text: &str, mut at: usize) -> usize {
    loop {
        let mut rest = text[at..].chars();
        let Some(c) = rest.next() else { return at };
        let inside = matches!(c, '.' | ',' | '\'' | '’' | '٫' | '٬')
            && rest.next().and_then(digit).is_some();
        if digit(c).is_some() || inside {
            at += c.len_utf8();
        } else {
            return at;
        }
    }
}

/// The value of a digit in the scripts that news is written in.
pub(super) fn digit(c: char) -> Option<u8> {
    let zero = match c {
        '0'..='9' => '0',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        '\u{966}'..='\u{96f}' => '\u{966}',
        '\u{9e6}'..='\u{9ef}' => '\u{9e6}',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        _ => return None,
    };
    u8::try_from(c as u32 - zero as u32).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).iter().map(|piece| &text[piece.start as usize..piece.end as usize]).collect()
    }

    #[test]
    fn cuts() {
        for (text, expected) in [
            ("", vec![]),
            ("Don't go", vec!["Don", "'", "t", "go"]),
            ("1,200.5 of 3-1", vec!["1,200.5", "of", "3", "-", "1"]),
            ("MH17 5km 12.", vec!["MH17", "5", "km", "12", "."]),
            ("see http://a.b/2014/5 now", vec!["see", "now"]),
            ("see a.com/2014/5 or me1@b.c, now", vec!["see", "or", "now"]),
            ("of _4_ or a_b", vec!["of", "_", "4", "_", "or", "a_b"]),
            ("死亡5人", vec!["死", "亡", "5", "人"]),
            ("٥٠ ５０", vec!["٥٠", "５０"]),
            ("über\u{ad}all", vec!["über\u{ad}all"]),
        ] {
            assert_eq!(cut(text), expected, "{text:?}");
        }
        assert_eq!(hash_word("Über\u{ad}all"), hash_word("überall"));
    }

    #[test]
    fn gaps() {
        let gaps = |text| pieces(text).iter().map(|piece| piece.gap).collect::<Vec<_>>();
        assert_eq!(gaps("a b\nc"), [Gap::Line, Gap::Space, Gap::Line]);
        assert_eq!(gaps("1\u{202f}200%"), [Gap::Line, Gap::Narrow, Gap::None]);
    }
}
