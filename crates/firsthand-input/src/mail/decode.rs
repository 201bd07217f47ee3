//! Decodes the bytes of a message, and counts lost characters.

use std::borrow::Cow;

use encoding_rs::ISO_2022_JP;
use memchr::memmem;

use crate::charset;

/// Decodes by the declared or guessed character set.
///
/// Japanese mail switches character sets by escape sequences of ASCII bytes, which guessing by
/// single bytes would miss.
pub(super) fn text<'a>(bytes: &'a [u8], declared: Option<&str>) -> (Cow<'a, str>, u64) {
    if [b"\x1b$B", b"\x1b$@"].iter().any(|escape| memmem::find(bytes, *escape).is_some()) {
        let (text, broken) = ISO_2022_JP.decode_without_bom_handling(bytes);
        let replaced = if broken { text.matches('\u{FFFD}').count() as u64 } else { 0 };
        return (text, replaced);
    }
    let decoded = charset::decode(bytes, declared);
    (decoded.text, decoded.replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_japanese() {
        let (text, replaced) = text(b"\x1b$B$3$s$K$A$O\x1b(B, all", Some("us-ascii"));
        assert_eq!((&*text, replaced), ("こんにちは, all", 0));
    }

    #[test]
    fn unknown_and_wrong_declarations() {
        assert_eq!(text(b"caf\xe9 de nuit", Some("no-such-set")).0, "café de nuit");
        assert_eq!(text("café".as_bytes(), Some("us-ascii")).0, "café");
        assert_eq!(text(b"\xd0\xcf\xd3\xd4\xc1", Some("koi8-r")).0, "поста");
        assert_eq!(text(b"caf\xc3 \xff ok \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", None).1, 2);
    }
}
