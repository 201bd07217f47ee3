//! The report on verdicts on a stream as data: `report.json` is this, and tables and pages are made
//! from it.

use crate::labels::LabelSummary;
use firsthand::evaluate::PageKind;
use firsthand::evaluate::online::{Guarded, Spread, StreamFigures, Tally};
use serde::Serialize;

/// The whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamEvaluation {
    /// The version of firsthand.
    pub version: &'static str,
    /// When it was made, RFC 3339.
    pub made: String,
    /// The machine, as far as the system tells.
    pub machine: String,
    /// Worker threads.
    pub threads: usize,
    /// The rules of scoring in plain words.
    pub scoring: &'static str,
    /// Number of random orders.
    pub orders: usize,
    /// Determines the orders.
    pub seed: u64,
    /// The labels.
    pub labels: LabelSummary,
    /// Each method, in the order asked for.
    pub methods: Vec<StreamMethodReport>,
    /// nrc with each combination of its parameters; empty if that was not asked for.
    pub grid: Vec<GridRow>,
}

/// One method on the stream.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamMethodReport {
    /// The name: a method, `profile:NAME`, or a file of settings or weights.
    pub name: String,
    /// What it does, in one line.
    pub about: String,
    /// Its settings as TOML.
    pub config: String,
    /// The threshold of the settings.
    pub threshold: f64,
    /// Whether it has a window of time, which random orders ignore.
    pub window: bool,
    /// Quality over random orders.
    pub random: StreamQuality,
    /// Quality in the order of time; none if documents have no times.
    pub time: Option<TimeOrderQuality>,
    /// Its number guard; none without one.
    pub guard: Option<Guarded>,
    /// By kind of page and by site, over all random orders together.
    #[serde(flatten)]
    pub groups: StreamGroups,
    /// Seconds for all random orders together, signing included, on all threads.
    pub seconds: f64,
    /// Documents with a wrong verdict in at least one random order, the most frequent first.
    pub errors: Vec<WrongVerdict>,
}

/// Verdicts by kind of page and by site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamGroups {
    /// By kind of page; kinds without documents are left out.
    pub by_kind: Vec<StreamGroup<PageKind>>,
    /// The sites with a wrong verdict, those that lose most originals first; at most 100.
    pub by_site: Vec<StreamGroup<String>>,
}

/// The verdicts on some of the documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamGroup<N> {
    /// The kind of page, or the site.
    pub name: N,
    /// The figures.
    #[serde(flatten)]
    pub figures: StreamFigures,
    /// The number of each outcome in all orders together.
    pub counts: Tally,
}

/// Quality over random orders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StreamQuality {
    /// Each figure over the orders.
    #[serde(flatten)]
    pub figures: StreamFigures<Spread>,
    /// The number of each outcome in all orders together.
    pub counts: Tally,
}

/// Quality in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeOrderQuality {
    /// The figures.
    #[serde(flatten)]
    pub figures: StreamFigures,
    /// Documents that have a time.
    pub documents: usize,
    /// The number of each outcome.
    pub counts: Tally,
}

/// A document with a wrong verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrongVerdict {
    /// Its id.
    pub id: String,
    /// `missed`, `suppressed` (an original called a copy) or `wrong-link`.
    pub kind: &'static str,
    /// The document it was linked to; for a miss, the original of its cluster.
    pub partner: String,
    /// The highest similarity to the partner; for a miss, that of the whole collection.
    pub score: f64,
    /// The number of orders with this error.
    pub orders: usize,
}

/// nrc with one combination of parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridRow {
    /// Words per shingle.
    pub n: usize,
    /// The part of each document that is compared, from its start.
    pub f: f64,
    /// The threshold.
    pub r: f64,
    /// Precision.
    pub precision: Spread,
    /// Recall.
    pub recall: Spread,
    /// F1.
    pub f1: Spread,
}
