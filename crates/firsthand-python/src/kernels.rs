//! The steps of a search that is spread over many machines, on batches of Arrow.
//!
//! An engine such as Spark, Ray or Dask hands batches in and moves what comes out; what is decided is
//! decided in [`firsthand::shuffle`]. All output is in pieces of bounded size, and what a kernel keeps from
//! batch to batch is said where it is kept.
//!
//! - [`columns`]: columns by name, of whatever type they may have
//! - [`pieces`]: output in pieces of bounded size
//! - [`rows`]: rows to documents; their classes, keys and sets
//! - [`sites`]: templates of sites, learned and applied
//! - [`meetings`]: classes that share keys, to candidates
//! - [`pairs`]: candidates to pairs, and pairs to stars

mod columns;
mod meetings;
mod pairs;
mod pieces;
mod rows;
mod sites;

pub(crate) use meetings::{CandidateKernel, FilterKernel, MeetKernel, PartKernel};
pub(crate) use pairs::{RankKernel, StarKernel, VerifyKernel};
pub(crate) use rows::{
    RowKernel, check_spread, frequent_features, grouping, large_class, most_listed_pairs,
    uses_templates,
};
pub(crate) use sites::{SiteKernel, TemplateKernel};

use crate::errors;
use arrow_array::RecordBatch;
use arrow_pyarrow::PyArrowType;
use firsthand::{Detector, Settings, shuffle};
use pyo3::prelude::*;

/// A batch, as Python hands it in and gets it back.
type Batch = PyArrowType<RecordBatch>;
type Batches = PyResult<Vec<Batch>>;

/// The detector for settings as they are written in TOML, which is how they come to an executor.
fn detector(settings: &str) -> PyResult<Detector> {
    let settings: Settings = toml::from_str(settings)
        .map_err(|error| errors::SettingsError::new_err(error.to_string()))?;
    shuffle::check(&settings).map_err(errors::of_settings)?;
    Detector::new(settings).map_err(errors::of_settings)
}
