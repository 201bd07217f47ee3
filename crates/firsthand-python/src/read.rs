//! Documents themselves: every format that is read, as a stream of Arrow.

use crate::columns::{texts, times};
use crate::errors;
use crate::pool::pool;
use crate::source::{Source, inputs};
use crate::table::{failed, stream};
use crate::watch::Watch;
use crate::{keywords, table::Table};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use firsthand_input::{Item, ReadError, ReadOptions};
use firsthand_jobs::documents::DocumentStream;
use firsthand_jobs::{Cancel, Purpose, Unobserved};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use rayon::ThreadPool;
use std::sync::Arc;

/// The documents of some inputs, read whenever somebody asks for them.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct Documents {
    source: Py<Source>,
    options: ReadOptions,
    threads: Option<usize>,
}

/// The documents of some inputs.
#[pyfunction]
pub(crate) fn read(
    source: Py<Source>,
    threads: Option<usize>,
    settings: &Bound<'_, PyDict>,
) -> PyResult<Documents> {
    let settings = keywords::resolve(Some(settings), Purpose::Collection)?;
    Ok(Documents { source, options: ReadOptions::new(settings.reading), threads })
}

#[pymethods]
impl Documents {
    /// The documents, by the PyCapsule interface of Arrow. They are read as they are asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever asks for other types has to convert: that is allowed.
        let _ = requested_schema;
        let cancel = Cancel::default();
        let inputs = inputs(self.source.bind(py), &cancel);
        let options = self.options.clone();
        let documents = py.detach(|| DocumentStream::open(&inputs, options, &Unobserved(cancel)));
        let documents = documents.map_err(|error| errors::of_job(&error))?;
        let pool = pool(self.threads)?;
        let schema = batch(&[]).map_err(failed)?.schema();
        stream(py, Box::new(Reader { documents, pool, schema }))
    }

    /// All documents that can be read, and what could not be: dicts with `row` or `place`, and `reason`.
    fn read_all(&self, py: Python<'_>) -> PyResult<(Table, Vec<String>)> {
        let watch = Watch::default();
        let inputs = inputs(self.source.bind(py), &watch.cancel);
        let options = self.options.clone();
        let read = watch.run(py, self.threads, None, |watch| {
            let mut documents = DocumentStream::open(&inputs, options, watch)?;
            let (mut items, mut problems) = (Vec::new(), Vec::new());
            while let Some(some) = documents.next_documents() {
                if watch.cancel.is_cancelled() {
                    return Err(firsthand_jobs::JobError::Cancelled);
                }
                for item in some {
                    match item {
                        Ok(item) => items.push(item),
                        Err(error) => problems.push(errors::of_read_words(&error)),
                    }
                }
            }
            Ok((items, problems))
        });
        if let Some(error) = self.source.get().failure().take() {
            return Err(error);
        }
        let (items, problems) = read?;
        Ok((Table { batch: batch(&items).map_err(failed)? }, problems))
    }

    fn __repr__(&self) -> String {
        "<firsthand.Documents: id, text, title, url, host, source, sender, time, cluster>"
            .to_owned()
    }
}

/// Reads on when it is asked for the next batch.
struct Reader {
    documents: DocumentStream,
    pool: Arc<ThreadPool>,
    schema: SchemaRef,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let documents = &mut self.documents;
        let some = self.pool.install(|| documents.next_documents())?;
        let readable = |read: Result<Item, ReadError>| read.ok();
        Some(batch(&some.into_iter().filter_map(readable).collect::<Vec<_>>()))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Documents as a record batch.
fn batch(items: &[Item]) -> Result<RecordBatch, ArrowError> {
    let documents = || items.iter().map(|item| &item.document);
    let columns = [
        ("id", texts(documents().map(|document| Some(&document.id)))),
        ("text", texts(documents().map(|document| Some(&document.text)))),
        ("title", texts(documents().map(|document| document.title.as_deref()))),
        ("url", texts(documents().map(|document| document.url.as_deref()))),
        ("host", texts(documents().map(|document| document.host.as_deref()))),
        ("source", texts(documents().map(|document| document.source.as_deref()))),
        ("sender", texts(documents().map(|document| document.sender.as_deref()))),
        ("time", times(documents().map(|document| document.time))),
        ("cluster", texts(documents().map(|document| document.cluster.as_deref()))),
    ];
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns)
}
