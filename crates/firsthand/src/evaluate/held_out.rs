//! Held-out figures: a threshold chosen on one half of the labels, evaluated on the other.

use super::{
    counts::{Counts, Goal},
    sample::Sample,
    scored::Scored,
    truth::Truth,
};

/// One run: the threshold chosen on one half, and its counts on both.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Goal, Label, Scored, Truth, held_out};
///
/// let truth = Truth::clusters(&[1, 1, 2, 2].map(Label::Cluster), []);
/// let pairs = [(0, 1, 0.9), (2, 3, 0.8)];
/// let pairs = pairs.map(|(a, b, score)| Match { a, b, score, exact: false });
/// let scored = Scored::new(&truth, pairs, 0.2);
/// for trial in held_out(&truth, &scored, Goal::F1, 5, 1) {
///     // Each half has one cluster: the threshold of one finds the other.
///     assert_eq!((trial.train.positives, trial.test.positives), (1, 1));
///     assert_eq!(trial.test.recall(), 1.0);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Trial {
    /// The threshold chosen on the training half; `None` if the goal was out of reach there, so
    /// that nothing is reported on the other.
    pub threshold: Option<f64>,
    /// The counts on the half it was chosen on.
    pub train: Counts,
    /// The counts on the other half.
    pub test: Counts,
    /// The other half.
    pub half: Sample,
}

/// Above every score.
const NOTHING: f64 = f64::INFINITY;

impl Trial {
    /// The counts at the threshold on part of the other half.
    pub fn on(&self, scored: &Scored, sample: &Sample) -> Counts {
        scored.at(sample, self.threshold.unwrap_or(NOTHING))
    }
}

/// Several runs, each with its own split; no cluster is ever on both sides. There are none unless
/// two units have positive pairs.
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
