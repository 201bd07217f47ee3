//! Tables that are in memory already: a caller hands their rows over, piece by piece.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::build_document;
use crate::csv::columns::{self, ColumnRole};
use crate::error::{ReadError, Reason};
use crate::item::{Item, finish};
use crate::options::ReadOptions;
use crate::place::{Place, Unit};
use crate::record::Slot;
use firsthand::settings::{Fields, Limit};

/// Some rows of a table in memory. Its cells are asked for by whichever thread builds the documents.
///
/// ```
/// use firsthand_input::{MemoryCell, MemoryRows, ReadOptions, open_memory};
///
/// #[derive(Debug)]
/// struct Texts(Vec<&'static str>);
///
/// impl MemoryRows for Texts {
///     fn columns(&self) -> Vec<String> {
///         vec!["text".to_owned()]
///     }
///     fn rows(&self) -> usize {
///         self.0.len()
///     }
///     fn bytes(&self) -> u64 {
///         self.0.iter().map(|text| text.len() as u64).sum()
///     }
///     fn cell(&self, _: usize, row: usize) -> MemoryCell<'_> {
///         MemoryCell::Text(self.0[row].into())
///     }
/// }
///
/// let options = ReadOptions::default();
/// let pieces = [Texts(vec!["Ferry late", "Ferry lost"])].into_iter();
/// let pieces = pieces.map(|rows| Box::new(rows) as Box<dyn MemoryRows>);
/// let mut texts = Vec::new();
/// for batch in open_memory(Box::new(pieces), None, &options) {
///     for item in batch.into_documents(&options) {
///         let document = item?.document;
///         texts.push((document.id, document.text));
///     }
/// }
/// // Rows without an id are numbered from 0.
/// assert_eq!(texts[1], ("1".to_owned(), "Ferry lost".to_owned()));
/// # Ok::<(), firsthand_input::ReadError>(())
/// ```
pub trait MemoryRows: fmt::Debug + Send + Sync {
    /// The names of the columns.
    fn columns(&self) -> Vec<String>;

    /// The number of rows.
    fn rows(&self) -> usize;

    /// Roughly the number of bytes of all texts.
    fn bytes(&self) -> u64;

    /// What a row has in a column.
    fn cell(&self, column: usize, row: usize) -> MemoryCell<'_>;
}

/// What a row has in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryCell<'a> {
    /// Nothing.
    Null,
    /// Text.
    Text(Cow<'a, str>),
    /// A number, a truth or a time as text: good for an id or a time, and not for a text.
    Value(String),
    /// Bytes: UTF-8, or a page in whatever character set it says.
    Bytes(&'a [u8]),
    /// Something that is no text; what it is, such as `a list`.
    Other(&'static str),
}

/// Pieces of a table, as they are made or handed over.
pub type MemoryPieces = Box<dyn Iterator<Item = Box<dyn MemoryRows>> + Send>;

/// Whether a table with these columns can be read.
///
/// # Errors
///
/// If none of them is the text.
pub fn check_columns(names: &[String], fields: &Fields) -> Result<(), Reason> {
    let roles = columns::map(names.iter().map(String::as_str), fields);
    match columns::has_text(&roles) {
        true => Ok(()),
        false => Err(columns::no_text(names, fields)),
    }
}

/// The pieces of a table, cut into parts of batches.
pub(crate) struct MemoryFeed {
    pieces: MemoryPieces,
    fields: Fields,
    batch_bytes: u64,
    /// The rows before the current piece.
    before: u64,
    /// The piece that is being cut, and the rows of it that are done.
    current: Option<(Arc<Piece>, usize)>,
}

/// A piece of a table with the fields that its columns are.
#[derive(Debug)]
struct Piece {
    rows: Box<dyn MemoryRows>,
    columns: Vec<(usize, Slot, usize)>,
    names: Vec<String>,
    before: u64,
}

/// A range of rows of a piece.
#[derive(Debug)]
pub(crate) struct MemoryPart {
    piece: Arc<Piece>,
    from: usize,
    to: usize,
}

impl MemoryFeed {
    pub(crate) fn new(pieces: MemoryPieces, options: &ReadOptions) -> Self {
        let (fields, batch_bytes) = (options.reading.fields.clone(), options.batch_bytes as u64);
        Self { pieces, fields, batch_bytes, before: 0, current: None }
    }

    /// The next part, and its bytes.
    pub(crate) fn next(&mut self) -> Option<(MemoryPart, u64)> {
        let (piece, from) = match self.current.take() {
            Some(current) => current,
            None => (Arc::new(self.next_piece()?), 0),
        };
        let rows = piece.rows.rows();
        let bytes = piece.rows.bytes().max(1);
        let most = rows as u128 * u128::from(self.batch_bytes) / u128::from(bytes);
        let to = (from + usize::try_from(most).unwrap_or(rows).max(1)).min(rows);
        if to < rows {
            self.current = Some((Arc::clone(&piece), to));
        }
        let share = (to - from) as u128 * u128::from(bytes) / rows.max(1) as u128;
        Some((MemoryPart { piece, from, to }, share as u64))
    }

    fn next_piece(&mut self) -> Option<Piece> {
        let rows = loop {
            let rows = self.pieces.next()?;
            if rows.rows() > 0 {
                break rows;
            }
        };
        let names = rows.columns();
        let roles: Vec<ColumnRole> =
            columns::map(names.iter().map(String::as_str), &self.fields).into_iter().collect();
        let columns = roles.into_iter().enumerate();
        let columns = columns.filter_map(|(at, role)| role.map(|(slot, rank)| (at, slot, rank)));
        let before = self.before;
        self.before += rows.rows() as u64;
        Some(Piece { columns: columns.collect(), names, rows, before })
    }
}

impl MemoryPart {
    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.to - self.from
    }

    /// The document of a row, counted from 0 in this part.
    pub(crate) fn item(&self, at: usize, options: &ReadOptions) -> Result<Item, ReadError> {
        let row = self.from + at;
        let number = self.piece.before + row as u64;
        let place = Place::numbered("rows", Unit::Row, number + 1);
        finish(place, |place| {
            let cells = self.piece.cells(row, number, options)?;
            build_document::from_memory(cells, place, options)
        })
    }
}

impl Piece {
    /// The cells of a row that are fields of a document, with the number of characters that could not
    /// be decoded. A row without an id is known by its number, from 0.
    fn cells(&self, row: usize, number: u64, options: &ReadOptions) -> Result<Cells<'_>, Reason> {
        let limits = &options.reading.limits;
        let (mut cells, mut length): (Cells<'_>, u64) = (Vec::new(), 0);
        let (mut has_text, mut missing) = (false, None);
        for &(column, slot, rank) in &self.columns {
            let is_text = matches!(slot, Slot::Text | Slot::Html);
            let cell = match self.rows.cell(column, row) {
                MemoryCell::Null => {
                    missing = missing.or(is_text.then_some(column));
                    continue;
                }
                MemoryCell::Text(text) if slot == Slot::Id && text.trim().is_empty() => continue,
                MemoryCell::Text(text) => (text, 0),
                MemoryCell::Value(_) if is_text => {
                    let field = self.names.get(column).cloned().unwrap_or_default();
                    return Err(Reason::NotAText { field, found: "a number, truth or time" });
                }
                MemoryCell::Value(value) => (Cow::Owned(value), 0),
                MemoryCell::Bytes(bytes) if slot == Slot::Html => {
                    build_document::decoded_page(bytes)
                }
                MemoryCell::Bytes(bytes) => build_document::utf8(bytes),
                MemoryCell::Other(found) if is_text => {
                    let field = self.names.get(column).cloned().unwrap_or_default();
                    return Err(Reason::NotAText { field, found });
                }
                MemoryCell::Other(_) => continue,
            };
            has_text |= is_text;
            length = length.saturating_add(cell.0.len() as u64);
            cells.push((slot, rank, cell));
        }
        if !cells.iter().any(|(slot, ..)| *slot == Slot::Id) {
            if options.needs_ids {
                return Err(Reason::NoId(options.reading.fields.id.join(", ")));
            }
            cells.push((Slot::Id, 0, (Cow::Owned(number.to_string()), 0)));
        }
        match missing.filter(|_| !has_text).and_then(|column| self.names.get(column)) {
            Some(field) => Err(Reason::NotAText { field: field.clone(), found: "null" }),
            None if length > limits.line => Err(Reason::beyond(Limit::Line, limits)),
            None => Ok(cells),
        }
    }
}

/// The cells of a row: the field that each is, the rank of its name, and its text.
type Cells<'a> = Vec<(Slot, usize, (Cow<'a, str>, u64))>;
