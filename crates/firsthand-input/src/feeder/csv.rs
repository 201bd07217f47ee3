//! Tables as text: whole rows, many at a time.

use std::sync::Arc;

use super::job::{self, Job};
use super::sink::Flow;
use crate::csv::{Cutter, Found, Header, Rows, columns, unicode};
use crate::error::Reason;
use crate::part::Part;
use crate::place::Unit;
use crate::stream::Bytes;
use firsthand::settings::Kind;
use firsthand::settings::Limit;

/// Cuts a table into rows.
pub(super) fn cut(job: &mut Job<'_>, kind: Kind, stream: Bytes<'_>) -> Flow {
    let (charset, stream) = match unicode::told(stream) {
        Ok(told) => told,
        Err(error) => return job.failed(None, &error),
    };
    let limits = &job.settings.reading.limits;
    let longest = usize::try_from(limits.line).unwrap_or(usize::MAX);
    let mut cutter = Cutter::new(stream, job.settings.batch_bytes, longest);
    let header = match cutter.header(kind == Kind::Tsv) {
        Ok(Some((raw, form))) => Header::new(raw, form, charset, &job.settings.reading.fields),
        Ok(None) => return Ok(()),
        Err(found) => return told(job, found),
    };
    if !header.has_text {
        return job.unread(None, columns::no_text(&header.names, &job.settings.reading.fields));
    }
    let table = Arc::new(header);
    while let Some(found) = cutter.next() {
        match found {
            Found::Rows { bytes, rows } => {
                let length = bytes.len() as u64;
                let (name, table) = (Arc::clone(&job.name), Arc::clone(&table));
                job.sink.push(Part::Rows(Rows { name, table, bytes, rows }), length)?;
            }
            other => told(job, other)?,
        }
    }
    Ok(())
}

/// Tells of what is not a row.
fn told(job: &mut Job<'_>, found: Found) -> Flow {
    match found {
        Found::Rows { .. } => Ok(()),
        Found::TooLong { line } => {
            let reason = Reason::beyond(Limit::Line, &job.settings.reading.limits);
            job.unread(job::at(Unit::Line, line), reason)
        }
        Found::CutOff { line } => {
            let detail = "the file ends within quotes: was it cut off?".to_owned();
            let reason = Reason::BadRecord { format: "row of a table", detail };
            job.unread(job::at(Unit::Line, line), reason)
        }
        Found::Failed { line, error } => job.failed(job::at(Unit::Line, line), &error),
    }
}
