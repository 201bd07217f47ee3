//! Copies chosen rows of tables into a new table with the same columns, values and metadata, perhaps
//! with more columns.
//!
//! Values are copied column by column as they are stored, without converting types.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::{ColumnWriter, get_column_writer, get_typed_column_writer};
use parquet::data_type::{AsBytes, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type, TypePtr};

use super::added;
use super::stream::{ColumnStream, Typed, each_type};
use super::{Group, ParquetTable, guarded};
use crate::cell::{Cell, CellType};

/// Bytes passed to the writer at a time; it checks the page size only between calls.
const AT_ONCE: usize = 4 << 20;

/// Where Arrow keeps its own types of the columns. It must have all of them, so it is left out where
/// columns are added; the types of the table itself remain.
const ARROW: &str = "ARROW:schema";

/// Writes the kept rows of tables with the same columns.
///
/// The parts of a row group must be given in order; they are written together.
pub struct ParquetKept<'c, W: Write + Send> {
    writer: SerializedFileWriter<W>,
    properties: WriterPropertiesPtr,
    /// The columns of the tables that rows are from.
    schema: TypePtr,
    /// What is written of each leaf column, the added ones last.
    leaves: SchemaDescriptor,
    added: Vec<CellType>,
    cells: Cells<'c>,
    /// The current row group, and which of its rows to keep.
    waiting: Option<(Arc<ParquetTable>, usize, Vec<Option<u64>>)>,
}

/// The cell of a row, by the number it is kept under, in an added column.
type Cells<'c> = Box<dyn Fn(u64, usize) -> Cell<'c> + 'c>;

impl<'c, W: Write + Send> ParquetKept<'c, W> {
    /// Starts a table with the columns and metadata of another.
    ///
    /// # Errors
    /// If the start of the table cannot be written.
    pub fn new(out: W, table: &ParquetTable) -> io::Result<Self> {
        Self::with_columns(out, table, &[], |_, _| Cell::Null)
    }

    /// The same with more columns after those of the other; `cells` gives the cell of a row, by the
    /// number that it is kept under, in an added column.
    ///
    /// # Errors
    /// If the start of the table cannot be written.
    pub fn with_columns(
        out: W,
        table: &ParquetTable,
        added: &[(&str, CellType)],
        cells: impl Fn(u64, usize) -> Cell<'c> + 'c,
    ) -> io::Result<Self> {
        let file = table.metadata.file_metadata();
        let schema = file.schema_descr().root_schema_ptr();
        let mut written = Arc::clone(&schema);
        let mut metadata = file.key_value_metadata().cloned();
        if !added.is_empty() {
            let own = schema.get_fields().iter().map(|field| Ok(Arc::clone(field)));
            let fields = own.chain(added.iter().map(|(name, cells)| added::column(name, *cells)));
            let fields = fields.collect::<Result<Vec<_>>>().map_err(failed)?;
            let group = Type::group_type_builder(schema.name()).with_fields(fields);
            written = Arc::new(group.build().map_err(failed)?);
            metadata.iter_mut().for_each(|pairs| pairs.retain(|pair| pair.key != ARROW));
        }
        let first = table.metadata.row_groups().first();
        let mut properties = WriterProperties::builder()
            .set_key_value_metadata(metadata)
            .set_sorting_columns(first.and_then(|group| group.sorting_columns().cloned()));
        for column in first.map(|group| group.columns()).unwrap_or_default() {
            properties = properties
                .set_column_compression(column.column_path().clone(), column.compression());
        }
        let most = first.and_then(|group| group.columns().first());
        let codec = most.map_or(Compression::SNAPPY, |column| column.compression());
        for (name, _) in added {
            let path = ColumnPath::new(vec![(*name).to_owned()]);
            properties = properties.set_column_compression(path, codec);
        }
        let properties = Arc::new(properties.build());
        let leaves = SchemaDescriptor::new(Arc::clone(&written));
        let writer = SerializedFileWriter::new(out, written, Arc::clone(&properties));
        Ok(Self {
            writer: writer.map_err(failed)?,
            properties,
            schema,
            leaves,
            added: added.iter().map(|(_, cells)| *cells).collect(),
            cells: Box::new(cells),
            waiting: None,
        })
    }

    /// Whether rows are from a table with the same columns.
    pub fn matches(&self, group: &Group) -> bool {
        *group.table.metadata.file_metadata().schema_descr().root_schema() == *self.schema
    }

    /// Adds rows; those with a number are kept.
    ///
    /// # Errors
    /// If writing fails. After `InvalidData`, a damaged row group was skipped as a whole, and later
    /// ones can still be added.
    pub fn write(&mut self, group: &Group, keep: &[Option<u64>]) -> io::Result<()> {
        let follows = |(table, row_group, chosen): &(Arc<ParquetTable>, usize, Vec<_>)| {
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
        chosen.resize(group.from, None);
        chosen.extend(keep.iter().copied().chain(std::iter::repeat(None)).take(group.rows));
        if chosen.len() < group.table.rows(group.row_group) { Ok(()) } else { self.flush() }
    }

    /// Writes the current row group.
    fn flush(&mut self) -> io::Result<()> {
        let Some((table, row_group, keep)) = self.waiting.take() else { return Ok(()) };
        if keep.iter().all(Option::is_none) {
            return Ok(());
        }
        // Written to a temporary file first, so that damage found half-way does not spoil the table.
        let mut aside = TrackedWrite::new(tempfile::tempfile()?);
        let mut columns = Vec::new();
        let copied = table.metadata.row_group(row_group).num_columns();
        for leaf in 0..copied {
            let properties = Arc::clone(&self.properties);
            let copied = guarded(|| {
                let pages = Box::new(SerializedPageWriter::new(&mut aside));
                let typed = Typed::new(&table, row_group, leaf)?;
                let writer = get_column_writer(self.leaves.column(leaf), properties, pages);
                each_type!(typed, stream => copy(stream, writer, &keep))
            });
            columns.push(copied.map_err(damaged)?);
        }
        for (number, cells) in self.added.iter().enumerate() {
            let column = self.leaves.column(copied + number);
            let pages = Box::new(SerializedPageWriter::new(&mut aside));
            let mut writer = get_column_writer(column, Arc::clone(&self.properties), pages);
            let made = keep.iter().flatten().map(|row| (self.cells)(*row, number));
            added::write(*cells, &mut writer, made).map_err(failed)?;
            columns.push(writer.close().map_err(failed)?);
        }
        let aside = aside.into_inner().map_err(failed)?;
        let mut rows = self.writer.next_row_group().map_err(failed)?;
        for column in columns {
            rows.append_column(&aside, column).map_err(failed)?;
        }
        rows.close().map_err(failed)?;
        Ok(())
    }

    /// Writes the last row group and the footer. Whether the row group could be written is apart: a
    /// damaged one is skipped.
    pub fn end(mut self) -> (io::Result<W>, io::Result<()>) {
        let flushed = self.flush();
        (self.writer.into_inner().map_err(failed), flushed)
    }

    /// Writes the last row group and the footer.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn finish(self) -> io::Result<W> {
        let (out, flushed) = self.end();
        flushed.and(out)
    }
}

/// Copies the values of the kept rows.
fn copy<T: DataType>(
    mut stream: ColumnStream<T>,
    writer: ColumnWriter<'_>,
    keep: &[Option<u64>],
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
        let mut rows =
            read.rows(count, form).zip(here).filter(|(_, keep)| keep.is_some()).peekable();
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

pub(super) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => io::Error::other(inner),
        other => io::Error::other(other.to_string()),
    }
}

fn damaged(error: ParquetError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
