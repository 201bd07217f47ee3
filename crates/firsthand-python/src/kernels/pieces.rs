//! Output in pieces of bounded size: rows of Arrow, and bytes by range.

use super::Batch;
use crate::errors::FirsthandError;
use arrow_array::builder::{
    BinaryBuilder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_pyarrow::PyArrowType;
use arrow_schema::{Field, Schema};
use pyo3::PyResult;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A piece has about this number of bytes, or one row that is larger.
const PIECE: usize = 16 << 20;

/// A value of a row.
pub(super) enum Value<'a> {
    Text(Option<&'a str>),
    Bytes(Option<&'a [u8]>),
    Int(Option<i32>),
    Long(Option<i64>),
    Double(f64),
}

enum Column {
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Int(Int32Builder),
    Long(Int64Builder),
    Double(Float64Builder),
}

/// The type of a column.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Text,
    Bytes,
    Int,
    Long,
    Double,
}

/// Rows that become batches.
pub(super) struct Rows {
    types: &'static [(&'static str, Type)],
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
    done: Vec<Batch>,
}

impl Rows {
    pub(super) fn new(types: &'static [(&'static str, Type)]) -> Self {
        Self { types, columns: columns(types), rows: 0, bytes: 0, done: Vec::new() }
    }

    /// Adds a row, whose values are of the types of the columns.
    pub(super) fn push<const N: usize>(&mut self, row: [Value<'_>; N]) -> PyResult<()> {
        for (column, value) in self.columns.iter_mut().zip(row) {
            self.bytes += 8;
            match (column, value) {
                (Column::Text(column), Value::Text(value)) => {
                    self.bytes += value.map_or(0, str::len);
                    column.append_option(value);
                }
                (Column::Bytes(column), Value::Bytes(value)) => {
                    self.bytes += value.map_or(0, <[u8]>::len);
                    column.append_option(value);
                }
                (Column::Int(column), Value::Int(value)) => column.append_option(value),
                (Column::Long(column), Value::Long(value)) => column.append_option(value),
                (Column::Double(column), Value::Double(value)) => column.append_value(value),
                _ => {
                    return Err(FirsthandError::new_err(
                        "a value is of another type than its column",
                    ));
                }
            }
        }
        self.rows += 1;
        if self.bytes >= PIECE { self.cut() } else { Ok(()) }
    }

    fn cut(&mut self) -> PyResult<()> {
        let columns = std::mem::replace(&mut self.columns, columns(self.types));
        let arrays: Vec<ArrayRef> = columns.into_iter().map(Column::finish).collect();
        let fields: Vec<Field> = self
            .types
            .iter()
            .zip(&arrays)
            .map(|((name, _), array)| Field::new(*name, array.data_type().clone(), true))
            .collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        let batch = batch.map_err(|error| FirsthandError::new_err(error.to_string()))?;
        self.done.push(PyArrowType(batch));
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// The batches of all rows.
    pub(super) fn finish(mut self) -> PyResult<Vec<Batch>> {
        if self.rows > 0 {
            self.cut()?;
        }
        Ok(self.done)
    }
}

fn columns(types: &[(&'static str, Type)]) -> Vec<Column> {
    let column = |(_, kind): &(&str, Type)| match kind {
        Type::Text => Column::Text(StringBuilder::new()),
        Type::Bytes => Column::Bytes(BinaryBuilder::new()),
        Type::Int => Column::Int(Int32Builder::new()),
        Type::Long => Column::Long(Int64Builder::new()),
        Type::Double => Column::Double(Float64Builder::new()),
    };
    types.iter().map(column).collect()
}

impl Column {
    fn finish(self) -> ArrayRef {
        match self {
            Self::Text(mut column) => Arc::new(column.finish()),
            Self::Bytes(mut column) => Arc::new(column.finish()),
            Self::Int(mut column) => Arc::new(column.finish()),
            Self::Long(mut column) => Arc::new(column.finish()),
            Self::Double(mut column) => Arc::new(column.finish()),
        }
    }
}

/// Bytes that belong to ranges of keys or pairs, many records in one row: a row for each record would cost
/// more than the records themselves.
#[derive(Default)]
pub(super) struct Ranges {
    of: BTreeMap<u32, Vec<u8>>,
    bytes: usize,
}

/// The columns of ranges.
pub(super) const RANGES: &[(&str, Type)] =
    &[("range", Type::Int), ("split", Type::Int), ("records", Type::Bytes)];

impl Ranges {
    /// Where a record of a number of bytes in a range is written.
    pub(super) fn at(&mut self, range: u32, bytes: usize) -> &mut Vec<u8> {
        self.bytes += bytes;
        self.of.entry(range).or_default()
    }

    /// Whether it is time to hand on what there is.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= PIECE
    }

    /// Moves everything into rows.
    pub(super) fn drain(&mut self, rows: &mut Rows) -> PyResult<()> {
        self.bytes = 0;
        for (range, records) in std::mem::take(&mut self.of) {
            let range = Value::Int(Some(range as i32));
            rows.push([range, Value::Int(None), Value::Bytes(Some(&records))])?;
        }
        Ok(())
    }
}
