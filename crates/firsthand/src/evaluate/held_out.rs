//! The honest figure: a threshold chosen on one half of the labels, scored on the other.

use super::{
    counts::{Counts, Goal},
    sample::Sample,
    scored::Scored,
    truth::Truth,
};

/// One run: the threshold of one half, and what it is worth on either.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The threshold chosen on the training half; none if the goal was out of reach there, so that
    /// nothing is stated on the other.
    pub threshold: Option<f64>,
    /// On the half it was chosen on.
    pub train: Counts,
    /// On the other half.
    pub test: Counts,
    /// The other half.
    pub half: Sample,
}

/// Above every score.
const NOTHING: f64 = f64::INFINITY;

impl Trial {
    /// What the threshold is worth on part of the other half.
    pub fn on(&self, scored: &Scored, sample: &Sample) -> Counts {
        scored.at(sample, self.threshold.unwrap_or(NOTHING))
    }
}

/// Some runs, each with a split of its own; no cluster is ever on both sides. Without a second unit
/// that has positive pairs there is no run at all.
pub fn held_out(truth: &Truth, scored: &Scored, goal: Goal, runs: usize, seed: u64) -> Vec<Trial> {
    (0..runs as u64)
        .filter_map(|run| {
            let (learn, half) = Sample::halves(truth, seed, run)?;
            let threshold = scored.choose(&learn, goal).map(|best| best.middle());
            let at = threshold.unwrap_or(NOTHING);
            let (train, test) = (scored.at(&learn, at), scored.at(&half, at));
            Some(Trial { threshold, train, test, half })
        })
        .collect()
}
