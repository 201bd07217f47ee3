//! Record batches of Arrow as rows of a table in memory. Texts stay where they are until a document is
//! built of them.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, TimeUnit};
use firsthand_input::calendar::rfc3339;
use firsthand_input::{MemoryCell, MemoryRows};
use std::borrow::Cow;

/// A record batch.
#[derive(Debug)]
pub(crate) struct ArrowRows {
    names: Vec<String>,
    columns: Vec<Column>,
    rows: usize,
    bytes: u64,
}

/// A column, by how its cells are read.
#[derive(Debug)]
enum Column {
    Text(ArrayRef),
    LargeText(ArrayRef),
    TextView(ArrayRef),
    Bytes(ArrayRef),
    LargeBytes(ArrayRef),
    BytesView(ArrayRef),
    FixedBytes(ArrayRef),
    /// Keys into other values; nulls are those of the array.
    Dictionary {
        array: ArrayRef,
        keys: Vec<usize>,
        values: Box<Column>,
    },
    /// A number, truth or time, as text.
    Value(ArrayRef),
    Null,
    Other(&'static str),
}

impl ArrowRows {
    pub(crate) fn new(batch: &RecordBatch) -> Self {
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            add(&mut names, &mut columns, field.name().clone(), field, array);
        }
        Self { names, columns, rows: batch.num_rows(), bytes: text_bytes(batch) }
    }
}

/// The names of columns as documents may have them: members of structures have names with dots.
pub(crate) fn column_names(fields: &arrow_schema::Fields) -> Vec<String> {
    let mut names = Vec::new();
    for field in fields {
        name(&mut names, field.name().clone(), field);
    }
    names
}

fn name(names: &mut Vec<String>, path: String, field: &Field) {
    if let DataType::Struct(members) = field.data_type() {
        for member in members {
            name(names, format!("{path}.{}", member.name()), member);
        }
    }
    names.push(path);
}

fn add(
    names: &mut Vec<String>,
    columns: &mut Vec<Column>,
    path: String,
    field: &Field,
    array: &ArrayRef,
) {
    // The members of a row that is null are not looked at one by one.
    if let DataType::Struct(members) = field.data_type()
        && array.null_count() == 0
    {
        for (member, inner) in members.iter().zip(array.as_struct().columns()) {
            add(names, columns, format!("{path}.{}", member.name()), member, inner);
        }
    }
    names.push(path);
    columns.push(Column::new(array));
}

/// Roughly the size of all texts: what variable columns hold.
pub(crate) fn text_bytes(batch: &RecordBatch) -> u64 {
    let bytes = |array: &ArrayRef| match array.data_type() {
        DataType::Utf8 => {
            let offsets = array.as_string::<i32>().value_offsets();
            span(offsets.first().copied().map(i64::from), offsets.last().copied().map(i64::from))
        }
        DataType::LargeUtf8 => {
            let offsets = array.as_string::<i64>().value_offsets();
            span(offsets.first().copied(), offsets.last().copied())
        }
        DataType::Binary => {
            let offsets = array.as_binary::<i32>().value_offsets();
            span(offsets.first().copied().map(i64::from), offsets.last().copied().map(i64::from))
        }
        DataType::LargeBinary => {
            let offsets = array.as_binary::<i64>().value_offsets();
            span(offsets.first().copied(), offsets.last().copied())
        }
        // The length of a view is in its lowest four bytes.
        DataType::Utf8View => {
            array.as_string_view().views().iter().map(|view| u64::from(*view as u32)).sum()
        }
        DataType::BinaryView => {
            array.as_binary_view().views().iter().map(|view| u64::from(*view as u32)).sum()
        }
        _ => 8 * array.len() as u64,
    };
    batch.columns().iter().map(bytes).sum()
}

fn span(first: Option<i64>, last: Option<i64>) -> u64 {
    first.zip(last).map_or(0, |(first, last)| u64::try_from(last - first).unwrap_or(0))
}

impl MemoryRows for ArrowRows {
    fn columns(&self) -> Vec<String> {
        self.names.clone()
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn cell(&self, column: usize, row: usize) -> MemoryCell<'_> {
        self.columns.get(column).map_or(MemoryCell::Null, |column| column.cell(row))
    }
}

impl Column {
    fn new(array: &ArrayRef) -> Self {
        let own = || ArrayRef::clone(array);
        match array.data_type() {
            DataType::Utf8 => Self::Text(own()),
            DataType::LargeUtf8 => Self::LargeText(own()),
            DataType::Utf8View => Self::TextView(own()),
            DataType::Binary => Self::Bytes(own()),
            DataType::LargeBinary => Self::LargeBytes(own()),
            DataType::BinaryView => Self::BytesView(own()),
            DataType::FixedSizeBinary(_) => Self::FixedBytes(own()),
            DataType::Dictionary(..) => match array.as_any_dictionary_opt() {
                Some(dictionary) if !dictionary.values().is_empty() => Self::Dictionary {
                    array: own(),
                    keys: dictionary.normalized_keys(),
                    values: Box::new(Self::new(dictionary.values())),
                },
                _ => Self::Null,
            },
            DataType::Null => Self::Null,
            DataType::Struct(_) => Self::Other("a structure"),
            DataType::List(_)
            | DataType::LargeList(_)
            | DataType::ListView(_)
            | DataType::LargeListView(_)
            | DataType::FixedSizeList(..) => Self::Other("a list"),
            DataType::Map(..) => Self::Other("a map"),
            kind if kind.is_primitive() || *kind == DataType::Boolean => Self::Value(own()),
            _ => Self::Other("a value of another type"),
        }
    }

    fn cell(&self, row: usize) -> MemoryCell<'_> {
        let text = |text: &'static str| MemoryCell::Other(text);
        let array = match self {
            Self::Null => return MemoryCell::Null,
            Self::Other(kind) => return text(kind),
            Self::Text(array)
            | Self::LargeText(array)
            | Self::TextView(array)
            | Self::Bytes(array)
            | Self::LargeBytes(array)
            | Self::BytesView(array)
            | Self::FixedBytes(array)
            | Self::Dictionary { array, .. }
            | Self::Value(array) => array,
        };
        if array.is_null(row) {
            return MemoryCell::Null;
        }
        match self {
            Self::Text(array) => {
                MemoryCell::Text(Cow::Borrowed(array.as_string::<i32>().value(row)))
            }
            Self::LargeText(array) => {
                MemoryCell::Text(Cow::Borrowed(array.as_string::<i64>().value(row)))
            }
            Self::TextView(array) => {
                MemoryCell::Text(Cow::Borrowed(array.as_string_view().value(row)))
            }
            Self::Bytes(array) => MemoryCell::Bytes(array.as_binary::<i32>().value(row)),
            Self::LargeBytes(array) => MemoryCell::Bytes(array.as_binary::<i64>().value(row)),
            Self::BytesView(array) => MemoryCell::Bytes(array.as_binary_view().value(row)),
            Self::FixedBytes(array) => MemoryCell::Bytes(array.as_fixed_size_binary().value(row)),
            Self::Dictionary { keys, values, .. } => match keys.get(row) {
                Some(&key) => values.cell(key),
                None => MemoryCell::Null,
            },
            Self::Value(array) => match value(array, row) {
                Some(value) => MemoryCell::Value(value),
                None => text("a value of another type"),
            },
            Self::Null | Self::Other(_) => MemoryCell::Null,
        }
    }
}

/// A number, truth or time as text; a time as RFC 3339.
fn value(array: &ArrayRef, row: usize) -> Option<String> {
    Some(match array.data_type() {
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).to_string(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).to_string(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string(),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).to_string(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Date32 => {
            rfc3339(i64::from(array.as_primitive::<Date32Type>().value(row)) * 86_400_000)
        }
        DataType::Date64 => rfc3339(array.as_primitive::<Date64Type>().value(row)),
        DataType::Timestamp(unit, _) => rfc3339(match unit {
            TimeUnit::Second => {
                array.as_primitive::<TimestampSecondType>().value(row).saturating_mul(1000)
            }
            TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row),
            TimeUnit::Microsecond => {
                array.as_primitive::<TimestampMicrosecondType>().value(row).div_euclid(1000)
            }
            TimeUnit::Nanosecond => {
                array.as_primitive::<TimestampNanosecondType>().value(row).div_euclid(1_000_000)
            }
        }),
        _ => return None,
    })
}
