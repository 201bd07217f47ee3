//! The outcome of each verdict, and their totals.

use super::stories::Stories;
use crate::evaluate::{counts::Counts, truth::Truth};

/// The verdict on a document.
///
/// ```
/// use firsthand::evaluate::{Label, Truth};
/// use firsthand::evaluate::online::{VerdictOutcome, ScoredVerdict, Stories, outcomes};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// let stories = Stories::new(&truth, &[]);
/// let link = |of| ScoredVerdict::Copy { of, score: 0.9, update: false };
/// let said = [ScoredVerdict::Original, link(0), link(0)];
/// let outcomes = outcomes(&truth, &stories, &[0, 1, 2], &said);
/// assert_eq!(outcomes, [None, Some(VerdictOutcome::Found), Some(VerdictOutcome::Suppressed)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScoredVerdict {
    /// It is an original, or there was no verdict, which counts the same.
    Original,
    /// It is a copy of an earlier document.
    Copy {
        /// Its original, by position.
        of: usize,
        /// Their similarity.
        score: f64,
        /// Whether it was called an update: some figures changed.
        update: bool,
    },
}

/// The outcome of a verdict.
///
/// ```
/// use firsthand::evaluate::online::{VerdictOutcome, Tally};
///
/// // A duplicate that is linked to another cluster: in strict figures it is also a miss.
/// let tally = Tally::new([(VerdictOutcome::Found, 3), (VerdictOutcome::WrongLink, 1)]);
/// assert_eq!((tally.counts().precision(), tally.counts().recall()), (0.75, 1.0));
/// assert_eq!(tally.strict().recall(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerdictOutcome {
    /// A duplicate, linked to an earlier document of its cluster.
    Found,
    /// The same, and called an update.
    FoundAsUpdate,
    /// An original, recognised as one.
    Kept,
    /// An original that was called a copy.
    Suppressed,
    /// A duplicate, linked to a document of another cluster.
    WrongLink,
    /// A duplicate that was called an original.
    Missed,
    /// A link to an unlabelled document, or a pair that counts neither way.
    Unclear,
}

/// The outcome for each document of an order, in this order; `None` for the very first, which
/// cannot be a copy of anything, and for unlabelled documents.
///
/// `said` is indexed by document position. The first document processed of a cluster is its
/// original, whatever the order.
pub fn outcomes(
    truth: &Truth,
    stories: &Stories,
    order: &[usize],
    said: &[ScoredVerdict],
) -> Vec<Option<VerdictOutcome>> {
    let mut is_known = vec![false; stories.originals().len()];
    let mut results = Vec::with_capacity(order.len());
    for (place, &at) in order.iter().enumerate() {
        let outcome = stories.cluster(at).map(|cluster| {
            let is_copy = std::mem::replace(&mut is_known[cluster as usize], true);
            match (said.get(at), is_copy) {
                (Some(&ScoredVerdict::Copy { of, update, .. }), _) => {
                    match (stories.cluster(of) == Some(cluster), truth.label(at, of)) {
                        // None of its cluster had arrived: an original is not a copy of itself
                        // either.
                        (true, _) if !is_copy => VerdictOutcome::Suppressed,
                        (true, _) if update => VerdictOutcome::FoundAsUpdate,
                        (true, _) => VerdictOutcome::Found,
                        (false, Some(_)) if is_copy => VerdictOutcome::WrongLink,
                        (false, Some(_)) => VerdictOutcome::Suppressed,
                        (false, None) => VerdictOutcome::Unclear,
                    }
                }
                (_, true) => VerdictOutcome::Missed,
                (_, false) => VerdictOutcome::Kept,
            }
        });
        results.push(outcome.filter(|_| place > 0));
    }
    results
}

/// The number of times each outcome occurred.
///
/// ```
/// use firsthand::evaluate::online::{VerdictOutcome, Tally};
///
/// let tally = Tally::new([(VerdictOutcome::Found, 3), (VerdictOutcome::Missed, 1)]);
/// assert_eq!(tally.counts().recall(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Duplicates linked to their cluster: true positives.
    pub found: u64,
    /// Those of them called updates.
    pub updates: u64,
    /// Originals recognised as such: true negatives.
    pub kept: u64,
    /// Originals called copies: false positives.
    pub suppressed: u64,
    /// Duplicates linked to another cluster: false positives; in strict figures, false negatives as
    /// well.
    pub wrong_links: u64,
    /// Duplicates called originals: false negatives.
    pub missed: u64,
    /// Links about which nothing is known: they do not count.
    pub unclear: u64,
}

impl Tally {
    /// Counts outcomes, each the given number of times.
    pub fn new(outcomes: impl IntoIterator<Item = (VerdictOutcome, u64)>) -> Self {
        let mut tally = Self::default();
        for (outcome, times) in outcomes {
            let count = match outcome {
                VerdictOutcome::Found => &mut tally.found,
                VerdictOutcome::FoundAsUpdate => {
                    tally.updates += times;
                    &mut tally.found
                }
                VerdictOutcome::Kept => &mut tally.kept,
                VerdictOutcome::Suppressed => &mut tally.suppressed,
                VerdictOutcome::WrongLink => &mut tally.wrong_links,
                VerdictOutcome::Missed => &mut tally.missed,
                VerdictOutcome::Unclear => &mut tally.unclear,
            };
            *count += times;
        }
        tally
    }

    /// The counts as defined in the paper.
    pub fn counts(&self) -> Counts {
        let stated = self.found + self.suppressed + self.wrong_links;
        Counts { stated, hits: self.found, positives: self.found + self.missed }
    }

    /// The strict counts: a wrong link counts as both errors.
    pub fn strict(&self) -> Counts {
        let counts = self.counts();
        Counts { positives: counts.positives + self.wrong_links, ..counts }
    }

    /// Originals called copies, per 10,000.
    pub fn suppressed_of_10_000(&self) -> f64 {
        let originals = self.kept + self.suppressed;
        if originals == 0 { 0.0 } else { self.suppressed as f64 * 1e4 / originals as f64 }
    }
}
