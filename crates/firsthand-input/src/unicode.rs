//! Converts UTF-16 streams to UTF-8, so that quotes and line ends are single bytes.

use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::charset;
use crate::stream::{self, Bytes};

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
        return Ok((Some(UTF_8.name()), Box::new(Transcoded::new(whole, encoding))));
    }
    Ok((Some(encoding.name()), whole))
}

/// The stream in UTF-8 if it is UTF-16, else unchanged.
pub(crate) fn utf16_to_utf8(stream: Bytes<'_>) -> io::Result<Bytes<'_>> {
    told(stream).map(|(_, stream)| stream)
}

/// Drops an incomplete last character.
fn whole_characters(start: &[u8]) -> &[u8] {
    match std::str::from_utf8(start) {
        Err(error) if error.error_len().is_none() => &start[..error.valid_up_to()],
        _ => start,
    }
}

/// A stream in another character set, read as UTF-8.
struct Transcoded<'a> {
    stream: Bytes<'a>,
    decoder: Decoder,
    raw: Vec<u8>,
    /// The start of the bytes in `raw` that are not decoded.
    from: usize,
    to: usize,
    /// Decoded text that was not yet returned.
    text: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl<'a> Transcoded<'a> {
    fn new(stream: Bytes<'a>, encoding: &'static Encoding) -> Self {
        // Also removes a byte-order mark.
        let decoder = encoding.new_decoder_with_bom_removal();
        let raw = vec![0; 64 << 10];
        Self { stream, decoder, raw, from: 0, to: 0, text: Vec::new(), taken: 0, ended: false }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.from == self.to && !self.ended {
            (self.from, self.to) = (0, self.stream.read(&mut self.raw)?);
            self.ended = self.to == 0;
        }
        self.taken = 0;
        self.text.resize(256 << 10, 0);
        let raw = &self.raw[self.from..self.to];
        let (_, read, written, _) = self.decoder.decode_to_utf8(raw, &mut self.text, self.ended);
        self.from += read;
        self.text.truncate(written);
        Ok(())
    }
}

impl Read for Transcoded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.text.len() {
            if self.ended {
                return Ok(0);
            }
            self.fill()?;
        }
        let rest = &self.text[self.taken..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.taken += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

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
}
