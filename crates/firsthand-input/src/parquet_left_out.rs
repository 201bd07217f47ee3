//! What stands for Parquet in a build without the feature `parquet`: tables are met, and not read.
//!
//! The types have no values, so that nothing can be done with them that the readers and writers of
//! tables would have to check.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::sync::Arc;

use crate::cell::{Cell, CellType};
use crate::error::{ReadError, Reason};
use crate::item::Item;
use crate::options::ReadOptions;

/// A range of rows of a Parquet table.
#[derive(Debug)]
pub struct Group(Infallible);

/// An open table.
#[derive(Debug)]
pub struct ParquetTable {
    none: Infallible,
    pub(crate) length: u64,
    pub(crate) pages_end: u64,
}

impl Group {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn sum(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn bytes_on_disk(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn split(
        table: &Arc<ParquetTable>,
        _: usize,
        _: u64,
        _: usize,
    ) -> Result<Vec<(Self, u64)>, Reason> {
        match table.none {}
    }
}

impl ParquetTable {
    pub(crate) fn open(_: Arc<str>, _: File, _: &ReadOptions) -> Result<Arc<Self>, Reason> {
        Err(Reason::LeftOut("parquet"))
    }

    pub(crate) fn column_names(&self) -> impl Iterator<Item = &str> {
        std::iter::empty()
    }

    pub(crate) fn row_groups(&self) -> usize {
        match self.none {}
    }

    pub(crate) fn rows(&self, _: usize) -> usize {
        match self.none {}
    }

    pub(crate) fn packed(&self, _: usize) -> u64 {
        match self.none {}
    }
}

pub(crate) fn bad(detail: String) -> Reason {
    Reason::Io(detail)
}

/// Where the reading of a range of rows stands.
#[derive(Debug, Default)]
pub(crate) struct GroupCursor;

impl GroupCursor {
    pub(crate) fn next(
        &mut self,
        group: &Group,
        _: &ReadOptions,
    ) -> Option<Result<Item, ReadError>> {
        match group.0 {}
    }
}

/// A table of the rows of another that are kept.
#[derive(Debug)]
pub struct ParquetKept<'c, W: Write + Send>(Infallible, PhantomData<(&'c (), W)>);

impl<'c, W: Write + Send> ParquetKept<'c, W> {
    /// Starts a table with the columns and metadata of another.
    ///
    /// # Errors
    /// Never: there is no other.
    pub fn new(_: W, table: &ParquetTable) -> io::Result<Self> {
        match table.none {}
    }

    /// The same with more columns.
    ///
    /// # Errors
    /// Never: there is no other.
    pub fn with_columns(
        _: W,
        table: &ParquetTable,
        _: &[(&str, CellType)],
        _: impl Fn(u64, usize) -> Cell<'c> + 'c,
    ) -> io::Result<Self> {
        match table.none {}
    }

    /// Whether rows are from a table with the same columns.
    pub fn matches(&self, _: &Group) -> bool {
        match self.0 {}
    }

    /// Writes rows of a group.
    ///
    /// # Errors
    /// Never: there is no table.
    pub fn write(&mut self, _: &Group, _: &[Option<u64>]) -> io::Result<()> {
        match self.0 {}
    }

    /// Ends the table.
    pub fn end(self) -> (io::Result<W>, io::Result<()>) {
        match self.0 {}
    }

    /// Ends the table.
    ///
    /// # Errors
    /// Never: there is no table.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}

/// A table of rows that are made.
#[derive(Debug)]
pub struct ParquetRows<W: Write + Send>(Infallible, PhantomData<W>);

impl<W: Write + Send> ParquetRows<W> {
    /// Starts a table.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: W, _: &[(&str, CellType)]) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, Reason::LeftOut("parquet")))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Never: there is no table.
    pub fn push<'c>(&mut self, _: impl IntoIterator<Item = Cell<'c>>) -> io::Result<()> {
        match self.0 {}
    }

    /// Ends the table.
    ///
    /// # Errors
    /// Never: there is no table.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}
