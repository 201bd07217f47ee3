//! Checks for any bytes that arrive as lines of a stream.

use firsthand_input::{Compression, LineError, LineStream, ReadOptions};
use std::io::{self, Cursor, Read};

/// Returns a few bytes per read.
struct Drops(Cursor<Vec<u8>>, usize);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.1);
        self.0.read(&mut buffer[..most])
    }
}

/// The id and text of each line, or its error.
type Found = Vec<Result<(String, String), LineError>>;

fn read(bytes: &[u8], step: usize, options: &ReadOptions) -> (Found, u64) {
    let mut line_stream =
        LineStream::reader("stdin", Drops(Cursor::new(bytes.to_vec()), step), options)
            .expect("bytes in memory that are not compressed");
    let mut found = Vec::new();
    for line in line_stream.by_ref().flatten() {
        let item = line.read(options);
        found.push(item.map(|item| (item.document.id, item.document.text)));
    }
    (found, line_stream.blank())
}

/// Every non-blank line yields one item, in order, whatever the portions.
pub(crate) fn check(bytes: &[u8], options: &ReadOptions) {
    if Compression::from_magic(bytes) != Compression::None {
        return;
    }
    let (found, blank) = read(bytes, 1 << 16, options);
    assert_eq!((found.clone(), blank), read(bytes, 1 + bytes.len() % 13, options));
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    let ends = u64::from(bytes.is_empty() || bytes.ends_with(b"\n"));
    assert_eq!(found.len() as u64 + blank, lines - ends, "an item for each line");
    for item in &found {
        match item {
            Ok((id, text)) => {
                assert!(!id.trim().is_empty() && id.len() <= 4096, "an id");
                assert!(
                    text.len() as u64 <= options.reading.limits.document,
                    "a text within its limit"
                );
            }
            Err(error) => {
                assert!(error.error.place.line_number().is_some(), "{error}");
                assert!(!error.error.is_skip(), "{error}");
                assert!(error.id.as_ref().is_none_or(|id| !id.trim().is_empty()), "{error}");
            }
        }
    }
}
