//! Candidates to pairs, and pairs to stars.

use super::columns::{bytes, column, fraction, number, optional, unexpected, wide};
use super::pieces::{Rows, Type, Value};
use super::{Batch, Batches, detector};
use crate::errors;
use arrow_array::RecordBatch;
use firsthand::shuffle::{self, Stars};
use firsthand::{Detector, Features};
use pyo3::prelude::*;

/// Compares the sets of candidates.
#[pyclass(module = "firsthand")]
pub(crate) struct VerifyKernel {
    detector: Detector,
}

#[pymethods]
impl VerifyKernel {
    #[new]
    fn new(settings: &str) -> PyResult<Self> {
        Ok(Self { detector: detector(settings)? })
    }

    /// The classes that are near-duplicates, with their similarity.
    fn verify(&self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let batch = batch.0;
            let mut out =
                Rows::new(&[("a", Type::Bytes), ("b", Type::Bytes), ("score", Type::Double)]);
            // One of the two is often the same from row to row.
            let mut known: [(Vec<u8>, Features); 2] = Default::default();
            for row in 0..batch.num_rows() {
                let names = ["features_a", "features_b"];
                for (name, known) in names.into_iter().zip(&mut known) {
                    let bytes = cell(&batch, name, row)?;
                    if known.0 != bytes {
                        let read = Features::from_bytes(bytes);
                        *known = (bytes.to_vec(), read.map_err(|error| errors::of_bytes(&error))?);
                    }
                }
                let score = shuffle::verify(&self.detector, &known[0].1, &known[1].1);
                if let Some(score) = score.map_err(errors::of_settings)? {
                    let (a, b) = (cell(&batch, "class_a", row)?, cell(&batch, "class_b", row)?);
                    out.push([Value::Bytes(Some(a)), Value::Bytes(Some(b)), Value::Double(score)])?;
                }
            }
            out.finish()
        })
    }
}

fn cell<'a>(batch: &'a RecordBatch, name: &str, row: usize) -> PyResult<&'a [u8]> {
    bytes(column(batch, name)?, row).ok_or_else(|| unexpected(name, row))
}

/// Decides which original each class joins. Rows are pairs of classes, by the preference of the later class
/// and then of the earlier one; a name is kept for each class that joins another.
#[pyclass(module = "firsthand")]
#[derive(Default)]
pub(crate) struct StarKernel {
    stars: Stars,
    later: Option<u128>,
    near: Vec<(u128, f64)>,
}

const JOINED: &[(&str, Type)] =
    &[("class", Type::Bytes), ("owner", Type::Bytes), ("score", Type::Double)];

#[pymethods]
impl StarKernel {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The classes that join an original.
    fn join(&mut self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let batch = batch.0;
            let mut out = Rows::new(JOINED);
            let (later, earlier) = (column(&batch, "later")?, column(&batch, "earlier")?);
            let scores = column(&batch, "score")?;
            for row in 0..batch.num_rows() {
                let class = wide(later, row).ok_or_else(|| unexpected("later", row))?;
                if self.later != Some(class) {
                    self.write(&mut out)?;
                    self.later = Some(class);
                }
                let near = wide(earlier, row).ok_or_else(|| unexpected("earlier", row))?;
                let score = fraction(scores, row).ok_or_else(|| unexpected("score", row))?;
                self.near.push((near, score));
            }
            out.finish()
        })
    }

    /// The last class, if it joins an original.
    fn finish(&mut self) -> Batches {
        let mut out = Rows::new(JOINED);
        self.write(&mut out)?;
        out.finish()
    }
}

impl StarKernel {
    fn write(&mut self, out: &mut Rows) -> PyResult<()> {
        let near = std::mem::take(&mut self.near);
        let Some(class) = self.later.take() else { return Ok(()) };
        let Some((owner, score)) = self.stars.join(class, near) else { return Ok(()) };
        let (class, owner) = (class.to_be_bytes(), owner.to_be_bytes());
        out.push([Value::Bytes(Some(&class)), Value::Bytes(Some(&owner)), Value::Double(score)])
    }
}

/// Finds the place of documents in the order of preference once more, where the length of a text has changed.
#[pyclass(module = "firsthand")]
pub(crate) struct RankKernel {
    detector: Detector,
}

#[pymethods]
impl RankKernel {
    #[new]
    fn new(settings: &str) -> PyResult<Self> {
        Ok(Self { detector: detector(settings)? })
    }

    /// The places, in a column `rank`.
    fn rank(&self, batch: Batch) -> Batches {
        let batch = batch.0;
        let mut out = Rows::new(&[
            ("id", Type::Text),
            ("order", Type::Bytes),
            ("rank", Type::Bytes),
            ("text", Type::Bytes),
            ("class", Type::Bytes),
        ]);
        for row in 0..batch.num_rows() {
            let millis = optional(&batch, "millis").and_then(|millis| number(millis, row));
            let length = number(column(&batch, "length")?, row).unwrap_or(0);
            let order = cell(&batch, "order", row)?;
            let rank = shuffle::rank(self.detector.settings(), millis, length as u32, order);
            let id = std::str::from_utf8(cell(&batch, "id", row)?).ok();
            out.push([
                Value::Text(id),
                Value::Bytes(Some(order)),
                Value::Bytes(Some(&rank)),
                Value::Bytes(bytes(column(&batch, "text")?, row)),
                Value::Bytes(bytes(column(&batch, "class")?, row)),
            ])?;
        }
        out.finish()
    }
}
