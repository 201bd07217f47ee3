//! Rows to documents; their classes, keys and sets.

use super::columns::{bytes, column, number, optional, truth};
use super::pieces::{RANGES, Ranges, Rows, Type, Value};
use super::{Batch, Batches, detector};
use crate::errors;
use arrow_array::RecordBatch;
use firsthand::collections::LARGE_CLASS;
use firsthand::matcher::Sides;
use firsthand::settings::Grouping;
use firsthand::shuffle::{self, ClassFilter, Entry, Frequent};
use firsthand::{Detector, Document, Features};
use firsthand_input::{ReadOptions, Row};
use firsthand_jobs::PairList;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::borrow::Cow;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most classes that are remembered so that each is written once; then they are forgotten. A class takes
/// some forty bytes.
const REMEMBERED: usize = 1 << 20;

/// Turns rows into documents, and documents into what is known of them.
#[pyclass(module = "firsthand")]
pub(crate) struct RowKernel {
    pub(super) detector: Detector,
    options: ReadOptions,
    frequent: Frequent,
    filter: Option<ClassFilter>,
    written: HashSet<u128>,
}

/// A row that was signed, or why it was not.
pub(super) type SignedRow = Result<(Document, Features), String>;

#[pymethods]
impl RowKernel {
    #[new]
    #[pyo3(signature = (settings, frequent=None, filter=None))]
    fn new(settings: &str, frequent: Option<&[u8]>, filter: Option<&[u8]>) -> PyResult<Self> {
        let detector = detector(settings)?;
        let options = ReadOptions::new(detector.settings().reading.clone());
        let frequent = frequent.map(Frequent::from_bytes).unwrap_or_default();
        let filter = filter.map(|filter| ClassFilter::from_bytes(filter.to_vec()));
        Ok(Self { detector, options, frequent, filter, written: HashSet::new() })
    }

    /// What is known of each row: its place in the order of preference, its text and its class, by hashes.
    fn documents(&self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let mut out = Rows::new(&[
                ("id", Type::Text),
                ("order", Type::Bytes),
                ("rank", Type::Bytes),
                ("millis", Type::Long),
                ("length", Type::Int),
                ("text", Type::Bytes),
                ("class", Type::Bytes),
                ("problem", Type::Text),
            ]);
            for row in 0..batch.0.num_rows() {
                let order = order(&batch.0, row);
                match self.sign(&batch.0, row)? {
                    Ok((document, features)) => {
                        let length = features.text_length();
                        let settings = self.detector.settings();
                        let rank = shuffle::rank(settings, document.time, length, &order);
                        let text = features.fingerprint().map(u128::to_be_bytes);
                        let class =
                            shuffle::class(&self.detector, &features).map(u128::to_be_bytes);
                        out.push([
                            Value::Text(Some(&document.id)),
                            Value::Bytes(Some(&order)),
                            Value::Bytes(Some(&rank)),
                            Value::Long(document.time),
                            Value::Int(Some(length as i32)),
                            Value::Bytes(text.as_ref().map(|text| &text[..])),
                            Value::Bytes(class.as_ref().map(|class| &class[..])),
                            Value::Text(None),
                        ])?;
                    }
                    Err(problem) => out.push([
                        Value::Text(text(&batch.0, "id", row).as_deref()),
                        Value::Bytes(Some(&order)),
                        Value::Bytes(None),
                        Value::Long(None),
                        Value::Int(None),
                        Value::Bytes(None),
                        Value::Bytes(None),
                        Value::Text(Some(&problem)),
                    ])?,
                }
            }
            out.finish()
        })
    }

    /// The keys of each class, in ranges of keys.
    fn entries(&mut self, py: Python<'_>, batch: Batch, ranges: u32) -> Batches {
        py.detach(|| {
            let (mut out, mut of_ranges) = (Rows::new(RANGES), Ranges::default());
            for row in 0..batch.0.num_rows() {
                let Ok((_, features)) = self.sign(&batch.0, row)? else { continue };
                let sides = sides(&batch.0, row);
                // A text that occurs a thousand times has its keys written once by each task.
                let Some(class) = shuffle::class(&self.detector, &features) else { continue };
                if !self.is_first(class ^ u128::from(sides.new)) {
                    continue;
                }
                let entries = shuffle::entries(&self.detector, &features, sides, &self.frequent);
                for entry in entries.map_err(errors::of_settings)? {
                    entry.write(of_ranges.at(entry.range(ranges), Entry::BYTES));
                }
                if of_ranges.is_full() {
                    of_ranges.drain(&mut out)?;
                }
            }
            of_ranges.drain(&mut out)?;
            out.finish()
        })
    }

    /// The sets of classes that may be candidates.
    fn sets(&mut self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let mut out = Rows::new(&[
                ("half", Type::Long),
                ("class", Type::Bytes),
                ("features", Type::Bytes),
            ]);
            for row in 0..batch.0.num_rows() {
                let Ok((_, features)) = self.sign(&batch.0, row)? else { continue };
                let Some(class) = shuffle::class(&self.detector, &features) else { continue };
                let half = class as u64;
                let is_wanted = self.filter.as_ref().is_none_or(|filter| filter.contains(half));
                if is_wanted && self.is_first(class) {
                    out.push([
                        Value::Long(Some(half as i64)),
                        Value::Bytes(Some(&class.to_be_bytes())),
                        Value::Bytes(Some(&features.to_bytes())),
                    ])?;
                }
            }
            out.finish()
        })
    }
}

impl RowKernel {
    fn is_first(&mut self, class: u128) -> bool {
        if self.written.len() >= REMEMBERED {
            self.written.clear();
        }
        self.written.insert(class)
    }

    /// The document of a row, signed; or its features, if these were made before.
    fn sign(&self, batch: &RecordBatch, row: usize) -> PyResult<SignedRow> {
        if let Some(features) = optional(batch, "features") {
            return signed_before(batch, bytes(features, row), row);
        }
        let document = match self.document(batch, row)? {
            Ok(document) => document,
            Err(problem) => return Ok(Err(problem)),
        };
        // Whatever is in a text, the other rows are answered.
        let signed = catch_unwind(AssertUnwindSafe(|| self.detector.sign(&document)));
        Ok(signed
            .map(|features| (document, features))
            .map_err(|_| "it cannot be signed".to_owned()))
    }

    /// The document of a row, or why there is none.
    pub(super) fn document(
        &self,
        batch: &RecordBatch,
        row: usize,
    ) -> PyResult<Result<Document, String>> {
        column(batch, "id")?;
        column(batch, "text")?;
        let of = |name: &str| text(batch, name, row);
        let Some(id) = of("id").filter(|id| !id.trim().is_empty()) else {
            return Ok(Err("it has no id".to_owned()));
        };
        let Some(text) = of("text") else { return Ok(Err("it has no text".to_owned())) };
        let values = Row {
            id,
            text,
            title: of("title"),
            url: of("url"),
            host: of("site"),
            time: of("time"),
        };
        let millis = optional(batch, "millis").and_then(|millis| number(millis, row));
        Ok(match values.document(&self.options) {
            Ok((document, _)) => Ok(Document { time: millis.or(document.time), ..document }),
            Err(reason) => Err(reason.to_string()),
        })
    }
}

/// A row of [`SiteKernel`](super::SiteKernel): its features, or its problem.
fn signed_before(batch: &RecordBatch, features: Option<&[u8]>, row: usize) -> PyResult<SignedRow> {
    let Some(features) = features else {
        let problem = text(batch, "problem", row);
        return Ok(Err(problem.map_or_else(|| "it was not signed".to_owned(), Cow::into_owned)));
    };
    let features = Features::from_bytes(features).map_err(|error| errors::of_bytes(&error))?;
    let id = text(batch, "id", row).unwrap_or_default().into_owned();
    let time = optional(batch, "millis").and_then(|millis| number(millis, row));
    Ok(Ok((Document { time, ..Document::new(id, "") }, features)))
}

/// The text of a cell, with U+FFFD for what is no UTF-8.
pub(super) fn text<'a>(batch: &'a RecordBatch, name: &str, row: usize) -> Option<Cow<'a, str>> {
    Some(String::from_utf8_lossy(bytes(optional(batch, name)?, row)?))
}

/// The place of a row in the input, as bytes in this order: a number or a text.
pub(super) fn order(batch: &RecordBatch, row: usize) -> Vec<u8> {
    let Some(column) = optional(batch, "order") else { return Vec::new() };
    match (number(column, row), bytes(column, row)) {
        (Some(number), _) => (number as u64 ^ 1 << 63).to_be_bytes().to_vec(),
        (None, Some(bytes)) => bytes.to_vec(),
        (None, None) => Vec::new(),
    }
}

/// On which side of an old/new comparison a row is.
fn sides(batch: &RecordBatch, row: usize) -> Sides {
    match optional(batch, "new").and_then(|new| truth(new, row)) {
        Some(new) => Sides { old: !new, new },
        None => Sides { old: true, new: true },
    }
}

/// The features that many of some texts have, as bytes.
#[pyfunction]
pub(crate) fn frequent_features<'py>(
    py: Python<'py>,
    settings: &str,
    texts: Vec<String>,
) -> PyResult<Bound<'py, PyBytes>> {
    let detector = detector(settings)?;
    let frequent = py.detach(|| {
        let signed = texts.into_iter().map(|text| detector.sign(&Document::new("", text)));
        Frequent::learn(signed).to_bytes()
    });
    Ok(PyBytes::new(py, &frequent))
}

/// Checks that a search with these settings can be spread over many machines.
#[pyfunction]
pub(crate) fn check_spread(settings: &str) -> PyResult<()> {
    detector(settings).map(|_| ())
}

/// Whether page furniture is set aside.
#[pyfunction]
pub(crate) fn uses_templates(settings: &str) -> PyResult<bool> {
    Ok(detector(settings)?.settings().template)
}

/// How clusters are formed.
#[pyfunction]
pub(crate) fn grouping(settings: &str) -> PyResult<&'static str> {
    Ok(match detector(settings)?.settings().collection_grouping() {
        Grouping::Component => "component",
        Grouping::Star | Grouping::Chain => "star",
    })
}

/// The most pairs that are listed of a number of documents.
#[pyfunction]
pub(crate) fn most_listed_pairs(documents: usize) -> usize {
    firsthand_jobs::dedup::most_pairs(PairList::Capped, documents)
}

/// The most documents of a class that are paired with one another.
#[pyfunction]
pub(crate) fn large_class() -> usize {
    LARGE_CLASS
}
