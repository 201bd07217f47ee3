//! Finds the ends of rows; quotes at the start of a cell hide line ends.
//!
//! A quote that is never closed, or closed lines later in the middle of a word, is text: many tables
//! without quoting have texts that start with a quotation mark.

use memchr::{memchr, memchr_iter, memchr2};

/// The separators of cells and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Separators {
    pub(crate) delimiter: u8,
    /// The last byte of a line end: a line feed, or a carriage return in very old files.
    pub(crate) line_end: u8,
}

/// A row that ends before this position, and the line it starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowEnd {
    pub(crate) end: usize,
    pub(crate) line: u64,
}

/// The state of the search for rows.
#[derive(Debug)]
pub(crate) struct RowScan {
    pub(crate) form: Separators,
    position: usize,
    state: RowState,
    /// The line at which the row starts.
    pub(crate) line: u64,
    /// The number of lines that ended inside its quotes.
    lines_within: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowState {
    CellStart,
    /// In an unquoted cell, or after the quotes of a quoted one.
    Plain,
    /// In quotes opened at this position.
    Quoted(usize),
    /// After a quote inside quotes opened at this position.
    Closing(usize),
}

impl RowScan {
    pub(crate) fn new(form: Separators, line: u64) -> Self {
        Self { form, position: 0, state: RowState::CellStart, line, lines_within: 0 }
    }

    /// Finds more rows in the same bytes as last time and the new ones after them.
    pub(crate) fn rows(&mut self, bytes: &[u8], rows: &mut Vec<RowEnd>) {
        while let Some(&byte) = bytes.get(self.position) {
            match self.state {
                RowState::CellStart if byte == b'"' => {
                    self.state = RowState::Quoted(self.position);
                    self.position += 1;
                }
                RowState::CellStart | RowState::Plain => {
                    self.state = RowState::Plain;
                    let Separators { delimiter, line_end } = self.form;
                    let rest = &bytes[self.position..];
                    let length = memchr2(delimiter, line_end, rest).unwrap_or(rest.len());
                    self.position += length;
                    let Some(&end) = rest.get(length) else { break };
                    self.position += 1;
                    self.state = RowState::CellStart;
                    if end == line_end {
                        rows.push(RowEnd { end: self.position, line: self.line });
                        self.line += 1 + std::mem::take(&mut self.lines_within);
                    }
                }
                RowState::Quoted(open) => match memchr(b'"', &bytes[self.position..]) {
                    Some(length) => {
                        self.position += length + 1;
                        self.state = RowState::Closing(open);
                    }
                    None => self.position = bytes.len(),
                },
                RowState::Closing(open) if byte == b'"' => {
                    self.state = RowState::Quoted(open);
                    self.position += 1;
                }
                RowState::Closing(open) => {
                    let lines = self.lines(&bytes[open..self.position]);
                    if lines > 0 && !self.may_follow(byte) {
                        self.quote_is_text(open);
                    } else {
                        self.lines_within += lines;
                        self.state = RowState::Plain;
                    }
                }
            }
        }
    }

    /// At the end of the file: whether it ends inside quotes that contain a line end.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, RowState::Quoted(_))
    }

    /// Treats the open quotes as text and searches for rows again.
    pub(crate) fn give_up_quotes(&mut self) {
        if let RowState::Quoted(open) = self.state {
            self.quote_is_text(open);
        }
    }

    /// Shifts positions after `length` leading bytes were removed.
    pub(crate) fn forget(&mut self, length: usize) {
        self.position -= length;
        if let RowState::Quoted(open) | RowState::Closing(open) = &mut self.state {
            *open -= length;
        }
    }

    /// Restarts at a row that starts at this line.
    pub(crate) fn restart(&mut self, line: u64) {
        *self = Self::new(self.form, line);
    }

    fn quote_is_text(&mut self, open: usize) {
        self.position = open + 1;
        self.state = RowState::Plain;
    }

    fn may_follow(&self, byte: u8) -> bool {
        byte == self.form.delimiter || byte == b'\r' || byte == self.form.line_end
    }

    pub(crate) fn lines(&self, bytes: &[u8]) -> u64 {
        memchr_iter(self.form.line_end, bytes).count() as u64
    }
}
