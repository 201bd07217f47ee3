//! CSV and TSV: RFC 4180 with the deviations of real files.
//!
//! The reading thread only looks for the ends of rows; cells are split when documents are built.
//! Rows are kept unchanged, so that they can be copied byte by byte.

mod cells;
pub(crate) mod columns;
mod cutter;
mod extend;
mod header;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use crate::build_document::{self, Made};
use crate::charset;
use crate::error::Reason;
use crate::options::ReadOptions;
use crate::place::Place;
use firsthand::settings::Limit;

pub(crate) use self::cutter::CsvCutter;
pub use self::header::TableHeader;

use self::scan::RowEnd;

/// Whole rows of a table.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) name: Arc<str>,
    pub(crate) table: Arc<TableHeader>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: Vec<RowEnd>,
}

impl Rows {
    /// The first row and anything before it, unchanged.
    pub(crate) fn header(&self) -> &[u8] {
        &self.table.raw
    }
}

/// The position in a set of rows.
#[derive(Debug, Default)]
pub(crate) struct RowsCursor {
    row: usize,
    from: usize,
}

impl RowsCursor {
    /// The next row that is not blank, with its line end.
    pub(crate) fn next<'a>(&mut self, rows: &'a Rows) -> Option<(Place, &'a [u8])> {
        loop {
            let row = rows.rows.get(self.row)?;
            let bytes = &rows.bytes[self.from..row.end];
            (self.row, self.from) = (self.row + 1, row.end);
            if !bytes.trim_ascii().is_empty() {
                return Some((Place::line(&*rows.name, row.line), bytes));
            }
        }
    }
}

/// The document of a row.
pub(crate) fn item(rows: &Rows, row: &[u8], place: &Place, options: &ReadOptions) -> Made {
    if row.len() as u64 > options.reading.limits.line {
        return Err(Reason::beyond(Limit::Line, &options.reading.limits));
    }
    let table = &rows.table;
    // Cells beyond the named columns are skipped. An empty cell counts as absent, so that another
    // column can provide the field.
    let cells = cells::of(row, table.form).zip(&table.slots);
    let filled = cells.filter(|(cell, _)| !cell.is_empty()).filter_map(|(cell, slot)| {
        let (slot, rank) = (*slot)?;
        Some((slot, rank, decoded(cell, table.charset)))
    });
    build_document::from_cells(filled, place, options)
}

/// A cell as text, and the number of characters that could not be decoded.
fn decoded<'a>(cell: Cow<'a, [u8]>, declared: Option<&'static str>) -> (Cow<'a, str>, u64) {
    match cell {
        Cow::Borrowed(bytes) => {
            let decoded = charset::decode(bytes, declared);
            (decoded.text, decoded.replaced)
        }
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => (Cow::Owned(text), 0),
            Err(error) => {
                let decoded = charset::decode(error.as_bytes(), declared);
                (Cow::Owned(decoded.text.into_owned()), decoded.replaced)
            }
        },
    }
}
