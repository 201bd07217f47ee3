//! The native part of the Python package `firsthand`: values of Python to those of the jobs and back.
//!
//! Nothing here decides an answer. `python/firsthand` is what people import; it is a thin layer of types and
//! documentation over this module.
//!
//! - [`source`], [`arrow_rows`], [`python_rows`]: documents that Python hands over
//! - [`table`], [`columns`], [`json`]: results that Python gets
//! - [`keywords`]: keywords and settings files to settings
//! - [`errors`]: errors of the jobs as exceptions
//! - [`watch`], [`pool`]: jobs that Python waits for, and their threads
//! - [`detector`], [`dedup`], [`explain`], [`read`], [`store`], [`labelled`], [`learn`], [`model`]: what can be done
//! - [`kernels`]: the steps of a search that is spread over many machines
//! - [`command`]: the command `firsthand`

mod arrow_rows;
mod columns;
mod command;
mod dedup;
mod detector;
mod errors;
mod explain;
mod json;
mod kernels;
mod keywords;
mod labelled;
#[cfg(feature = "learn")]
mod learn;
#[cfg(feature = "learn")]
mod model;
mod pool;
mod python_rows;
mod read;
mod source;
mod store;
mod table;
mod watch;

use pyo3::prelude::*;

/// The native part of firsthand.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::dedup::{DedupResult, dedup};
    #[pymodule_export]
    use crate::detector::{Comparison, Detector, Features, Keys};
    #[pymodule_export]
    use crate::explain::{Explanation, explain};
    #[pymodule_export]
    use crate::kernels::{
        CandidateKernel, FilterKernel, MeetKernel, PartKernel, RankKernel, RowKernel, SiteKernel,
        StarKernel, TemplateKernel, VerifyKernel, check_spread, frequent_features, grouping,
        large_class, most_listed_pairs, uses_templates,
    };
    #[pymodule_export]
    use crate::keywords::setting_names;
    #[pymodule_export]
    use crate::labelled::{evaluate, tune};
    #[cfg(feature = "learn")]
    #[pymodule_export]
    use crate::learn::learn;
    #[cfg(feature = "learn")]
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::read::{Documents, read};
    #[pymodule_export]
    use crate::source::Source;
    #[pymodule_export]
    use crate::store::NativeStore;
    #[pymodule_export]
    use crate::table::Table;
}
