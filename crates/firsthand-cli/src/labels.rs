//! Labelled documents as the command line names them.

use crate::args::LabelledArgs;
use crate::session::Session;
use anyhow::Result;
use firsthand_jobs::evaluate::MeasureOptions;
use firsthand_jobs::labels::Layout;
use firsthand_jobs::reading::StandardInput;
use std::path::{Path, PathBuf};

/// Finds the documents and the graded pairs; standard input is copied, since it may be read again.
pub(crate) fn layout(
    inputs: &[PathBuf],
    pairs: Option<&Path>,
    session: &Session,
) -> Result<Layout> {
    let mut stream = std::io::stdin();
    let folder = std::env::temp_dir();
    let stdin = StandardInput { stream: &mut stream, folder, temp_files: &session.temp_files };
    Ok(Layout::find(inputs, pairs, Some(stdin))?)
}

/// How methods are measured; `output` is where results go.
pub(crate) fn options<'a>(args: &LabelledArgs, output: Option<&'a Path>) -> MeasureOptions<'a> {
    let LabelledArgs { floor, draws, seed, .. } = *args;
    MeasureOptions { floor, draws, seed, output }
}
