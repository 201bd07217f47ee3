//! Cuts JSONL into chunks of whole lines: no allocation per line, bounded memory for long lines.

use memchr::{memchr_iter, memrchr};

use crate::buffer_pool::PooledBytes;
use crate::chunk_buffer::{ChunkBuffer, CutError};
use crate::stream::Bytes;

/// Whole lines; only the last line of a file may lack its line end.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) first_line: u64,
    /// Where it starts in the stream.
    pub(crate) byte: u64,
    /// The number of line ends.
    pub(crate) lines: u64,
    pub(crate) bytes: PooledBytes,
}

/// Cuts a stream into chunks.
pub(crate) struct LineChunks<'a> {
    buffer: ChunkBuffer<'a>,
    /// The number of the line at the start of the buffer.
    line: u64,
    /// Where the buffer starts in the stream.
    byte: u64,
}

impl<'a> LineChunks<'a> {
    pub(crate) fn new(stream: Bytes<'a>, chunk_bytes: usize, line_bytes: usize) -> Self {
        Self { buffer: ChunkBuffer::new(stream, chunk_bytes, line_bytes), line: 1, byte: 0 }
    }

    fn cut(&mut self, length: usize) -> Chunk {
        let bytes = self.buffer.take(length);
        let (first_line, byte) = (self.line, self.byte);
        let bytes = self.buffer.pool.lend(bytes);
        let lines = memchr_iter(b'\n', &bytes).count() as u64;
        self.line += lines;
        self.byte += length as u64;
        Chunk { first_line, byte, lines, bytes }
    }
}

impl Iterator for LineChunks<'_> {
    type Item = Result<Chunk, CutError>;

    fn next(&mut self) -> Option<Self::Item> {
        // Bytes of the buffer known to hold no line end.
        let mut searched = 0;
        loop {
            self.buffer.fill();
            if let Some(last) = memrchr(b'\n', &self.buffer.rest[searched..]) {
                return Some(Ok(self.cut(searched + last + 1)));
            }
            searched = self.buffer.rest.len();
            let at = self.line;
            if searched > self.buffer.longest {
                self.byte += self.buffer.drop_line(b'\n').0;
                self.line += 1;
                return Some(Err(CutError::TooLong { at }));
            }
            if !self.buffer.ended {
                continue;
            }
            if let Some(error) = self.buffer.failure.take() {
                // A line that was cut off is part of the failure.
                self.buffer.rest.clear();
                return Some(Err(CutError::Failed { at, error }));
            }
            return (searched > 0).then(|| Ok(self.cut(searched)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::{self, Cursor, Read};

    #[test]
    fn chunks_know_where_they_start() {
        for longest in [5, 100] {
            let data = b"one\ntwo\n\nthree, which is long\nfour\nfive";
            let stream = Box::new(Cursor::new(data.to_vec()));
            for chunk in LineChunks::new(stream, 6, longest).flatten() {
                let start = chunk.byte as usize;
                assert_eq!(&data[start..start + chunk.bytes.len()], &*chunk.bytes);
            }
        }
    }

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
                Err(CutError::TooLong { at: line }) => found.push((line, None)),
                Err(error) => panic!("{error:?}"),
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
        assert_eq!((chunk.first_line, chunk.lines, &*chunk.bytes), (1, 2, &b"one\ntwo\n"[..]));
        assert!(matches!(lines.next(), Some(Err(CutError::Failed { at: 3, .. }))));
        assert!(lines.next().is_none());
    }
}
