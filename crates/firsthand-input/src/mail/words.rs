//! Decodes header values: folded lines, encoded words (RFC 2047), raw 8-bit bytes.

use super::decode;
use super::transfer::{base64, quoted};

/// Bytes of a value in one character set.
struct CharsetRun<'a> {
    bytes: Vec<u8>,
    charset: Option<&'a str>,
}

/// The text of a value on one line, and the number of lost characters.
pub(super) fn text(value: &[u8]) -> (String, u64) {
    let (mut joined, mut replaced) = (String::with_capacity(value.len()), 0);
    for piece in pieces(value) {
        let (text, lost) = decode::text(&piece.bytes, piece.charset);
        joined.push_str(&text);
        replaced += lost;
    }
    (one_line(&joined), replaced)
}

/// Collapses white space and control characters to single spaces.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let gap = |c: char| c.is_whitespace() || c.is_control();
    for word in text.split(gap).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Splits a value by character set. Adjacent encoded words are joined, because some mailers split
/// characters between them.
fn pieces(value: &[u8]) -> Vec<CharsetRun<'_>> {
    let mut pieces: Vec<CharsetRun<'_>> = Vec::new();
    let (mut rest, mut plain) = (value, 0);
    while let Some(at) = memchr::memmem::find(&rest[plain..], b"=?").map(|at| plain + at) {
        let Some((word, length)) = word(&rest[at..]) else {
            plain = at + 2;
            continue;
        };
        let before = &rest[..at];
        let joins = before.trim_ascii().is_empty();
        let last = pieces.last_mut().filter(|last| joins && last.charset == word.charset);
        match last {
            Some(last) => last.bytes.extend(word.bytes),
            None => {
                let follows = joins && pieces.last().is_some_and(|last| last.charset.is_some());
                if !follows && !before.is_empty() {
                    pieces.push(CharsetRun { bytes: before.to_vec(), charset: None });
                }
                pieces.push(word);
            }
        }
        (rest, plain) = (&rest[at + length..], 0);
    }
    if !rest.is_empty() {
        pieces.push(CharsetRun { bytes: rest.to_vec(), charset: None });
    }
    pieces
}

/// The encoded word at the start, and its length.
fn word(bytes: &[u8]) -> Option<(CharsetRun<'_>, usize)> {
    let inside = bytes.strip_prefix(b"=?")?;
    let mark = |from: &[u8]| from.iter().take(2000).position(|byte| *byte == b'?');
    let before_text = mark(inside).filter(|length| *length < 60)?;
    let (charset, how) = (&inside[..before_text], &inside[before_text + 1..]);
    let text = match how {
        [_, b'?', text @ ..] => text,
        _ => return None,
    };
    let text = &text[..mark(text).filter(|&end| text.get(end + 1) == Some(&b'='))?];
    let decoded = match how[0] {
        b'B' | b'b' => base64(text),
        b'Q' | b'q' => {
            let spaces: Vec<u8> =
                text.iter().map(|&byte| if byte == b'_' { b' ' } else { byte }).collect();
            quoted(&spaces, b'=').into_owned()
        }
        _ => return None,
    };
    // RFC 2231 allows a language after the character set.
    let charset = str::from_utf8(charset.split(|byte| *byte == b'*').next()?).ok()?;
    let length = "=?".len() + before_text + "?q?".len() + text.len() + "?=".len();
    Some((CharsetRun { bytes: decoded, charset: Some(charset) }, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values() {
        let cases: [(&[u8], &str); 15] = [
            (b"plain  words", "plain words"),
            (b"folded\r\n over\n\tlines", "folded over lines"),
            (b"=?utf-8?q?caf=C3=A9_noir?=", "café noir"),
            (b"Re: =?ISO-8859-1?Q?caf=E9?= here", "Re: café here"),
            (b"=?utf-8?B?0L/QsNGA0L7QvA==?=", "паром"),
            (b"=?utf-8?b?0L/Q?=\r\n =?utf-8?b?sNGA0L7QvA==?=", "паром"),
            (b"=?utf-8*en?q?a?= =?iso-8859-1?q?=E9?=", "aé"),
            (b"=?iso-2022-jp?B?GyRCJDMkcyRLJEEkTxsoQg==?=", "こんにちは"),
            (b"\"=?utf-8?q?J=C3=B6rg?=\" <j@example.org>", "\"Jörg\" <j@example.org>"),
            (b"caf\xe9 de nuit", "café de nuit"),
            ("ночной паром".as_bytes(), "ночной паром"),
            (b"=?utf-8?x?a?=", "=?utf-8?x?a?="),
            (b"=?utf-8?q?never closed", "=?utf-8?q?never closed"),
            (b"=?=?=?", "=?=?=?"),
            (b"a\0b\x07c", "a b c"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(value).0, expected, "{:?}", String::from_utf8_lossy(value));
        }
    }

    #[test]
    fn broken_characters_are_counted() {
        assert_eq!(text(b"=?utf-8?q?=C3=A9=C3=A9=C3=A9=C3=A9=C3=A9=FF?=").1, 1);
    }

    proptest! {
        #[test]
        fn any_bytes(bytes: Vec<u8>) {
            text(&bytes);
        }

        #[test]
        fn any_marks(value in "[=?qQbB_ a0-9é\r\n]{0,60}") {
            text(value.as_bytes());
        }
    }
}
