//! Cuts JSONL into chunks of whole lines.

use std::sync::Arc;

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::error::Reason;
use crate::lines::{LineChunks, LinesError};
use crate::part::BatchPart;
use crate::place::Unit;
use crate::stream::Bytes;
use firsthand::settings::Limit;

pub(super) fn cut(context: &mut FileContext<'_>, stream: Bytes<'_>) -> Flow {
    let limits = context.limits();
    let longest = usize::try_from(limits.line).unwrap_or(usize::MAX);
    for chunk in LineChunks::new(stream, context.settings.batch_bytes, longest) {
        match chunk {
            Ok(chunk) => {
                let (name, bytes) = (Arc::clone(&context.name), chunk.bytes.len() as u64);
                context.sink.push(BatchPart::Lines { name, chunk }, bytes)?;
            }
            Err(LinesError::TooLong { line }) => {
                let reason = Reason::beyond(Limit::Line, limits);
                context.unread(context::at(Unit::Line, line), reason)?;
            }
            Err(LinesError::Failed { line, error }) => {
                context.failed(context::at(Unit::Line, line), &error)?;
            }
        }
    }
    Ok(())
}
