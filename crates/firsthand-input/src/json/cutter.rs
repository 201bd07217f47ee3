//! What stands between elements: brackets, commas, white space, and what should not be there.

use memchr::{memchr2, memchr3};

use firsthand::settings::{Limit, Limits};

use super::element::{Element, End, is_space};

/// Something in a JSON file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A value.
    Element(Vec<u8>),
    /// A value that goes beyond a limit.
    Beyond(Limit),
    /// What is no JSON, in words.
    Garbage(String),
}

/// Finds elements in bytes that are given piece by piece.
#[derive(Debug)]
pub(crate) struct Cutter<'l> {
    limits: &'l Limits,
    /// Elements so far.
    count: u64,
    /// Whether we are in an array, or among values one after another.
    in_array: bool,
    /// Whether a value came, and after it no comma.
    after_value: bool,
    /// The start of the file may be a byte-order mark.
    at_start: bool,
    /// Whether a missing comma was told of: if one is missing, all are.
    told_of_comma: bool,
    state: State,
}

#[derive(Debug)]
enum State {
    Between,
    Within(Element),
    /// Behind something that is no JSON, until a bracket.
    Lost,
}

impl<'l> Cutter<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            count: 0,
            in_array: false,
            after_value: false,
            at_start: true,
            told_of_comma: false,
            state: State::Between,
        }
    }

    /// The number of the element that is being read, or is next.
    pub(crate) fn next_number(&self) -> u64 {
        self.count + 1
    }

    /// What is found next, with its number; `None` when all of `bytes` has been taken.
    pub(crate) fn next(&mut self, bytes: &mut &[u8]) -> Option<(u64, Found)> {
        while !bytes.is_empty() {
            let found = match &mut self.state {
                State::Between => self.between(bytes),
                State::Within(element) => {
                    let end = element.read(bytes, self.limits);
                    self.ended(end, bytes)
                }
                State::Lost => {
                    let bracket = match self.in_array {
                        true => memchr3(b'{', b'[', b']', bytes),
                        false => memchr2(b'{', b'[', bytes),
                    };
                    *bytes = &bytes[bracket.unwrap_or(bytes.len())..];
                    if !bytes.is_empty() {
                        // What was lost stands for a value and a comma.
                        (self.state, self.after_value) = (State::Between, false);
                    }
                    None
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What is left to say at the end of the file.
    pub(crate) fn end(mut self) -> Option<(u64, Found)> {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Within(element) if element.is_bare() && !self.in_array => self.finish(element),
            // The limit is why nothing of it was kept; that it never ends comes second.
            State::Within(element) if element.is_beyond() => self.finish(element),
            State::Within(_) => self.garbage("it ends within an element: was it cut off?".into()),
            State::Between | State::Lost if self.in_array => {
                self.garbage("it ends before the array does: was it cut off?".into())
            }
            State::Between | State::Lost => None,
        }
    }

    fn between(&mut self, bytes: &mut &[u8]) -> Option<(u64, Found)> {
        let spaces = bytes.iter().take_while(|byte| is_space(**byte)).count();
        *bytes = &bytes[spaces..];
        let first = *bytes.first()?;
        match first {
            // A byte-order mark may be cut in two: its bytes are passed over one by one.
            0xEF | 0xBB | 0xBF if self.at_start => *bytes = &bytes[1..],
            b'[' if !self.in_array => {
                (self.in_array, self.after_value) = (true, false);
                *bytes = &bytes[1..];
            }
            b']' if self.in_array => {
                (self.in_array, self.after_value) = (false, false);
                *bytes = &bytes[1..];
            }
            // A comma too many does no harm.
            b',' if self.in_array => {
                self.after_value = false;
                *bytes = &bytes[1..];
            }
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.state = State::Within(Element::new(first));
                let missing = self.in_array && self.after_value && !self.told_of_comma;
                if missing {
                    self.told_of_comma = true;
                    return self.garbage("no comma between two elements".into());
                }
            }
            _ => {
                self.at_start = false;
                return self.lose(bytes);
            }
        }
        self.at_start &= !first.is_ascii();
        None
    }

    /// An element goes on or has ended.
    fn ended(&mut self, end: End, bytes: &mut &[u8]) -> Option<(u64, Found)> {
        let length = match end {
            End::Later => bytes.len(),
            End::Here(length) | End::Broken(length) => length,
        };
        *bytes = &bytes[length..];
        match (end, std::mem::replace(&mut self.state, State::Between)) {
            (End::Here(_), State::Within(element)) => self.finish(element),
            (End::Broken(_), _) => {
                self.state = State::Lost;
                self.count += 1;
                let said = "a line ends within a string: is a quote missing?";
                Some((self.count, Found::Garbage(said.into())))
            }
            (_, state) => {
                self.state = state;
                None
            }
        }
    }

    fn finish(&mut self, element: Element) -> Option<(u64, Found)> {
        let is_bare = element.is_bare();
        let found = match element.take() {
            Ok(word) if is_bare && !is_scalar(&word) => {
                self.state = State::Lost;
                return self.garbage(format!("{} is no value", shown(&word)));
            }
            Ok(bytes) => Found::Element(bytes),
            Err(limit) => Found::Beyond(limit),
        };
        self.count += 1;
        self.after_value = true;
        Some((self.count, found))
    }

    fn lose(&mut self, bytes: &mut &[u8]) -> Option<(u64, Found)> {
        self.state = State::Lost;
        let end = bytes.iter().position(|byte| is_space(*byte)).unwrap_or(bytes.len()).max(1);
        let word = shown(&bytes[..end]);
        // A bracket that has no place here is passed over too.
        *bytes = &bytes[1..];
        self.garbage(format!("{word} where an element was expected"))
    }

    fn garbage(&self, detail: String) -> Option<(u64, Found)> {
        Some((self.next_number(), Found::Garbage(detail)))
    }
}

/// Whether a word is a number or one of the three names that JSON knows.
fn is_scalar(word: &[u8]) -> bool {
    let numeric = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    matches!(word, b"true" | b"false" | b"null")
        || (word.iter().all(numeric) && word.iter().any(u8::is_ascii_digit))
}

/// The start of something in quotes, for a message.
fn shown(bytes: &[u8]) -> String {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
    let short: String = start.chars().take(20).collect();
    let more = if short.len() < bytes.len() { "..." } else { "" };
    format!("{:?}", short + more)
}
