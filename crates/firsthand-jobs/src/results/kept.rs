//! What is kept, in the form in which it came: JSONL for JSONL, Parquet for Parquet, and so on.
//!
//! A kind of input that is there gets its file, even if the file stays empty. Tables with other
//! columns than the first go to files of their own: `kept-2.csv`.

use super::Altered;
use super::folder::{File, Folder};
use crate::error::OutputError;
use firsthand_input::{Group, ParquetKept, Raw};
use flate2::{Compression, write::GzEncoder};
use std::collections::{BTreeMap, btree_map::Entry};
use std::io::Write;

/// The files of what is kept, opened as they are needed.
#[derive(Default)]
pub(super) struct Kept {
    /// All files but tables, by name.
    files: BTreeMap<&'static str, File>,
    /// Whether the list of JSON has an element.
    elements: bool,
    tables: Vec<Table>,
    columns: Vec<ParquetKept<File>>,
    /// Which rows of the current row group are kept.
    mask: Vec<bool>,
    /// Whether a row of it could not be read.
    damaged: bool,
    altered: Altered,
}

/// Rows of CSV under one header.
struct Table {
    header: Vec<u8>,
    tabs: bool,
    file: File,
}

/// What becomes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disposition {
    Kept,
    /// A near-duplicate.
    Dropped,
    /// Passed over by rule: no document, but not a duplicate either.
    Skipped,
    /// Could not be read.
    Unreadable,
}

impl Kept {
    /// Takes an input; `path` is what stands for it in a list of paths, each of which a zero byte
    /// follows if `null` is set.
    pub(super) fn take(
        &mut self,
        folder: &Folder,
        raw: Raw<'_>,
        fate: Disposition,
        path: Option<&[u8]>,
        null: bool,
    ) -> Result<(), OutputError> {
        let keep = fate == Disposition::Kept;
        let document = matches!(fate, Disposition::Kept | Disposition::Dropped);
        match raw {
            Raw::Line(line) if document => {
                let file = self.file(folder, "kept.jsonl")?;
                if keep {
                    file.line(line)?;
                }
            }
            Raw::Element(element) if document => self.element(folder, element, keep)?,
            Raw::Row { row, header, tabs } if document => {
                self.row(folder, row, header, tabs, keep)?;
            }
            Raw::Cells(group, row) => {
                self.mask.push(keep);
                self.damaged |= fate == Disposition::Unreadable;
                if row + 1 == group.rows() {
                    self.rows(folder, group)?;
                }
            }
            Raw::Message(message) if document => {
                let file = self.file(folder, "kept.mbox")?;
                if keep {
                    file.message(message)?;
                }
            }
            // Of a crawl everything is kept but the copies: requests, pictures, errors too.
            Raw::Record { bytes, gzip } => {
                self.record(
                    folder,
                    bytes,
                    gzip,
                    matches!(fate, Disposition::Kept | Disposition::Skipped),
                )?;
            }
            Raw::Beside { bytes, gzip } => self.record(folder, bytes, gzip, true)?,
            Raw::TooLarge => self.altered.too_large += 1,
            Raw::File(_) | Raw::Nothing if document => {
                let file = self.file(folder, "kept.txt")?;
                if let Some(path) = path.filter(|_| keep) {
                    let escaped = file.path(path, null)?;
                    self.altered.escaped += u64::from(escaped);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The file of this name, made if it is not there yet.
    fn file(&mut self, folder: &Folder, name: &'static str) -> Result<&mut File, OutputError> {
        match self.files.entry(name) {
            Entry::Occupied(file) => Ok(file.into_mut()),
            Entry::Vacant(none) => Ok(none.insert(folder.file(name)?)),
        }
    }

    fn element(&mut self, folder: &Folder, element: &[u8], keep: bool) -> Result<(), OutputError> {
        let (is_new, is_first) = (!self.files.contains_key("kept.json"), !self.elements);
        self.elements |= keep;
        let file = self.file(folder, "kept.json")?;
        if is_new {
            file.bytes(b"[")?;
        }
        if keep {
            file.bytes(if is_first { b"\n" } else { b",\n" })?;
            file.bytes(element)?;
        }
        Ok(())
    }

    fn row(
        &mut self,
        folder: &Folder,
        row: &[u8],
        header: &[u8],
        tabs: bool,
        keep: bool,
    ) -> Result<(), OutputError> {
        let is_same = |table: &Table| table.tabs == tabs && table.header == header;
        let at = match self.tables.iter().position(is_same) {
            Some(at) => at,
            None => {
                let of_kind = self.tables.iter().filter(|table| table.tabs == tabs).count();
                let extension = if tabs { "tsv" } else { "csv" };
                let mut file = folder.file(numbered(of_kind, extension))?;
                whole_line(&mut file, header)?;
                self.tables.push(Table { header: header.to_vec(), tabs, file });
                self.tables.len() - 1
            }
        };
        if keep {
            whole_line(&mut self.tables[at].file, row)?;
        }
        Ok(())
    }

    fn rows(&mut self, folder: &Folder, group: &Group) -> Result<(), OutputError> {
        let at = match self.columns.iter().position(|table| table.matches(group)) {
            Some(at) => at,
            None => {
                let file = folder.file(numbered(self.columns.len(), "parquet"))?;
                self.columns.push(ParquetKept::new(file, group).map_err(OutputError::Parquet)?);
                self.columns.len() - 1
            }
        };
        let mask = std::mem::take(&mut self.mask);
        let damaged = std::mem::take(&mut self.damaged);
        match self.columns[at].write(group, &mask) {
            // That some rows cannot be read has been told.
            Err(_) if damaged => Ok(()),
            written => written.map_err(OutputError::Parquet),
        }
    }

    fn record(
        &mut self,
        folder: &Folder,
        bytes: &[u8],
        gzip: bool,
        keep: bool,
    ) -> Result<(), OutputError> {
        let file = self.file(folder, if gzip { "kept.warc.gz" } else { "kept.warc" })?;
        if !keep {
            return Ok(());
        }
        if !gzip {
            return file.bytes(bytes);
        }
        // Each record is compressed by itself, as readers of crawls expect.
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let member = encoder.write_all(bytes).and_then(|()| encoder.finish());
        file.bytes(&member.map_err(OutputError::Stream)?)
    }

    /// Ends all files; with nothing to keep there is an empty list. Tells what could not be copied.
    pub(super) fn finish(mut self, folder: &mut Folder) -> Result<Altered, OutputError> {
        if self.files.is_empty() && self.tables.is_empty() && self.columns.is_empty() {
            self.file(folder, "kept.jsonl")?;
        }
        if let Some(file) = self.files.get_mut("kept.json") {
            file.bytes(b"\n]\n")?;
        }
        for table in self.columns {
            folder.finish(table.finish().map_err(OutputError::Parquet)?)?;
        }
        for file in self.files.into_values().chain(self.tables.into_iter().map(|table| table.file))
        {
            folder.finish(file)?;
        }
        Ok(self.altered)
    }
}

fn numbered(before: usize, extension: &str) -> String {
    match before {
        0 => format!("kept.{extension}"),
        _ => format!("kept-{}.{extension}", before + 1),
    }
}

fn whole_line(file: &mut File, row: &[u8]) -> Result<(), OutputError> {
    file.bytes(row)?;
    if row.ends_with(b"\n") || row.ends_with(b"\r") { Ok(()) } else { file.bytes(b"\n") }
}
