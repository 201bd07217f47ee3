//! Single files for commands that do not take a session yet.

use crate::{temp_file_guard::FILES, words};
use anyhow::Result;
use firsthand_jobs::results::file;
use std::path::{Path, PathBuf};

pub(crate) fn check(path: &Path, inputs: &[PathBuf], force: bool) -> Result<()> {
    file::check(path, inputs, force).map_err(words::of_output)
}

pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    file::write(path, content, &FILES).map_err(words::of_output)
}
