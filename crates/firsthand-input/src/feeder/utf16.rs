//! Converts UTF-16 JSONL to UTF-8. Only two bytes are inspected: in a live stream, more may not
//! arrive for a long time.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};

use crate::stream::{self, Bytes};

/// The stream in UTF-8 if its first two bytes are UTF-16, else unchanged.
pub(super) fn recoded(stream: Bytes<'_>) -> io::Result<Bytes<'_>> {
    let (start, stream) = stream::peek(stream, 2)?;
    // In other character sets neither of the first two bytes is zero.
    let encoding = match start[..] {
        [0xFF, 0xFE] => UTF_16LE,
        [0xFE, 0xFF] => UTF_16BE,
        [1..=0x7F, 0] => UTF_16LE,
        [0, 1..=0x7F] => UTF_16BE,
        _ => return Ok(stream),
    };
    let decoder = encoding.new_decoder_with_bom_removal();
    Ok(Box::new(Recoded { stream, decoder, text: Vec::new(), given: 0, ended: false }))
}

struct Recoded<'a> {
    stream: Bytes<'a>,
    decoder: Decoder,
    text: Vec<u8>,
    /// The number of bytes of the text already returned.
    given: usize,
    ended: bool,
}

impl Recoded<'_> {
    fn fill(&mut self) -> io::Result<()> {
        let mut raw = [0; 8 << 10];
        let length = self.stream.read(&mut raw)?;
        self.ended = length == 0;
        let room = self.decoder.max_utf8_buffer_length(length).unwrap_or(4 * raw.len());
        self.text.resize(room, 0);
        let (result, _, written, _) =
            self.decoder.decode_to_utf8(&raw[..length], &mut self.text, self.ended);
        debug_assert_eq!(result, CoderResult::InputEmpty);
        self.text.truncate(written);
        self.given = 0;
        Ok(())
    }
}

impl Read for Recoded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            self.fill()?;
        }
        let rest = &self.text[self.given..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn read(bytes: Vec<u8>) -> Vec<u8> {
        let mut text = Vec::new();
        recoded(Box::new(Cursor::new(bytes))).unwrap().read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn either_order_with_and_without_a_mark() {
        let text = "{\"text\": \"Fähre 🚢\"}\n".repeat(2_000);
        let encoded = |mark: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("{mark}{text}").encode_utf16().flat_map(bytes).collect()
        };
        for mark in ["", "\u{FEFF}"] {
            assert_eq!(read(encoded(mark, u16::to_le_bytes)), text.as_bytes());
            assert_eq!(read(encoded(mark, u16::to_be_bytes)), text.as_bytes());
        }
        assert_eq!(read(text.clone().into_bytes()), text.as_bytes());
        assert_eq!(read(b"\xEF\xBB\xBFx".to_vec()), b"\xEF\xBB\xBFx");
        assert_eq!(read(b"a".to_vec()), b"a");
        assert_eq!(read(b"\xFF\xFEa".to_vec()), "\u{FFFD}".as_bytes());
    }
}
