//! The bytes of a file as they lie on the disk, with a little of what was read kept to go back to.

use std::io::{self, Read};

use crate::stream::Bytes;

/// As much of what was read stays at hand.
const KEPT: usize = 64 << 10;
/// As much is read at once.
const STEP: usize = 128 << 10;

/// A buffered stream that knows its position.
pub(super) struct PositionedStream<'a> {
    stream: Bytes<'a>,
    buffer: Vec<u8>,
    /// How much of the buffer is filled, and how much of that was read.
    filled: usize,
    at: usize,
    /// How many bytes came before the buffer.
    before: u64,
    ended: bool,
}

impl<'a> PositionedStream<'a> {
    /// A stream whose first byte has this position.
    pub(super) fn new(stream: Bytes<'a>, before: u64) -> Self {
        Self { stream, buffer: Vec::new(), filled: 0, at: 0, before, ended: false }
    }

    /// The next bytes: at least so many, unless the stream ends before.
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

    /// Goes on; never beyond what [`ahead`](Self::ahead) showed.
    pub(super) fn take(&mut self, length: usize) {
        self.at = (self.at + length).min(self.filled);
    }

    /// The position of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.before + self.at as u64
    }

    /// Goes back to a position, or as near to it as is still at hand.
    pub(super) fn back_to(&mut self, position: u64) {
        let at = usize::try_from(position.saturating_sub(self.before)).unwrap_or(self.at);
        self.at = at.min(self.at);
    }
}
