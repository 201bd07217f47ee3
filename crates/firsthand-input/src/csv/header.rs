//! The start of a table: its delimiter and the names of its columns.

use firsthand::settings::Fields;

use super::columns::{self, ColumnRole};
use super::scan::Separators;
use super::{cells, decoded};

/// Possible delimiters, in order of preference if equally common.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The first row of a table, and the roles of its columns.
#[derive(Debug)]
pub struct TableHeader {
    /// The row and anything before it, unchanged.
    pub(crate) raw: Vec<u8>,
    pub(crate) form: Separators,
    pub(crate) names: Vec<String>,
    /// The role of each column.
    pub(crate) slots: Vec<ColumnRole>,
    pub(crate) has_text: bool,
    /// The character set, if the start of the file shows it.
    pub(crate) charset: Option<&'static str>,
}

impl TableHeader {
    pub(crate) fn new(
        raw: Vec<u8>,
        form: Separators,
        charset: Option<&'static str>,
        fields: &Fields,
    ) -> Self {
        let row = &raw[names_start(&raw, form.line_end)..];
        let name = |cell| decoded(cell, charset).0.trim().to_owned();
        let names: Vec<String> = cells::of(row, form).map(name).collect();
        let slots = columns::map(names.iter().map(String::as_str), fields);
        let has_text = columns::has_text(&slots);
        Self { form, slots, has_text, charset, names, raw }
    }
}

/// The start of the row of names: after a byte-order mark, blank lines and a `sep=;` line.
pub(crate) fn names_start(raw: &[u8], line_end: u8) -> usize {
    let mut start = if raw.starts_with(MARK) { MARK.len() } else { 0 };
    loop {
        let rest = &raw[start..];
        let Some(end) = memchr::memchr(line_end, rest) else { return start };
        let line = &rest[..end];
        if !line.trim_ascii().is_empty() && told_delimiter(line).is_none() {
            return start;
        }
        start += end + 1;
    }
}

/// The delimiter in a line such as `sep=;`.
fn told_delimiter(line: &[u8]) -> Option<u8> {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    match line.strip_suffix(b"\r").unwrap_or(line) {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Some(*delimiter),
        _ => None,
    }
}

/// The byte that ends lines, once a line end has been read: a carriage return only if no line feed
/// follows the first one.
pub(crate) fn line_end(start: &[u8], ended: bool) -> Option<u8> {
    let first = memchr::memchr2(b'\n', b'\r', start);
    let lonely = |at: usize| match start.get(at + 1) {
        Some(b'\n') => Some(b'\n'),
        Some(_) => Some(b'\r'),
        None => ended.then_some(b'\r'),
    };
    match first {
        Some(at) if start[at] == b'\r' => lonely(at),
        Some(_) => Some(b'\n'),
        None => ended.then_some(b'\n'),
    }
}

/// The delimiter that the file names, else the most frequent one in its first row; `None` until
/// that row is complete.
pub(crate) fn delimiter(raw: &[u8], line_end: u8, ended: bool) -> Option<u8> {
    let start = names_start(raw, line_end);
    let told = raw[..start].split(|byte| *byte == line_end).find_map(told_delimiter);
    if told.is_some() {
        return told;
    }
    let names = &raw[start..];
    let mut counts = [0usize; DELIMITERS.len()];
    if !count(names, line_end, &mut counts) {
        if !ended {
            return None;
        }
        // Unclosed quotes are text.
        counts = [0; DELIMITERS.len()];
        let first = names.split(|byte| *byte == line_end).next().unwrap_or_default();
        count(first, line_end, &mut counts);
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let at = counts.iter().position(|count| *count == most).unwrap_or(0);
    Some(DELIMITERS[at])
}

/// Counts delimiters outside quotes up to a line end; returns whether there is one.
fn count(bytes: &[u8], line_end: u8, counts: &mut [usize; DELIMITERS.len()]) -> bool {
    let mut quoted = false;
    for byte in bytes {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            byte if *byte == line_end => return true,
            byte => {
                if let Some(at) = DELIMITERS.iter().position(|known| known == byte) {
                    counts[at] += 1;
                }
            }
        }
    }
    false
}
