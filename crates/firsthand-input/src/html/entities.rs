//! Character references: `&eacute;`, `&#233;` and `&#xe9;` become `é`.

use super::entity_names::NAMED;
use memchr::memchr;

/// The references 128 to 159 mean Windows-1252 characters, by the standard.
#[rustfmt::skip]
const WINDOWS: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039,
    0x152, 0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc,
    0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
];

/// The longest name or number of a reference, in bytes.
const LONGEST: usize = 24;

/// Calls `text` for each stretch of plain text and each decoded character, in order.
pub(super) fn decode(raw: &str, mut text: impl FnMut(&str)) {
    let bytes = raw.as_bytes();
    let (mut start, mut search) = (0, 0);
    while let Some(i) = memchr(b'&', &bytes[search..]) {
        let at = search + i;
        match reference(&bytes[at + 1..]) {
            Some((character, length)) => {
                if start < at {
                    text(&raw[start..at]);
                }
                let mut buffer = [0; 4];
                text(character.encode_utf8(&mut buffer));
                start = at + 1 + length;
                search = start;
            }
            None => search = at + 1,
        }
    }
    if start < raw.len() {
        text(&raw[start..]);
    }
}

/// The decoded text, with white space collapsed and trimmed.
pub(super) fn decode_line(raw: &str) -> String {
    let mut decoded = String::with_capacity(raw.len());
    decode(raw, |part| decoded.push_str(part));
    decoded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The character of a reference, and the reference's length after the `&`.
fn reference(after: &[u8]) -> Option<(char, usize)> {
    let after = &after[..after.len().min(LONGEST)];
    if let Some(digits) = after.strip_prefix(b"#") {
        let (digits, radix, prefix) = match digits {
            [b'x' | b'X', rest @ ..] => (rest, 16, 2),
            _ => (digits, 10, 1),
        };
        let length = digits.iter().take_while(|b| (**b as char).is_digit(radix)).count();
        if length == 0 {
            return None;
        }
        let value = digits[..length].iter().fold(0u32, |value, b| {
            value.saturating_mul(radix).saturating_add((*b as char).to_digit(radix).unwrap_or(0))
        });
        let value = match value {
            0x80..=0x9f => u32::from(WINDOWS[(value - 0x80) as usize]),
            _ => value,
        };
        let character = char::from_u32(value).filter(|c| *c != '\0').unwrap_or('\u{fffd}');
        let semicolon = usize::from(digits.get(length) == Some(&b';'));
        return Some((character, prefix + length + semicolon));
    }
    let length = after.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    if after.get(length) == Some(&b';') {
        return named(&after[..length]).map(|code| (code, length + 1));
    }
    // Without a semicolon, only the longest of the oldest names counts.
    (2..=length.min(6)).rev().find_map(|length| {
        named(&after[..length])
            .filter(|code| is_old(*code, &after[..length]))
            .map(|code| (code, length))
    })
}

fn named(name: &[u8]) -> Option<char> {
    let found = NAMED.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
    char::from_u32(u32::from(NAMED[found].1))
}

/// Names that old pages write without a semicolon: Latin-1, and the four markup characters.
fn is_old(character: char, name: &[u8]) -> bool {
    match character {
        '&' | '<' | '>' | '"' => {
            matches!(name, b"amp" | b"lt" | b"gt" | b"quot" | b"AMP" | b"LT" | b"GT" | b"QUOT")
        }
        _ => {
            ('\u{a0}'..='\u{ff}').contains(&character)
                && !matches!(name, b"Dot" | b"angst" | b"die" | b"div" | b"half" | b"pm" | b"strns")
        }
    }
}
