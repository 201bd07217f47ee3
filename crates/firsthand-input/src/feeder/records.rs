//! Cuts files into the records of their formats: lines, rows, elements, messages, items.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::chunk_buffer::CutError;
use crate::csv::{CsvCutter, Rows, TableHeader, columns};
use crate::error::Reason;
use crate::feed::{self, BETWEEN, Items};
use crate::json::{JsonCut, JsonCutter};
use crate::lines::LineChunks;
use crate::mail::mbox::Mbox;
use crate::parquet::{self, Group, ParquetTable};
use crate::part::BatchPart;
use crate::place::{At, Unit};
use crate::record_file::Columns;
use crate::stream::{self, Bytes};
use crate::{charset, html, unicode};
use firsthand::settings::{Kind, Limit};

/// Bytes of JSON per read.
const BUFFER: usize = 256 << 10;

/// Cuts JSONL into chunks of whole lines.
pub(super) fn lines(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let (stream, is_unchanged) = match unicode::lines(stream) {
        Ok(told) => told,
        Err(error) => return context.failed(None, &error),
    };
    context.begin(Kind::Jsonl, Columns::None)?;
    let longest = usize::try_from(context.limits().line).unwrap_or(usize::MAX);
    let is_as_on_disk = is_unchanged && context.depth == 0;
    for chunk in LineChunks::new(stream, context.options.batch_bytes, longest) {
        match chunk {
            Ok(chunk) => {
                if !context.admit(chunk.lines, 0)? {
                    break;
                }
                let (name, bytes) = (Arc::clone(&context.name), chunk.bytes.len() as u64);
                context.sink.push(BatchPart::Lines { name, chunk, is_as_on_disk }, bytes)?;
            }
            Err(error) => uncut(context, Unit::Line, Limit::Line, error)?,
        }
    }
    Ok(())
}

/// Cuts CSV and TSV tables into chunks of whole rows.
pub(super) fn table(context: &mut FileContext<'_>, kind: Kind, stream: Bytes<'_>) -> Flow {
    let (charset, stream) = match unicode::told(stream) {
        Ok(told) => told,
        Err(error) => return context.failed(None, &error),
    };
    let (fields, limits) = (&context.options.reading.fields, context.limits());
    let longest = usize::try_from(limits.line).unwrap_or(usize::MAX);
    let mut cutter = CsvCutter::new(stream, context.options.batch_bytes, longest);
    let header = match cutter.header(kind == Kind::Tsv) {
        Ok(Some((raw, form))) => TableHeader::new(raw, form, charset, fields),
        Ok(None) => return context.begin(kind, Columns::None),
        Err(error) => return uncut(context, Unit::Line, Limit::Line, error),
    };
    if !header.has_text && is_companion(&context.name) {
        return context.unread(None, Reason::Companion);
    }
    if !header.has_text {
        return context.unread(None, columns::no_text(&header.names, fields));
    }
    if let Some(name) = context.options.taken(header.names.iter().map(String::as_str)) {
        return context.unread(None, Reason::ColumnTaken(name));
    }
    let table = Arc::new(header);
    context.begin(kind, Columns::Rows(Arc::clone(&table)))?;
    while let Some(found) = cutter.next() {
        match found {
            Ok((bytes, rows)) => {
                if !context.admit(rows.len() as u64, 0)? {
                    break;
                }
                let length = bytes.len() as u64;
                let (name, table) = (Arc::clone(&context.name), Arc::clone(&table));
                context.sink.push(BatchPart::Rows(Rows { name, table, bytes, rows }), length)?;
            }
            Err(error) => uncut(context, Unit::Line, Limit::Line, error)?,
        }
    }
    Ok(())
}

/// Whether a table has the name of one that lies beside labelled documents and holds none.
fn is_companion(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".tsv").or_else(|| name.strip_suffix(".csv"));
    stem.is_some_and(|stem| ["pairs", "clusters", "errors", "truth"].contains(&stem))
}

/// Cuts mailboxes into messages.
pub(super) fn messages(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    context.begin(Kind::Mbox, Columns::None)?;
    for message in Mbox::new(stream, context.limits()) {
        if !context.admit(1, 0)? {
            break;
        }
        match message {
            Ok(message) => {
                let (number, byte) = (message.number, Some(message.byte));
                let at = At { unit: Unit::Message, number, byte };
                context.piece(Kind::Mbox, Some(at), message.bytes)?;
            }
            Err(error) => uncut(context, Unit::Message, Limit::File, error)?,
        }
    }
    Ok(())
}

/// Reports a record that could not be cut out.
fn uncut(context: &mut FileContext<'_>, unit: Unit, limit: Limit, error: CutError) -> Flow {
    match error {
        CutError::TooLong { at } => {
            context.unread(context::at(unit, at), Reason::beyond(limit, context.limits()))
        }
        CutError::CutOff { at } => {
            let detail = "the file ends within quotes: was it cut off?".to_owned();
            let reason = Reason::BadRecord { format: "row of a table", detail };
            context.unread(context::at(unit, at), reason)
        }
        CutError::Failed { at, error } => context.failed(context::at(unit, at), &error),
    }
}

/// Cuts JSON files into elements.
pub(super) fn elements(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let mut stream = match unicode::told(stream) {
        Ok((_, stream)) => stream,
        Err(error) => return context.failed(None, &error),
    };
    context.begin(Kind::Json, Columns::None)?;
    let mut cutter = JsonCutter::new(context.limits());
    let mut buffer = vec![0; BUFFER];
    loop {
        let length = match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // An element that was cut off is part of the failure.
            Err(error) => {
                return context.failed(context::at(Unit::Item, cutter.next_number()), &error);
            }
        };
        let mut bytes = &buffer[..length];
        while let Some((number, found)) = cutter.next(&mut bytes) {
            if !context.admit(1, 0)? {
                return Ok(());
            }
            element(context, number, found)?;
        }
    }
    cutter.end().map_or(Ok(()), |(number, found)| element(context, number, found))
}

fn element(context: &mut FileContext<'_>, number: u64, found: JsonCut) -> Flow {
    let at = context::at(Unit::Item, number);
    match found {
        JsonCut::Element(bytes) => context.piece(Kind::Json, at, bytes),
        JsonCut::Beyond(limit) => context.unread(at, Reason::beyond(limit, context.limits())),
        JsonCut::Garbage(detail) => {
            context.unread(at, Reason::BadRecord { format: "JSON file", detail })
        }
    }
}

/// Cuts feeds into items, each with the title of its feed.
pub(super) fn items(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let bytes = match stream::read_all(stream, Limit::File, context.limits()) {
        Ok(bytes) => bytes,
        Err(error) => return context.failed(None, &error),
    };
    let declared = html::declared_charset(&bytes);
    let decoded = charset::decode(&bytes, declared.as_deref());
    let mut items = Items::new(&decoded.text);
    let title = feed::title(items.before());
    let mut number = 0;
    while let Some(item) = items.next() {
        if !context.admit(1, 0)? {
            return Ok(());
        }
        number += 1;
        let at = context::at(Unit::Item, number);
        match item {
            Ok(item) => {
                context.piece(Kind::Feed, at, format!("{title}{BETWEEN}{item}").into_bytes())?
            }
            Err(trouble) => context.unread(at, feed::bad(trouble.words()))?,
        }
    }
    items.end().or_else(|trouble| context.unread(None, feed::bad(trouble.words())))
}

/// Cuts Parquet tables into ranges of rows, reading only the footer. The bytes of a temporary copy
/// were counted when it was made.
pub(super) fn row_groups(context: &mut FileContext<'_>, file: File, is_copy: bool) -> Flow {
    let table = match ParquetTable::open(Arc::clone(&context.name), file, context.options) {
        Ok(table) => table,
        Err(reason) => return context.unread(None, reason),
    };
    if let Some(name) = context.options.taken(table.column_names()) {
        return context.unread(None, Reason::ColumnTaken(name));
    }
    context.begin(Kind::Parquet, Columns::Cells(Arc::clone(&table)))?;
    let size = if is_copy { 0 } else { table.length };
    let (mut before, mut packed) = (0_u64, 0_u64);
    for row_group in 0..table.row_groups() {
        match Group::split(&table, row_group, before, context.options.batch_bytes) {
            Ok(groups) => {
                packed = packed.saturating_add(table.packed(row_group));
                if packed > table.pages_end {
                    let detail = "its row groups are together larger than it is: they share their \
                                  bytes, as only those of bombs do";
                    return context.unread(None, parquet::bad(detail.to_owned()));
                }
                if !context.admit(table.rows(row_group) as u64, size)? {
                    break;
                }
                for (group, bytes) in groups {
                    context.sink.push(BatchPart::Group(group), bytes)?;
                    // Rows may turn out to be lost. As the last of their batch, they do not shift
                    // the numbers of others.
                    context.sink.flush()?;
                }
            }
            Err(reason) => context.unread(context::at(Unit::Row, before + 1), reason)?,
        }
        before = before.saturating_add(table.rows(row_group) as u64);
    }
    Ok(())
}
