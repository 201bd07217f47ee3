//! Texts and dictionaries of Python as rows of a table in memory.

use crate::errors::InputError;
use firsthand_input::{MemoryCell, MemoryRows};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyMapping, PyString};
use std::borrow::Cow;
use std::collections::HashMap;

/// Rows that are taken from an iterator at a time.
pub(crate) const PIECE: usize = 1000;

/// Rows, each with what it has in some of the columns.
#[derive(Debug, Default)]
pub(crate) struct PythonRows {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    rows: Vec<Vec<(usize, OwnedCell)>>,
    bytes: u64,
    /// Per column whether all of its values are whole numbers.
    integers: Vec<bool>,
}

#[derive(Debug)]
enum OwnedCell {
    Text(String),
    Bytes(Vec<u8>),
    Other(&'static str),
}

impl PythonRows {
    /// A text is a row with nothing else; nothing is a row without one.
    pub(crate) fn push(&mut self, value: &Bound<'_, PyAny>, number: u64) -> PyResult<()> {
        if value.is_none() {
            self.number("text");
            self.rows.push(Vec::new());
        } else if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
            let column = self.number("text");
            self.integers[column] = false;
            let cell = self.cell(value, number, "text")?;
            self.rows.push(cell.map(|cell| (column, cell)).into_iter().collect());
        } else if let Ok(dict) = value.cast::<PyDict>() {
            let mut row = Vec::new();
            for (key, value) in dict {
                self.add(&mut row, &key, &value, number)?;
            }
            self.rows.push(row);
        } else if let Ok(mapping) = value.cast::<PyMapping>() {
            let mut row = Vec::new();
            for item in mapping.items()? {
                let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
                self.add(&mut row, &key, &value, number)?;
            }
            self.rows.push(row);
        } else {
            let kind = value.get_type().name()?;
            let message = format!(
                "row {number} is of the type {kind}: a row is a text, or a dict with a text and an id"
            );
            return Err(InputError::new_err((message, number)));
        }
        Ok(())
    }

    /// The names of the columns, and whether all values of each are whole numbers.
    pub(crate) fn integer_columns(&self) -> impl Iterator<Item = (&String, bool)> {
        self.names.iter().zip(self.integers.iter().copied())
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    fn add(
        &mut self,
        row: &mut Vec<(usize, OwnedCell)>,
        key: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        number: u64,
    ) -> PyResult<()> {
        let Ok(key) = key.extract::<String>() else { return Ok(()) };
        let column = self.number(&key);
        self.integers[column] &=
            value.is_none() || value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
        row.extend(self.cell(value, number, &key)?.map(|cell| (column, cell)));
        Ok(())
    }

    /// The number of a column.
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        self.names.push(name.to_owned());
        self.integers.push(true);
        self.numbers.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    fn cell(
        &mut self,
        value: &Bound<'_, PyAny>,
        number: u64,
        field: &str,
    ) -> PyResult<Option<OwnedCell>> {
        let cell = if value.is_none() {
            return Ok(None);
        } else if let Ok(text) = value.cast::<PyString>() {
            let broken = |_| {
                let message = format!("row {number}: {field} holds half of a surrogate pair");
                InputError::new_err((message, number, field.to_owned()))
            };
            OwnedCell::Text(text.extract::<String>().map_err(broken)?)
        } else if let Ok(bytes) = value.cast::<PyBytes>() {
            OwnedCell::Bytes(bytes.as_bytes().to_vec())
        } else if let Ok(bytes) = value.cast::<PyByteArray>() {
            OwnedCell::Bytes(bytes.to_vec())
        } else if value.is_instance_of::<PyFloat>() && value.extract::<f64>()?.is_nan() {
            // What tables of numbers have where there is nothing.
            return Ok(None);
        } else if value.is_instance_of::<PyBool>()
            || value.is_instance_of::<PyInt>()
            || value.is_instance_of::<PyFloat>()
        {
            OwnedCell::Text(value.str()?.to_string())
        } else if value.hasattr("isoformat")? {
            OwnedCell::Text(value.call_method0("isoformat")?.to_string())
        } else {
            OwnedCell::Other("a value that is no text")
        };
        self.bytes += match &cell {
            OwnedCell::Text(text) => text.len() as u64,
            OwnedCell::Bytes(bytes) => bytes.len() as u64,
            OwnedCell::Other(_) => 0,
        };
        Ok(Some(cell))
    }
}

impl MemoryRows for PythonRows {
    fn columns(&self) -> Vec<String> {
        self.names.clone()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn cell(&self, column: usize, row: usize) -> MemoryCell<'_> {
        let cell = self.rows.get(row).and_then(|row| row.iter().find(|(at, _)| *at == column));
        match cell {
            None => MemoryCell::Null,
            Some((_, OwnedCell::Text(text))) => MemoryCell::Text(Cow::Borrowed(text)),
            Some((_, OwnedCell::Bytes(bytes))) => MemoryCell::Bytes(bytes),
            Some((_, OwnedCell::Other(kind))) => MemoryCell::Other(kind),
        }
    }
}
