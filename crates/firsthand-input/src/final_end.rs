//! An end of a stream that is final.

use std::io::{self, Read};

/// Remembers that a stream has ended. A terminal can be read again after its end, and then waits for
/// more to be typed.
pub(crate) struct FinalEnd<R> {
    reader: R,
    ended: bool,
}

impl<R> FinalEnd<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, ended: false }
    }
}

impl<R: Read> Read for FinalEnd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended || buffer.is_empty() {
            return Ok(0);
        }
        let length = self.reader.read(buffer)?;
        self.ended = length == 0;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says that it ends, and then goes on, as a terminal does.
    struct Terminal(Vec<&'static [u8]>);

    impl Read for Terminal {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "it is read after its end");
            self.0.remove(0).read(buffer)
        }
    }

    #[test]
    fn nothing_is_read_after_the_end() {
        let mut reader = FinalEnd::new(Terminal(vec![b"ab", b"", b"cd"]));
        let mut buffer = [0; 8];
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert_eq!(reader.read(&mut buffer).unwrap(), 2);
        for _ in 0..5 {
            assert_eq!(reader.read(&mut buffer).unwrap(), 0);
        }
        assert_eq!(reader.reader.0, [b"cd"]);
    }
}
