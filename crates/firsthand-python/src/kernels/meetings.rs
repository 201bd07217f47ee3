//! Classes that share keys, to candidates.

use super::columns::{bytes, column, number, unexpected};
use super::pieces::{RANGES, Ranges, Rows, Type, Value};
use super::{Batch, Batches, detector};
use firsthand::Detector;
use firsthand::shuffle::{self, ClassFilter, Entry, Meeting, Part};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Lets classes meet that share a key. Rows come range by range; the entries of one range are kept at a time.
#[pyclass(module = "firsthand")]
pub(crate) struct MeetKernel {
    detector: Detector,
    ranges: u32,
    most: usize,
    range: Option<i64>,
    entries: Vec<Entry>,
}

#[pymethods]
impl MeetKernel {
    #[new]
    #[pyo3(signature = (settings, ranges, most=None))]
    fn new(settings: &str, ranges: u32, most: Option<usize>) -> PyResult<Self> {
        let (detector, most) = (detector(settings)?, most.unwrap_or(shuffle::PART));
        Ok(Self { detector, ranges, most, range: None, entries: Vec::new() })
    }

    /// The meetings of ranges that are complete, and parts of crowded keys; rows are ordered by `range`.
    fn meet(&mut self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let batch = batch.0;
            let (ranges, records) = (column(&batch, "range")?, column(&batch, "records")?);
            let mut out = Rows::new(RANGES);
            for row in 0..batch.num_rows() {
                let range = number(ranges, row);
                if self.range != range {
                    self.write(&mut out)?;
                    self.range = range;
                }
                let records = bytes(records, row).ok_or_else(|| unexpected("records", row))?;
                self.entries.extend(Entry::read_all(records));
            }
            out.finish()
        })
    }

    /// The meetings of the last range.
    fn finish(&mut self, py: Python<'_>) -> Batches {
        py.detach(|| {
            let mut out = Rows::new(RANGES);
            self.write(&mut out)?;
            out.finish()
        })
    }
}

impl MeetKernel {
    fn write(&mut self, out: &mut Rows) -> PyResult<()> {
        let mut entries = std::mem::take(&mut self.entries);
        let (settings, mut parts) = (self.detector.settings(), Vec::new());
        let mut met = MeetingRows { of_ranges: Ranges::default(), ranges: self.ranges, out };
        let mut failed = Ok(());
        let mut found = |piece: Vec<Meeting>| {
            if failed.is_ok() {
                failed = met.write(&piece);
            }
        };
        shuffle::meet(&mut entries, settings, self.most, &mut found, &mut |part| parts.push(part));
        failed?;
        met.finish()?;
        for (number, part) in (0..self.ranges).cycle().zip(parts) {
            let mut records = Vec::with_capacity(part.entries.len() * Entry::BYTES);
            part.entries.iter().for_each(|entry| entry.write(&mut records));
            // Where the second part starts; -1 if there is none.
            let split = part.split.map_or(-1, |split| split as i32);
            // Parts go anywhere.
            let range = Value::Int(Some(number as i32));
            out.push([range, Value::Int(Some(split)), Value::Bytes(Some(&records))])?;
        }
        Ok(())
    }
}

/// Meetings on their way into rows.
struct MeetingRows<'a> {
    of_ranges: Ranges,
    ranges: u32,
    out: &'a mut Rows,
}

impl MeetingRows<'_> {
    fn write(&mut self, piece: &[Meeting]) -> PyResult<()> {
        for met in piece {
            met.write(self.of_ranges.at(met.range(self.ranges), Meeting::BYTES));
        }
        if self.of_ranges.is_full() { self.of_ranges.drain(self.out) } else { Ok(()) }
    }

    fn finish(mut self) -> PyResult<()> {
        self.of_ranges.drain(self.out)
    }
}

/// Lets the parts of crowded keys meet, each row by itself.
#[pyclass(module = "firsthand")]
pub(crate) struct PartKernel {
    detector: Detector,
    ranges: u32,
}

#[pymethods]
impl PartKernel {
    #[new]
    fn new(settings: &str, ranges: u32) -> PyResult<Self> {
        Ok(Self { detector: detector(settings)?, ranges })
    }

    /// The meetings of parts.
    fn meet(&self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let batch = batch.0;
            let (splits, records) = (column(&batch, "split")?, column(&batch, "records")?);
            let mut out = Rows::new(RANGES);
            for row in 0..batch.num_rows() {
                let split = number(splits, row).ok_or_else(|| unexpected("split", row))?;
                let records = bytes(records, row).ok_or_else(|| unexpected("records", row))?;
                let entries = Entry::read_all(records).collect();
                let part = Part { entries, split: usize::try_from(split).ok() };
                let (ranges, out) = (self.ranges, &mut out);
                let mut met = MeetingRows { of_ranges: Ranges::default(), ranges, out };
                let mut failed = Ok(());
                shuffle::meet_part(&part, self.detector.settings(), &mut |piece| {
                    if failed.is_ok() {
                        failed = met.write(&piece);
                    }
                });
                failed?;
                met.finish()?;
            }
            out.finish()
        })
    }
}

/// Adds up meetings. Rows come range by range; the meetings of one range are kept at a time.
#[pyclass(module = "firsthand")]
#[derive(Default)]
pub(crate) struct CandidateKernel {
    range: Option<i64>,
    meetings: Vec<Meeting>,
    combined: usize,
}

const CANDIDATES: &[(&str, Type)] = &[("a", Type::Long), ("b", Type::Long)];

#[pymethods]
impl CandidateKernel {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The candidates of ranges that are complete; rows are ordered by `range`.
    fn add(&mut self, py: Python<'_>, batch: Batch) -> Batches {
        py.detach(|| {
            let batch = batch.0;
            let (ranges, records) = (column(&batch, "range")?, column(&batch, "records")?);
            let mut out = Rows::new(CANDIDATES);
            for row in 0..batch.num_rows() {
                let range = number(ranges, row);
                if self.range != range {
                    self.write(&mut out)?;
                    self.range = range;
                }
                let records = bytes(records, row).ok_or_else(|| unexpected("records", row))?;
                self.meetings.extend(Meeting::read_all(records));
                if self.meetings.len() > 2 * self.combined + (1 << 20) {
                    shuffle::combine(&mut self.meetings);
                    self.combined = self.meetings.len();
                }
            }
            out.finish()
        })
    }

    /// The candidates of the last range.
    fn finish(&mut self) -> Batches {
        let mut out = Rows::new(CANDIDATES);
        self.write(&mut out)?;
        out.finish()
    }
}

impl CandidateKernel {
    fn write(&mut self, out: &mut Rows) -> PyResult<()> {
        let mut meetings = std::mem::take(&mut self.meetings);
        self.combined = 0;
        for (a, b) in shuffle::candidates(&mut meetings) {
            out.push([Value::Long(Some(a as i64)), Value::Long(Some(b as i64))])?;
        }
        Ok(())
    }
}

/// Collects the classes that are candidates into a filter of bounded size.
#[pyclass(module = "firsthand")]
pub(crate) struct FilterKernel {
    filter: ClassFilter,
}

#[pymethods]
impl FilterKernel {
    #[new]
    fn new(classes: u64) -> Self {
        Self { filter: ClassFilter::for_count(classes) }
    }

    /// Adds candidates.
    fn add(&mut self, batch: Batch) -> PyResult<()> {
        for name in ["a", "b"] {
            let classes = column(&batch.0, name)?;
            for row in 0..batch.0.num_rows() {
                let class = number(classes, row).ok_or_else(|| unexpected(name, row))?;
                self.filter.add(class as u64);
            }
        }
        Ok(())
    }

    /// The filter as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.filter.clone().into_bytes())
    }
}
