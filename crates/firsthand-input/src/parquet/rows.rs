//! A new table, written row by row in bounded memory.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::added;
use super::kept::failed;
use crate::cell::{Cell, CellType};

/// Rows, and bytes of text, of a row group.
const ROWS: usize = 128 << 10;
const BYTES: usize = 32 << 20;

/// Writes a table with named columns.
///
/// ```
/// use firsthand_input::{Cell, CellType, ParquetRows, ReadOptions, read_bytes};
///
/// let columns = [("id", CellType::Integer), ("text", CellType::Text)];
/// let mut rows = ParquetRows::new(Vec::new(), &columns)?;
/// rows.push([Cell::from(7), "Ferry late".into()])?;
/// let table = rows.finish()?;
/// let document = read_bytes("a.parquet", &table, &ReadOptions::default()).next().unwrap().unwrap();
/// assert_eq!((&*document.id, &*document.text), ("7", "Ferry late"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ParquetRows<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    types: Vec<CellType>,
    /// The cells of the current row group, by column.
    columns: Vec<Vec<Cell<'static>>>,
    bytes: usize,
}

impl<W: Write + Send> ParquetRows<W> {
    /// Starts a table.
    ///
    /// # Errors
    /// If its start cannot be written.
    pub fn new(out: W, columns: &[(&str, CellType)]) -> io::Result<Self> {
        let start = || {
            let fields = columns.iter().map(|(name, cells)| added::column(name, *cells));
            let fields = fields.collect::<Result<Vec<_>>>()?;
            let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_created_by("firsthand".to_owned());
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))
        };
        let types: Vec<CellType> = columns.iter().map(|(_, cells)| *cells).collect();
        let columns = types.iter().map(|_| Vec::new()).collect();
        Ok(Self { writer: start().map_err(failed)?, types, columns, bytes: 0 })
    }

    /// Adds a row, with a cell for each column.
    ///
    /// # Errors
    /// If a row group cannot be written.
    pub fn push<'c>(&mut self, row: impl IntoIterator<Item = Cell<'c>>) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(match cell {
                Cell::Text(text) => {
                    self.bytes += text.len();
                    Cell::Text(text.into_owned().into())
                }
                Cell::Null => Cell::Null,
                Cell::Integer(number) => Cell::Integer(number),
                Cell::Real(number) => Cell::Real(number),
                Cell::Truth(truth) => Cell::Truth(truth),
            });
        }
        let rows = self.columns.first().map_or(0, Vec::len);
        if rows < ROWS && self.bytes < BYTES { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes = 0;
        let mut write = || {
            let mut rows = self.writer.next_row_group()?;
            for (cells, column) in self.types.iter().zip(&mut self.columns) {
                let Some(mut writer) = rows.next_column()? else { break };
                added::write(*cells, writer.untyped(), column.drain(..))?;
                writer.close()?;
            }
            rows.close().map(drop)
        };
        write().map_err(failed)
    }

    /// Writes the last row group and the footer.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.columns.first().is_some_and(|column| !column.is_empty()) {
            self.flush()?;
        }
        self.writer.into_inner().map_err(failed)
    }
}
