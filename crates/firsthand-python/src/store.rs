//! A store: documents are judged as they come, and what was seen stays.

use crate::columns::{ids, integers, reals, texts, times, truths};
use crate::errors::{self, StoreError};
use crate::json;
use crate::keywords;
use crate::source::{Source, inputs};
use crate::table::Table;
use crate::watch::Watch;
use firsthand_jobs::held_store::HeldStore;
use firsthand_jobs::store::{ClusterOrder, StoreRequest, document_json, shown_address};
use firsthand_store::OnOtherSettings;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a stream has seen, in a folder, in PostgreSQL or in memory.
#[pyclass(frozen, module = "firsthand._native", name = "Store")]
pub(crate) struct NativeStore {
    /// None once it is closed.
    held: Mutex<Option<HeldStore>>,
    address: String,
    process: u32,
}

#[pymethods]
impl NativeStore {
    #[new]
    fn new(
        py: Python<'_>,
        address: String,
        read_only: bool,
        new_generation: bool,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let layers = keywords::layers(Some(settings))?;
        let on_other_settings = match new_generation {
            true => OnOtherSettings::NewGeneration,
            false => OnOtherSettings::Refuse,
        };
        let (request_address, writable) = (address.clone(), !read_only);
        let request =
            StoreRequest { address: request_address, layers, writable, on_other_settings };
        let held = Watch::default()
            .run(py, None, None, |watch| HeldStore::open(request, watch).map(Mutex::new))?;
        let held = Mutex::new(held.into_inner().ok());
        Ok(Self { held, address, process: std::process::id() })
    }

    /// Judges documents and keeps them, or not: a row for each.
    fn judge(
        &self,
        py: Python<'_>,
        source: &Bound<'_, Source>,
        keep: bool,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        if self.process != std::process::id() {
            return Err(forked());
        }
        let watch = Watch::default();
        let inputs = inputs(source, &watch.cancel);
        let judged = watch.run(py, threads, progress.as_ref(), |watch| {
            let mut held = self.lock();
            match held.as_mut() {
                Some(held) => held.judge(&inputs, keep, watch).map(Some),
                None => Ok(None),
            }
        });
        if let Some(error) = source.get().failure().take() {
            return Err(error);
        }
        let answers = judged?.ok_or_else(closed)?;
        let names = self.reading_ids()?;
        let are_numbers = source.get().has_integers(&names);
        let rows = || answers.iter();
        let verdict = |verdict| serde_json::to_value(verdict).ok()?.as_str().map(str::to_owned);
        let changed = |answer: &firsthand::online::Answer| match answer.changed.is_empty() {
            true => None,
            false => serde_json::to_string(&answer.changed).ok(),
        };
        Table::new([
            ("id", ids(rows().map(|answer| answer.id.as_deref()), are_numbers)),
            ("verdict", texts(rows().map(|answer| verdict(answer.verdict)))),
            ("original", ids(rows().map(|answer| answer.original.as_deref()), are_numbers)),
            ("score", reals(rows().map(|answer| answer.score))),
            ("cluster", ids(rows().map(|answer| answer.cluster.as_deref()), are_numbers)),
            ("exact", truths(rows().map(|answer| Some(answer.exact)))),
            ("via", ids(rows().map(|answer| answer.via.as_deref()), are_numbers)),
            ("changed", texts(rows().map(changed))),
            ("repeated", truths(rows().map(|answer| Some(answer.repeated)))),
            ("error", texts(rows().map(|answer| answer.error.as_deref()))),
        ])
    }

    /// The document with an id or a URL, as a dict; `None` if there is none.
    fn get<'py>(
        &self,
        py: Python<'py>,
        id: Option<String>,
        url: Option<String>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.with(py, |held| match (&id, &url) {
            (Some(id), _) => held.get(id),
            (None, Some(url)) => held.get_by_url(url),
            (None, None) => Ok(None),
        })?;
        let Some(found) = found else { return Ok(None) };
        let object = document_json(&found);
        let object = object.map_err(|error| StoreError::new_err(error.to_string()))?;
        json::value(py, &object).map(Some)
    }

    /// The clusters, one row each.
    fn clusters(
        &self,
        py: Python<'_>,
        min_size: u64,
        sort: &str,
        limit: Option<usize>,
    ) -> PyResult<Table> {
        let order = match sort {
            "size" => ClusterOrder::Size,
            "first" => ClusterOrder::First,
            "last" => ClusterOrder::Last,
            other => {
                let message = format!("sort = {other:?}: use one of size, first, last");
                return Err(errors::SettingsError::new_err(message));
            }
        };
        let limit = limit.unwrap_or(usize::MAX);
        let clusters = self.with(py, |held| held.clusters(min_size, order, limit))?;
        let rows = || clusters.iter();
        Table::new([
            ("cluster", texts(rows().map(|cluster| Some(&cluster.cluster)))),
            ("original", texts(rows().map(|cluster| Some(&cluster.original)))),
            ("size", integers(rows().map(|cluster| i64::try_from(cluster.size).ok()))),
            ("updates", integers(rows().map(|cluster| i64::try_from(cluster.updates).ok()))),
            ("first", times(rows().map(|cluster| Some(cluster.times.0)))),
            ("last", times(rows().map(|cluster| Some(cluster.times.1)))),
            ("title", texts(rows().map(|cluster| cluster.title.as_deref()))),
            ("url", texts(rows().map(|cluster| cluster.url.as_deref()))),
        ])
    }

    /// Deletes documents; of each whether it was there.
    fn delete(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<Vec<bool>> {
        let names: Vec<&str> = ids.iter().map(String::as_str).collect();
        let deleted = self.with(py, |held| held.delete(&names))?;
        Ok(deleted.iter().map(Option::is_some).collect())
    }

    /// Some documents as dicts, and where the next ones start.
    fn export<'py>(
        &self,
        py: Python<'py>,
        start: u64,
    ) -> PyResult<(Bound<'py, PyList>, Option<u64>)> {
        let (objects, next) = self.with(py, |held| held.export(start))?;
        let objects = objects.iter().map(|object| json::value(py, object));
        Ok((PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)?, next))
    }

    /// The number of documents.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let holdings = self.with(py, HeldStore::holdings)?;
        Ok(usize::try_from(holdings.documents).unwrap_or(usize::MAX))
    }

    /// The settings of the store, as TOML.
    #[getter]
    fn settings(&self) -> PyResult<String> {
        let held = self.lock();
        let mut settings = held.as_ref().ok_or_else(closed)?.settings().clone();
        // It is nobody's business, and always that of the store.
        settings.stream.salt = 0;
        let written = toml::to_string(&settings);
        written.map_err(|error| errors::FirsthandError::new_err(error.to_string()))
    }

    /// Closes the store. A second call does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.lock().take()));
    }

    fn __repr__(&self) -> String {
        format!("<firsthand.Store: {}>", shown_address(&self.address))
    }
}

impl NativeStore {
    fn lock(&self) -> MutexGuard<'_, Option<HeldStore>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reading_ids(&self) -> PyResult<Vec<String>> {
        let held = self.lock();
        let held = held.as_ref().ok_or_else(closed)?;
        Ok(held.settings().reading.fields.id.clone())
    }

    /// Asks the store while the interpreter is free.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut HeldStore) -> Result<T, firsthand_jobs::JobError> + Send,
    ) -> PyResult<T> {
        if self.process != std::process::id() {
            return Err(forked());
        }
        let told = py.detach(|| self.lock().as_mut().map(ask));
        told.ok_or_else(closed)?.map_err(|error| errors::of_job(&error))
    }
}

fn closed() -> PyErr {
    StoreError::new_err("the store is closed: open it again with fh.Store(...)")
}

fn forked() -> PyErr {
    StoreError::new_err(
        "the store was opened by another process, of which this one is a fork: open it here, after the fork",
    )
}
