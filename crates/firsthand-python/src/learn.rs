//! Learning: labelled documents to a model.

use crate::model::Model;
use crate::source::{Source, inputs};
use crate::watch::Watch;
use crate::{errors, keywords};
use firsthand::learn::LearningPlan;
use firsthand::settings::Measure;
use firsthand_jobs::labels::Layout;
use firsthand_jobs::learn as job;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

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
