//! The copy of one file of records: in its format and compression, rows as they were.

use super::annotation::{Annotations, is_object};
use super::folder::{File, Folder};
use crate::error::OutputError;
use firsthand_input::{Compression, Kind, Packer, ParquetKept, Raw, RecordFile};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A copy that is being written.
pub(super) struct RowWriter<'a> {
    /// Its name in messages.
    shown: PathBuf,
    form: Form<'a>,
    /// What is added to each row.
    added: Option<Rc<Annotations<'a>>>,
}

enum Form<'a> {
    Lines(Packer<File>),
    List {
        out: Packer<File>,
        is_empty: bool,
    },
    Rows(Packer<File>),
    Messages(Packer<File>),
    /// Records of a web archive, each compressed by itself, as readers of crawls expect.
    Records {
        out: File,
        layers: Vec<Compression>,
        is_empty: bool,
    },
    Cells(Box<Cells<'a>>),
}

/// Rows of a Parquet table.
struct Cells<'a> {
    table: ParquetKept<'a, Packer<File>>,
    /// The rows of the current part of a row group: the number that each is kept under.
    keep: Vec<Option<u64>>,
}

/// Why rows were not copied.
#[derive(Debug)]
pub(super) enum NotCopied {
    /// The input is damaged where it was not looked at before.
    Damaged(String),
    /// The copy cannot be written.
    Output(OutputError),
}

/// What a row is, and the number it is kept under.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowFate {
    /// None if it is not kept.
    pub(super) keep: Option<u64>,
    /// Whether it could be read.
    pub(super) is_read: bool,
}

impl<'a> RowWriter<'a> {
    /// Starts the copy of a file.
    pub(super) fn new(
        out: File,
        of: &RecordFile,
        added: Option<Rc<Annotations<'a>>>,
    ) -> Result<Self, OutputError> {
        let shown = out.shown().to_path_buf();
        let form = form(out, of, added.clone());
        let form = form.map_err(|source| OutputError::write(&shown, source))?;
        Ok(Self { shown, form, added })
    }

    /// Copies a row that is kept. Rows of Parquet are taken note of, kept or not.
    pub(super) fn row(&mut self, raw: Raw<'_>, fate: RowFate) -> Result<(), NotCopied> {
        let shown = &self.shown;
        let failed = |source| NotCopied::Output(OutputError::write(shown, source));
        if let (Form::Cells(cells), Raw::Cells(group, row)) = (&mut self.form, raw) {
            cells.keep.push(fate.keep);
            if row + 1 < group.rows() {
                return Ok(());
            }
            let keep = std::mem::take(&mut cells.keep);
            return told(cells.table.write(group, &keep), shown);
        }
        let Some(number) = fate.keep else { return Ok(()) };
        let added = self.added.as_deref();
        let object = |bytes: &[u8]| match added {
            None => Some(bytes.to_vec()),
            // What was read as a document is an object.
            Some(added) if fate.is_read || is_object(bytes) => added.object(bytes, number),
            Some(_) => None,
        };
        match (&mut self.form, raw) {
            (Form::Lines(out), Raw::Line(line)) => match added {
                None => out.write_all(line).and_then(|()| out.write_all(b"\n")),
                Some(_) => object(line).map_or(Ok(()), |mut line| {
                    line.push(b'\n');
                    out.write_all(&line)
                }),
            },
            (Form::List { out, is_empty }, Raw::Element(element)) => {
                object(element).map_or(Ok(()), |element| {
                    out.write_all(if *is_empty { b"\n" } else { b",\n" })?;
                    *is_empty = false;
                    out.write_all(&element)
                })
            }
            (Form::Rows(out), Raw::Row { row, header }) => match added {
                Some(added) => {
                    let texts = added.texts(number);
                    out.write_all(&header.with_cells(row, texts.iter().map(String::as_str)))
                }
                None if row.ends_with(b"\n") || row.ends_with(b"\r") => out.write_all(row),
                None => out.write_all(row).and_then(|()| out.write_all(header.line_end())),
            },
            (Form::Messages(out), Raw::Message(message)) => {
                let end: &[u8] = if message.ends_with(b"\n") { b"" } else { b"\n\n" };
                out.write_all(message).and_then(|()| out.write_all(end))
            }
            (
                Form::Records { out, layers, is_empty },
                Raw::Record { bytes, .. } | Raw::Beside { bytes, .. },
            ) => {
                *is_empty = false;
                write_record(out, layers, bytes)
            }
            _ => Ok(()),
        }
        .map_err(failed)
    }

    /// Ends the copy.
    pub(super) fn finish(self, folder: &mut Folder) -> Result<(), NotCopied> {
        let shown = &self.shown;
        let failed = |source| NotCopied::Output(OutputError::write(shown, source));
        self.added.as_ref().map_or(Ok(()), |added| added.check()).map_err(failed)?;
        let (out, known) = match self.form {
            Form::Lines(out) | Form::Rows(out) | Form::Messages(out) => (out.finish(), Ok(())),
            Form::List { mut out, .. } => {
                (out.write_all(b"\n]\n").and_then(|()| out.finish()), Ok(()))
            }
            // Without a single member, a file would not be a compressed one.
            Form::Records { mut out, layers, is_empty: true } => {
                (write_record(&mut out, &layers, b"").map(|()| out), Ok(()))
            }
            Form::Records { out, .. } => (Ok(out), Ok(())),
            Form::Cells(cells) => {
                let (out, flushed) = cells.table.end();
                (out.and_then(Packer::finish), told(flushed, shown))
            }
        };
        folder.finish(out.map_err(failed)?).map_err(NotCopied::Output)?;
        known
    }
}

/// Writes a record of a web archive, compressed by itself.
fn write_record(out: &mut File, layers: &[Compression], bytes: &[u8]) -> io::Result<()> {
    if layers.is_empty() {
        return out.write_all(bytes);
    }
    let mut record = Packer::new(Vec::new(), layers)?;
    record.write_all(bytes)?;
    out.write_all(&record.finish()?)
}

/// Whether rows of a table were copied.
fn told(written: io::Result<()>, shown: &Path) -> Result<(), NotCopied> {
    written.map_err(|source| match source.kind() {
        io::ErrorKind::InvalidData => NotCopied::Damaged(source.to_string()),
        _ => NotCopied::Output(OutputError::write(shown, source)),
    })
}

fn form<'a>(
    out: File,
    of: &RecordFile,
    added: Option<Rc<Annotations<'a>>>,
) -> io::Result<Form<'a>> {
    if of.kind() == Kind::Warc {
        return Ok(Form::Records { out, layers: of.layers().to_vec(), is_empty: true });
    }
    let mut out = Packer::new(out, of.layers())?;
    if let Some(table) = of.table() {
        let table = match added {
            None => ParquetKept::new(out, table),
            Some(added) => {
                let names = added.names();
                let cell = move |row, column| added.cell(row, column);
                ParquetKept::with_columns(out, table, &names.typed(), cell)
            }
        };
        return Ok(Form::Cells(Box::new(Cells { table: table?, keep: Vec::new() })));
    }
    Ok(match of.kind() {
        Kind::Json => {
            out.write_all(b"[")?;
            Form::List { out, is_empty: true }
        }
        Kind::Csv | Kind::Tsv => {
            if let Some(header) = of.header() {
                match added {
                    None => {
                        out.write_all(header.raw())?;
                        let has_end =
                            header.raw().ends_with(b"\n") || header.raw().ends_with(b"\r");
                        out.write_all(if has_end { b"" } else { header.line_end() })?;
                    }
                    Some(added) => {
                        let names = added.names().names().iter().map(String::as_str);
                        out.write_all(&header.with_names(names))?;
                    }
                }
            }
            Form::Rows(out)
        }
        Kind::Mbox => Form::Messages(out),
        _ => Form::Lines(out),
    })
}
