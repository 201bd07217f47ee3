//! Columns of a batch by name, of whatever Arrow type an engine gives them.

use crate::errors::InputError;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, Int16Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, ListArray, RecordBatch};
use arrow_schema::DataType;
use pyo3::PyResult;

/// A column, if the batch has it.
pub(super) fn optional<'a>(batch: &'a RecordBatch, name: &str) -> Option<&'a ArrayRef> {
    batch.column_by_name(name)
}

/// A column that must be there.
pub(super) fn column<'a>(batch: &'a RecordBatch, name: &str) -> PyResult<&'a ArrayRef> {
    optional(batch, name).ok_or_else(|| {
        let schema = batch.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let names = names.join(", ");
        InputError::new_err(format!("the batch has no column {name:?}; it has {names}"))
    })
}

/// The text or the bytes of a cell; none if it is null or of another type.
pub(super) fn bytes(column: &ArrayRef, row: usize) -> Option<&[u8]> {
    if column.is_null(row) {
        return None;
    }
    match column.data_type() {
        DataType::Utf8 => Some(column.as_string::<i32>().value(row).as_bytes()),
        DataType::LargeUtf8 => Some(column.as_string::<i64>().value(row).as_bytes()),
        DataType::Utf8View => Some(column.as_string_view().value(row).as_bytes()),
        DataType::Binary => Some(column.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Some(column.as_binary::<i64>().value(row)),
        DataType::BinaryView => Some(column.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => Some(column.as_fixed_size_binary().value(row)),
        _ => None,
    }
}

/// The whole number of a cell.
pub(super) fn number(column: &ArrayRef, row: usize) -> Option<i64> {
    if column.is_null(row) {
        return None;
    }
    match column.data_type() {
        DataType::Int8 => Some(column.as_primitive::<Int8Type>().value(row).into()),
        DataType::Int16 => Some(column.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int32 => Some(column.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int64 => Some(column.as_primitive::<Int64Type>().value(row)),
        _ => None,
    }
}

/// The fraction of a cell.
pub(super) fn fraction(column: &ArrayRef, row: usize) -> Option<f64> {
    let column = column.as_primitive_opt::<Float64Type>()?;
    column.is_valid(row).then(|| column.value(row))
}

/// The truth value of a cell.
pub(super) fn truth(column: &ArrayRef, row: usize) -> Option<bool> {
    let column: &BooleanArray = column.as_boolean_opt()?;
    column.is_valid(row).then(|| column.value(row))
}

/// The elements of a cell that is a list; none if it is null.
pub(super) fn list(column: &ArrayRef, row: usize) -> Option<ArrayRef> {
    let column: &ListArray = column.as_list_opt()?;
    column.is_valid(row).then(|| column.value(row))
}

/// Sixteen bytes as a number.
pub(super) fn wide(column: &ArrayRef, row: usize) -> Option<u128> {
    Some(u128::from_be_bytes(bytes(column, row)?.try_into().ok()?))
}

/// The error for a cell that should not be as it is.
pub(super) fn unexpected(name: &str, row: usize) -> pyo3::PyErr {
    InputError::new_err(format!(
        "row {} of the batch has no usable value in column {name:?}",
        row + 1
    ))
}
