//! Cuts CSV and TSV tables into chunks of whole rows.

use std::sync::Arc;

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::csv::{CsvCut, CsvCutter, Rows, TableHeader, columns, unicode};
use crate::error::Reason;
use crate::part::BatchPart;
use crate::place::Unit;
use crate::stream::Bytes;
use firsthand::settings::{Kind, Limit};

pub(super) fn cut(context: &mut FileContext<'_>, kind: Kind, stream: Bytes<'_>) -> Flow {
    let (charset, stream) = match unicode::told(stream) {
        Ok(told) => told,
        Err(error) => return context.failed(None, &error),
    };
    let limits = context.limits();
    let longest = usize::try_from(limits.line).unwrap_or(usize::MAX);
    let mut cutter = CsvCutter::new(stream, context.settings.batch_bytes, longest);
    let header = match cutter.header(kind == Kind::Tsv) {
        Ok(Some((raw, form))) => {
            TableHeader::new(raw, form, charset, &context.settings.reading.fields)
        }
        Ok(None) => return Ok(()),
        Err(found) => return told(context, found),
    };
    if !header.has_text {
        return context
            .unread(None, columns::no_text(&header.names, &context.settings.reading.fields));
    }
    let table = Arc::new(header);
    while let Some(found) = cutter.next() {
        match found {
            CsvCut::Rows { bytes, rows } => {
                let length = bytes.len() as u64;
                let (name, table) = (Arc::clone(&context.name), Arc::clone(&table));
                context.sink.push(BatchPart::Rows(Rows { name, table, bytes, rows }), length)?;
            }
            other => told(context, other)?,
        }
    }
    Ok(())
}

/// Reports anything that is not a row.
fn told(context: &mut FileContext<'_>, found: CsvCut) -> Flow {
    match found {
        CsvCut::Rows { .. } => Ok(()),
        CsvCut::TooLong { line } => {
            let reason = Reason::beyond(Limit::Line, context.limits());
            context.unread(context::at(Unit::Line, line), reason)
        }
        CsvCut::CutOff { line } => {
            let detail = "the file ends within quotes: was it cut off?".to_owned();
            let reason = Reason::BadRecord { format: "row of a table", detail };
            context.unread(context::at(Unit::Line, line), reason)
        }
        CsvCut::Failed { line, error } => context.failed(context::at(Unit::Line, line), &error),
    }
}
