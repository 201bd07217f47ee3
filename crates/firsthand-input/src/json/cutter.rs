//! Finds elements, and handles brackets, commas, white space and garbage between them.

use memchr::{memchr2, memchr3};

use firsthand::settings::{Limit, Limits};

use super::element::{ElementEnd, PartialElement, is_space};

/// An element of a JSON file, or a fault.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JsonCut {
    /// A value.
    Element(Vec<u8>),
    /// A value that exceeds a limit.
    Beyond(Limit),
    /// A description of invalid JSON.
    Garbage(String),
}

/// Finds elements in bytes that arrive in portions.
#[derive(Debug)]
pub(crate) struct JsonCutter<'l> {
    limits: &'l Limits,
    /// The number of elements so far.
    count: u64,
    /// Whether this is an array rather than consecutive values.
    in_array: bool,
    /// Whether the last token was a value, not a comma.
    after_value: bool,
    /// Whether a byte-order mark may follow.
    at_start: bool,
    /// Whether a missing comma was reported: if one is missing, usually all are.
    told_of_comma: bool,
    state: CutterState,
}

#[derive(Debug)]
enum CutterState {
    Between,
    Within(PartialElement),
    /// After invalid JSON, until a bracket.
    Lost,
}

impl<'l> JsonCutter<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            count: 0,
            in_array: false,
            after_value: false,
            at_start: true,
            told_of_comma: false,
            state: CutterState::Between,
        }
    }

    /// The number of the current or next element.
    pub(crate) fn next_number(&self) -> u64 {
        self.count + 1
    }

    /// The next element or fault, with its number; `None` once all of `bytes` is consumed.
    pub(crate) fn next(&mut self, bytes: &mut &[u8]) -> Option<(u64, JsonCut)> {
        while !bytes.is_empty() {
            let found = match &mut self.state {
                CutterState::Between => self.between(bytes),
                CutterState::Within(element) => {
                    let end = element.read(bytes, self.limits);
                    self.ended(end, bytes)
                }
                CutterState::Lost => {
                    let bracket = match self.in_array {
                        true => memchr3(b'{', b'[', b']', bytes),
                        false => memchr2(b'{', b'[', bytes),
                    };
                    *bytes = &bytes[bracket.unwrap_or(bytes.len())..];
                    if !bytes.is_empty() {
                        // The skipped bytes count as a value and a comma.
                        (self.state, self.after_value) = (CutterState::Between, false);
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

    /// The last element or fault, at the end of the file.
    pub(crate) fn end(mut self) -> Option<(u64, JsonCut)> {
        match std::mem::replace(&mut self.state, CutterState::Between) {
            CutterState::Within(element) if element.is_bare() && !self.in_array => {
                self.finish(element)
            }
            // The exceeded limit matters more than the missing end.
            CutterState::Within(element) if element.is_beyond() => self.finish(element),
            CutterState::Within(_) => {
                self.garbage("it ends within an element: was it cut off?".into())
            }
            CutterState::Between | CutterState::Lost if self.in_array => {
                self.garbage("it ends before the array does: was it cut off?".into())
            }
            CutterState::Between | CutterState::Lost => None,
        }
    }

    fn between(&mut self, bytes: &mut &[u8]) -> Option<(u64, JsonCut)> {
        let spaces = bytes.iter().take_while(|byte| is_space(**byte)).count();
        *bytes = &bytes[spaces..];
        let first = *bytes.first()?;
        match first {
            // A byte-order mark may be split between portions, so its bytes are skipped singly.
            0xEF | 0xBB | 0xBF if self.at_start => *bytes = &bytes[1..],
            b'[' if !self.in_array => {
                (self.in_array, self.after_value) = (true, false);
                *bytes = &bytes[1..];
            }
            b']' if self.in_array => {
                (self.in_array, self.after_value) = (false, false);
                *bytes = &bytes[1..];
            }
            // An extra comma does no harm.
            b',' if self.in_array => {
                self.after_value = false;
                *bytes = &bytes[1..];
            }
            b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                self.state = CutterState::Within(PartialElement::new(first));
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

    /// Handles how the current element continues or ends.
    fn ended(&mut self, end: ElementEnd, bytes: &mut &[u8]) -> Option<(u64, JsonCut)> {
        let length = match end {
            ElementEnd::Later => bytes.len(),
            ElementEnd::Here(length) | ElementEnd::Broken(length) => length,
        };
        *bytes = &bytes[length..];
        match (end, std::mem::replace(&mut self.state, CutterState::Between)) {
            (ElementEnd::Here(_), CutterState::Within(element)) => self.finish(element),
            (ElementEnd::Broken(_), _) => {
                self.state = CutterState::Lost;
                self.count += 1;
                let said = "a line ends within a string: is a quote missing?";
                Some((self.count, JsonCut::Garbage(said.into())))
            }
            (_, state) => {
                self.state = state;
                None
            }
        }
    }

    fn finish(&mut self, element: PartialElement) -> Option<(u64, JsonCut)> {
        let is_bare = element.is_bare();
        let found = match element.take() {
            Ok(word) if is_bare && !is_scalar(&word) => {
                self.state = CutterState::Lost;
                return self.garbage(format!("{} is not a value", shown(&word)));
            }
            Ok(bytes) => JsonCut::Element(bytes),
            Err(limit) => JsonCut::Beyond(limit),
        };
        self.count += 1;
        self.after_value = true;
        Some((self.count, found))
    }

    fn lose(&mut self, bytes: &mut &[u8]) -> Option<(u64, JsonCut)> {
        self.state = CutterState::Lost;
        let end = bytes.iter().position(|byte| is_space(*byte)).unwrap_or(bytes.len()).max(1);
        let word = shown(&bytes[..end]);
        // An unexpected bracket is skipped too.
        *bytes = &bytes[1..];
        self.garbage(format!("{word} where an element was expected"))
    }

    fn garbage(&self, detail: String) -> Option<(u64, JsonCut)> {
        Some((self.next_number(), JsonCut::Garbage(detail)))
    }
}

/// Whether a word is a number, `true`, `false` or `null`.
fn is_scalar(word: &[u8]) -> bool {
    let numeric = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    matches!(word, b"true" | b"false" | b"null")
        || (word.iter().all(numeric) && word.iter().any(u8::is_ascii_digit))
}

/// The start of some bytes, quoted for a message.
fn shown(bytes: &[u8]) -> String {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]);
    let short: String = start.chars().take(20).collect();
    let more = if short.len() < bytes.len() { "..." } else { "" };
    format!("{:?}", short + more)
}
