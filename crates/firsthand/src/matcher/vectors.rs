//! Vectors: sets with weights, compared by the measure of a rule.

use super::{Scope, Sets, collapse};
use crate::{
    measure::Rule,
    sketch::grouped_key,
    weights::{self, Vector, Weights},
};
use rayon::prelude::*;

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

    /// How alike two vectors are, and whether that reaches the threshold.
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

    /// What they share, and what each has.
    fn compare(self, rule: Rule, a: u32, b: u32) -> (u64, u64, u64) {
        let mass = |set: u32| self.weights.mass(rule.measure, set as usize);
        (weights::shared(rule.measure, self.get(a), self.get(b)), mass(a), mass(b))
    }

    /// Equal vectors become one; those that weigh nothing are left out.
    pub(super) fn collapse(self, scope: Scope<'_>) -> collapse::Collapsed {
        collapse::collapse(&self.elements(), scope)
    }

    /// Vectors as sets: a feature with another weight is another element. Zero does not count.
    fn elements(self) -> Sets {
        let elements: Vec<Vec<u64>> = (0..self.sets.len() as u32)
            .into_par_iter()
            .map(|set| {
                let (features, weights) = self.get(set);
                let weighted = features.iter().zip(weights).filter(|(_, weight)| **weight > 0);
                weighted.map(|(&feature, &weight)| grouped_key(feature, &[weight])).collect()
            })
            .collect();
        elements.into_iter().collect()
    }
}
