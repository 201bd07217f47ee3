//! Precision, recall and F1, and the goal a threshold is chosen for.

/// Counts of pairs: reported, correct, and to be found.
///
/// ```
/// use firsthand::evaluate::Counts;
///
/// let counts = Counts { stated: 10, hits: 8, positives: 16 };
/// assert_eq!((counts.precision(), counts.recall()), (0.8, 0.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reported pairs that count.
    pub stated: u64,
    /// The positive ones among them.
    pub hits: u64,
    /// All positive pairs.
    pub positives: u64,
}

impl Counts {
    /// The share of reported pairs that are positive; 1 if nothing is reported.
    pub fn precision(&self) -> f64 {
        share(self.hits, self.stated)
    }

    /// The share of positive pairs that are reported; 1 if there are none.
    pub fn recall(&self) -> f64 {
        share(self.hits, self.positives)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        let sum = precision + recall;
        if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

/// What a threshold is chosen for.
///
/// ```
/// use firsthand::evaluate::{Counts, Goal};
///
/// let counts = Counts { stated: 10, hits: 8, positives: 16 };
/// assert_eq!(Goal::Recall { precision: 0.9 }.value(&counts), None);
/// assert_eq!(Goal::Recall { precision: 0.7 }.value(&counts), Some(0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The highest F1.
    F1,
    /// The highest recall with at least this precision.
    Recall {
        /// The least precision.
        precision: f64,
    },
    /// The highest precision with at least this recall.
    Precision {
        /// The least recall.
        recall: f64,
    },
}

impl Goal {
    /// The value of the goal; `None` if its condition does not hold.
    pub fn value(self, counts: &Counts) -> Option<f64> {
        match self {
            Self::F1 => Some(counts.f1()),
            Self::Recall { precision } => {
                (counts.precision() >= precision).then(|| counts.recall())
            }
            Self::Precision { recall } => (counts.recall() >= recall).then(|| counts.precision()),
        }
    }

    /// Whether reporting further pairs cannot beat `best`, even if all missing positives were among
    /// them. This ends a pass over scored pairs long before the bulk of low scores.
    pub(super) fn is_out_of_reach(self, counts: &Counts, best: Option<f64>) -> bool {
        let (stated, positives) = (counts.stated as f64, counts.positives as f64);
        let beaten = |bound: f64| best.is_some_and(|best| bound < best);
        match self {
            Self::F1 => beaten(2.0 * positives / (stated + positives).max(1.0)),
            Self::Recall { precision } => stated > 0.0 && positives / stated < precision,
            Self::Precision { .. } => stated > 0.0 && beaten(positives / stated),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_reach_is_never_reached() {
        let goals = [0.3, 0.5, 0.75, 0.99].map(|share| {
            [Goal::F1, Goal::Recall { precision: share }, Goal::Precision { recall: share }]
        });
        let mut stopped = [0; 3];
        for (goal, best) in goals.concat().into_iter().flat_map(|goal| {
            [None, Some(0.2), Some(0.5), Some(0.8), Some(0.95)].map(|best| (goal, best))
        }) {
            for (positives, stated) in (1..=6).flat_map(|p| (0..=14).map(move |s| (p, s))) {
                for hits in 0..=stated.min(positives) {
                    if !goal.is_out_of_reach(&Counts { stated, hits, positives }, best) {
                        continue;
                    }
                    let kind = match goal {
                        Goal::F1 => 0,
                        Goal::Recall { .. } => 1,
                        Goal::Precision { .. } => 2,
                    };
                    stopped[kind] += 1;
                    for (more, wrong) in
                        (0..=positives - hits).flat_map(|m| (0..6).map(move |w| (m, w)))
                    {
                        let (stated, hits) = (stated + more + wrong, hits + more);
                        let later = goal.value(&Counts { stated, hits, positives });
                        let beaten = later.is_some_and(|later| best.is_none_or(|b| later > b));
                        assert!(!beaten, "{goal:?} {best:?} {stated} {hits} {positives}");
                    }
                }
            }
        }
        assert!(stopped.iter().all(|&times| times > 100), "{stopped:?}");
    }
}
