//! What the labels of a collection amount to, as it is written into reports.

use firsthand::evaluate::Truth;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is labelled, and how the labels are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelSummary {
    /// The inputs as the caller named them.
    pub inputs: Vec<String>,
    /// Documents that were read.
    pub documents: usize,
    /// Documents that take part in scoring.
    pub counted: usize,
    /// Clusters with at least two counted documents.
    pub clusters: usize,
    /// Pairs of near-duplicates.
    pub positive_pairs: u64,
    /// Pairs that count neither for nor against a method.
    pub ignored_pairs: u64,
    /// The rule in plain words: which pairs are positive, negative and ignored.
    pub rule: String,
    /// Each cluster size with the number of clusters that have it, ascending.
    pub cluster_sizes: Vec<(usize, usize)>,
    /// What else a reader should know about the labels, one sentence each.
    pub notes: Vec<String>,
}

impl LabelSummary {
    pub(super) fn new(
        truth: &Truth,
        inputs: Vec<String>,
        rule: String,
        notes: Vec<String>,
    ) -> Self {
        let clusters = truth.clusters_first();
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for &size in &truth.sizes()[..clusters] {
            *sizes.entry(size as usize).or_default() += 1;
        }
        Self {
            inputs,
            documents: truth.documents(),
            counted: truth.counted(),
            clusters,
            positive_pairs: truth.positives(),
            ignored_pairs: truth.ignored(),
            rule,
            cluster_sizes: sizes.into_iter().collect(),
            notes,
        }
    }
}
