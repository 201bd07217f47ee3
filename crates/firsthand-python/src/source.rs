//! What documents come from: paths, tables of Arrow, texts and dictionaries, all at once or one after
//! another.

use crate::arrow_rows::{ArrowRows, column_names, text_bytes};
use crate::errors::InputError;
use crate::python_rows::{PIECE, PythonRows};
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{DataType, SchemaRef};
use firsthand_input::{MemoryPieces, MemoryRows};
use firsthand_jobs::{Cancel, InputTable, Inputs};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Where documents come from. `firsthand._inputs` makes one of whatever people hand over.
#[pyclass(frozen, module = "firsthand._native")]
pub(crate) struct Source {
    kind: Kind,
    failure: Failure,
    /// Of rows that were made by Python: which columns held nothing but whole numbers so far.
    integers: Arc<Mutex<HashMap<String, bool>>>,
}

enum Kind {
    Paths(Vec<PathBuf>),
    /// A table that is in memory.
    Table {
        batches: Vec<RecordBatch>,
        schema: SchemaRef,
    },
    /// A stream of record batches, which can be read once.
    Reader {
        reader: Mutex<Option<RecordBatchStreamReader>>,
        schema: SchemaRef,
    },
    /// What makes an iterator of texts and dictionaries, or of tables; or an iterator, which can be read
    /// once.
    Rows {
        make: Py<PyAny>,
        is_once: bool,
        used: Mutex<bool>,
    },
}

/// What went wrong while Python made rows: it ends the job, and is raised afterwards.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    fn set(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// What went wrong, if anything did.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[pymethods]
impl Source {
    /// Files and folders.
    #[staticmethod]
    fn paths(paths: Vec<PathBuf>) -> Self {
        Self::new(Kind::Paths(paths))
    }

    /// An object with `__arrow_c_stream__`: a table that is in memory, or a stream that is read once.
    #[staticmethod]
    fn arrow(table: &Bound<'_, PyAny>, is_once: bool) -> PyResult<Self> {
        let reader = reader(table)?;
        let schema = reader.schema();
        if is_once {
            return Ok(Self::new(Kind::Reader { reader: Mutex::new(Some(reader)), schema }));
        }
        let batches = table.py().detach(|| reader.collect::<Result<Vec<_>, _>>());
        let batches = batches.map_err(|error| InputError::new_err(error.to_string()))?;
        Ok(Self::new(Kind::Table { batches, schema }))
    }

    /// An iterator, or what makes one: of texts, dictionaries, or tables of Arrow.
    #[staticmethod]
    fn rows(make: Py<PyAny>, is_once: bool) -> Self {
        Self::new(Kind::Rows { make, is_once, used: Mutex::new(false) })
    }

    /// The names of the columns, if all rows have the same.
    #[getter]
    fn column_names(&self) -> Option<Vec<String>> {
        self.schema().map(|schema| column_names(schema.fields()))
    }

    /// The number of rows, if it is known.
    #[getter]
    fn row_count(&self) -> Option<usize> {
        match &self.kind {
            Kind::Table { batches, .. } => Some(batches.iter().map(RecordBatch::num_rows).sum()),
            _ => None,
        }
    }
}

impl Source {
    fn new(kind: Kind) -> Self {
        Self { kind, failure: Failure::default(), integers: Arc::default() }
    }

    fn schema(&self) -> Option<&SchemaRef> {
        match &self.kind {
            Kind::Table { schema, .. } | Kind::Reader { schema, .. } => Some(schema),
            Kind::Paths(_) | Kind::Rows { .. } => None,
        }
    }

    /// What went wrong while Python made rows.
    pub(crate) fn failure(&self) -> &Failure {
        &self.failure
    }

    /// Whether the column with one of these names holds whole numbers; known once it was read.
    pub(crate) fn has_integers(&self, names: &[String]) -> bool {
        if let Kind::Rows { .. } = self.kind {
            let known = self.integers.lock().unwrap_or_else(PoisonError::into_inner);
            return names.iter().find_map(|name| known.get(name).copied()).unwrap_or(false);
        }
        let fields = self.schema().map(|schema| schema.fields());
        let found = fields.and_then(|fields| {
            names.iter().find_map(|name| fields.iter().find(|field| field.name() == name))
        });
        found.is_some_and(|field| is_integer(field.data_type()))
    }
}

fn is_integer(kind: &DataType) -> bool {
    kind.is_integer() && *kind != DataType::UInt64
}

/// The inputs of a job; `cancel` ends it where Python cannot go on.
pub(crate) fn inputs(source: &Bound<'_, Source>, cancel: &Cancel) -> Inputs {
    match &source.get().kind {
        Kind::Paths(paths) => Inputs::Paths(paths.clone()),
        _ => {
            let table = Table { source: source.clone().unbind(), cancel: cancel.clone() };
            Inputs::Table(Arc::new(table))
        }
    }
}

/// A source as the table of a job.
struct Table {
    source: Py<Source>,
    cancel: Cancel,
}

impl InputTable for Table {
    fn pieces(&self) -> Option<MemoryPieces> {
        let boxed = |batch: &RecordBatch| Box::new(ArrowRows::new(batch)) as Box<dyn MemoryRows>;
        let source = self.source.get();
        Some(match &source.kind {
            Kind::Paths(_) => return None,
            Kind::Table { batches, .. } => {
                let batches = batches.clone();
                Box::new(batches.into_iter().map(move |batch| boxed(&batch)))
            }
            Kind::Reader { reader, .. } => {
                let reader = reader.lock().unwrap_or_else(PoisonError::into_inner).take()?;
                let (failure, cancel) = (source.failure.clone(), self.cancel.clone());
                Box::new(reader.map_while(move |batch| match batch {
                    Ok(batch) => Some(boxed(&batch)),
                    Err(error) => {
                        failure.set(InputError::new_err(error.to_string()));
                        cancel.cancel();
                        None
                    }
                }))
            }
            Kind::Rows { make, is_once, used } => {
                let mut used = used.lock().unwrap_or_else(PoisonError::into_inner);
                if *is_once && std::mem::replace(&mut *used, true) {
                    return None;
                }
                let make = Python::attach(|py| make.clone_ref(py));
                let (failure, cancel) = (source.failure.clone(), self.cancel.clone());
                Box::new(RowPieces {
                    state: RowState::Unopened { make, is_once: *is_once },
                    waiting: Vec::new(),
                    number: 0,
                    integers: Arc::clone(&source.integers),
                    failure,
                    cancel,
                })
            }
        })
    }

    fn bytes(&self) -> Option<u64> {
        match &self.source.get().kind {
            Kind::Table { batches, .. } => Some(batches.iter().map(text_bytes).sum()),
            _ => None,
        }
    }

    fn columns(&self) -> Option<Vec<String>> {
        self.source.get().column_names()
    }
}

/// Pieces of what an iterator of Python yields. The lock of the interpreter is held for one piece at a time.
struct RowPieces {
    state: RowState,
    /// Record batches of a table that was yielded, the next the last.
    waiting: Vec<RecordBatch>,
    number: u64,
    integers: Arc<Mutex<HashMap<String, bool>>>,
    failure: Failure,
    cancel: Cancel,
}

enum RowState {
    Unopened { make: Py<PyAny>, is_once: bool },
    Open(Py<PyIterator>),
    Ended,
}

impl Iterator for RowPieces {
    type Item = Box<dyn MemoryRows>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(batch) = self.waiting.pop() {
            return Some(Box::new(ArrowRows::new(&batch)));
        }
        let piece = Python::attach(|py| self.piece(py));
        piece.unwrap_or_else(|error| {
            self.state = RowState::Ended;
            self.failure.set(error);
            self.cancel.cancel();
            None
        })
    }
}

impl RowPieces {
    /// Takes note of columns and whether they hold nothing but whole numbers.
    fn note<'a>(&self, columns: impl Iterator<Item = (&'a String, bool)>) {
        let mut known = self.integers.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, are_integers) in columns {
            match known.get_mut(name) {
                Some(all) => *all &= are_integers,
                None => drop(known.insert(name.clone(), are_integers)),
            }
        }
    }

    fn piece(&mut self, py: Python<'_>) -> PyResult<Option<Box<dyn MemoryRows>>> {
        if let RowState::Unopened { make, is_once } = &self.state {
            let values = make.bind(py);
            let values = if *is_once { values.clone() } else { values.call0()? };
            self.state = RowState::Open(values.try_iter()?.unbind());
        }
        let RowState::Open(values) = &self.state else { return Ok(None) };
        let mut values = values.bind(py).clone();
        let mut rows = PythonRows::default();
        while rows.len() < PIECE {
            let Some(value) = values.next() else {
                self.state = RowState::Ended;
                break;
            };
            let value = value?;
            if is_table(&value)? {
                // Rows and tables do not mix, so there are no rows before it.
                let batches = reader(&value)?.collect::<Result<Vec<_>, _>>();
                self.waiting = batches.map_err(|error| InputError::new_err(error.to_string()))?;
                if let Some(batch) = self.waiting.first() {
                    let schema = batch.schema();
                    let fields = schema.fields().iter();
                    self.note(fields.map(|field| (field.name(), is_integer(field.data_type()))));
                }
                self.waiting.reverse();
                match self.waiting.pop() {
                    Some(batch) if rows.len() == 0 => {
                        return Ok(Some(Box::new(ArrowRows::new(&batch))));
                    }
                    Some(batch) => self.waiting.push(batch),
                    None => {}
                }
                if rows.len() > 0 {
                    break;
                }
                continue;
            }
            rows.push(&value, self.number)?;
            self.number += 1;
        }
        self.note(rows.integer_columns());
        Ok((rows.len() > 0).then(|| Box::new(rows) as Box<dyn MemoryRows>))
    }
}

fn is_table(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.hasattr("__arrow_c_stream__")
}

fn reader(table: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    RecordBatchStreamReader::from_pyarrow_bound(table)
}
