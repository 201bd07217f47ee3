//! Cells of columns that are made, not copied.

use std::borrow::Cow;

/// What the cells of a column hold; each may also be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellType {
    /// Text.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// Truth values.
    Truth,
    /// Milliseconds since 1970-01-01 UTC.
    Time,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Null,
    /// Text.
    Text(Cow<'a, str>),
    /// A whole number, or a time.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A truth value.
    Truth(bool),
}

impl<'a, C: Into<Cell<'a>>> From<Option<C>> for Cell<'a> {
    fn from(cell: Option<C>) -> Self {
        cell.map_or(Cell::Null, Into::into)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }
}

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Cell::Integer(number)
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Cell::Real(number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(truth: bool) -> Self {
        Cell::Truth(truth)
    }
}
