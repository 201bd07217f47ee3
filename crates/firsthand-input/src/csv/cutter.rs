//! Cuts a stream into chunks of whole rows, with bounded memory for long rows.

use std::io::{self, Read};
use std::mem;

use memchr::memchr;

use crate::stream::Bytes;

use super::header;
use super::scan::{RowEnd, RowScan, Separators};

/// Rows of a table, or a fault.
#[derive(Debug)]
pub(crate) enum CsvCut {
    /// Whole rows.
    Rows { bytes: Vec<u8>, rows: Vec<RowEnd> },
    /// The row that starts at this line is too long; it was skipped up to the end of the line where
    /// the limit was exceeded.
    TooLong { line: u64 },
    /// The file ends inside quotes of the row that starts at this line.
    CutOff { line: u64 },
    /// Reading failed in the row that starts at this line.
    Failed { line: u64, error: io::Error },
}

/// Cuts a stream into rows.
pub(crate) struct CsvCutter<'a> {
    stream: Bytes<'a>,
    /// Bytes not yet returned, from the start of a row.
    rest: Vec<u8>,
    scan: RowScan,
    ended: bool,
    failure: Option<io::Error>,
    chunk_bytes: usize,
    row_bytes: usize,
}

impl<'a> CsvCutter<'a> {
    pub(crate) fn new(stream: Bytes<'a>, chunk_bytes: usize, row_bytes: usize) -> Self {
        let scan = RowScan::new(Separators { delimiter: b',', line_end: b'\n' }, 1);
        let chunk_bytes = chunk_bytes.max(1);
        let rest = Vec::new();
        Self { stream, rest, scan, ended: false, failure: None, chunk_bytes, row_bytes }
    }

    /// Takes the first row and everything before it; `None` if the file is blank.
    pub(crate) fn header(&mut self, tabs: bool) -> Result<Option<(Vec<u8>, Separators)>, CsvCut> {
        loop {
            self.fill();
            if let Some(found) = self.names(tabs) {
                return Ok(Some(found));
            }
            if self.rest.len() > self.row_bytes {
                return Err(CsvCut::TooLong { line: 1 });
            }
            if self.ended {
                break;
            }
        }
        if let Some(error) = self.failure.take() {
            return Err(CsvCut::Failed { line: 1, error });
        }
        if self.rest.trim_ascii().is_empty() {
            return Ok(None);
        }
        // A single row without a line end.
        let line_end = header::line_end(&self.rest, true).unwrap_or(b'\n');
        let told = || header::delimiter(&self.rest, line_end, true);
        let delimiter = if tabs { b'\t' } else { told().unwrap_or(b',') };
        Ok(Some((mem::take(&mut self.rest), Separators { delimiter, line_end })))
    }

    fn names(&mut self, tabs: bool) -> Option<(Vec<u8>, Separators)> {
        let line_end = header::line_end(&self.rest, self.ended)?;
        let start = header::names_start(&self.rest, line_end);
        memchr(line_end, &self.rest[start..])?;
        let delimiter = match tabs {
            true => b'\t',
            false => header::delimiter(&self.rest, line_end, self.ended)?,
        };
        let form = Separators { delimiter, line_end };
        let (mut rows, mut scan) = (Vec::new(), RowScan::new(form, 1));
        scan.line += scan.lines(&self.rest[..start]);
        scan.rows(&self.rest[start..], &mut rows);
        if rows.is_empty() && self.ended && scan.is_open() {
            scan.give_up_quotes();
            scan.rows(&self.rest[start..], &mut rows);
        }
        let first = rows.first()?;
        let line = rows.get(1).map_or(scan.line, |second| second.line);
        self.scan = RowScan::new(form, line);
        let rest = self.rest.split_off(start + first.end);
        Some((mem::replace(&mut self.rest, rest), form))
    }

    /// Reads until the buffer is full.
    fn fill(&mut self) {
        // A row longer than a chunk doubles the buffer, up to one byte over the limit.
        let longest = self.row_bytes.saturating_add(1).max(self.chunk_bytes);
        let size = self.chunk_bytes.max(self.rest.len().saturating_mul(2)).min(longest);
        let wanted = size.saturating_sub(self.rest.len());
        self.rest.reserve_exact(wanted);
        match self.stream.by_ref().take(wanted as u64).read_to_end(&mut self.rest) {
            Ok(length) => self.ended |= length < wanted,
            Err(error) => (self.ended, self.failure) = (true, Some(error)),
        }
    }

    /// Takes rows from the start.
    fn take(&mut self, rows: Vec<RowEnd>, length: usize) -> CsvCut {
        let mut rest = Vec::new();
        if length < self.rest.len() {
            rest.reserve_exact(self.chunk_bytes.max(self.rest.len() - length));
            rest.extend_from_slice(&self.rest[length..]);
        }
        let mut bytes = mem::replace(&mut self.rest, rest);
        bytes.truncate(length);
        self.scan.forget(length);
        CsvCut::Rows { bytes, rows }
    }

    /// Drops a row that is too long, up to the next line end.
    fn drop_row(&mut self) {
        let line_end = self.scan.form.line_end;
        // The line end may already be in the bytes beyond the limit.
        if let Some(after) = memchr(line_end, &self.rest[self.row_bytes..]) {
            let rest = self.rest.split_off(self.row_bytes + after + 1);
            let line = self.scan.line + self.scan.lines(&self.rest);
            self.rest = rest;
            return self.scan.restart(line);
        }
        let mut line = self.scan.line + self.scan.lines(&self.rest);
        let mut buffer = vec![0; 64 << 10];
        self.rest.clear();
        while !self.ended {
            match self.stream.read(&mut buffer) {
                Ok(0) => self.ended = true,
                Ok(length) => {
                    if let Some(end) = memchr(line_end, &buffer[..length]) {
                        self.rest.extend_from_slice(&buffer[end + 1..length]);
                        line += 1;
                        break;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => (self.ended, self.failure) = (true, Some(error)),
            }
        }
        self.scan.restart(line);
    }

    /// The last row or fault of the stream.
    fn last(&mut self) -> Option<CsvCut> {
        let line = self.scan.line;
        if let Some(error) = self.failure.take() {
            // A row that was cut off is part of the failure.
            self.rest.clear();
            return Some(CsvCut::Failed { line, error });
        }
        let length = self.rest.len();
        if length == 0 {
            return None;
        }
        if self.scan.is_open() {
            if !self.rest.ends_with(&[self.scan.form.line_end]) {
                self.rest.clear();
                return Some(CsvCut::CutOff { line });
            }
            self.scan.give_up_quotes();
            return self.next();
        }
        let bytes = mem::take(&mut self.rest);
        Some(CsvCut::Rows { bytes, rows: vec![RowEnd { end: length, line }] })
    }

    /// The next rows or fault.
    pub(crate) fn next(&mut self) -> Option<CsvCut> {
        loop {
            if !self.ended {
                self.fill();
            }
            let mut rows = Vec::new();
            self.scan.rows(&self.rest, &mut rows);
            if let Some(last) = rows.last() {
                let length = last.end;
                return Some(self.take(rows, length));
            }
            if self.rest.len() > self.row_bytes {
                let line = self.scan.line;
                self.drop_row();
                return Some(CsvCut::TooLong { line });
            }
            if self.ended {
                return self.last();
            }
        }
    }
}
