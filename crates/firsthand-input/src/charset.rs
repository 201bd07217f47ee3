//! Decodes bytes by byte-order mark, then by the declared character set, then by guessing.
//!
//! Valid UTF-8 is taken as UTF-8 unless a mark or declaration says UTF-16: pages that declare an
//! old character set but are UTF-8 are common, the reverse is rare.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

/// The number of bytes inspected to guess a character set.
const LOOKED_AT: usize = 64 << 10;

/// A decoded text.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The number of characters that could not be decoded and became U+FFFD.
    pub(crate) replaced: u64,
    /// The name of the character set.
    pub(crate) charset: &'static str,
}

/// Decodes a text; `declared` is a label from a header or the text itself.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> Decoded<'a> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return with(encoding, &bytes[mark..]);
    }
    if let Some(encoding) = utf16_without_mark(bytes) {
        return with(encoding, bytes);
    }
    if memmem::find(bytes, b"\x1b$B").is_some() || memmem::find(bytes, b"\x1b$@").is_some() {
        // ISO-2022-JP is also valid ASCII.
        let decoded = with(ISO_2022_JP, bytes);
        if decoded.replaced == 0 {
            return decoded;
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded { text: Cow::Borrowed(text), replaced: 0, charset: UTF_8.name() };
    }
    let declared = declared.and_then(|label| Encoding::for_label(label.trim().as_bytes()));
    match declared {
        // If a declaration of UTF-16 could be read byte by byte, it is wrong.
        Some(encoding) if encoding != UTF_16LE && encoding != UTF_16BE => {
            let decoded = with(encoding, bytes);
            // A page that declares UTF-8 but is not valid UTF-8 is better guessed.
            if decoded.replaced == 0 { decoded } else { better(decoded, with(guess(bytes), bytes)) }
        }
        _ => with(guess(bytes), bytes),
    }
}

/// The declared character set, unless the guessed one has far fewer undecodable characters.
fn better<'a>(declared: Decoded<'a>, guessed: Decoded<'a>) -> Decoded<'a> {
    let few = declared.replaced <= 3 + declared.text.len() as u64 / 500;
    if few || guessed.replaced * 10 >= declared.replaced { declared } else { guessed }
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    // The first accent of a Latin text may come late.
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let from = first.saturating_sub(LOOKED_AT / 2);
    let there = &bytes[from..bytes.len().min(from + LOOKED_AT)];
    detector.feed(if first < start.len() / 2 { start } else { there }, true);
    // Text with a few broken bytes may still be UTF-8: other character sets hardly ever contain its
    // sequences by chance.
    let (valid, broken) = utf8_sequences(start);
    if valid > broken {
        return UTF_8;
    }
    detector.guess(None, Utf8Detection::Allow)
}

/// The number of valid non-ASCII characters, and of bytes that belong to none.
fn utf8_sequences(bytes: &[u8]) -> (usize, usize) {
    bytes.utf8_chunks().fold((0, 0), |(valid, broken), chunk| {
        let whole = chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        (valid + whole, broken + usize::from(!chunk.invalid().is_empty()))
    })
}

/// Guesses UTF-16 without a mark: about every other byte of Latin text is zero, and UTF-8 text has
/// no zeros.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(4096) & !1];
    if start.len() < 8 || !start.contains(&0) {
        return None;
    }
    let zeros = |from: usize| start.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), start.len() / 2);
    let clear = |many: usize, few: usize| many * 5 >= pairs && few * 20 <= many;
    if clear(odd, even) {
        Some(UTF_16LE)
    } else if clear(even, odd) {
        Some(UTF_16BE)
    } else {
        None
    }
}

fn with<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Decoded<'a> {
    let (text, broken) = encoding.decode_without_bom_handling(bytes);
    // Genuine U+FFFD characters are rare enough to be counted too.
    let replaced = if broken { text.matches('\u{FFFD}').count() as u64 } else { 0 };
    Decoded { text, replaced, charset: encoding.name() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_KR, GB18030, KOI8_R, SHIFT_JIS, WINDOWS_1252};

    fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    const JAPANESE: &str =
        "夜の渡し船は真夜中の少し前に浅瀬に乗り上げましたが、けが人はいませんでした。";
    const CHINESE: &str =
        "夜间渡轮在午夜前不久搁浅，船上四十人都没有受伤，渡轮公司说明天恢复航行。";
    const RUSSIAN: &str = "Ночной паром сел на мель незадолго до полуночи, никто не пострадал.";
    const KOREAN: &str = "야간 여객선이 자정 직전에 좌초했지만 다친 사람은 없었다고 회사가 밝혔다.";
    const FRENCH: &str = "Le bac de nuit s’est échoué peu avant minuit, personne n’a été blessé.";

    #[test]
    fn guessed_from_the_bytes() {
        let cases = [
            (JAPANESE, SHIFT_JIS),
            (JAPANESE, ISO_2022_JP),
            (CHINESE, GB18030),
            (RUSSIAN, KOI8_R),
            (KOREAN, EUC_KR),
            (FRENCH, WINDOWS_1252),
        ];
        for (text, encoding) in cases {
            let bytes = encoded(text, encoding);
            let decoded = decode(&bytes, None);
            assert_eq!(decoded.text, text, "{}", encoding.name());
            assert_eq!(decoded.replaced, 0);
        }
    }

    #[test]
    fn utf16_with_and_without_a_mark() {
        for text in [FRENCH, "The night ferry ran aground.\nNobody was hurt.\n"] {
            for big in [false, true] {
                let plain = utf16(text, big);
                assert_eq!(decode(&plain, None).text, text);
                let marked = [utf16("\u{FEFF}", big), plain].concat();
                assert_eq!(decode(&marked, Some("utf-8")).text, text);
            }
        }
        let marked = utf16(&format!("\u{FEFF}{CHINESE}"), false);
        assert_eq!(decode(&marked, None).text, CHINESE);
    }

    #[test]
    fn what_is_declared_counts_unless_it_cannot_be() {
        let bytes = encoded(RUSSIAN, encoding_rs::WINDOWS_1251);
        assert_eq!(decode(&bytes, Some("windows-1251")).text, RUSSIAN);
        assert_eq!(decode(&bytes, Some(" \"nonsense\" ")).replaced, 0);
        assert_eq!(decode(&bytes, Some("utf-8")).replaced, 0);
        // Declared as something old, but UTF-8.
        assert_eq!(decode(RUSSIAN.as_bytes(), Some("iso-8859-1")).text, RUSSIAN);
        assert_eq!(decode(b"plain", Some("utf-16")).text, "plain");
    }

    #[test]
    fn broken_bytes_are_counted() {
        let mut bytes = RUSSIAN.as_bytes().to_vec();
        bytes.insert(10, 0xFF);
        bytes.extend(b"\xC3\x28 end");
        let decoded = decode(&bytes, None);
        assert_eq!((decoded.replaced, decoded.charset), (2, "UTF-8"));
        assert!(decoded.text.ends_with("\u{FFFD}( end"));
        let zeros = decode(b"a\0b", None);
        assert_eq!((&*zeros.text, zeros.replaced), ("a\0b", 0));
        assert_eq!(decode(b"", None).text, "");
    }
}
