//! Times joins of one signed collection, row by row: exact, SpotSigs' own matcher with its parts
//! switched off, and the methods that hash.
//!
//! Documents are read and signed once. Every row then gets the same sets, and only its join is
//! timed. Each row is a JSON line.

mod fingerprints;
mod found;
mod matcher;
mod memory;
mod partitions;
mod ranked;
mod read;
mod rows;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use firsthand::{Config, Threshold};

pub(crate) use rows::Row;

/// What to measure.
#[derive(Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) input: PathBuf,
    pub(crate) config: Config,
    pub(crate) rows: Vec<Row>,
    pub(crate) thresholds: Vec<Threshold>,
    /// A row that takes longer is stopped, and its time estimated from the share it has done.
    pub(crate) limit: Duration,
    /// How often a quick row is run; the fastest counts.
    pub(crate) rounds: usize,
}

/// Measures, and writes the collection's figures and one line for each row.
pub(crate) fn run(task: &Task, out: &mut impl Write) -> Result<()> {
    let signed = read::sign(&task.input, &task.config)?;
    line(out, &signed.figures)?;
    rows::measure(&signed.sets, task, |measured| line(out, measured))
}

fn line(out: &mut impl Write, value: &impl serde::Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")?;
    // A run takes minutes: whoever watches sees each row when it is done.
    Ok(out.flush()?)
}
