//! Models: what was learned from labelled documents, just now or before.

use crate::source::{Source, inputs};
use crate::watch::Watch;
use crate::{errors, keywords};
use firsthand::learn::LearningPlan;
use firsthand::settings::{Learned, Measure};
use firsthand_jobs::labels::Layout;
use firsthand_jobs::{TempFiles, learn as job, model_file};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// How much each gram counts, learned from labelled documents.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct Model {
    model: Arc<firsthand::model::Model>,
}

/// How a model is learned.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct LearnOptions {
    profile: String,
    words: usize,
    measure: String,
    orders: usize,
    folds: usize,
    seed: u64,
    pairs: Option<PathBuf>,
    queries: Option<PathBuf>,
    threads: Option<usize>,
}

/// Learns a model.
#[pyfunction]
pub(crate) fn learn(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    options: &Bound<'_, PyDict>,
    settings: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Model> {
    let options: LearnOptions = options.extract()?;
    let overrides = keywords::layers(Some(settings))?.overrides;
    let settings = job::settings(&options.profile, overrides);
    let queries = options.queries.as_deref().map(job::read_queries).transpose();
    let plan = LearningPlan::new(&options.profile).map_err(errors::of_settings)?;
    let plan = LearningPlan {
        settings: settings.map_err(|error| errors::of_layers(&error))?,
        words: options.words,
        measure: keywords::choice::<Measure>("measure", &options.measure)?,
        orders: options.orders,
        seed: options.seed,
        folds: options.folds,
        titles: queries.map_err(|error| errors::of_job(&error.into()))?,
        ..plan
    };
    let watch = Watch::default();
    let inputs = inputs(source, &watch.cancel);
    let learned = watch.run(py, options.threads, progress.as_ref(), |watch| {
        let layout = Layout::of(inputs, options.pairs.as_deref())?;
        job::learn(&layout, &plan, None, watch)
    });
    match source.get().failure().take() {
        Some(error) => Err(error),
        None => Ok(Model { model: Arc::new(learned?.model) }),
    }
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
