//! Figures and changes as bytes, for storage. The first byte is the version.

use super::{
    Change, Figure, FigureKind, Figures,
    value::{Day, Decimal, Value},
};
use crate::bytes::{Reader, Writer};

const VERSION: u8 = 1;

/// Encodes the figures of a text.
pub(super) fn write(figures: &Figures) -> Vec<u8> {
    let mut bytes = Writer::default();
    bytes.byte(VERSION);
    bytes.number(figures.words.len() as u64);
    for byte in figures.words.iter().flat_map(|word| word.to_le_bytes()) {
        bytes.byte(byte);
    }
    bytes.number(figures.figures.len() as u64);
    let mut last = 0;
    for figure in &figures.figures {
        bytes.number(u64::from(figure.at - last));
        last = figure.at;
        let around = figure.lead << 4 | figure.trail << 6 | u8::from(figure.noun) << 3;
        bytes.byte(around | figure.kind as u8);
        bytes.byte(figure.unit);
        match figure.value {
            Value::Amount(value, below) => {
                bytes.byte(u8::from(below));
                bytes.number(value.digits);
                bytes.byte(value.scale.cast_unsigned());
            }
            Value::Pair(low, high) => {
                bytes.byte(2);
                bytes.number(low.into());
                bytes.number(high.into());
            }
            Value::Day(day) => {
                bytes.byte(if day.weekday == 0 { 3 } else { 4 });
                bytes.number(day.year.into());
                bytes.byte(day.month);
                bytes.byte(day.day);
                if day.weekday > 0 {
                    bytes.byte(day.weekday);
                }
            }
        }
        bytes.text(&figure.written);
    }
    bytes.finish()
}

/// Decodes figures; `None` if the bytes are damaged.
pub(super) fn read(bytes: &[u8]) -> Option<Figures> {
    let mut bytes = Reader(bytes);
    if bytes.byte()? != VERSION {
        return None;
    }
    let count = usize::try_from(bytes.number()?).ok()?;
    let words = bytes.take(count.checked_mul(2)?)?.as_chunks::<2>().0;
    let words: Vec<u16> = words.iter().map(|&word| u16::from_le_bytes(word)).collect();
    // A figure takes at least six bytes: no room is made for more than there can be.
    let count =
        usize::try_from(bytes.number()?).ok().filter(|&count| count <= bytes.0.len() / 6)?;
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
                Value::Amount(Decimal { digits, scale: bytes.byte()?.cast_signed() }, sign == 1)
            }
            2 => Value::Pair(bytes.number()?.try_into().ok()?, bytes.number()?.try_into().ok()?),
            tag @ 3..=4 => {
                let year = bytes.number()?.try_into().ok()?;
                let (month, day) = (bytes.byte()?, bytes.byte()?);
                let weekday = if tag == 4 { bytes.byte()? } else { 0 };
                Value::Day(Day { year, month, day, weekday })
            }
            _ => return None,
        };
        let (noun, lead, trail) = (flags & 8 != 0, flags >> 4 & 3, flags >> 6);
        let written = bytes.text()?;
        figures.push(Figure { at, value, kind, unit, noun, lead, trail, written });
    }
    bytes.0.is_empty().then_some(Figures { words, figures })
}

/// Encodes a change.
pub(super) fn write_change(change: &Change) -> Vec<u8> {
    let mut bytes = Writer::default();
    bytes.byte(VERSION);
    bytes.byte(change.kind as u8);
    bytes.text(&change.before);
    bytes.text(&change.after);
    bytes.finish()
}

/// Decodes a change; `None` if the bytes are damaged.
pub(super) fn read_change(bytes: &[u8]) -> Option<Change> {
    let mut bytes = Reader(bytes);
    if bytes.byte()? != VERSION {
        return None;
    }
    let kind = kind(bytes.byte()?)?;
    let change = Change { kind, before: bytes.text()?, after: bytes.text()? };
    bytes.0.is_empty().then_some(change)
}

fn kind(number: u8) -> Option<FigureKind> {
    use FigureKind::{Count, Date, Measure, Percent, Price, Score};
    [Count, Date, Price, Score, Percent, Measure].into_iter().find(|kind| *kind as u8 == number)
}
