//! Where rows end: quotes at the start of a cell hide line ends.
//!
//! A quote that nothing closes, or that closes lines later in the middle of a word, was never
//! meant to open anything: texts that start with a quotation mark are common in tables that know
//! no quoting.

use memchr::{memchr, memchr_iter, memchr2};

/// What parts cells and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Separators {
    pub(crate) delimiter: u8,
    /// The last byte of a line end: a line feed, or a carriage return in very old files.
    pub(crate) line_end: u8,
}

/// A row that ends before this position, and the line it starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) end: usize,
    pub(crate) line: u64,
}

/// How far rows have been looked for.
#[derive(Debug)]
pub(crate) struct RowScan {
    pub(crate) form: Separators,
    position: usize,
    state: RowState,
    /// The line that the row starts at.
    pub(crate) line: u64,
    /// Lines that ended within quotes since.
    lines_within: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowState {
    CellStart,
    /// In a cell without quotes, or behind those of one with.
    Plain,
    /// In quotes that opened here.
    Quoted(usize),
    /// Behind a quote in quotes, which opened there.
    Closing(usize),
}

impl RowScan {
    pub(crate) fn new(form: Separators, line: u64) -> Self {
        Self { form, position: 0, state: RowState::CellStart, line, lines_within: 0 }
    }

    /// Finds more rows in bytes that start with a row, and of which more is there than last time.
    pub(crate) fn rows(&mut self, bytes: &[u8], rows: &mut Vec<Row>) {
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
                        rows.push(Row { end: self.position, line: self.line });
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

    /// At the end of the file: whether it ends within quotes that hold a line end or more.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, RowState::Quoted(_))
    }

    /// The quotes that are open were none: rows are to be looked for again.
    pub(crate) fn give_up_quotes(&mut self) {
        if let RowState::Quoted(open) = self.state {
            self.quote_is_text(open);
        }
    }

    /// Everything before this position is gone.
    pub(crate) fn forget(&mut self, length: usize) {
        self.position -= length;
        if let RowState::Quoted(open) | RowState::Closing(open) = &mut self.state {
            *open -= length;
        }
    }

    /// Starts anew at a row that starts at this line.
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
