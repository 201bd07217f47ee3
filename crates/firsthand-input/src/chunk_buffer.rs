//! A stream that is cut into chunks of whole records, in bounded memory.

use std::io;
use std::mem;

use memchr::memchr;

use crate::buffer_pool::BufferPool;
use crate::read_buffer::ReadBuffer;
use crate::stream::Bytes;

/// Why the record with this number, or at this line, could not be cut out.
#[derive(Debug)]
pub(crate) enum CutError {
    /// It is too long; the next one is read.
    TooLong { at: u64 },
    /// The file ends inside its quotes.
    CutOff { at: u64 },
    /// Reading failed.
    Failed { at: u64, error: io::Error },
}

/// The bytes of a stream from the start of a record.
pub(crate) struct ChunkBuffer<'a> {
    stream: Bytes<'a>,
    /// Bytes not yet taken.
    pub(crate) rest: ReadBuffer,
    pub(crate) ended: bool,
    pub(crate) failure: Option<io::Error>,
    chunk_bytes: usize,
    /// Buffers that were taken before.
    pub(crate) pool: BufferPool,
    /// The most bytes of a record.
    pub(crate) longest: usize,
}

impl<'a> ChunkBuffer<'a> {
    pub(crate) fn new(stream: Bytes<'a>, chunk_bytes: usize, longest: usize) -> Self {
        let (rest, chunk_bytes) = (ReadBuffer::default(), chunk_bytes.max(1));
        let pool = BufferPool::default();
        Self { stream, rest, ended: false, failure: None, chunk_bytes, pool, longest }
    }

    /// Reads until the buffer is full or the stream ends.
    pub(crate) fn fill(&mut self) {
        if self.ended {
            return;
        }
        // A record longer than a chunk doubles the buffer, up to one byte over the limit.
        let longest = self.longest.saturating_add(1).max(self.chunk_bytes);
        let size = self.chunk_bytes.max(self.rest.len().saturating_mul(2)).min(longest);
        let wanted = size.saturating_sub(self.rest.len());
        match self.rest.fill(&mut self.stream, wanted) {
            Ok(length) => self.ended = length < wanted,
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: io::Error) {
        (self.ended, self.failure) = (true, Some(error));
    }

    /// Takes the first `length` bytes.
    pub(crate) fn take(&mut self, length: usize) -> ReadBuffer {
        let mut rest = self.pool.take();
        if length < self.rest.len() {
            rest.reserve(self.chunk_bytes.max(self.rest.len() - length));
            rest.extend_from_slice(&self.rest[length..]);
        }
        let mut bytes = mem::replace(&mut self.rest, rest);
        bytes.truncate(length);
        bytes
    }

    /// Drops all bytes up to the next line end in the stream, or to its end; says how many, and whether
    /// there was a line end.
    pub(crate) fn drop_line(&mut self, line_end: u8) -> (u64, bool) {
        let mut buffer = vec![0; 64 << 10];
        let mut dropped = self.rest.len() as u64;
        self.rest.clear();
        while !self.ended {
            match self.stream.read(&mut buffer) {
                Ok(0) => self.ended = true,
                Ok(length) => {
                    if let Some(end) = memchr(line_end, &buffer[..length]) {
                        self.rest.extend_from_slice(&buffer[end + 1..length]);
                        return (dropped + end as u64 + 1, true);
                    }
                    dropped += length as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.fail(error),
            }
        }
        (dropped, false)
    }
}
