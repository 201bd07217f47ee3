//! Cuts a stream into chunks of whole rows, with bounded memory for long rows.

use std::mem;

use memchr::memchr;

use super::header;
use super::scan::{RowEnd, RowScan, Separators};
use crate::chunk_buffer::{ChunkBuffer, CutError};
use crate::stream::Bytes;

/// Whole rows, and where each ends.
pub(crate) type CutRows = (Vec<u8>, Vec<RowEnd>);

/// Cuts a stream into rows.
pub(crate) struct CsvCutter<'a> {
    buffer: ChunkBuffer<'a>,
    scan: RowScan,
}

impl<'a> CsvCutter<'a> {
    pub(crate) fn new(stream: Bytes<'a>, chunk_bytes: usize, row_bytes: usize) -> Self {
        let scan = RowScan::new(Separators { delimiter: b',', line_end: b'\n' }, 1);
        Self { buffer: ChunkBuffer::new(stream, chunk_bytes, row_bytes), scan }
    }

    /// Takes the first row and everything before it; `None` if the file is blank.
    pub(crate) fn header(&mut self, tabs: bool) -> Result<Option<(Vec<u8>, Separators)>, CutError> {
        while !self.buffer.ended {
            self.buffer.fill();
            if let Some(found) = self.names(tabs) {
                return Ok(Some(found));
            }
            if self.buffer.rest.len() > self.buffer.longest {
                return Err(CutError::TooLong { at: 1 });
            }
        }
        if let Some(error) = self.buffer.failure.take() {
            return Err(CutError::Failed { at: 1, error });
        }
        let rest = self.buffer.rest.take();
        if rest.trim_ascii().is_empty() {
            return Ok(None);
        }
        // A single row without a line end.
        let line_end = header::line_end(&rest, true).unwrap_or(b'\n');
        let told = || header::delimiter(&rest, line_end, true);
        let delimiter = if tabs { b'\t' } else { told().unwrap_or(b',') };
        Ok(Some((rest, Separators { delimiter, line_end })))
    }

    fn names(&mut self, tabs: bool) -> Option<(Vec<u8>, Separators)> {
        let line_end = header::line_end(&self.buffer.rest, self.buffer.ended)?;
        let start = header::names_start(&self.buffer.rest, line_end);
        memchr(line_end, &self.buffer.rest[start..])?;
        let delimiter = match tabs {
            true => b'\t',
            false => header::delimiter(&self.buffer.rest, line_end, self.buffer.ended)?,
        };
        let form = Separators { delimiter, line_end };
        let (mut rows, mut scan) = (Vec::new(), RowScan::new(form, 1));
        scan.line += scan.lines(&self.buffer.rest[..start]);
        scan.rows(&self.buffer.rest[start..], &mut rows);
        if rows.is_empty() && self.buffer.ended && scan.is_open() {
            scan.give_up_quotes();
            scan.rows(&self.buffer.rest[start..], &mut rows);
        }
        let first = rows.first()?;
        let line = rows.get(1).map_or(scan.line, |second| second.line);
        self.scan = RowScan::new(form, line);
        let rest = self.buffer.rest.split_off(start + first.end);
        Some((mem::replace(&mut self.buffer.rest, rest).take(), form))
    }

    /// Drops a row that is too long, up to the next line end.
    fn drop_row(&mut self) {
        let (line_end, longest) = (self.scan.form.line_end, self.buffer.longest);
        let mut dropped = self.buffer.rest.len();
        // The line end may already be in the bytes beyond the limit.
        let end = memchr(line_end, &self.buffer.rest[longest..]);
        if let Some(after) = end {
            dropped = longest + after + 1;
        }
        let mut line = self.scan.line + self.scan.lines(&self.buffer.rest[..dropped]);
        match end {
            Some(_) => drop(self.buffer.take(dropped)),
            None => line += u64::from(self.buffer.drop_line(line_end).1),
        }
        self.scan.restart(line);
    }

    /// The last row or fault of the stream.
    fn last(&mut self) -> Option<Result<CutRows, CutError>> {
        let at = self.scan.line;
        if let Some(error) = self.buffer.failure.take() {
            // A row that was cut off is part of the failure.
            self.buffer.rest.clear();
            return Some(Err(CutError::Failed { at, error }));
        }
        let length = self.buffer.rest.len();
        if length == 0 {
            return None;
        }
        if self.scan.is_open() {
            if !self.buffer.rest.ends_with(&[self.scan.form.line_end]) {
                self.buffer.rest.clear();
                return Some(Err(CutError::CutOff { at }));
            }
            self.scan.give_up_quotes();
            return self.next();
        }
        let bytes = self.buffer.rest.take();
        Some(Ok((bytes, vec![RowEnd { end: length, line: at }])))
    }

    /// The next rows or fault.
    pub(crate) fn next(&mut self) -> Option<Result<CutRows, CutError>> {
        loop {
            self.buffer.fill();
            let mut rows = Vec::new();
            self.scan.rows(&self.buffer.rest, &mut rows);
            if let Some(&RowEnd { end, .. }) = rows.last() {
                self.scan.forget(end);
                return Some(Ok((self.buffer.take(end).take(), rows)));
            }
            if self.buffer.rest.len() > self.buffer.longest {
                let at = self.scan.line;
                self.drop_row();
                return Some(Err(CutError::TooLong { at }));
            }
            if self.buffer.ended {
                return self.last();
            }
        }
    }
}
