//! Parquet tables, of which only the columns that are fields of a document are read.
//!
//! The reading thread only reads the footer and passes on ranges of rows; pages are read one at a
//! time when documents are built, so a table of any size takes little memory. The claims of footers
//! and pages are checked before use.

mod added;
mod cells;
mod disk;
mod footer;
mod header;
mod kept;
mod pages;
mod parts;
mod project;
mod rows;
mod stream;
#[cfg(test)]
mod tests;
mod thrift;

use std::fs::File;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use xxhash_rust::xxh3::Xxh3;

use crate::build_document;
use crate::caught::{expected, words_of};
use crate::compression::Compression;
use crate::error::{ReadError, Reason};
use crate::exceeded::Exceeded;
use crate::item::{Item, finish};
use crate::options::ReadOptions;
use crate::place::{Place, Unit};
use crate::record::Slot;
use firsthand::settings::{Limit, Limits};

pub(crate) use self::footer::bad;
pub use self::kept::ParquetKept;
pub use self::rows::ParquetRows;

use self::cells::{Meaning, ParquetCell};
use self::project::ColumnField;
use self::stream::Typed;

/// A range of rows of a Parquet table: a row group, or a part of a large one.
#[derive(Debug)]
pub struct Group {
    table: Arc<ParquetTable>,
    row_group: usize,
    /// The number of rows before these, in the file and in the row group.
    before: u64,
    from: usize,
    rows: usize,
}

/// An open table.
#[derive(Debug)]
pub struct ParquetTable {
    name: Arc<str>,
    file: File,
    pub(crate) length: u64,
    /// Where the pages end and the footer starts.
    pub(crate) pages_end: u64,
    /// A checksum of the footer.
    footer_sum: u64,
    metadata: ParquetMetaData,
    fields: Vec<ColumnField>,
    limits: Limits,
}

impl Group {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The table that they are of.
    pub fn table(&self) -> &ParquetTable {
        &self.table
    }

    /// A checksum of the footer and of a share of the bytes of the columns that are read: those of
    /// the groups of a row group add up to all of them.
    pub(crate) fn sum(&self) -> u64 {
        let mut sum = Xxh3::new();
        for number in [self.table.footer_sum, self.row_group as u64, self.from as u64] {
            sum.update(&number.to_le_bytes());
        }
        let rows = self.table.rows(self.row_group).max(1) as u128;
        let columns = self.table.metadata.row_group(self.row_group).columns();
        for column in self.table.fields.iter().filter_map(|field| columns.get(field.leaf)) {
            let Some((start, end)) = pages::range(column, self.table.length) else { continue };
            let upto = |row: usize| {
                start + (u128::from(end - start) * row as u128 / rows).min(u64::MAX.into()) as u64
            };
            disk::each_piece(
                &self.table.file,
                upto(self.from)..upto(self.from + self.rows),
                |bytes| {
                    sum.update(bytes);
                },
            );
        }
        sum.digest()
    }

    /// The compressed size of the columns that are read.
    pub(crate) fn bytes_on_disk(&self) -> u64 {
        self.share(self.table.packed(self.row_group))
    }

    /// The share of these rows in a size of the row group.
    fn share(&self, size: u64) -> u64 {
        let all = self.table.rows(self.row_group).max(1) as u128;
        (u128::from(size) * self.rows as u128 / all) as u64
    }

    /// Splits a row group into parts, each with its decompressed size; `before` counts the rows of
    /// earlier row groups.
    pub(crate) fn split(
        table: &Arc<ParquetTable>,
        row_group: usize,
        before: u64,
        batch_bytes: usize,
    ) -> Result<Vec<(Self, u64)>, Reason> {
        sound(table, row_group, table.metadata.row_group(row_group))?;
        let rows = table.rows(row_group);
        let bytes = table.size(row_group, |column| column.uncompressed_size());
        // A row group may be the whole file: parts of it keep several threads busy.
        let parts = (bytes / (8 * batch_bytes.max(1) as u64)).clamp(1, MOST_PARTS);
        let most = (rows as u64).div_ceil(parts).max(1) as usize;
        let part = |from| {
            let (table, rows) = (Arc::clone(table), most.min(rows - from));
            let group = Self { table, row_group, before: before + from as u64, from, rows };
            let bytes = group.share(bytes);
            (group, bytes)
        };
        Ok((0..rows).step_by(most).map(part).collect())
    }

    fn place(&self, row: usize) -> Place {
        Place::numbered(&*self.table.name, Unit::Row, self.before + row as u64 + 1)
    }
}

impl ParquetTable {
    /// Opens a table: reads its footer and finds the columns that are fields of documents.
    pub(crate) fn open(
        name: Arc<str>,
        file: File,
        options: &ReadOptions,
    ) -> Result<Arc<Self>, Reason> {
        let failed = |error| Reason::from_io(&error, Compression::None);
        let length = file.metadata().map_err(failed)?.len();
        let limits = options.reading.limits.clone();
        let footer::Footer { metadata, start: pages_end, sum: footer_sum } =
            footer::read(&file, length, &limits)?;
        let schema = metadata.file_metadata().schema_descr();
        let fields = project::fields(schema, &options.reading.fields)?;
        let table = Self { name, file, length, pages_end, footer_sum, metadata, fields, limits };
        Ok(Arc::new(table))
    }

    /// The names of the columns.
    pub(crate) fn column_names(&self) -> impl Iterator<Item = &str> {
        let schema = self.metadata.file_metadata().schema_descr().root_schema();
        schema.get_fields().iter().map(|column| column.name())
    }

    /// The number of row groups.
    pub(crate) fn row_groups(&self) -> usize {
        self.metadata.num_row_groups()
    }

    /// The number of rows of a row group.
    pub(crate) fn rows(&self, row_group: usize) -> usize {
        usize::try_from(self.metadata.row_group(row_group).num_rows()).unwrap_or(0)
    }

    /// The compressed size of the columns that are read.
    pub(crate) fn packed(&self, row_group: usize) -> u64 {
        self.size(row_group, |column| column.compressed_size())
    }

    /// A size summed over the columns that are read.
    fn size(
        &self,
        row_group: usize,
        size: impl Fn(&parquet::file::metadata::ColumnChunkMetaData) -> i64,
    ) -> u64 {
        let columns = self.metadata.row_group(row_group).columns();
        let of = |field: &ColumnField| columns.get(field.leaf).map_or(0, &size);
        self.fields.iter().map(|field| u64::try_from(of(field)).unwrap_or(0)).sum()
    }
}

/// Checks the metadata of a row group.
fn sound(
    table: &ParquetTable,
    row_group: usize,
    metadata: &RowGroupMetaData,
) -> Result<(), Reason> {
    let limits = &table.limits;
    let columns = table.metadata.file_metadata().schema_descr().num_columns();
    if metadata.num_rows() < 0 || metadata.columns().len() != columns {
        return Err(footer::bad("a row group has invalid metadata".into()));
    }
    let packed = table.packed(row_group);
    let plain = table.size(row_group, |column| column.uncompressed_size());
    if plain > limits.decompressed {
        return Err(Reason::beyond(Limit::Decompressed, limits));
    }
    if packed > table.length {
        return Err(footer::bad("a row group claims more bytes than the file has".into()));
    }
    Ok(())
}

/// The most parts of a row group; each part skips the pages before it.
const MOST_PARTS: u64 = 32;
/// Output below this size is never a bomb.
const FREE: u64 = 64 << 20;

/// The position in a range of rows.
#[derive(Default)]
pub(crate) struct GroupCursor {
    columns: Option<Vec<OpenColumn>>,
    row: usize,
    /// The bytes of all cells so far.
    produced: u64,
    is_over: bool,
}

/// A column that is being read.
struct OpenColumn {
    slot: Slot,
    rank: usize,
    meaning: Meaning,
    typed: Typed,
    pending: std::vec::IntoIter<Option<ParquetCell>>,
}

impl GroupCursor {
    /// The document of the next row. If the remaining rows cannot be read, one error covers them all.
    pub(crate) fn next(
        &mut self,
        group: &Group,
        options: &ReadOptions,
    ) -> Option<Result<Item, ReadError>> {
        if self.is_over || self.row >= group.rows {
            return None;
        }
        let place = group.place(self.row);
        match self.cells(group, options) {
            Ok(cells) => {
                self.row += 1;
                Some(finish(place, |place| document(&cells, place, options)))
            }
            Err(reason) => {
                self.is_over = true;
                let inputs = group.rows - self.row;
                Some(Err(ReadError { inputs, ..ReadError::at(place, lost(reason, inputs)) }))
            }
        }
    }

    /// The non-null cells of the next row.
    fn cells(
        &mut self,
        group: &Group,
        options: &ReadOptions,
    ) -> Result<Vec<(Slot, usize, ParquetCell)>, Reason> {
        let limits = &options.reading.limits;
        if self.columns.is_none() {
            let columns = guarded(|| columns(group)).map_err(|error| reason(error, limits))?;
            self.columns = Some(columns);
        }
        let mut cells = Vec::new();
        for column in self.columns.iter_mut().flatten() {
            let next = match column.pending.next() {
                Some(next) => next,
                None => {
                    let (typed, meaning) = (&mut column.typed, column.meaning);
                    let more = guarded(|| cells::next(typed, meaning, limits.line));
                    column.pending = more.map_err(|error| reason(error, limits))?.into_iter();
                    let early = || footer::bad("a column ends before the others do".into());
                    column.pending.next().ok_or_else(early)?
                }
            };
            if let Some(cell) = next {
                // Cells refused for their length do not count.
                if cell.len() <= limits.line {
                    self.produced = self.produced.saturating_add(cell.len());
                }
                cells.push((column.slot, column.rank, cell));
            }
        }
        if self.produced > FREE {
            let packed = group.table.packed(group.row_group);
            if self.produced > packed.saturating_mul(limits.ratio) {
                return Err(Reason::beyond(Limit::Ratio, limits));
            }
        }
        Ok(cells)
    }
}

fn columns(group: &Group) -> Result<Vec<OpenColumn>, ParquetError> {
    let column = |field: &ColumnField| {
        let mut typed = Typed::new(&group.table, group.row_group, field.leaf)?;
        typed.skip(group.from)?;
        let (slot, rank, meaning) = (field.slot, field.rank, field.meaning);
        Ok(OpenColumn { slot, rank, meaning, typed, pending: Vec::new().into_iter() })
    };
    group.table.fields.iter().map(column).collect()
}

/// The document of a row.
fn document(
    cells: &[(Slot, usize, ParquetCell)],
    place: &Place,
    options: &ReadOptions,
) -> build_document::Made {
    let length = cells.iter().fold(0u64, |sum, (.., cell)| sum.saturating_add(cell.len()));
    if length > options.reading.limits.line {
        return Err(Reason::beyond(Limit::Line, &options.reading.limits));
    }
    let cells = cells.iter().map(|(slot, rank, cell)| (*slot, *rank, cell.text()));
    build_document::from_cells(cells, place, options)
}

/// Adds the number of lost rows to a reason.
fn lost(reason: Reason, rows: usize) -> Reason {
    match reason {
        Reason::BadRecord { format, detail } if rows > 1 => {
            let detail = format!("{detail}; {rows} rows from here on are lost");
            Reason::BadRecord { format, detail }
        }
        reason => reason,
    }
}

/// Runs the library, which may panic on unexpected input.
fn guarded<T>(run: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    match expected(run) {
        Ok(result) => result,
        Err(cause) => {
            let words = words_of(&*cause);
            let words = words.split_once(": ").map_or(&*words, |(_, words)| words);
            Err(ParquetError::General(format!("it is damaged: {words}")))
        }
    }
}

/// Translates an error of the library.
fn reason(error: ParquetError, limits: &Limits) -> Reason {
    let detail = match error {
        ParquetError::External(inner) => match inner.downcast_ref::<Exceeded>() {
            Some(exceeded) => return Reason::beyond(exceeded.limit, limits),
            None => inner.to_string(),
        },
        ParquetError::General(words) | ParquetError::EOF(words) => words,
        other => other.to_string(),
    };
    // Messages may quote input of any length.
    footer::bad(detail.chars().take(300).collect())
}
