//! Finds the end of an element by counting brackets and skipping strings.

use memchr::memchr3;

use firsthand::settings::{Limit, Limits};

/// An element that is being read.
#[derive(Debug)]
pub(super) struct PartialElement {
    bytes: Vec<u8>,
    state: ElementState,
    /// The limit that it exceeded; no more of it is kept.
    beyond: Option<Limit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ElementState {
    /// Outside strings, at this bracket depth.
    Open(u64),
    /// In a string, at this bracket depth.
    Quoted(u64),
    /// After a backslash in a string.
    Escaped(u64),
    /// In a number or word.
    Bare,
}

/// Whether and where an element ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ElementEnd {
    /// Not in these bytes.
    Later,
    /// After this number of bytes.
    Here(usize),
    /// After this number of bytes, with a line end in a string: a quote is missing.
    Broken(usize),
}

impl PartialElement {
    /// An element whose first byte, not yet read, is `first`.
    pub(super) fn new(first: u8) -> Self {
        let state = match first {
            b'{' | b'[' | b'"' => ElementState::Open(0),
            _ => ElementState::Bare,
        };
        Self { bytes: Vec::new(), state, beyond: None }
    }

    /// Whether it is a number or word, which ends only where something else begins.
    pub(super) fn is_bare(&self) -> bool {
        self.state == ElementState::Bare
    }

    /// Whether it exceeded a limit.
    pub(super) fn is_beyond(&self) -> bool {
        self.beyond.is_some()
    }

    /// The bytes, or the limit that was exceeded.
    pub(super) fn take(self) -> Result<Vec<u8>, Limit> {
        match self.beyond {
            Some(limit) => Err(limit),
            None => Ok(self.bytes),
        }
    }

    /// Reads more bytes and keeps those that belong to the element.
    pub(super) fn read(&mut self, bytes: &[u8], limits: &Limits) -> ElementEnd {
        let end = self.find_end(bytes, limits.json_depth);
        let (ElementEnd::Here(length) | ElementEnd::Broken(length)) = end else {
            self.keep(bytes, limits.line);
            return ElementEnd::Later;
        };
        self.keep(&bytes[..length], limits.line);
        end
    }

    fn keep(&mut self, bytes: &[u8], most: u64) {
        if self.beyond.is_none() && (self.bytes.len() + bytes.len()) as u64 > most {
            self.beyond = Some(Limit::Line);
        }
        if self.beyond.is_some() {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn find_end(&mut self, bytes: &[u8], deepest: u64) -> ElementEnd {
        let mut at = 0;
        while at < bytes.len() {
            match self.state {
                ElementState::Open(depth) => {
                    let mut rest = bytes[at..].iter();
                    let Some(plain) = rest.position(|byte| tells(*byte)) else { break };
                    at += plain + 1;
                    match bytes[at - 1] {
                        b'"' => self.state = ElementState::Quoted(depth),
                        b'{' | b'[' => {
                            if depth >= deepest {
                                self.beyond.get_or_insert(Limit::JsonDepth);
                            }
                            self.state = ElementState::Open(depth + 1);
                        }
                        b'}' | b']' if depth <= 1 => return ElementEnd::Here(at),
                        b'}' | b']' => self.state = ElementState::Open(depth - 1),
                        _ => {}
                    }
                }
                ElementState::Quoted(depth) => {
                    let Some(length) = memchr3(b'"', b'\\', b'\n', &bytes[at..]) else { break };
                    at += length + 1;
                    match bytes[at - 1] {
                        b'\\' => self.state = ElementState::Escaped(depth),
                        b'\n' => return ElementEnd::Broken(at),
                        _ if depth == 0 => return ElementEnd::Here(at),
                        _ => self.state = ElementState::Open(depth),
                    }
                }
                ElementState::Escaped(depth) => {
                    at += 1;
                    self.state = ElementState::Quoted(depth);
                }
                ElementState::Bare => {
                    let ends = |byte: &u8| is_space(*byte) || b",[]{}\"".contains(byte);
                    return bytes.iter().position(ends).map_or(ElementEnd::Later, ElementEnd::Here);
                }
            }
        }
        ElementEnd::Later
    }
}

/// Whether a byte outside strings changes the state.
fn tells(byte: u8) -> bool {
    const TELLS: [bool; 256] = {
        let mut table = [false; 256];
        let mut at = 0;
        while at < 5 {
            table[b"\"{}[]"[at] as usize] = true;
            at += 1;
        }
        table
    };
    TELLS[byte as usize]
}

/// Whether JSON treats a byte as white space.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
