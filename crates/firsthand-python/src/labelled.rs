//! Labelled documents: how good methods are, which threshold to use, and models that are learned.

use crate::errors::{self, FirsthandError};
use crate::source::{Source, inputs};
use crate::watch::Watch;
use crate::{json, keywords};
use firsthand::evaluate::Goal;
use firsthand::settings::Threshold;
use firsthand_jobs::evaluate::{self as job, MeasureOptions};
use firsthand_jobs::labels::{Layout, present, settings_by_name};
use firsthand_jobs::tune as tune_job;
use firsthand_pages::{evaluation, tuning};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// What is measured, beside the settings of reading.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct LabelledOptions {
    methods: Vec<String>,
    pairs: Option<PathBuf>,
    floor: Option<String>,
    draws: usize,
    seed: u64,
    precision: Option<f64>,
    recall: Option<f64>,
    threads: Option<usize>,
}

impl LabelledOptions {
    fn measure(&self) -> PyResult<MeasureOptions<'static>> {
        let floor = self.floor.as_deref().map(str::parse::<Threshold>).transpose();
        let floor = floor.map_err(|error| {
            errors::SettingsError::new_err(format!("floor cannot be used: {error}"))
        })?;
        Ok(MeasureOptions { floor, draws: self.draws, seed: self.seed, output: None })
    }

    fn goal(&self) -> Goal {
        match (self.precision, self.recall) {
            (Some(precision), _) => Goal::Recall { precision },
            (_, Some(recall)) => Goal::Precision { recall },
            _ => Goal::F1,
        }
    }
}

/// How good methods are on labelled documents: the report as a dict, as text and as a page.
#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    source: &Bound<'py, Source>,
    options: &Bound<'py, PyDict>,
    settings: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, String, String)> {
    let options: LabelledOptions = options.extract()?;
    let (watch, measure) = (Watch::default(), options.measure()?);
    let reading = keywords::layers(Some(settings))?.overrides;
    let methods = settings_by_name(&options.methods, &reading);
    let methods = methods.map_err(|error| errors::of_layers(&error))?;
    let inputs = inputs(source, &watch.cancel);
    let evaluated = watch.run(py, options.threads, progress.as_ref(), |watch| {
        let layout = Layout::of(inputs, options.pairs.as_deref())?;
        job::evaluate(&layout, &methods, &measure, watch)
    });
    if let Some(error) = source.get().failure().take() {
        return Err(error);
    }
    let evaluated = evaluated?;
    let report = serde_json::to_value(&evaluated.report);
    let report = report.map_err(|error| FirsthandError::new_err(error.to_string()))?;
    let text = evaluation::text(&evaluated.report, false);
    let page = evaluation::page(&evaluated.report, &evaluated.examples);
    Ok((json::value(py, &report)?, text, page))
}

/// The method and threshold that labels favour: settings as TOML, how sure that is, and all methods.
#[pyfunction]
pub(crate) fn tune<'py>(
    py: Python<'py>,
    source: &Bound<'py, Source>,
    options: &Bound<'py, PyDict>,
    settings: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, Vec<String>, String)> {
    let options: LabelledOptions = options.extract()?;
    let (watch, measure, goal) = (Watch::default(), options.measure()?, options.goal());
    let reading = keywords::layers(Some(settings))?.overrides;
    let methods = settings_by_name(&options.methods, &reading);
    let methods = methods.map_err(|error| errors::of_layers(&error))?;
    let (inputs, present) = (inputs(source, &watch.cancel), present(&methods));
    let tuned = watch.run(py, options.threads, progress.as_ref(), |watch| {
        let layout = Layout::of(inputs, options.pairs.as_deref())?;
        tune_job::tune(&layout, methods, present, goal, &measure, watch)
    });
    if let Some(error) = source.get().failure().take() {
        return Err(error);
    }
    let tuned = tuned?;
    let Some(best) = tuned.ranked.first() else {
        return Err(errors::InputError::new_err(
            "the labels cannot be split into two halves with near-duplicates in each: tuning needs at \
             least two clusters, better twenty",
        ));
    };
    let (Some(threshold), Some(chosen)) = (best.threshold, &tuned.chosen) else {
        let message = format!(
            "no method reaches {} on these labels; the best is {}",
            tuning::condition(goal),
            best.name
        );
        return Err(FirsthandError::new_err(message));
    };
    let written = toml::to_string(chosen);
    let written = written.map_err(|error| FirsthandError::new_err(error.to_string()))?;
    let verdict = tuning::verdict(&tuned, goal, threshold);
    Ok((written, verdict, tuning::table(&tuned, goal)))
}
