//! The bytes of a file, with the last ones kept to go back to.

use std::io::{self, Read};

use crate::stream::Bytes;

/// The number of bytes kept.
const KEPT: usize = 64 << 10;
/// Bytes per read.
const STEP: usize = 128 << 10;

/// A buffered stream that knows its position.
pub(super) struct PositionedStream<'a> {
    stream: Bytes<'a>,
    buffer: Vec<u8>,
    /// The filled part of the buffer, and the part of it already read.
    filled: usize,
    at: usize,
    /// The number of bytes before the buffer.
    before: u64,
    ended: bool,
}

impl<'a> PositionedStream<'a> {
    /// A stream whose first byte is at position `before`.
    pub(super) fn new(stream: Bytes<'a>, before: u64) -> Self {
        Self { stream, buffer: Vec::new(), filled: 0, at: 0, before, ended: false }
    }

    /// The next bytes: at least `length`, unless the stream ends.
    pub(super) fn ahead(&mut self, length: usize) -> io::Result<&[u8]> {
        while self.filled - self.at < length && !self.ended {
            self.fill(length)?;
        }
        Ok(&self.buffer[self.at..self.filled])
    }

    fn fill(&mut self, length: usize) -> io::Result<()> {
        let useless = self.at.saturating_sub(KEPT);
        if useless >= STEP {
            self.buffer.copy_within(useless..self.filled, 0);
            self.before += useless as u64;
            self.at -= useless;
            self.filled -= useless;
        }
        let wanted = (self.at + length).max(self.filled + STEP);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        match self.stream.read(&mut self.buffer[self.filled..]) {
            Ok(0) => self.ended = true,
            Ok(length) => self.filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Skips bytes that [`ahead`](Self::ahead) returned.
    pub(super) fn take(&mut self, length: usize) {
        self.at = (self.at + length).min(self.filled);
    }

    /// The position of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.before + self.at as u64
    }

    /// Goes back to a position, or to the first byte kept.
    pub(super) fn back_to(&mut self, position: u64) {
        let at = usize::try_from(position.saturating_sub(self.before)).unwrap_or(self.at);
        self.at = at.min(self.at);
    }
}
