//! Models as files, with errors in words.

use crate::{temp_file_guard::FILES, words};
use anyhow::Result;
use firsthand::model::Model;
use firsthand_jobs::model_file;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn read(path: &Path) -> Result<Arc<Model>> {
    model_file::read(path).map_err(words::of_model)
}

pub(crate) fn write(path: &Path, model: &Model) -> Result<usize> {
    model_file::write(path, model, &FILES).map_err(words::of_output)
}
