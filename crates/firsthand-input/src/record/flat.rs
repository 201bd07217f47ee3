//! The usual record, read without a general parser: an object of strings and whole numbers.
//!
//! Strings are found by vectors and borrowed. Everything else, strings with escapes and everything that may
//! be an error, is left to the general parser, which then says what is wrong.

use std::borrow::Cow;

use memchr::memchr2;

use super::{FieldRecord, UnexpectedType, slot_of};
use firsthand::settings::Fields;

/// Digits of the longest number that is read here; it fits into 64 bits.
const MOST_DIGITS: usize = 18;

/// Reads a record, if it is a usual one.
pub(super) fn parse<'a>(line: &'a str, fields: &Fields) -> Option<FieldRecord<'a>> {
    let mut rest = Rest(line);
    let mut record = FieldRecord::default();
    rest.skip(b'{')?;
    if rest.skip(b'}').is_none() {
        loop {
            let key = rest.string()?;
            rest.skip(b':')?;
            let (value, kind) = match rest.next_byte()? {
                b'"' => (rest.string()?, "string"),
                _ => (rest.number()?, "a number"),
            };
            if let Some((slot, rank)) = slot_of(fields, |name| name == key) {
                record.offer(slot, rank, Cow::Borrowed(value));
                if kind != "string" {
                    record.strange.push(UnexpectedType { slot, rank, kind });
                }
            }
            match rest.next_byte()? {
                b',' => rest.skip(b',')?,
                _ => break rest.skip(b'}')?,
            }
        }
    }
    rest.next_byte().is_none().then_some(record)
}

/// What is left of the line.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// The next byte that is no white space; `None` at the end.
    fn next_byte(&mut self) -> Option<u8> {
        self.0 = self.0.trim_start_matches([' ', '\t', '\r', '\n']);
        self.0.bytes().next()
    }

    fn skip(&mut self, byte: u8) -> Option<()> {
        (self.next_byte()? == byte).then(|| self.0 = &self.0[1..])
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    /// A whole number, written as it is printed.
    fn number(&mut self) -> Option<&'a str> {
        let length = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let is_plain = matches!(length, 1..=MOST_DIGITS)
            && (length == 1 || !self.0.starts_with('0'))
            && !self.0[length..].starts_with(['.', 'e', 'E']);
        is_plain.then(|| self.take(length))
    }

    /// A string without escapes: of pages, which are full of them, the general parser makes less work.
    fn string(&mut self) -> Option<&'a str> {
        self.skip(b'"')?;
        let plain = self.plain()?;
        (self.take(1) == "\"").then_some(plain)
    }

    /// The text up to a quotation mark or a backslash. Control characters are errors.
    fn plain(&mut self) -> Option<&'a str> {
        let length = memchr2(b'"', b'\\', self.0.as_bytes())?;
        let plain = self.take(length);
        let has_controls = plain.bytes().fold(false, |found, byte| found | (byte < b' '));
        (!has_controls).then_some(plain)
    }
}
