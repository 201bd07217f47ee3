//! What an evaluation says, as data: `report.json` is this, and table, CSV and page are made of it.

use serde::Serialize;

/// The whole report.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EvaluationReport {
    /// The version of firsthand.
    pub(crate) version: &'static str,
    /// When it was made, RFC 3339.
    pub(crate) made: String,
    /// The machine, as far as it says what it is.
    pub(crate) machine: String,
    /// Worker threads.
    pub(crate) threads: usize,
    pub(crate) labels: Labels,
    /// A row for each method, in the order asked for.
    pub(crate) methods: Vec<Method>,
    /// Each other method against the one with the highest held-out F1.
    pub(crate) differences: Vec<Difference>,
}

/// What was labelled, and how labels are read.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Labels {
    /// The inputs as named by the user.
    pub(crate) inputs: Vec<String>,
    pub(crate) documents: usize,
    /// Documents that take part in scoring.
    pub(crate) counted: usize,
    /// Clusters with at least two counted documents.
    pub(crate) clusters: usize,
    pub(crate) positive_pairs: u64,
    /// Pairs that count neither for nor against a method.
    pub(crate) ignored_pairs: u64,
    /// The rule in plain words: what is positive, what is negative, what is ignored.
    pub(crate) rule: String,
    /// Cluster size and how many clusters have it, ascending.
    pub(crate) cluster_sizes: Vec<(usize, usize)>,
    /// What else a reader should know about the labels, a sentence each.
    pub(crate) notes: Vec<String>,
}

/// A value with its 95 % interval by bootstrap over clusters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Interval {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Precision, recall and F1 of some stated pairs.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Quality {
    pub(crate) precision: Interval,
    pub(crate) recall: Interval,
    pub(crate) f1: Interval,
    /// Stated pairs that count.
    pub(crate) stated: u64,
    /// Of those, the positive ones.
    pub(crate) hits: u64,
}

/// One method on the labelled documents.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Method {
    /// The name it was asked for by: a method, `profile:NAME`, or a config file.
    pub(crate) name: String,
    /// What it does, in one line.
    pub(crate) about: String,
    /// Its settings, as TOML.
    pub(crate) config: String,
    pub(crate) threshold: f64,
    /// The lowest threshold that was looked at; the curve starts there.
    pub(crate) floor: f64,
    /// Verified pairs, directly, at `threshold`.
    pub(crate) direct: Quality,
    /// The transitive closure of the same pairs.
    pub(crate) closure: Quality,
    /// The best F1 over all thresholds, which is optimistic, and where it is.
    pub(crate) best: Best,
    /// The highest recall at a precision of at least .99, and where it is; zero if never.
    pub(crate) recall_at_99: Best,
    /// F1 on the other half at the threshold that was best on one half.
    pub(crate) held_out: HeldOut,
    /// Of the clusters (closure) at `threshold`; none where only pairs are labelled.
    pub(crate) clusters: Option<ClusterQuality>,
    /// Over thresholds, ascending; at most a few hundred points.
    pub(crate) curve: Vec<Point>,
    pub(crate) cost: Cost,
    pub(crate) errors: Errors,
}

/// A best value and the threshold at which it is reached.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Best {
    pub(crate) value: Interval,
    pub(crate) threshold: Option<f64>,
}

/// Five runs: clusters split in half at random, none on both sides.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HeldOut {
    /// The mean; null where there is no second cluster to hold out.
    pub(crate) f1: Interval,
    /// Per run: the threshold chosen on the training half, and precision, recall, F1 on the other.
    pub(crate) runs: Vec<Point>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ClusterQuality {
    pub(crate) b_cubed_precision: f64,
    pub(crate) b_cubed_recall: f64,
    pub(crate) b_cubed_f1: f64,
    /// The adjusted Rand index.
    pub(crate) ari: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) threshold: f64,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
}

/// What a method takes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cost {
    /// Reading and extracting, shared by all methods.
    pub(crate) parse_seconds: f64,
    pub(crate) sign_seconds: f64,
    /// Matching at `threshold`.
    pub(crate) match_seconds: f64,
    /// Matching at several thresholds: threshold, seconds.
    pub(crate) match_over_threshold: Vec<(f64, f64)>,
    /// Peak resident memory of a whole `dedup` run with these settings, in a process of its own.
    pub(crate) peak_memory: Option<u64>,
    /// Features of all different texts together.
    pub(crate) signatures: u64,
    /// Pairs that were compared in full.
    pub(crate) verified: u64,
}

/// The pairs on which the method is wrong at `threshold`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Errors {
    /// How many false pairs there are in all.
    pub(crate) false_pairs: u64,
    /// How many positive pairs were missed in all.
    pub(crate) missed_pairs: u64,
    /// The worst of both: false pairs from the highest score on, missed pairs from the lowest on,
    /// in turns.
    pub(crate) worst: Vec<Wrong>,
}

/// A pair on which a method is wrong.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Wrong {
    pub(crate) a: String,
    pub(crate) b: String,
    /// `true` for a false pair, `false` for a missed one.
    pub(crate) stated: bool,
    /// Its score by the measure of the method, whether stated or not.
    pub(crate) score: f64,
}

/// F1 of the best method minus F1 of another, paired over the same bootstrap draws.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Difference {
    pub(crate) best: String,
    pub(crate) other: String,
    /// Of the best F1 over thresholds.
    pub(crate) max_f1: Interval,
    /// Of F1 at the methods' own thresholds.
    pub(crate) f1: Interval,
}
