//! Models: what was learned from labelled documents, just now or before.

use crate::errors;
use firsthand::settings::Learned;
use firsthand_jobs::{TempFiles, model_file};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// How much each gram counts, learned from labelled documents.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct Model {
    pub(crate) model: Arc<firsthand::model::Model>,
}

#[pymethods]
impl Model {
    /// Reads a model from a file.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        let model = model_file::read(&path).map_err(|error| errors::of_job(&error.into()))?;
        Ok(Self { model })
    }

    /// Writes the model to a file.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        let written = model_file::write(&path, &self.model, &TempFiles::default());
        written.map(drop).map_err(|error| errors::of_job(&error.into()))
    }

    /// What tells this model from others.
    #[getter]
    fn fingerprint(&self) -> String {
        self.model.fingerprint()
    }

    /// What it was learned from and how good it is, in lines.
    #[getter]
    fn summary(&self) -> Vec<String> {
        firsthand_pages::model::summary(self.model.written())
    }

    fn __repr__(&self) -> String {
        format!("<firsthand.Model: {}>", self.model.fingerprint())
    }
}

/// The model that a value names.
pub(crate) fn learned(value: &Bound<'_, PyAny>) -> PyResult<Learned> {
    if let Ok(model) = value.cast::<Model>() {
        return Ok(Learned::new(Arc::clone(&model.get().model)));
    }
    let path: PathBuf = value
        .extract()
        .map_err(|_| PyTypeError::new_err("model is the path of a file, or a Model"))?;
    let model = model_file::read(&path);
    model.map(Learned::new).map_err(|error| errors::of_job(&error.into()))
}
