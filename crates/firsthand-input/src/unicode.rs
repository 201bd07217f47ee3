//! Converts UTF-16 streams to UTF-8, so that quotes and line ends are single bytes.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::charset;
use crate::stream::{self, Bytes, Portions};

/// The number of bytes inspected to detect the character set.
const LOOKED_AT: usize = 64 << 10;

/// The byte by which ISO-2022-JP switches character sets.
const ESCAPE: u8 = 0x1B;

/// The character set of a stream unless its start is ASCII, and the stream, in UTF-8 if its own
/// bytes could be mistaken for quotes and commas.
pub(crate) fn told(stream: Bytes<'_>) -> io::Result<(Option<&'static str>, Bytes<'_>)> {
    let (start, whole) = stream::peek(stream, LOOKED_AT)?;
    if start.is_ascii() && !start.contains(&0) && !start.contains(&ESCAPE) {
        return Ok((None, whole));
    }
    let name = charset::decode(whole_characters(&start), None).charset;
    let encoding = Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8);
    if encoding == UTF_16LE || encoding == UTF_16BE || encoding == ISO_2022_JP {
        return Ok((Some(UTF_8.name()), recoded(whole, encoding)));
    }
    Ok((Some(encoding.name()), whole))
}

/// Lines in UTF-8 if their first two bytes are UTF-16, else unchanged, and whether they are. No more bytes
/// are inspected: in a live stream, they may not arrive for a long time.
pub(crate) fn lines(stream: Bytes<'_>) -> io::Result<(Bytes<'_>, bool)> {
    let (start, stream) = stream::peek(stream, 2)?;
    // In other character sets neither of the first two bytes is zero.
    Ok(match start[..] {
        [0xFF, 0xFE] | [1..=0x7F, 0] => (recoded(stream, UTF_16LE), false),
        [0xFE, 0xFF] | [0, 1..=0x7F] => (recoded(stream, UTF_16BE), false),
        _ => (stream, true),
    })
}

/// Drops an incomplete last character.
fn whole_characters(start: &[u8]) -> &[u8] {
    match std::str::from_utf8(start) {
        Err(error) if error.error_len().is_none() => &start[..error.valid_up_to()],
        _ => start,
    }
}

/// A stream in another character set as UTF-8, without its byte-order mark.
fn recoded<'a>(mut stream: Bytes<'a>, encoding: &'static Encoding) -> Bytes<'a> {
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let (mut raw, mut ended) = (vec![0; 64 << 10], false);
    Box::new(Portions::new(move |text| {
        text.clear();
        while text.is_empty() && !ended {
            let length = stream.read(&mut raw)?;
            ended = length == 0;
            text.resize(decoder.max_utf8_buffer_length(length).unwrap_or(4 * raw.len()), 0);
            let (result, _, written, _) = decoder.decode_to_utf8(&raw[..length], text, ended);
            debug_assert_eq!(result, CoderResult::InputEmpty);
            text.truncate(written);
        }
        Ok(())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    fn read(bytes: Vec<u8>) -> String {
        let mut text = String::new();
        let (_, mut stream) = told(Box::new(Cursor::new(bytes))).unwrap();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn utf16_of_any_length_comes_out_as_utf8() {
        for count in [0, 1, 1000, 100_000] {
            let text = "id,\"Fähre\" 渡轮 🛳\n".repeat(count);
            for big in [false, true] {
                let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                let bytes: Vec<u8> =
                    format!("\u{FEFF}{text}").encode_utf16().flat_map(unit).collect();
                assert_eq!(read(bytes.clone()), text);
                if count > 0 {
                    let half = read(bytes[..bytes.len() - 1].to_vec());
                    assert!(text.starts_with(half.trim_end_matches('\u{FFFD}')));
                }
            }
            assert_eq!(read(text.clone().into_bytes()), text);
        }
    }

    fn read_lines(bytes: Vec<u8>) -> Vec<u8> {
        let mut text = Vec::new();
        lines(Box::new(Cursor::new(bytes))).unwrap().0.read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn either_order_with_and_without_a_mark() {
        let text = "{\"text\": \"Fähre 🚢\"}\n".repeat(2_000);
        let encoded = |mark: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("{mark}{text}").encode_utf16().flat_map(bytes).collect()
        };
        for mark in ["", "\u{FEFF}"] {
            assert_eq!(read_lines(encoded(mark, u16::to_le_bytes)), text.as_bytes());
            assert_eq!(read_lines(encoded(mark, u16::to_be_bytes)), text.as_bytes());
        }
        assert_eq!(read_lines(text.clone().into_bytes()), text.as_bytes());
        assert_eq!(read_lines(b"\xEF\xBB\xBFx".to_vec()), b"\xEF\xBB\xBFx");
        assert_eq!(read_lines(b"a".to_vec()), b"a");
        assert_eq!(read_lines(b"\xFF\xFEa".to_vec()), "\u{FFFD}".as_bytes());
    }
}
