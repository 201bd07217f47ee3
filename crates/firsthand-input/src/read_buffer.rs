//! Bytes that are read into memory which was initialised before.
//!
//! `read_to_end` writes zeroes to the room that it hands to a stream, every time: for a file that is read as fast as
//! memory goes, that is a quarter of the work. Here only memory that was never used is cleared.

use std::io::{self, ErrorKind, Read};
use std::mem;
use std::ops::Deref;

/// What is cleared of a new buffer at first: a small file needs no more.
const FIRST: usize = 16 << 10;

/// Bytes from a stream; their memory may be used again.
#[derive(Debug, Default)]
pub(crate) struct ReadBuffer {
    /// The first `filled` of them count.
    memory: Vec<u8>,
    filled: usize,
}

impl ReadBuffer {
    /// Appends at most `wanted` bytes of a stream, and says how many; fewer only if it ends.
    pub(crate) fn fill(&mut self, stream: &mut dyn Read, wanted: usize) -> io::Result<usize> {
        let before = self.filled;
        let end = before.saturating_add(wanted);
        let missing = end.saturating_sub(self.memory.len());
        self.memory.reserve_exact(missing);
        while self.filled < end {
            if self.filled == self.memory.len() {
                let larger = (2 * self.filled).max(FIRST).min(end);
                self.memory.resize(larger, 0);
            }
            let room = end.min(self.memory.len());
            match stream.read(&mut self.memory[self.filled..room]) {
                Ok(0) => break,
                Ok(length) => self.filled += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.filled - before)
    }

    /// Appends bytes.
    pub(crate) fn extend_from_slice(&mut self, bytes: &[u8]) {
        let end = self.filled + bytes.len();
        if self.memory.len() < end {
            self.memory.resize(end, 0);
        }
        self.memory[self.filled..end].copy_from_slice(bytes);
        self.filled = end;
    }

    /// Makes room for this number of bytes in all.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.memory.reserve_exact(bytes.saturating_sub(self.memory.len()));
    }

    /// Forgets all bytes but the first ones.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.filled = self.filled.min(length);
    }

    /// Forgets all bytes, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
    }

    /// The bytes from a place on, which are no longer here.
    pub(crate) fn split_off(&mut self, at: usize) -> Self {
        let rest = Self::from(self[at..].to_vec());
        self.truncate(at);
        rest
    }

    /// The bytes, which are no longer here.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let Self { mut memory, filled } = mem::take(self);
        memory.truncate(filled);
        memory
    }
}

impl From<Vec<u8>> for ReadBuffer {
    fn from(memory: Vec<u8>) -> Self {
        Self { filled: memory.len(), memory }
    }
}

impl Deref for ReadBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[..self.filled]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A stream that hands out few bytes at a time, and is interrupted in between.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(ErrorKind::Interrupted.into());
            }
            let length = self.1.min(buffer.len());
            (&mut self.0).take(length as u64).read(buffer)
        }
    }

    proptest! {
        #[test]
        fn nothing_is_read_but_the_stream(
            data in prop::collection::vec(any::<u8>(), 0..200), steps in prop::collection::vec(0usize..90, 0..6),
            before in "[a-z]{0,40}",
        ) {
            // Memory that was used before must not show.
            let mut buffer = ReadBuffer::from(before.clone().into_bytes());
            buffer.clear();
            let mut stream = Dribble(&data, 0);
            let mut expected = 0;
            for wanted in steps {
                let length = buffer.fill(&mut stream, wanted).unwrap();
                prop_assert_eq!(length, wanted.min(data.len() - expected));
                expected += length;
                prop_assert_eq!(&*buffer, &data[..expected]);
            }
            buffer.extend_from_slice(b"tail");
            prop_assert!(buffer.ends_with(b"tail"));
            let rest = buffer.split_off(expected);
            prop_assert_eq!((&*rest, buffer.take()), (&b"tail"[..], data[..expected].to_vec()));
        }
    }

    #[test]
    fn more_than_is_cleared_at_first_is_read() {
        let data: Vec<u8> = (0..100_000u32).map(|at| at as u8).collect();
        let mut buffer = ReadBuffer::default();
        assert_eq!(buffer.fill(&mut &*data, 99_000).unwrap(), 99_000);
        assert_eq!(buffer[..], data[..99_000]);
    }
}
