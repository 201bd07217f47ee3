//! Vectors: sets with weights, compared by the measure of a rule.

use super::{
    Scope, Sets,
    collapse::{Collapsed, collapse_by},
};
use crate::{
    measure::Rule,
    weights::{self, Vector, Weights},
};

/// The vectors of a collection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors<'a> {
    pub(crate) sets: &'a Sets,
    /// A weight for each feature of each set.
    pub(crate) weights: &'a Weights,
}

impl<'a> Vectors<'a> {
    pub(crate) fn get(self, set: u32) -> Vector<'a> {
        (self.sets.get(set as usize), self.weights.get(set as usize))
    }

    /// The similarity of two vectors, and whether it reaches the threshold.
    pub(crate) fn likeness(self, rule: Rule, a: u32, b: u32) -> (f64, bool) {
        let (shared, x, y) = self.compare(rule, a, b);
        let score = weights::score(rule.measure, shared, x, y);
        (score, weights::reaches(rule, shared, x, y))
    }

    /// Whether two vectors reach the threshold.
    pub(crate) fn reach(self, rule: Rule, a: u32, b: u32) -> bool {
        let (shared, x, y) = self.compare(rule, a, b);
        weights::reaches(rule, shared, x, y)
    }

    /// What the two share, and the mass of each.
    fn compare(self, rule: Rule, a: u32, b: u32) -> (u64, u64, u64) {
        let mass = |set: u32| self.weights.mass(rule.measure, set as usize);
        (weights::shared(rule.measure, self.get(a), self.get(b)), mass(a), mass(b))
    }

    /// The features with a positive weight, and their weights.
    fn positive(self, set: u32) -> impl Iterator<Item = (u64, u32)> {
        let (features, weights) = self.get(set);
        let pairs = features.iter().copied().zip(weights.iter().copied());
        pairs.filter(|(_, weight)| *weight > 0)
    }

    /// Whether two vectors are equal.
    pub(crate) fn equal(self, a: u32, b: u32) -> bool {
        self.positive(a).eq(self.positive(b))
    }

    /// Equal vectors become one; those without any weight are left out.
    pub(super) fn collapse(self, scope: Scope<'_>) -> Collapsed {
        let digest = |set: u32| {
            let parts = self.positive(set);
            parts.fold(None, |digest: Option<u64>, (feature, weight)| {
                let part = feature ^ u64::from(weight).rotate_right(24);
                let digest = digest.unwrap_or_default() ^ part;
                Some(digest.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29))
            })
        };
        collapse_by(self.sets.len(), scope, digest, |a, b| self.equal(a, b))
    }
}
