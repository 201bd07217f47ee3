//! A terminal that shows control characters from documents instead of obeying them.

use crate::visible::visible;
use std::io::{self, Write};

/// A terminal that shows control characters instead of obeying them.
pub(crate) struct Screen<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, line: Vec::new() }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if let Some(line) = self.line.strip_suffix(b"\n") {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                writeln!(self.out, "{}", visible(&String::from_utf8_lossy(line)))?;
                self.line.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        write!(self.out, "{}", visible(&String::from_utf8_lossy(&std::mem::take(&mut self.line))))?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_shows_control_characters() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out);
        screen.write_all("a\u{9b}".as_bytes()).unwrap();
        screen.write_all(b"31m\r\nb\x1b]0;title\x07\n").unwrap();
        screen.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\\u{9b}31m\nb\\u{1b}]0;title\\u{7}\n");
    }
}
