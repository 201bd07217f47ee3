//! Parquet tables: ranges of rows, of which only the footer has been read.

use std::fs::File;
use std::sync::Arc;

use super::job::{self, Job};
use super::sink::Flow;
use crate::parquet::{Group, Table};
use crate::part::Part;
use crate::place::Unit;

/// Cuts a table into ranges of rows.
pub(super) fn cut(job: &mut Job<'_>, file: File) -> Flow {
    let table = match Table::open(Arc::clone(&job.name), file, job.settings) {
        Ok(table) => table,
        Err(reason) => return job.unread(None, reason),
    };
    let mut before: u64 = 0;
    for row_group in 0..table.row_groups() {
        match Group::split(&table, row_group, before, job.settings.batch_bytes) {
            Ok(groups) => {
                for (group, bytes) in groups {
                    job.sink.push(Part::Group(group), bytes)?;
                    // Rows that turn out to be lost are the last of their batch: the others keep
                    // their numbers in it.
                    job.sink.flush()?;
                }
            }
            Err(reason) => job.unread(job::at(Unit::Row, before + 1), reason)?,
        }
        before = before.saturating_add(table.rows(row_group) as u64);
    }
    Ok(())
}
