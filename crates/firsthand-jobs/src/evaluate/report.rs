//! The report of an evaluation as data: `report.json` is this, and tables and pages are made from it.

use super::evidence::SuppressedOriginals;
use crate::labels::LabelSummary;
use firsthand::evaluate::Interval;
use serde::Serialize;

/// The whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvaluationReport {
    /// The version of firsthand.
    pub version: &'static str,
    /// When it was made, RFC 3339.
    pub made: String,
    /// The machine, as far as the system tells.
    pub machine: String,
    /// Worker threads.
    pub threads: usize,
    /// The labels.
    pub labels: LabelSummary,
    /// Each method, in the order asked for.
    pub methods: Vec<MethodReport>,
    /// Each other method against the one with the highest held-out F1.
    pub differences: Vec<F1Difference>,
}

/// Precision, recall and F1 of some stated pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairQuality {
    /// Precision.
    pub precision: Interval,
    /// Recall.
    pub recall: Interval,
    /// F1.
    pub f1: Interval,
    /// Stated pairs whose label is known.
    pub stated: u64,
    /// Of those, the positive ones.
    pub hits: u64,
}

/// One method on the labelled documents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodReport {
    /// The name: a method, `profile:NAME`, or a file of settings or weights.
    pub name: String,
    /// What it does, in one line.
    pub about: String,
    /// Its settings as TOML.
    pub config: String,
    /// The threshold of the settings.
    pub threshold: f64,
    /// The lowest threshold that was measured; the curve starts there.
    pub floor: f64,
    /// The verified pairs at `threshold`.
    pub direct: PairQuality,
    /// The transitive closure of the same pairs.
    pub closure: PairQuality,
    /// The best F1 over all thresholds, which is optimistic, and its threshold.
    pub best: BestAt,
    /// The highest recall at a precision of at least .99, and its threshold; 0 if there is none.
    pub recall_at_99: BestAt,
    /// F1 on one half of the clusters at the threshold that was best on the other half.
    pub held_out: HeldOutQuality,
    /// The quality of the clusters (closure) at `threshold`; none where only pairs are labelled.
    pub clusters: Option<ClusterQuality>,
    /// Quality by threshold, ascending; at most 400 points.
    pub curve: Vec<CurvePoint>,
    /// Time, memory and sizes.
    pub cost: MethodCost,
    /// The originals that it loses, if each cluster keeps its original only; also by kind of page and
    /// by site, with the quality of pairs there.
    pub suppressed: SuppressedOriginals,
    /// The pairs on which it is wrong.
    pub errors: PairErrors,
}

/// A best value and the threshold at which it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BestAt {
    /// The value.
    pub value: Interval,
    /// The threshold; none if no threshold qualifies.
    pub threshold: Option<f64>,
}

/// Five runs in which clusters are split into halves at random.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldOutQuality {
    /// The mean; NaN if there is no second cluster to hold out.
    pub f1: Interval,
    /// Per run, the threshold chosen on one half, and precision, recall and F1 on the other.
    pub runs: Vec<CurvePoint>,
}

/// The agreement of clusters with the labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClusterQuality {
    /// B-cubed precision.
    pub b_cubed_precision: f64,
    /// B-cubed recall.
    pub b_cubed_recall: f64,
    /// B-cubed F1.
    pub b_cubed_f1: f64,
    /// The adjusted Rand index.
    pub ari: f64,
}

/// Quality at one threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The threshold.
    pub threshold: f64,
    /// Precision.
    pub precision: f64,
    /// Recall.
    pub recall: f64,
    /// F1.
    pub f1: f64,
}

/// What a method costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodCost {
    /// Reading and extraction, shared by all methods.
    pub parse_seconds: f64,
    /// Signing.
    pub sign_seconds: f64,
    /// Matching at `threshold`.
    pub match_seconds: f64,
    /// Several thresholds, each with the seconds that matching took.
    pub match_over_threshold: Vec<(f64, f64)>,
    /// Peak resident memory in bytes of a deduplication with these settings in a process of its own.
    pub peak_memory: Option<u64>,
    /// Features of all distinct texts.
    pub signatures: u64,
    /// Pairs compared in full.
    pub verified: u64,
}

/// The pairs on which the method is wrong at `threshold`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairErrors {
    /// Number of false pairs.
    pub false_pairs: u64,
    /// Number of missed positive pairs.
    pub missed_pairs: u64,
    /// The worst of both, alternating: false pairs by descending and missed pairs by ascending score.
    pub worst: Vec<WrongPair>,
}

/// A pair on which a method is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrongPair {
    /// The id of one document.
    pub a: String,
    /// The id of the other.
    pub b: String,
    /// `true` for a false pair, `false` for a missed one.
    pub stated: bool,
    /// Its score by the measure of the method.
    pub score: f64,
}

/// F1 of the best method minus F1 of another, paired over the same bootstrap draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct F1Difference {
    /// The name of the best method.
    pub best: String,
    /// The name of the other method.
    pub other: String,
    /// Of the best F1 over thresholds.
    pub max_f1: Interval,
    /// Of F1 at the methods' own thresholds.
    pub f1: Interval,
}
