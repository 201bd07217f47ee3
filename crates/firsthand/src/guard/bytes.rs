//! Figures and changes as bytes, for storage. The first byte is the version.

use super::{
    Change, Figure, FigureKind, Figures,
    value::{Day, Decimal, Value},
};

const VERSION: u8 = 1;

/// Encodes the figures of a text.
pub(super) fn write(figures: &Figures) -> Vec<u8> {
    let mut bytes = vec![VERSION];
    number(&mut bytes, figures.words.len() as u64);
    bytes.extend(figures.words.iter().flat_map(|word| word.to_le_bytes()));
    number(&mut bytes, figures.figures.len() as u64);
    let mut last = 0;
    for figure in &figures.figures {
        number(&mut bytes, u64::from(figure.at - last));
        last = figure.at;
        let around = figure.lead << 4 | figure.trail << 6 | u8::from(figure.noun) << 3;
        bytes.push(around | figure.kind as u8);
        bytes.push(figure.unit);
        match figure.value {
            Value::Amount(value, below) => {
                bytes.push(u8::from(below));
                number(&mut bytes, value.digits);
                bytes.extend(value.scale.to_le_bytes());
            }
            Value::Pair(low, high) => {
                bytes.push(2);
                number(&mut bytes, low.into());
                number(&mut bytes, high.into());
            }
            Value::Day(day) => {
                bytes.push(3);
                number(&mut bytes, day.year.into());
                bytes.extend([day.month, day.day]);
            }
        }
        string(&mut bytes, &figure.written);
    }
    bytes
}

/// Decodes figures; `None` if the bytes are damaged.
pub(super) fn read(bytes: &[u8]) -> Option<Figures> {
    let mut bytes = ByteReader(bytes);
    if bytes.byte()? != VERSION {
        return None;
    }
    let count = bytes.length(2)?;
    let words = bytes.take(count * 2)?.as_chunks::<2>().0;
    let words: Vec<u16> = words.iter().map(|&word| u16::from_le_bytes(word)).collect();
    let count = bytes.length(6)?;
    let mut figures: Vec<Figure> = Vec::with_capacity(count);
    let mut at = 0u32;
    for _ in 0..count {
        let step = u32::try_from(bytes.number()?).ok()?;
        at = at.checked_add(step)?;
        if at as usize >= words.len() || (step == 0 && !figures.is_empty()) {
            return None;
        }
        let flags = bytes.byte()?;
        let kind = kind(flags & 7)?;
        let unit = bytes.byte()?;
        let value = match bytes.byte()? {
            sign @ 0..=1 => {
                let digits = bytes.number()?;
                Value::Amount(
                    Decimal { digits, scale: i8::from_le_bytes([bytes.byte()?]) },
                    sign == 1,
                )
            }
            2 => Value::Pair(bytes.number()?.try_into().ok()?, bytes.number()?.try_into().ok()?),
            3 => {
                let year = bytes.number()?.try_into().ok()?;
                Value::Day(Day { year, month: bytes.byte()?, day: bytes.byte()? })
            }
            _ => return None,
        };
        let (noun, lead, trail) = (flags & 8 != 0, flags >> 4 & 3, flags >> 6);
        let written = bytes.string()?;
        figures.push(Figure { at, value, kind, unit, noun, lead, trail, written });
    }
    bytes.0.is_empty().then_some(Figures { words, figures })
}

/// Encodes a change.
pub(super) fn write_change(change: &Change) -> Vec<u8> {
    let mut bytes = vec![VERSION, change.kind as u8];
    string(&mut bytes, &change.before);
    string(&mut bytes, &change.after);
    bytes
}

/// Decodes a change; `None` if the bytes are damaged.
pub(super) fn read_change(bytes: &[u8]) -> Option<Change> {
    let mut bytes = ByteReader(bytes);
    if bytes.byte()? != VERSION {
        return None;
    }
    let kind = kind(bytes.byte()?)?;
    let change = Change { kind, before: bytes.string()?, after: bytes.string()? };
    bytes.0.is_empty().then_some(change)
}

fn kind(number: u8) -> Option<FigureKind> {
    use FigureKind::{Count, Date, Measure, Percent, Price, Score};
    [Count, Date, Price, Score, Percent, Measure].into_iter().find(|kind| *kind as u8 == number)
}

/// Seven bits per byte, the lowest first.
fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

/// Bytes that are still to be read.
struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(*self.take(1)?.first()?)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 127);
            if part.leading_zeros() < shift && part != 0 {
                return None;
            }
            value |= part << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    /// A count of items that take at least `each` bytes each, so no larger than the rest allows.
    fn length(&mut self, each: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len() / each).then_some(count)
    }

    fn string(&mut self) -> Option<String> {
        let count = self.length(1)?;
        Some(std::str::from_utf8(self.take(count)?).ok()?.to_owned())
    }
}
