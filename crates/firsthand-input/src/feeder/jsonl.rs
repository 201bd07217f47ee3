//! JSONL: whole lines, many at a time.

use std::sync::Arc;

use super::job::{self, Job};
use super::sink::Flow;
use crate::error::Reason;
use crate::lines::{Lines, Trouble};
use crate::part::Part;
use crate::place::Unit;
use crate::stream::Bytes;
use firsthand::settings::Limit;

/// Cuts JSONL.
pub(super) fn cut(job: &mut Job<'_>, stream: Bytes<'_>) -> Flow {
    let limits = &job.settings.reading.limits;
    let longest = usize::try_from(limits.line).unwrap_or(usize::MAX);
    for chunk in Lines::new(stream, job.settings.batch_bytes, longest) {
        match chunk {
            Ok(chunk) => {
                let (name, bytes) = (Arc::clone(&job.name), chunk.bytes.len() as u64);
                job.sink.push(Part::Lines { name, chunk }, bytes)?;
            }
            Err(Trouble::TooLong { line }) => {
                let reason = Reason::beyond(Limit::Line, limits);
                job.unread(job::at(Unit::Line, line), reason)?;
            }
            Err(Trouble::Failed { line, error }) => {
                job.failed(job::at(Unit::Line, line), &error)?;
            }
        }
    }
    Ok(())
}
