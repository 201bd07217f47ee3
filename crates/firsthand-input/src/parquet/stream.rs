//! Reads the values of one column of a row group, a few rows at a time.

use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::errors::Result;

use super::ParquetTable;
use super::pages::{ColumnPages, LoadCount};

/// Rows per read.
const ROWS: usize = 256;
/// Rows per read if a few bytes may encode long values.
const FEW_ROWS: usize = 8;

/// The values of a column of any type.
pub(super) enum Typed {
    Bool(ColumnStream<BoolType>),
    Int32(ColumnStream<Int32Type>),
    Int64(ColumnStream<Int64Type>),
    Int96(ColumnStream<Int96Type>),
    Float(ColumnStream<FloatType>),
    Double(ColumnStream<DoubleType>),
    Bytes(ColumnStream<ByteArrayType>),
    Fixed(ColumnStream<FixedLenByteArrayType>),
}

/// Applies an expression to a column of any type.
macro_rules! each_type {
    ($typed:expr, $stream:ident => $doing:expr) => {
        match $typed {
            Typed::Bool($stream) => $doing,
            Typed::Int32($stream) => $doing,
            Typed::Int64($stream) => $doing,
            Typed::Int96($stream) => $doing,
            Typed::Float($stream) => $doing,
            Typed::Double($stream) => $doing,
            Typed::Bytes($stream) => $doing,
            Typed::Fixed($stream) => $doing,
        }
    };
}
pub(super) use each_type;

/// The values of a column of one type.
pub(super) struct ColumnStream<T: DataType> {
    reader: ColumnReaderImpl<T>,
    loaded: LoadCount,
    rows: usize,
    pub(super) form: Nesting,
    /// Values not yet taken: a row may continue in the next page.
    read: ColumnValues<T>,
}

/// How values form rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nesting {
    /// The definition level of a value that is not null.
    pub(super) there: i16,
    pub(super) repeats: bool,
}

/// Values with the levels that assign them to rows; no levels if all are zero.
pub(super) struct ColumnValues<T: DataType> {
    pub(super) values: Vec<T::T>,
    pub(super) definition: Vec<i16>,
    pub(super) repetition: Vec<i16>,
}

impl Typed {
    /// A column by its index among the leaf columns.
    pub(super) fn new(table: &Arc<ParquetTable>, row_group: usize, leaf: usize) -> Result<Self> {
        let column = table.metadata.row_group(row_group).column(leaf);
        let loaded = LoadCount::default();
        let pages = ColumnPages::new(Arc::clone(table), column, &table.limits, loaded.clone())?;
        let descriptor = column.column_descr_ptr();
        let form =
            Nesting { there: descriptor.max_def_level(), repeats: descriptor.max_rep_level() > 0 };
        let shares = column.encodings().any(|known| known == Encoding::DELTA_BYTE_ARRAY);
        let rows = if shares { FEW_ROWS } else { ROWS };
        let new = (loaded, rows, form);
        Ok(match get_column_reader(descriptor, Box::new(pages)) {
            ColumnReader::BoolColumnReader(reader) => Typed::Bool(ColumnStream::new(reader, new)),
            ColumnReader::Int32ColumnReader(reader) => Typed::Int32(ColumnStream::new(reader, new)),
            ColumnReader::Int64ColumnReader(reader) => Typed::Int64(ColumnStream::new(reader, new)),
            ColumnReader::Int96ColumnReader(reader) => Typed::Int96(ColumnStream::new(reader, new)),
            ColumnReader::FloatColumnReader(reader) => Typed::Float(ColumnStream::new(reader, new)),
            ColumnReader::DoubleColumnReader(reader) => {
                Typed::Double(ColumnStream::new(reader, new))
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                Typed::Bytes(ColumnStream::new(reader, new))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                Typed::Fixed(ColumnStream::new(reader, new))
            }
        })
    }

    /// Skips rows.
    pub(super) fn skip(&mut self, rows: usize) -> Result<()> {
        each_type!(self, stream => stream.skip(rows))
    }
}

impl<T: DataType> ColumnStream<T> {
    fn new(reader: ColumnReaderImpl<T>, (loaded, rows, form): (LoadCount, usize, Nesting)) -> Self {
        Self { reader, loaded, rows, form, read: ColumnValues::none() }
    }

    fn skip(&mut self, rows: usize) -> Result<()> {
        let mut left = rows;
        while left > 0 {
            self.loaded.reset();
            match self.reader.skip_records(left)? {
                0 => break,
                skipped => left -= skipped.min(left),
            }
        }
        Ok(())
    }

    /// The next few rows and their number, 0 at the end.
    pub(super) fn next(&mut self) -> Result<(usize, ColumnValues<T>)> {
        self.loaded.reset();
        let ColumnValues { values, definition, repetition } = &mut self.read;
        let definition = (self.form.there > 0).then_some(definition);
        let repetition = self.form.repeats.then_some(repetition);
        let (rows, _, _) = self.reader.read_records(self.rows, definition, repetition, values)?;
        Ok((rows, self.take(rows)))
    }

    /// Takes the values of the next `rows` rows.
    fn take(&mut self, rows: usize) -> ColumnValues<T> {
        if !self.form.repeats {
            return std::mem::replace(&mut self.read, ColumnValues::none());
        }
        let ColumnValues { values, definition, repetition } = &mut self.read;
        let mut starts = repetition.iter().enumerate().filter(|(_, level)| **level == 0);
        let end = starts.nth(rows).map_or(repetition.len(), |(at, _)| at);
        let there = definition[..end.min(definition.len())].iter();
        let count = there.filter(|level| **level == self.form.there).count().min(values.len());
        let rest = ColumnValues {
            values: values.split_off(count),
            definition: definition.split_off(end.min(definition.len())),
            repetition: repetition.split_off(end),
        };
        std::mem::replace(&mut self.read, rest)
    }
}

impl<T: DataType> ColumnValues<T> {
    fn none() -> Self {
        Self { values: Vec::new(), definition: Vec::new(), repetition: Vec::new() }
    }

    /// The values and levels of each of `rows` rows, in order.
    pub(super) fn rows(
        &self,
        rows: usize,
        form: Nesting,
    ) -> impl Iterator<Item = (&[T::T], &[i16], &[i16])> {
        let (mut value, mut level) = (0, 0);
        (0..rows).map_while(move |_| {
            let mut end = level + 1;
            while form.repeats && self.repetition.get(end).is_some_and(|level| *level > 0) {
                end += 1;
            }
            let definition: &[i16] =
                if form.there > 0 { self.definition.get(level..end)? } else { &[] };
            let repetition: &[i16] =
                if form.repeats { self.repetition.get(level..end)? } else { &[] };
            let count = match form.there {
                0 => end - level,
                there => definition.iter().filter(|level| **level == there).count(),
            };
            let values = self.values.get(value..value + count)?;
            (value, level) = (value + count, end);
            Some((values, definition, repetition))
        })
    }
}
