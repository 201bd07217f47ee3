//! Columns that are made, not copied: their types, and writing their cells.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, TimeUnit, TimestampType, Type as Physical};
use parquet::column::writer::{ColumnWriter, get_typed_column_writer_mut};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::schema::types::{Type, TypePtr};

use crate::cell::{Cell, CellType};

/// Cells passed to the writer at a time.
const AT_ONCE: usize = 4096;

/// A column of the schema.
pub(super) fn column(name: &str, cells: CellType) -> Result<TypePtr> {
    let (physical, logical) = match cells {
        CellType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        CellType::Integer => (Physical::INT64, None),
        CellType::Real => (Physical::DOUBLE, None),
        CellType::Truth => (Physical::BOOLEAN, None),
        CellType::Time => {
            let time = TimestampType { is_adjusted_to_u_t_c: true, unit: TimeUnit::MILLIS };
            (Physical::INT64, Some(LogicalType::Timestamp(time)))
        }
    };
    let column = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    Ok(Arc::new(column.build()?))
}

/// Writes all cells of a column in a row group. A cell of another type counts as null.
pub(super) fn write<'c>(
    cells: CellType,
    writer: &mut ColumnWriter<'_>,
    values: impl Iterator<Item = Cell<'c>>,
) -> Result<()> {
    match cells {
        CellType::Text => typed::<ByteArrayType>(writer, values, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.into_owned().into_bytes())),
            _ => None,
        }),
        CellType::Integer | CellType::Time => {
            typed::<Int64Type>(writer, values, |cell| match cell {
                Cell::Integer(number) => Some(number),
                _ => None,
            })
        }
        CellType::Real => typed::<DoubleType>(writer, values, |cell| match cell {
            Cell::Real(number) => Some(number),
            _ => None,
        }),
        CellType::Truth => typed::<BoolType>(writer, values, |cell| match cell {
            Cell::Truth(truth) => Some(truth),
            _ => None,
        }),
    }
}

fn typed<'c, T: DataType>(
    writer: &mut ColumnWriter<'_>,
    mut cells: impl Iterator<Item = Cell<'c>>,
    value: impl Fn(Cell<'c>) -> Option<T::T>,
) -> Result<()> {
    let writer = get_typed_column_writer_mut::<T>(writer);
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    loop {
        values.clear();
        levels.clear();
        for cell in cells.by_ref().take(AT_ONCE) {
            let found = value(cell);
            levels.push(i16::from(found.is_some()));
            values.extend(found);
        }
        if levels.is_empty() {
            return Ok(());
        }
        writer.write_batch(&values, Some(&levels), None)?;
    }
}
