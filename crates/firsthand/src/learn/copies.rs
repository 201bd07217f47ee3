//! Whether labelled clusters are clusters of copies at all.
//!
//! A folder per site or per topic looks like a folder per cluster. Its documents are hardly more
//! alike than any others, and weights learned from them would mean nothing.

use super::{LearnError, Trainer, pairs, vectors};
use crate::evaluate::{Random, Sample};

/// Pairs that are compared, at most.
const PAIRS: usize = 500;
/// The least similarity of half of the pairs within clusters, by the weights that learning starts
/// from. Copies share most of their grams; pages of a site without its furniture next to none.
const LEAST: f64 = 0.1;
/// How many times as alike as others these pairs are at least.
const TIMES: f64 = 2.0;

impl Trainer<'_> {
    /// Refuses clusters whose members are hardly more alike than documents of different clusters.
    pub(super) fn check_copies(&self) -> Result<(), LearnError> {
        let sample = Sample::whole(self.truth);
        let positives = pairs::positives(self, &sample)?;
        let model = self.weighed(&vectors::START, &self.tables(&sample))?;
        let collection = self.collection(&self.detector(&model)?);
        let similarity = |&(a, b): &(usize, usize)| collection.similarity(a, b);
        let within: Vec<f64> = positives.iter().take(PAIRS).map(similarity).collect();
        let mut random = Random::new(self.plan.seed, 3);
        let mut drawn = || (random.below(self.documents.len()), random.below(self.documents.len()));
        let others = (0..10 * PAIRS).map(|_| drawn());
        let others = others.filter(|&(a, b)| self.truth.label(a, b) == Some(false)).take(PAIRS);
        let across: Vec<f64> = others.map(|pair| similarity(&pair)).collect();
        let (pairs, within, across) = (within.len(), median(within), median(across));
        if within < LEAST.max(TIMES * across) {
            return Err(LearnError::NotCopies { pairs, within, across });
        }
        Ok(())
    }
}

/// The median, 0 without values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
