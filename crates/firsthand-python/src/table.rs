//! Tables that are handed out: any library that reads Arrow takes them, without a copy and without pyarrow.

use crate::errors::FirsthandError;
use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, DataType};
use firsthand_input::calendar::rfc3339;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

/// The most rows that a notebook shows.
const SHOWN: usize = 10;

/// A table of results.
#[pyclass(frozen, module = "firsthand")]
pub(crate) struct Table {
    pub(crate) batch: RecordBatch,
}

impl Table {
    /// A table of these columns, all of the same length.
    pub(crate) fn new<const N: usize>(columns: [(&str, ArrayRef); N]) -> PyResult<Self> {
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, column)| (name, column, true)),
        );
        Ok(Self { batch: batch.map_err(failed)? })
    }

    fn row<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (field, column) in self.batch.schema_ref().fields().iter().zip(self.batch.columns()) {
            dict.set_item(field.name(), cell(py, column, row)?)?;
        }
        Ok(dict)
    }
}

/// An error of Arrow, which does not happen to tables of our own.
pub(crate) fn failed(error: ArrowError) -> PyErr {
    FirsthandError::new_err(error.to_string())
}

/// A stream of record batches for whoever asks by `__arrow_c_stream__`.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.batch.schema_ref();
        schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as a list of dicts.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = (0..self.batch.num_rows()).map(|row| self.row(py, row));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    /// The values of a column by its name, or a row by its number.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let Some(column) = self.batch.column_by_name(&name) else {
                let names = self.column_names().join(", ");
                return Err(PyKeyError::new_err(format!("no column {name:?}; there are {names}")));
            };
            let cells = (0..column.len()).map(|row| cell(py, column, row));
            return Ok(PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)?.into_any());
        }
        let Ok(number) = key.extract::<isize>() else {
            return Err(PyTypeError::new_err(
                "a table is asked for a column by its name, or a row",
            ));
        };
        let rows = self.batch.num_rows();
        let row = if number < 0 { number + rows as isize } else { number };
        match usize::try_from(row).ok().filter(|row| *row < rows) {
            Some(row) => Ok(self.row(py, row)?.into_any()),
            None => Err(PyIndexError::new_err(format!("no row {number}; there are {rows}"))),
        }
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The schema, by the PyCapsule interface of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&**self.batch.schema_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, by the PyCapsule interface of Arrow.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever asks for other types has to convert: that is allowed.
        let _ = requested_schema;
        let batches = vec![Ok(self.batch.clone())];
        stream(py, Box::new(RecordBatchIterator::new(batches, self.batch.schema())))
    }

    fn __repr__(&self) -> String {
        let (rows, names) = (self.batch.num_rows(), self.column_names().join(", "));
        format!("<firsthand.Table: {rows} rows of {names}>")
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let names = self.column_names();
        let head: String = names.iter().map(|name| format!("<th>{}</th>", escaped(name))).collect();
        let (rows, mut body) = (self.batch.num_rows(), String::new());
        for row in 0..rows.min(SHOWN) {
            body += "<tr>";
            for column in self.batch.columns() {
                let cell = cell(py, column, row)?;
                let text = if cell.is_none() { String::new() } else { cell.str()?.to_string() };
                body += &format!("<td dir=\"auto\">{}</td>", escaped(&shortened(&text)));
            }
            body += "</tr>";
        }
        let more = match rows.checked_sub(SHOWN).filter(|more| *more > 0) {
            Some(more) => format!("<p>and {more} more rows</p>"),
            None => String::new(),
        };
        Ok(format!("<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"))
    }
}

/// Text that is nothing but text within HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            letter => safe.push(letter),
        }
    }
    safe
}

fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A cell as a value of Python.
fn cell<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Float64 => {
            column.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any()
        }
        DataType::Boolean => {
            column.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any()
        }
        DataType::Timestamp(..) => {
            let time = column.as_primitive::<TimestampMillisecondType>().value(row);
            rfc3339(time).into_pyobject(py)?.into_any()
        }
        _ => py.None().into_bound(py),
    })
}
