//! The report on verdicts on a stream as data: `report.json` is this, and tables and pages are made
//! from it.

use crate::labels::LabelSummary;
use firsthand::evaluate::Interval;
use firsthand::evaluate::online::{Figures, Tally};
use firsthand::guard::Change;
use firsthand::online::Verdict;
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
    pub guard: Option<GuardReport>,
    /// Seconds for all random orders together, signing included, on all threads.
    pub seconds: f64,
    /// Documents with a wrong verdict in at least one random order, the most frequent first.
    pub errors: Vec<WrongVerdict>,
}

/// Figures over random orders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StreamQuality {
    /// Precision.
    pub precision: FigureSpread,
    /// Recall.
    pub recall: FigureSpread,
    /// F1.
    pub f1: FigureSpread,
    /// Recall if a duplicate with a wrong link counts as missed as well.
    pub strict_recall: FigureSpread,
    /// F1 with that recall.
    pub strict_f1: FigureSpread,
    /// Originals called copies, per 10,000 originals.
    pub suppressed_of_10_000: FigureSpread,
    /// The number of each outcome in all orders together.
    pub counts: Tally,
}

/// A figure over random orders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FigureSpread {
    /// The mean.
    pub mean: f64,
    /// The lower end of the 95 % interval of the mean.
    pub low: f64,
    /// The upper end of the 95 % interval of the mean.
    pub high: f64,
    /// The lowest value in any order.
    pub least: f64,
    /// The highest value in any order.
    pub most: f64,
    /// The 95 % interval by bootstrap over clusters, for all orders together.
    pub over_clusters: Interval,
}

/// Quality in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeOrderQuality {
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
    /// Recall if a duplicate with a wrong link counts as missed as well.
    pub strict_recall: f64,
    /// F1 with that recall.
    pub strict_f1: f64,
    /// Originals called copies, per 10,000 originals.
    pub suppressed_of_10_000: f64,
    /// Documents that have a time.
    pub documents: usize,
    /// The number of each outcome.
    pub counts: Tally,
}

impl TimeOrderQuality {
    pub(super) fn new(figures: &Figures, counts: Tally, documents: usize) -> Self {
        Self {
            precision: figures.precision,
            recall: figures.recall,
            f1: figures.f1,
            strict_recall: figures.strict_recall,
            strict_f1: figures.strict_f1,
            suppressed_of_10_000: figures.suppressed_of_10_000,
            documents,
            counts,
        }
    }
}

/// The number guard on texts with one figure changed, and on texts with other page furniture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuardReport {
    /// Texts with one figure changed.
    pub changed: u64,
    /// Of these, those called updates.
    pub caught: u64,
    /// Of these, those called duplicates, which hides the new figure.
    pub hidden: u64,
    /// The share of changed figures that are caught.
    pub recall: Option<f64>,
    /// Texts with other page furniture.
    pub furniture: u64,
    /// Of these, those called updates.
    pub false_updates: u64,
    /// Of these, those called originals.
    pub unlinked: u64,
    /// The share of texts with other page furniture that are called updates.
    pub false_rate: Option<f64>,
    /// Errors, at most 50 of each kind.
    pub slips: Vec<GuardError>,
}

/// A text that the guard was wrong about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuardError {
    /// The document it was made from.
    pub id: String,
    /// The verdict on it.
    pub verdict: Verdict,
    /// The figure that was changed; none if page furniture was changed.
    pub made: Option<Change>,
    /// The figures that the guard took to be changed.
    pub found: Vec<Change>,
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
    pub precision: FigureSpread,
    /// Recall.
    pub recall: FigureSpread,
    /// F1.
    pub f1: FigureSpread,
}
