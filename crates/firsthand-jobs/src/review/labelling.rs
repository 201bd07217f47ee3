//! Pairs around the threshold for a person to label, and how precise the results turn out to be.

use super::Review;
use super::record::MemberRecord;
use crate::decisions::Grade;
use serde::Serialize;
use std::sync::{Arc, PoisonError};

/// The most pairs that are offered.
const PAIRS: usize = 200;

/// A pair to label.
#[derive(Clone, Debug)]
pub struct LabelPair {
    /// One document.
    pub a: MemberRecord,
    /// The other.
    pub b: MemberRecord,
    /// Their similarity, which is shown once there is an answer.
    pub score: f64,
}

/// The pairs that are offered, and as of when.
pub(super) struct Sample {
    pairs: Arc<[LabelPair]>,
    /// Whether texts were searched for them.
    searched: bool,
    /// See [`changes`](super::Reviewable::changes).
    changes: u64,
}

/// How labelling goes.
#[derive(Clone, Debug, Serialize)]
pub struct Labelling {
    /// The number of pairs that are offered.
    pub pairs: usize,
    /// The number of pairs that were answered with yes or no, or left open.
    pub answered: usize,
    /// How many of the pairs at or above the threshold are copies.
    pub precision: Option<Precision>,
    /// The number of pairs below the threshold that are copies nevertheless.
    pub missed: usize,
    /// Whether texts were searched for pairs; otherwise there are only those of clusters, at or above the
    /// threshold.
    pub searched: bool,
}

/// A share with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Precision {
    /// The pairs that are copies.
    pub yes: usize,
    /// The pairs that were answered with yes or no.
    pub of: usize,
    /// The lower end of the 95 % interval, after Wilson.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Precision {
    /// The share of successes, with the interval of Wilson.
    pub fn new(yes: usize, of: usize) -> Option<Self> {
        if of == 0 {
            return None;
        }
        let (n, p, z) = (of as f64, yes as f64 / of as f64, 1.959_964);
        let middle = p + z * z / (2.0 * n);
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        let (low, high) = ((middle - spread) / scale, (middle + spread) / scale);
        Some(Self { yes, of, low: low.max(0.0), high: high.min(1.0) })
    }

    /// The share.
    pub fn value(&self) -> f64 {
        self.yes as f64 / self.of as f64
    }
}

impl Review {
    /// The pairs to label, in the order in which they should be: spread over scores around the threshold
    /// where texts can be searched again, or else members with the lowest scores. Where documents still
    /// arrive, they are looked for anew once all are answered.
    pub fn label_pairs(&self) -> Arc<[LabelPair]> {
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = self.material.changes();
        if let Some(known) = &*sample
            && (known.changes == changes || self.first_open(&known.pairs).is_some())
        {
            return Arc::clone(&known.pairs);
        }
        let found = self.material.pairs_to_label(PAIRS);
        let searched = found.is_some();
        let pairs: Arc<[LabelPair]> = found.unwrap_or_else(|| self.of_results()).into();
        *sample = Some(Sample { pairs: Arc::clone(&pairs), searched, changes });
        pairs
    }

    /// The position of the first pair that has no answer yet.
    fn first_open(&self, pairs: &[LabelPair]) -> Option<usize> {
        self.with_standing(|standing, _| {
            let labels = standing.labels();
            pairs.iter().position(|LabelPair { a, b, .. }| {
                let (one, other) = (a.id.clone(), b.id.clone());
                !labels.contains_key(&(one.clone(), other.clone()))
                    && !labels.contains_key(&(other, one))
            })
        })
    }

    /// The least certain member of each of the least certain clusters.
    fn of_results(&self) -> Vec<LabelPair> {
        let query = super::Query {
            sort: super::Sort::LeastCertain,
            limit: Some(PAIRS),
            ..super::Query::default()
        };
        let rows = self.list(&query).rows;
        let pair = |row: &super::ClusterRow| {
            let record = self.material.cluster(row).ok()?;
            let original = record.members.first()?;
            let least = record.members.iter().skip(1).filter(|one| one.via.is_none());
            let least = least.min_by(|a, b| a.score.total_cmp(&b.score))?;
            Some(LabelPair { a: original.clone(), b: least.clone(), score: least.score })
        };
        rows.iter().filter_map(pair).collect()
    }

    /// The first pair that has no answer yet, and its number from 1.
    pub fn next_to_label(&self) -> Option<(usize, LabelPair)> {
        let pairs = self.label_pairs();
        let at = self.first_open(&pairs)?;
        Some((at + 1, pairs[at].clone()))
    }

    /// How labelling goes.
    pub fn labelling(&self) -> Labelling {
        let pairs = self.label_pairs();
        let sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        let searched = sample.as_ref().is_some_and(|sample| sample.searched);
        drop(sample);
        let threshold = self.settings().threshold.value();
        self.with_standing(|standing, _| {
            let labels = standing.labels();
            let graded = |grade: Grade, above: bool| {
                let is_wanted = |(known, score): &&(Grade, Option<f64>)| {
                    *known == grade && (score.unwrap_or(1.0) >= threshold) == above
                };
                labels.values().filter(is_wanted).count()
            };
            let (yes, no) = (graded(Grade::Yes, true), graded(Grade::No, true));
            Labelling {
                pairs: pairs.len(),
                answered: labels.len(),
                precision: Precision::new(yes, yes + no),
                missed: graded(Grade::Yes, false),
                searched,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_wilson() {
        assert_eq!(Precision::new(0, 0), None);
        let all = Precision::new(10, 10).unwrap();
        assert!((all.low - 0.7225).abs() < 1e-3 && all.high > 0.999_999, "{all:?}");
        let half = Precision::new(50, 100).unwrap();
        assert!((half.low - 0.4038).abs() < 1e-3 && (half.high - 0.5962).abs() < 1e-3);
    }
}
