//! A JSON array as lines: its elements are told apart by brackets and commas, and looked into by nobody.

use crate::body::Refusal;
use crate::problem::{Code, Problem};
use std::io::{self, Read};

/// The elements of a JSON array, one a line; a single object is an array of one.
pub(crate) struct Elements<R> {
    inner: R,
    refusal: Refusal,
    at: At,
    /// Brackets that are open, those of the array not counted.
    depth: u64,
    in_string: bool,
    is_escaped: bool,
}

/// Where in the body the next byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Before the first bracket.
    Start,
    /// In an array.
    Array,
    /// In an object that is not in an array.
    Single,
    /// After the last bracket.
    End,
}

impl<R> Elements<R> {
    pub(crate) fn new(inner: R, refusal: Refusal) -> Self {
        Self { inner, refusal, at: At::Start, depth: 0, in_string: false, is_escaped: false }
    }

    /// What becomes of a byte; none if it cannot stand where it is.
    fn turn(&mut self, byte: u8) -> Option<u8> {
        if self.in_string {
            let was_escaped = std::mem::take(&mut self.is_escaped);
            match byte {
                b'"' if !was_escaped => self.in_string = false,
                b'\\' if !was_escaped => self.is_escaped = true,
                // A line end cannot stand in a string. Another control character cannot either, and does
                // not end the line.
                b'\n' | b'\r' => return Some(1),
                _ => {}
            }
            return Some(byte);
        }
        let blank = |byte: u8| if byte.is_ascii_whitespace() { b' ' } else { byte };
        match (self.at, byte) {
            (At::Start | At::End, _) if byte.is_ascii_whitespace() => Some(b' '),
            (At::Start, b'[') => {
                self.at = At::Array;
                Some(b' ')
            }
            (At::Start, b'{') => {
                (self.at, self.depth) = (At::Single, 1);
                Some(byte)
            }
            (At::Start | At::End, _) => None,
            (At::Array, b',') if self.depth == 0 => Some(b'\n'),
            (At::Array, b']') if self.depth == 0 => {
                self.at = At::End;
                Some(b'\n')
            }
            (At::Array | At::Single, b'"') => {
                self.in_string = true;
                Some(byte)
            }
            (At::Array | At::Single, b'{' | b'[') => {
                self.depth += 1;
                Some(byte)
            }
            (At::Array | At::Single, b'}' | b']') => {
                self.depth = self.depth.checked_sub(1)?;
                if self.at == At::Single && self.depth == 0 {
                    self.at = At::End;
                }
                Some(byte)
            }
            (At::Array | At::Single, byte) => Some(blank(byte)),
        }
    }

    fn refuse(&self, detail: &str) -> io::Error {
        self.refusal.set(Problem::new(Code::BadJson).detail(detail));
        io::Error::other("refused")
    }
}

impl<R: Read> Read for Elements<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        if length == 0 && !buffer.is_empty() && self.at != At::End {
            return Err(self.refuse("the body ends before its array does"));
        }
        for byte in &mut buffer[..length] {
            let Some(turned) = self.turn(*byte) else {
                return Err(self.refuse("the body is not an array of objects, or a single object"));
            };
            *byte = turned;
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(body: &str, step: usize) -> Result<Vec<String>, Problem> {
        struct Drops<'a>(&'a [u8], usize);
        impl Read for Drops<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let most = buffer.len().min(self.1);
                self.0.read(&mut buffer[..most])
            }
        }
        let refusal = Refusal::default();
        let mut text = String::new();
        let read =
            Elements::new(Drops(body.as_bytes(), step), refusal.clone()).read_to_string(&mut text);
        match read {
            Ok(_) => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                Ok(lines.map(str::to_owned).collect())
            }
            Err(_) => Err(refusal.get().unwrap()),
        }
    }

    #[test]
    fn elements_become_lines_however_they_arrive() {
        let body = " [ {\"a\": \"x,]\\\"}\",\n \"b\": [1, {\"c\": 2}]},\r\n\t{\"d\": \"\\\\\"} ,3, [4]]\n ";
        let expected =
            ["{\"a\": \"x,]\\\"}\",  \"b\": [1, {\"c\": 2}]}", "{\"d\": \"\\\\\"}", "3", "[4]"];
        for step in [1, 2, 3, 1000] {
            assert_eq!(lines(body, step).unwrap(), expected, "{step}");
        }
        assert_eq!(lines("{\"a\":\n1}", 1).unwrap(), ["{\"a\": 1}"]);
        assert_eq!(lines("[]", 1).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_array_is_refused() {
        for body in ["", "7", "[1", "[1] 2", "{} {}", "{]", "[}", "\"x\""] {
            // Wrong brackets within an element are found when it is read.
            match lines(body, 1) {
                Err(problem) => assert_eq!(problem.code, Code::BadJson),
                Ok(lines) => assert!(body == "{]" && lines == ["{]"], "{body}: {lines:?}"),
            }
        }
    }

    #[test]
    fn a_line_end_in_a_string_does_not_end_the_line() {
        assert_eq!(lines("[\"a\nb\", 1]", 1).unwrap(), ["\"a\u{1}b\"", "1"]);
    }
}
