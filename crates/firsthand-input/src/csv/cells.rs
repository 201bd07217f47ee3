//! The cells of one row.

use std::borrow::Cow;

use memchr::memchr;

use super::scan::Separators;

/// The cells of a row, with or without its line end.
pub(super) fn of(row: &[u8], form: Separators) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let row = row.strip_suffix(&[form.line_end]).unwrap_or(row);
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let (cell, after) = first(rest?, form);
        rest = after;
        Some(cell)
    })
}

/// Whether a cell starts with a quote that is text, since nothing closes it.
pub(super) fn has_loose_quote(row: &[u8], form: Separators) -> bool {
    let mut rest = Some(row);
    while let Some(left) = rest {
        if left.starts_with(b"\"") && quoted(left, form).is_none() {
            return true;
        }
        rest = first(left, form).1;
    }
    false
}

/// The number of cells of a row without its line end, and the length of the first `most` of them.
pub(super) fn extent(row: &[u8], form: Separators, most: usize) -> (usize, usize) {
    let (mut cells, mut length, mut rest) = (0, row.len(), Some(row));
    while let Some(left) = rest {
        let (_, after) = first(left, form);
        cells += 1;
        if cells == most {
            length = after.map_or(row.len(), |after| row.len() - after.len() - 1);
        }
        rest = after;
    }
    (cells, length)
}

/// A cell, and the rest of the row after its delimiter.
type First<'r> = (Cow<'r, [u8]>, Option<&'r [u8]>);

fn first(row: &[u8], form: Separators) -> First<'_> {
    if let Some((cell, after)) = quoted(row, form) {
        return (cell, after);
    }
    let (cell, after) = until(row, form.delimiter);
    (Cow::Borrowed(cell), after)
}

fn until(row: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr(delimiter, row) {
        Some(end) => (&row[..end], Some(&row[end + 1..])),
        None => (row, None),
    }
}

/// A cell that starts with a quote; `None` if the quote is never closed and thus is text.
fn quoted(row: &[u8], form: Separators) -> Option<First<'_>> {
    let inside = row.strip_prefix(b"\"")?;
    let mut cell: Cow<'_, [u8]> = Cow::Borrowed(&[]);
    let mut rest = inside;
    loop {
        let close = memchr(b'"', rest)?;
        let doubled = rest.get(close + 1) == Some(&b'"');
        extend(&mut cell, &rest[..close + usize::from(doubled)]);
        rest = &rest[close + 1 + usize::from(doubled)..];
        if !doubled {
            break;
        }
    }
    // Text between the closing quote and the delimiter belongs to the cell, unless the quotes
    // contain line ends: then they were not quotes.
    let (more, after) = until(rest, form.delimiter);
    let within = &inside[..inside.len() - rest.len()];
    if !more.is_empty() && memchr(form.line_end, within).is_some() {
        return None;
    }
    extend(&mut cell, more);
    Some((cell, after))
}

/// Appends; borrows if the cell was empty.
fn extend<'a>(cell: &mut Cow<'a, [u8]>, more: &'a [u8]) {
    if cell.is_empty() {
        *cell = Cow::Borrowed(more);
    } else if !more.is_empty() {
        cell.to_mut().extend_from_slice(more);
    }
}
