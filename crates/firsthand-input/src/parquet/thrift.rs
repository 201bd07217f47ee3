//! Parses enough of Thrift's compact protocol to check the claims of footers and pages before
//! allocating memory. Skipping uses an explicit stack instead of recursion.

/// The deepest nesting of skipped values.
const DEEPEST: usize = 64;

/// Bytes of Thrift values; every method returns `None` if they are cut off or invalid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

/// The type of a value.
pub(super) mod kind {
    pub(crate) const TRUE: u8 = 1;
    pub(crate) const FALSE: u8 = 2;
    pub(crate) const BYTE: u8 = 3;
    pub(crate) const I16: u8 = 4;
    pub(crate) const I64: u8 = 6;
    pub(crate) const DOUBLE: u8 = 7;
    pub(crate) const BINARY: u8 = 8;
    pub(crate) const LIST: u8 = 9;
    pub(crate) const SET: u8 = 10;
    pub(crate) const MAP: u8 = 11;
    pub(crate) const STRUCT: u8 = 12;
}

/// The rest of a value that is being skipped.
enum SkipFrame {
    Struct,
    /// Elements of two types in turn: keys and values, or the same twice.
    Elements {
        kinds: [u8; 2],
        count: u64,
    },
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn pass(&mut self, length: u64) -> Option<()> {
        let end = self.at.checked_add(usize::try_from(length).ok()?)?;
        self.at = end;
        (end <= self.bytes.len()).then_some(())
    }

    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn integer(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The number and type of the field after field `last`; `Some(None)` after the last one.
    pub(super) fn field(&mut self, last: i64) -> Option<Option<(i64, u8)>> {
        let head = self.byte()?;
        match (head >> 4, head & 15) {
            (_, 0) => Some(None),
            (0, kind) => Some(Some((self.integer()?, kind))),
            (more, kind) => Some(Some((last + i64::from(more), kind))),
        }
    }

    /// The type and number of a list's elements.
    pub(super) fn list(&mut self) -> Option<(u8, u64)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.unsigned()?,
            count => u64::from(count),
        };
        Some((head & 15, count))
    }

    /// The integers and Booleans among the fields of a structure, by field number.
    pub(super) fn numbers<const N: usize>(&mut self) -> Option<[Option<i64>; N]> {
        let (mut numbers, mut last) = ([None; N], 0);
        while let Some((number, kind)) = self.field(last)? {
            last = number;
            let value = match kind {
                kind::TRUE => Some(1),
                kind::FALSE => Some(0),
                kind::I16..=kind::I64 => Some(self.integer()?),
                _ => {
                    self.skip(kind)?;
                    None
                }
            };
            if let Some(place) = usize::try_from(number).ok().and_then(|at| numbers.get_mut(at)) {
                *place = value;
            }
        }
        Some(numbers)
    }

    /// Skips the value of a field.
    pub(super) fn skip(&mut self, kind: u8) -> Option<()> {
        if matches!(kind, kind::TRUE | kind::FALSE) {
            return Some(());
        }
        let mut left = vec![SkipFrame::Elements { kinds: [kind; 2], count: 1 }];
        while let Some(last) = left.last_mut() {
            let next = match last {
                SkipFrame::Struct => self.field(0)?.map(|(_, kind)| kind),
                SkipFrame::Elements { count: 0, .. } => None,
                SkipFrame::Elements { kinds: [key, value], count } => {
                    *count -= 1;
                    let next = if *count % 2 == 1 { *key } else { *value };
                    // Here, a Boolean is a byte.
                    Some(if next <= kind::FALSE { kind::BYTE } else { next })
                }
            };
            let Some(kind) = next else {
                left.pop();
                continue;
            };
            match kind {
                kind::TRUE | kind::FALSE => {}
                kind::BYTE => self.pass(1)?,
                kind::I16..=kind::I64 => self.unsigned().map(|_| ())?,
                kind::DOUBLE => self.pass(8)?,
                kind::BINARY => {
                    let length = self.unsigned()?;
                    self.pass(length)?;
                }
                kind::LIST | kind::SET => {
                    let (kind, count) = self.list()?;
                    left.push(SkipFrame::Elements { kinds: [kind; 2], count });
                }
                kind::MAP => {
                    let count = self.unsigned()?;
                    let kinds = if count == 0 { 0 } else { self.byte()? };
                    let count = count.checked_mul(2)?;
                    left.push(SkipFrame::Elements { kinds: [kinds >> 4, kinds & 15], count });
                }
                kind::STRUCT => left.push(SkipFrame::Struct),
                _ => return None,
            }
            if left.len() > DEEPEST {
                return None;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lists_and_fields() {
        assert_eq!(Thrift::new(&[0xAC, 0x02]).unsigned(), Some(300));
        assert_eq!(Thrift::new(&[0x03]).integer(), Some(-2));
        assert_eq!(Thrift::new(&[0x80; 20]).unsigned(), None);
        assert_eq!(Thrift::new(&[0xF5, 0x20]).list(), Some((5, 32)));
        // Field 1: 7, field 2: a list of two words, field 4: true.
        let bytes = [0x15, 14, 0x19, 0x28, 1, b'a', 2, b'b', b'c', 0x21, 0, 99];
        let mut thrift = Thrift::new(&bytes);
        assert_eq!(thrift.numbers::<5>(), Some([None, Some(7), None, None, Some(1)]));
        assert_eq!(thrift.at, 11);
        for end in 0..11 {
            assert_eq!(Thrift::new(&bytes[..end]).numbers::<5>(), None);
        }
    }

    #[test]
    fn nothing_nested_without_end_is_followed() {
        // A list of lists of lists.
        assert_eq!(Thrift::new(&[0x19; 100_000]).skip(kind::LIST), None);
        assert_eq!(Thrift::new(&[0x1C; 100_000]).skip(kind::STRUCT), None);
        // A list that claims a huge length.
        assert_eq!(Thrift::new(&[0xF3, 0xFF, 0xFF, 0xFF, 0x7F, 1, 2]).skip(kind::LIST), None);
        assert_eq!(Thrift::new(&[0xF8, 0xFF, 0xFF, 0x7F]).skip(kind::LIST), None);
    }
}
