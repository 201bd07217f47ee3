//! Cuts JSONL into chunks of whole lines: no allocation per line, bounded memory for long lines.

use std::io::{self, Read};
use std::mem;

use memchr::{memchr, memchr_iter, memrchr};

use crate::stream::Bytes;

/// Whole lines; only the last line of a file may lack its line end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) first_line: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Why a chunk could not be read.
#[derive(Debug)]
pub(crate) enum LinesError {
    /// This line is too long and was skipped.
    TooLong { line: u64 },
    /// Reading failed at this line.
    Failed { line: u64, error: io::Error },
}

/// Cuts a stream into chunks.
pub(crate) struct LineChunks<'a> {
    stream: Bytes<'a>,
    /// The start of a line whose end has not been read.
    rest: Vec<u8>,
    /// The number of the line that `rest` starts.
    line: u64,
    failure: Option<io::Error>,
    ended: bool,
    chunk_bytes: usize,
    line_bytes: usize,
}

impl<'a> LineChunks<'a> {
    pub(crate) fn new(stream: Bytes<'a>, chunk_bytes: usize, line_bytes: usize) -> Self {
        let chunk_bytes = chunk_bytes.max(1);
        let rest = Vec::new();
        Self { stream, rest, line: 1, failure: None, ended: false, chunk_bytes, line_bytes }
    }

    /// Reads until there is a whole line and the buffer is full; true at the end of the stream.
    fn fill(&mut self) {
        // A line longer than a chunk doubles the buffer, up to one byte over the limit.
        let longest = self.line_bytes.saturating_add(1).max(self.chunk_bytes);
        let size = self.chunk_bytes.max(self.rest.len() * 2).min(longest);
        let wanted = size.saturating_sub(self.rest.len());
        self.rest.reserve_exact(wanted);
        match self.stream.by_ref().take(wanted as u64).read_to_end(&mut self.rest) {
            Ok(length) => self.ended = length < wanted,
            Err(error) => {
                self.ended = true;
                self.failure = Some(error);
            }
        }
    }

    /// Drops the line that `rest` starts, and keeps the bytes after it.
    fn drop_line(&mut self) {
        let mut buffer = vec![0; 64 << 10];
        self.rest.clear();
        while !self.ended {
            match self.stream.read(&mut buffer) {
                Ok(0) => self.ended = true,
                Ok(length) => {
                    if let Some(end) = memchr(b'\n', &buffer[..length]) {
                        self.rest.extend_from_slice(&buffer[end + 1..length]);
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.failure = Some(error);
                }
            }
        }
    }

    /// Takes the first `length` bytes of `rest` as a chunk.
    fn cut(&mut self, length: usize) -> Chunk {
        let mut rest = Vec::new();
        if length < self.rest.len() {
            rest.reserve_exact(self.chunk_bytes.max(self.rest.len() - length));
            rest.extend_from_slice(&self.rest[length..]);
        }
        let mut bytes = mem::replace(&mut self.rest, rest);
        bytes.truncate(length);
        let first_line = self.line;
        self.line += memchr_iter(b'\n', &bytes).count() as u64;
        Chunk { first_line, bytes }
    }
}

impl Iterator for LineChunks<'_> {
    type Item = Result<Chunk, LinesError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Bytes of `rest` known to hold no line end.
        let mut searched = 0;
        loop {
            if !self.ended {
                self.fill();
            }
            if let Some(last) = memrchr(b'\n', &self.rest[searched..]) {
                return Some(Ok(self.cut(searched + last + 1)));
            }
            searched = self.rest.len();
            if searched > self.line_bytes {
                let line = self.line;
                self.drop_line();
                self.line += 1;
                return Some(Err(LinesError::TooLong { line }));
            }
            if !self.ended {
                continue;
            }
            if let Some(error) = self.failure.take() {
                // A line that was cut off is part of the failure.
                self.rest.clear();
                return Some(Err(LinesError::Failed { line: self.line, error }));
            }
            return (searched > 0).then(|| Ok(self.cut(searched)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    /// Every line with its number, or `None` for one that was too long.
    fn lines(data: &[u8], chunk_bytes: usize, line_bytes: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let stream = Box::new(Cursor::new(data.to_vec()));
        let mut found = Vec::new();
        for chunk in LineChunks::new(stream, chunk_bytes, line_bytes) {
            match chunk {
                Ok(chunk) => {
                    let body = chunk.bytes.strip_suffix(b"\n").unwrap_or(&chunk.bytes);
                    let numbered = (chunk.first_line..).zip(body.split(|&b| b == b'\n'));
                    found.extend(numbered.map(|(number, line)| {
                        (number, (line.len() <= line_bytes).then(|| line.to_vec()))
                    }));
                }
                Err(LinesError::TooLong { line }) => found.push((line, None)),
                Err(LinesError::Failed { error, .. }) => panic!("{error}"),
            }
        }
        found
    }

    fn expected(data: &[u8], line_bytes: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        if data.is_empty() {
            return Vec::new();
        }
        let body = data.strip_suffix(b"\n").unwrap_or(data);
        let cut = |line: &[u8]| (line.len() <= line_bytes).then(|| line.to_vec());
        (1..).zip(body.split(|&b| b == b'\n').map(cut)).collect()
    }

    proptest! {
        #[test]
        fn chunks_of_any_size_give_the_same_lines(
            data in "[ab\n]{0,80}", chunk_bytes in 0usize..40, line_bytes in 0usize..20,
        ) {
            let data = data.as_bytes();
            prop_assert_eq!(lines(data, chunk_bytes, line_bytes), expected(data, line_bytes));
        }
    }

    #[test]
    fn a_failure_keeps_the_lines_before_it() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let stream = Box::new(Cursor::new(b"one\ntwo\nthr".to_vec()).chain(Broken));
        let mut lines = LineChunks::new(stream, 1 << 10, 1 << 10);
        let chunk = lines.next().unwrap().unwrap();
        assert_eq!(chunk, Chunk { first_line: 1, bytes: b"one\ntwo\n".to_vec() });
        assert!(matches!(lines.next(), Some(Err(LinesError::Failed { line: 3, .. }))));
        assert!(lines.next().is_none());
    }
}
