//! What an evaluation of a stream says, as data: `report.json` is this, and table, CSV and page are
//! made of it.

use crate::eval::report::{Interval, Labels};
use firsthand::evaluate::online::{Figures, Tally};
use firsthand::guard::Change;
use serde::Serialize;

/// The whole report.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StreamEvaluation {
    /// The version of firsthand.
    pub(super) version: &'static str,
    /// When it was made, RFC 3339.
    pub(super) made: String,
    /// The machine, as far as it says what it is.
    pub(super) machine: String,
    /// Worker threads.
    pub(super) threads: usize,
    /// The rules in plain words.
    pub(super) scoring: &'static str,
    /// Random orders.
    pub(super) orders: usize,
    /// What they follow from.
    pub(super) seed: u64,
    pub(super) labels: Labels,
    /// A row for each method, in the order asked for.
    pub(super) methods: Vec<Method>,
    /// nrc over its parameters; empty if it was not asked for.
    pub(super) grid: Vec<GridRow>,
}

/// One method on the stream.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Method {
    /// The name it was asked for by.
    pub(super) name: String,
    /// What it does, in one line.
    pub(super) about: String,
    /// What has to be typed for its settings.
    #[serde(skip)]
    pub(super) flags: String,
    /// Its settings, as TOML.
    pub(super) config: String,
    pub(super) threshold: f64,
    /// Whether it looks back for some time only, which random orders do not heed.
    pub(super) window: bool,
    /// Over random orders.
    pub(super) random: Quality,
    /// In the order of time; none if documents have no times.
    pub(super) time: Option<Timed>,
    /// Its number guard; none without one.
    pub(super) guard: Option<Guard>,
    /// Seconds for all random orders together, signing included, on all threads.
    pub(super) seconds: f64,
    /// Documents it was wrong about in some random order, the most frequent first.
    pub(super) errors: Vec<Wrong>,
}

/// Figures over random orders.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Quality {
    pub(super) precision: Spread,
    pub(super) recall: Spread,
    pub(super) f1: Spread,
    /// A duplicate with a wrong link counts as missed, too.
    pub(super) strict_recall: Spread,
    pub(super) strict_f1: Spread,
    /// Originals called copies, of 10,000.
    pub(super) suppressed_of_10_000: Spread,
    /// All orders together.
    pub(super) counts: Counts,
}

/// A figure over orders: the mean with its 95 % interval, the worst and the best order, and the 95 %
/// interval by bootstrap over clusters, all orders together.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) over_clusters: Interval,
}

/// How often there was each outcome.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Counts {
    /// Duplicates linked to their cluster: true positives.
    pub(super) found: u64,
    /// Of these, those called updates.
    pub(super) updates: u64,
    /// Originals called so: true negatives.
    pub(super) kept: u64,
    /// Originals called copies: false positives.
    pub(super) suppressed: u64,
    /// Duplicates linked to another cluster: false positives.
    pub(super) wrong_links: u64,
    /// Duplicates called originals: false negatives.
    pub(super) missed: u64,
    /// Links of which the labels say nothing: not counted.
    pub(super) unclear: u64,
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Self {
        let Tally { found, updates, kept, suppressed, wrong_links, missed, unclear } = tally;
        Self { found, updates, kept, suppressed, wrong_links, missed, unclear }
    }
}

/// Figures in the order of time.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Timed {
    pub(super) precision: f64,
    pub(super) recall: f64,
    pub(super) f1: f64,
    pub(super) strict_recall: f64,
    pub(super) strict_f1: f64,
    pub(super) suppressed_of_10_000: f64,
    /// Documents that have a time.
    pub(super) documents: usize,
    pub(super) counts: Counts,
}

impl Timed {
    pub(super) fn new(figures: &Figures, tally: Tally, documents: usize) -> Self {
        Self {
            precision: figures.precision,
            recall: figures.recall,
            f1: figures.f1,
            strict_recall: figures.strict_recall,
            strict_f1: figures.strict_f1,
            suppressed_of_10_000: figures.suppressed_of_10_000,
            documents,
            counts: tally.into(),
        }
    }
}

/// The number guard on texts with one figure changed, and on texts with other furniture.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Guard {
    /// Texts with one figure changed.
    pub(super) changed: u64,
    /// Of these, those called updates.
    pub(super) caught: u64,
    /// Of these, those called duplicates: nobody would see the new figure.
    pub(super) hidden: u64,
    pub(super) recall: Option<f64>,
    /// Texts with other furniture.
    pub(super) furniture: u64,
    /// Of these, those called updates.
    pub(super) false_updates: u64,
    /// Of these, those called originals.
    pub(super) unlinked: u64,
    pub(super) false_rate: Option<f64>,
    /// Where it went wrong, some of each kind.
    pub(super) slips: Vec<Slip>,
}

/// A text that the guard was wrong about.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Slip {
    /// The document it was made of.
    pub(super) id: String,
    /// What it was called.
    pub(super) verdict: firsthand::online::Verdict,
    /// The figure that was changed; none if it was furniture.
    pub(super) made: Option<Change>,
    /// The figures that were taken to have changed.
    pub(super) found: Vec<Change>,
}

/// A document that verdicts were wrong about.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Wrong {
    pub(super) id: String,
    /// `missed`, `suppressed` (an original called a copy) or `wrong-link`.
    pub(super) kind: &'static str,
    /// What it was linked to; of a miss, the original of its cluster.
    pub(super) partner: String,
    /// How similar it is to that, at most; of a miss, as batch measures it.
    pub(super) score: f64,
    /// In how many orders.
    pub(super) orders: usize,
}

/// nrc with some parameters.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GridRow {
    pub(super) n: usize,
    pub(super) f: f64,
    pub(super) r: f64,
    pub(super) precision: Spread,
    pub(super) recall: Spread,
    pub(super) f1: Spread,
}
