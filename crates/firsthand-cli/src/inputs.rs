//! Inputs of commands that are not jobs yet.

use crate::words;
use anyhow::Result;
use std::path::PathBuf;

/// Fails if a named input is not there, before anything is written or standard input is read.
pub(crate) fn check<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    firsthand_jobs::reading::check(inputs).map_err(words::of_input)
}
