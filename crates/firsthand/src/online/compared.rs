//! What a document is compared by: features, each with a weight where a model weighs them.

use crate::{
    matcher,
    measure::Rule,
    weights::{mass, reaches, score, shared},
};

/// What a document is compared by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Compared {
    /// Ascending.
    pub(super) features: Vec<u64>,
    /// The weight of each; none without a model.
    pub(super) weights: Vec<u32>,
}

impl Compared {
    /// How many features there are.
    pub(super) fn len(&self) -> usize {
        self.features.len()
    }

    /// The similarity with another, if it reaches the threshold, or where that is not enough, is
    /// above it.
    pub(super) fn similarity(&self, rule: Rule, other: &Self, above: bool) -> Option<f64> {
        if self.weights.is_empty() {
            return self.similarity_of_sets(rule, other, above);
        }
        let common = shared(
            rule.measure,
            (&self.features, &self.weights),
            (&other.features, &other.weights),
        );
        let (x, y) = (mass(rule.measure, &self.weights), mass(rule.measure, &other.weights));
        reaches(rule, common, x, y).then(|| score(rule.measure, common, x, y))
    }

    fn similarity_of_sets(&self, rule: Rule, other: &Self, above: bool) -> Option<f64> {
        let (x, y) = (self.len() as u64, other.len() as u64);
        if x == 0 || y == 0 {
            return None;
        }
        let least = rule.least_overlap(x, y).max(1) as usize;
        let overlap = matcher::overlap_at_least(&self.features, &other.features, least)? as u64;
        let enough = !above || rule.exceeds(overlap, x, y);
        enough.then(|| rule.measure.score(overlap, x, y))
    }
}
