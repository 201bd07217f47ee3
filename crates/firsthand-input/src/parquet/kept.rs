//! Copies chosen rows of tables into a new table with the same columns, values and metadata.
//!
//! Values are copied column by column as they are stored, without converting types.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::column::writer::{ColumnWriter, get_column_writer, get_typed_column_writer};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::TypePtr;

use super::stream::{ColumnStream, Typed, each_type};
use super::{Group, ParquetTable, guarded};

/// Bytes passed to the writer at a time; it checks the page size only between calls.
const AT_ONCE: usize = 4 << 20;

/// Writes the kept rows of tables with the same columns.
///
/// The parts of a row group must be given in order; they are written together.
pub struct ParquetKept<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    properties: WriterPropertiesPtr,
    schema: TypePtr,
    /// The current row group, and which of its rows to keep.
    waiting: Option<(Arc<ParquetTable>, usize, Vec<bool>)>,
}

impl<W: Write + Send> ParquetKept<W> {
    /// Starts a table with the columns and metadata of the one that `first` is from.
    ///
    /// # Errors
    /// If the start of the table cannot be written.
    pub fn new(out: W, first: &Group) -> io::Result<Self> {
        let table = &first.table;
        let file = table.metadata.file_metadata();
        let schema = file.schema_descr().root_schema_ptr();
        let mut properties =
            WriterProperties::builder().set_key_value_metadata(file.key_value_metadata().cloned());
        for column in table.metadata.row_group(first.row_group).columns() {
            properties = properties
                .set_column_compression(column.column_path().clone(), column.compression());
        }
        let properties = Arc::new(properties.build());
        let writer = SerializedFileWriter::new(out, Arc::clone(&schema), Arc::clone(&properties));
        Ok(Self { writer: writer.map_err(failed)?, properties, schema, waiting: None })
    }

    /// Whether rows are from a table with the same columns.
    pub fn matches(&self, group: &Group) -> bool {
        *group.table.metadata.file_metadata().schema_descr().root_schema() == *self.schema
    }

    /// Adds rows; those marked in `keep` are kept.
    ///
    /// # Errors
    /// If writing fails. After `InvalidData`, a damaged row group was skipped as a whole, and later
    /// ones can still be added.
    pub fn write(&mut self, group: &Group, keep: &[bool]) -> io::Result<()> {
        let follows = |(table, row_group, chosen): &(Arc<ParquetTable>, usize, Vec<bool>)| {
            Arc::ptr_eq(table, &group.table)
                && *row_group == group.row_group
                && chosen.len() <= group.from
        };
        if !self.waiting.as_ref().is_some_and(follows) {
            self.flush()?;
        }
        let new = || (Arc::clone(&group.table), group.row_group, Vec::new());
        let (.., chosen) = self.waiting.get_or_insert_with(new);
        // Rows not given are not kept.
        chosen.resize(group.from, false);
        chosen.extend(keep.iter().copied().chain(std::iter::repeat(false)).take(group.rows));
        if chosen.len() < group.table.rows(group.row_group) { Ok(()) } else { self.flush() }
    }

    /// Writes the current row group.
    fn flush(&mut self) -> io::Result<()> {
        let Some((table, row_group, keep)) = self.waiting.take() else { return Ok(()) };
        if !keep.contains(&true) {
            return Ok(());
        }
        // Written to a temporary file first, so that damage found half-way does not spoil the table.
        let mut aside = TrackedWrite::new(tempfile::tempfile()?);
        let mut columns = Vec::new();
        for leaf in 0..table.metadata.row_group(row_group).num_columns() {
            let properties = Arc::clone(&self.properties);
            let copied = guarded(|| {
                let pages = Box::new(SerializedPageWriter::new(&mut aside));
                let typed = Typed::new(&table, row_group, leaf)?;
                let column = table.metadata.row_group(row_group).column(leaf).column_descr_ptr();
                let writer = get_column_writer(column, properties, pages);
                each_type!(typed, stream => copy(stream, writer, &keep))
            });
            columns.push(copied.map_err(damaged)?);
        }
        let aside = aside.into_inner().map_err(failed)?;
        let mut rows = self.writer.next_row_group().map_err(failed)?;
        for column in columns {
            rows.append_column(&aside, column).map_err(failed)?;
        }
        rows.close().map_err(failed)?;
        Ok(())
    }

    /// Writes the last row group and the footer.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn finish(mut self) -> io::Result<W> {
        let flushed = self.flush();
        let out = self.writer.into_inner().map_err(failed)?;
        flushed.map(|()| out)
    }
}

/// Copies the values of the kept rows.
fn copy<T: DataType>(
    mut stream: ColumnStream<T>,
    writer: ColumnWriter<'_>,
    keep: &[bool],
) -> Result<parquet::column::writer::ColumnCloseResult> {
    let mut writer = get_typed_column_writer::<T>(writer);
    let form = stream.form;
    let mut left = keep;
    while !left.is_empty() {
        let (count, read) = stream.next()?;
        if count == 0 || count > left.len() {
            return Err(ParquetError::General(
                "a column has fewer or more rows than others".into(),
            ));
        }
        let (here, after) = left.split_at(count);
        left = after;
        let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
        let mut size = 0;
        let mut rows = read.rows(count, form).zip(here).filter(|(_, keep)| **keep).peekable();
        while let Some(((row, defined, repeated), _)) = rows.next() {
            size += row.iter().map(|value| value.as_bytes().len()).sum::<usize>();
            values.extend_from_slice(row);
            definition.extend_from_slice(defined);
            repetition.extend_from_slice(repeated);
            if size >= AT_ONCE || rows.peek().is_none() {
                let definition_there = (form.there > 0).then_some(definition.as_slice());
                let repetition_there = form.repeats.then_some(repetition.as_slice());
                writer.write_batch(&values, definition_there, repetition_there)?;
                size = 0;
                values.clear();
                definition.clear();
                repetition.clear();
            }
        }
    }
    writer.close()
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => io::Error::other(inner),
        other => io::Error::other(other.to_string()),
    }
}

fn damaged(error: ParquetError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
