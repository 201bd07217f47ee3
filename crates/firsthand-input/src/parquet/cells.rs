//! Converts the values of columns to text.

use std::borrow::Cow;

use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::Result;
use parquet::schema::types::ColumnDescriptor;

use crate::calendar::Date;
use crate::charset;

use super::stream::{ColumnStream, Typed};

/// One cell.
#[derive(Debug)]
pub(super) enum ParquetCell {
    /// Bytes of a page, which several rows may share.
    Bytes(ByteArray),
    /// A formatted value.
    Text(String),
    /// A list longer than the limit.
    TooLong,
}

/// The meaning of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Plain,
    Unsigned,
    /// Days since 1970.
    Days,
    /// Time since 1970, with this number of units per second.
    Time(i64),
    /// A decimal with this number of digits after the point.
    Decimal(i32),
    Uuid,
}

impl Meaning {
    pub(super) fn of(column: &ColumnDescriptor) -> Self {
        let unit = |unit: &TimeUnit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        match column.logical_type_ref() {
            Some(LogicalType::Timestamp(time)) => return Meaning::Time(unit(&time.unit)),
            Some(LogicalType::Uuid) => return Meaning::Uuid,
            _ => {}
        }
        match column.converted_type() {
            ConvertedType::DATE => Meaning::Days,
            ConvertedType::TIMESTAMP_MILLIS => Meaning::Time(1_000),
            ConvertedType::TIMESTAMP_MICROS => Meaning::Time(1_000_000),
            ConvertedType::DECIMAL => Meaning::Decimal(column.type_scale()),
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64 => Meaning::Unsigned,
            _ => Meaning::Plain,
        }
    }

    fn integer(self, number: i64) -> String {
        match self {
            Meaning::Days => Date::from_days(number).to_string(),
            Meaning::Time(unit) => {
                time(number.div_euclid(unit), number.rem_euclid(unit) * 1000 / unit)
            }
            Meaning::Decimal(scale) => decimal(i128::from(number), scale),
            Meaning::Unsigned => (number as u64).to_string(),
            Meaning::Plain | Meaning::Uuid => number.to_string(),
        }
    }

    fn bytes(self, bytes: &[u8]) -> Option<String> {
        match self {
            Meaning::Uuid if bytes.len() == 16 => {
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
                Some(parts.join("-"))
            }
            Meaning::Decimal(scale) if !bytes.is_empty() && bytes.len() <= 16 => {
                let sign = if bytes[0] & 0x80 == 0 { 0 } else { -1 };
                let number =
                    bytes.iter().fold(sign, |number: i128, byte| number << 8 | i128::from(*byte));
                Some(decimal(number, scale))
            }
            _ => None,
        }
    }
}

/// The cells of the next few rows, `None` for nulls; empty at the end.
pub(super) fn next(
    typed: &mut Typed,
    meaning: Meaning,
    most: u64,
) -> Result<Vec<Option<ParquetCell>>> {
    let text = |text: String| ParquetCell::Text(text);
    match typed {
        Typed::Bool(stream) => cells(stream, most, |truth| text(truth.to_string())),
        Typed::Int32(stream) => cells(stream, most, |number| {
            let is_unsigned = meaning == Meaning::Unsigned;
            let wide = if is_unsigned { i64::from(*number as u32) } else { i64::from(*number) };
            text(meaning.integer(wide))
        }),
        Typed::Int64(stream) => cells(stream, most, |number| text(meaning.integer(*number))),
        Typed::Int96(stream) => cells(stream, most, |number| {
            let [nanos, more, day] = *number.data() else {
                return ParquetCell::Text(String::new());
            };
            let nanos = u64::from(more) << 32 | u64::from(nanos);
            // Days are Julian days.
            let seconds = (i64::from(day) - 2_440_588) * 86_400 + (nanos / 1_000_000_000) as i64;
            text(time(seconds, (nanos / 1_000_000 % 1000) as i64))
        }),
        Typed::Float(stream) => cells(stream, most, |number| text(number.to_string())),
        Typed::Double(stream) => cells(stream, most, |number| text(number.to_string())),
        Typed::Bytes(stream) => cells(stream, most, |bytes| match meaning.bytes(bytes.data()) {
            Some(words) => text(words),
            None => ParquetCell::Bytes(bytes.clone()),
        }),
        Typed::Fixed(stream) => cells(stream, most, |bytes| match meaning.bytes(bytes.data()) {
            Some(words) => text(words),
            None => ParquetCell::Bytes(ByteArray::clone(bytes)),
        }),
    }
}

fn cells<T: DataType>(
    stream: &mut ColumnStream<T>,
    most: u64,
    cell: impl Fn(&T::T) -> ParquetCell,
) -> Result<Vec<Option<ParquetCell>>> {
    let form = stream.form;
    let (count, values) = stream.next()?;
    let rows = values.rows(count, form);
    let one = |values: &[T::T]| match values {
        [] => None,
        [only] => Some(cell(only)),
        several => Some(joined(several.iter().map(&cell), most)),
    };
    Ok(rows.map(|(values, ..)| one(values)).collect())
}

/// The values of a list, one per line.
fn joined(cells: impl Iterator<Item = ParquetCell>, most: u64) -> ParquetCell {
    let mut text = String::new();
    for (number, cell) in cells.enumerate() {
        let (part, _) = cell.text();
        if (text.len() + part.len()) as u64 > most {
            return ParquetCell::TooLong;
        }
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&part);
    }
    ParquetCell::Text(text)
}

impl ParquetCell {
    pub(super) fn len(&self) -> u64 {
        match self {
            ParquetCell::Bytes(bytes) => bytes.len() as u64,
            ParquetCell::Text(text) => text.len() as u64,
            ParquetCell::TooLong => u64::MAX,
        }
    }

    /// The text, and the number of characters that could not be decoded.
    pub(super) fn text(&self) -> (Cow<'_, str>, u64) {
        match self {
            ParquetCell::Bytes(bytes) => {
                let decoded = charset::decode(bytes.data(), None);
                (decoded.text, decoded.replaced)
            }
            ParquetCell::Text(text) => (Cow::Borrowed(text), 0),
            ParquetCell::TooLong => (Cow::Borrowed(""), 0),
        }
    }
}

fn decimal(number: i128, scale: i32) -> String {
    let Some(scale) = usize::try_from(scale).ok().filter(|scale| (1..40).contains(scale)) else {
        return number.to_string();
    };
    let digits = format!("{:0>width$}", number.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{}{whole}.{fraction}", if number < 0 { "-" } else { "" })
}

/// Formats seconds since 1970 and milliseconds as RFC 3339.
fn time(seconds: i64, thousandths: i64) -> String {
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{}T{hour:02}:{minute:02}:{:02}.{thousandths:03}Z", Date::from_days(day), second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_they_are_read() {
        for milliseconds in [0, -1, 951_782_399_999, -62_135_596_800_000, 253_402_300_799_999] {
            let text = Meaning::Time(1000).integer(milliseconds);
            assert_eq!(crate::time::parse(&text), Some(milliseconds), "{text}");
        }
        assert_eq!(Meaning::Time(1_000_000).integer(-1), "1969-12-31T23:59:59.999Z");
        Meaning::Days.integer(i64::MAX);
        Meaning::Time(1000).integer(i64::MIN);
    }

    #[test]
    fn numbers_in_their_own_ways() {
        assert_eq!(Meaning::Unsigned.integer(-1), u64::MAX.to_string());
        assert_eq!(decimal(-5, 2), "-0.05");
        assert_eq!(decimal(12345, 2), "123.45");
        assert_eq!(decimal(7, 0), "7");
        assert_eq!(Meaning::Decimal(1).bytes(&[0xFF, 0xFE]).as_deref(), Some("-0.2"));
        let uuid = Meaning::Uuid.bytes(&[0xAB; 16]);
        assert_eq!(uuid.as_deref(), Some("abababab-abab-abab-abab-abababababab"));
        assert_eq!(Meaning::Uuid.bytes(&[1]), None);
    }
}
