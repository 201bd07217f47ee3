//! The features of a text before they become a set, with the blocks that they touch.

use crate::hashed::BuildHashed;
use std::collections::HashSet;

/// Features in the order of the text, with repetitions; or a set already, if no block can be set aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextFeatures {
    pub(crate) features: Vec<u64>,
    /// The weight of each feature, if a model weighs them.
    pub(crate) weights: Vec<u32>,
    /// The first and the last block that each feature touches; empty unless blocks may be set aside.
    pub(crate) spans: Vec<(u32, u32)>,
    pub(crate) is_set: bool,
}

impl TextFeatures {
    /// Turns weighed features into a vector: distinct and ascending, each with its weight.
    pub(crate) fn make_vector(&mut self) {
        if self.is_set {
            return;
        }
        let pairs = self.features.iter().copied().zip(self.weights.iter().copied());
        let mut pairs: Vec<(u64, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        (self.features, self.weights) = pairs.into_iter().unzip();
        self.is_set = true;
    }

    /// Makes the features distinct, with the number of their occurrences as weights.
    pub(crate) fn count(&mut self) {
        self.features.sort_unstable();
        let runs = self.features.chunk_by(|a, b| a == b);
        self.weights = runs.map(|run| run.len() as u32).collect();
        self.features.dedup();
        self.is_set = true;
    }

    /// Removes features of weight 0.
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    pub(crate) fn drop_weightless(&mut self) {
        if self.weights.contains(&0) {
            let stays = |at: usize| self.weights[at] > 0;
            retain_places(&mut self.features, stays);
            retain_places(&mut self.spans, stays);
            self.weights.retain(|weight| *weight > 0);
        }
    }

    /// Whether there are enough features; repetitions count in a multi-set only.
    pub(crate) fn has_at_least(&self, least: usize, multiset: bool) -> bool {
        if multiset || self.features.len() < least {
            return self.features.len() >= least;
        }
        let mut distinct: HashSet<u64, BuildHashed> = HashSet::default();
        least == 0
            || self.features.iter().any(|&feature| {
                distinct.insert(feature);
                distinct.len() >= least
            })
    }

    /// Keeps the features all of whose lines stay.
    pub(crate) fn retain_lines(&mut self, stays: impl Iterator<Item = bool>) {
        self.remove_lines(stays.map(|stays| !stays));
        self.spans = Vec::new();
    }

    /// Removes the features that touch a line that goes.
    pub(crate) fn remove_lines(&mut self, goes: impl Iterator<Item = bool>) {
        let untouched = untouched(goes);
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().all(&untouched) {
            self.spans = spans;
            return;
        }
        retain_places(&mut self.features, |at| untouched(&spans[at]));
        retain_places(&mut self.weights, |at| untouched(&spans[at]));
        self.spans = spans.into_iter().filter(untouched).collect();
    }

    /// The features all of whose lines stay.
    pub(crate) fn of_lines(&self, stays: impl Iterator<Item = bool>) -> impl Iterator<Item = u64> {
        let untouched = untouched(stays.map(|stays| !stays));
        let features = self.features.iter().zip(&self.spans);
        features.filter(move |(_, span)| untouched(span)).map(|(feature, _)| *feature)
    }

    /// Keeps some features.
    pub(crate) fn retain_features(&mut self, stays: impl Fn(u64) -> bool) {
        if self.features.iter().all(|feature| stays(*feature)) {
            return;
        }
        let features = std::mem::take(&mut self.features);
        retain_places(&mut self.weights, |at| stays(features[at]));
        self.features = features.into_iter().filter(|feature| stays(*feature)).collect();
    }

    /// Adds the features of another text.
    pub(crate) fn append(&mut self, other: Self) {
        if !other.features.is_empty() {
            self.features.extend(other.features);
            self.weights.extend(other.weights);
            self.is_set = false;
        }
    }
}

/// Whether the lines from one to another all stay.
fn untouched(goes: impl Iterator<Item = bool>) -> impl Fn(&(u32, u32)) -> bool {
    // The number of lines that go before each line.
    let mut before = vec![0u32];
    for goes in goes {
        before.push(before[before.len() - 1] + u32::from(goes));
    }
    move |&(first, last)| before[first as usize] == before[last as usize + 1]
}

/// Keeps the elements at positions for which `stays` holds.
fn retain_places<T>(list: &mut Vec<T>, stays: impl Fn(usize) -> bool) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        stays(at - 1)
    });
}
