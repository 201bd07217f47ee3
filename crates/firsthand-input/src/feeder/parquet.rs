//! Cuts Parquet tables into ranges of rows, reading only the footer.

use std::fs::File;
use std::sync::Arc;

use super::context::{self, FileContext};
use super::sink::Flow;
use crate::parquet::{Group, ParquetTable};
use crate::part::BatchPart;
use crate::place::Unit;

pub(super) fn cut(context: &mut FileContext<'_>, file: File) -> Flow {
    let table = match ParquetTable::open(Arc::clone(&context.name), file, context.settings) {
        Ok(table) => table,
        Err(reason) => return context.unread(None, reason),
    };
    let mut before: u64 = 0;
    for row_group in 0..table.row_groups() {
        match Group::split(&table, row_group, before, context.settings.batch_bytes) {
            Ok(groups) => {
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
