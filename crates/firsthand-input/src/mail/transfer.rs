//! Transfer encodings: lenient decoders of base64 and quoted-printable.

use std::borrow::Cow;

use memchr::memchr;

/// The transfer encoding of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transfer {
    /// Not encoded.
    Plain,
    Base64,
    Quoted,
}

impl Transfer {
    /// The encoding of a `Content-Transfer-Encoding`.
    pub(super) fn named(value: &[u8]) -> Self {
        let word =
            value.split(|byte| matches!(byte, b';' | b' ' | b'(')).next().unwrap_or_default();
        if word.eq_ignore_ascii_case(b"base64") {
            Self::Base64
        } else if word.eq_ignore_ascii_case(b"quoted-printable") {
            Self::Quoted
        } else {
            Self::Plain
        }
    }

    /// The decoded bytes.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Self::Quoted => quoted(bytes, b'='),
            Self::Base64 if !is_running_text(bytes) => Cow::Owned(base64(bytes)),
            _ => Cow::Borrowed(bytes),
        }
    }
}

/// Whether there are many single spaces, unlike in base64.
fn is_running_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let inside = |pair: &&[u8]| pair[0] == b' ' && pair[1].is_ascii_graphic();
    start.windows(2).filter(inside).count() * 20 > start.len()
}

/// The values of base64 letters; other bytes are skipped.
const SEXTETS: [u8; 256] = {
    let mut table = [0xFF; 256];
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut value = 0;
    while value < 64 {
        table[letters[value] as usize] = value as u8;
        value += 1;
    }
    table
};

/// Decodes base64; padding ends a group, and incomplete groups are decoded as far as possible.
pub(super) fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for &byte in bytes {
        let sextet = SEXTETS[byte as usize];
        if sextet != 0xFF {
            bits = bits << 6 | u32::from(sextet);
            count += 1;
            if count == 4 {
                decoded.extend_from_slice(&bits.to_be_bytes()[1..]);
                (bits, count) = (0, 0);
            }
        } else if byte == b'=' {
            rest(&mut decoded, bits, count);
            (bits, count) = (0, 0);
        }
    }
    rest(&mut decoded, bits, count);
    decoded
}

/// Appends the one or two bytes of a group of two or three letters.
fn rest(decoded: &mut Vec<u8>, bits: u32, count: u32) {
    if count >= 2 {
        let whole = (bits << (6 * (4 - count))).to_be_bytes();
        decoded.extend_from_slice(&whole[1..count as usize]);
    }
}

/// Decodes quoted-printable; invalid escapes stay unchanged.
pub(super) fn quoted(bytes: &[u8], escape: u8) -> Cow<'_, [u8]> {
    let Some(first) = memchr(escape, bytes) else { return Cow::Borrowed(bytes) };
    let mut decoded = Vec::with_capacity(bytes.len());
    decoded.extend_from_slice(&bytes[..first]);
    let mut rest = &bytes[first..];
    while let Some((_, after)) = rest.split_first() {
        if let Some(byte) = hex(after) {
            decoded.push(byte);
            rest = &after[2..];
        } else if let Some(length) = soft_break(after) {
            rest = &after[length..];
        } else {
            decoded.push(escape);
            rest = after;
        }
        let plain = memchr(escape, rest).unwrap_or(rest.len());
        decoded.extend_from_slice(&rest[..plain]);
        rest = &rest[plain..];
    }
    Cow::Owned(decoded)
}

fn hex(bytes: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    u8::try_from(digit(0)? << 4 | digit(1)?).ok()
}

/// The length of the white space and line end (or end of text) after an escape at the end of a line.
fn soft_break(bytes: &[u8]) -> Option<usize> {
    // Longer white space does not occur; the bound keeps the time linear.
    let space = bytes.iter().take(80).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match &bytes[space..] {
        [] => Some(space),
        [b'\n', ..] => Some(space + 1),
        [b'\r', b'\n', ..] => Some(space + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names() {
        assert_eq!(Transfer::named(b"BASE64"), Transfer::Base64);
        assert_eq!(Transfer::named(b"quoted-printable; x"), Transfer::Quoted);
        assert_eq!(Transfer::named(b"8bit"), Transfer::Plain);
        assert_eq!(Transfer::named(b""), Transfer::Plain);
    }

    #[test]
    fn base64_and_what_is_broken() {
        let cases: [(&str, &str); 9] = [
            ("", ""),
            ("SGVsbG8=", "Hello"),
            ("SGVs\r\nbG8=\r\n", "Hello"),
            ("SGVsbG8", "Hello"),
            ("SGVs!bG8", "Hello"),
            ("SGVsbG8=SGVsbG8=", "HelloHello"),
            ("SGVsb", "Hel"),
            ("====", ""),
            ("S", ""),
        ];
        for (text, decoded) in cases {
            assert_eq!(base64(text.as_bytes()), decoded.as_bytes(), "{text}");
        }
        let text = b"This says that it is base64, and it is not.";
        assert_eq!(&*Transfer::Base64.decode(text), text);
    }

    #[test]
    fn quoted_printable_and_what_is_broken() {
        let cases: [(&str, &[u8]); 9] = [
            ("plain", b"plain"),
            ("a=20b", b"a b"),
            ("caf=C3=a9", "café".as_bytes()),
            ("a=\nb", b"ab"),
            ("a= \t\r\nb", b"ab"),
            ("a=", b"a"),
            ("a=zz=4", b"a=zz=4"),
            ("1+1=2 and x==y", b"1+1=2 and x==y"),
            ("=00", b"\0"),
        ];
        for (text, decoded) in cases {
            assert_eq!(&*Transfer::Quoted.decode(text.as_bytes()), decoded, "{text}");
        }
    }

    proptest! {
        #[test]
        fn never_longer_than_before(bytes: Vec<u8>) {
            for transfer in [Transfer::Base64, Transfer::Quoted, Transfer::Plain] {
                prop_assert!(transfer.decode(&bytes).len() <= bytes.len());
            }
        }
    }
}
