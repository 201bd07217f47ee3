//! The documents with wrong verdicts: in how many orders, and with which partner.

use super::{
    run::Run,
    score::{ScoredVerdict, VerdictOutcome},
    stories::Stories,
};
use std::collections::BTreeMap;

/// A document with a wrong verdict.
///
/// ```
/// use firsthand::{Document, Settings};
/// use firsthand::evaluate::{Label, Truth, online::{VerdictOutcome, LabelledStream, mistakes}};
///
/// // Labelled as one story, but they share no words.
/// let documents = [
///     Document::new("a", "The ferry to the island did not sail."),
///     Document::new("b", "Storm keeps boats in harbour."),
/// ];
/// let truth = Truth::clusters(&[1, 1].map(Label::Cluster), []);
/// let stream = LabelledStream { documents: &documents, truth: &truth };
/// let runs = stream.at_random(&Settings::profile("feed")?, 3, 1)?;
/// let mistake = mistakes(&stream.stories(), &runs)[0];
/// assert_eq!((mistake.document, mistake.outcome, mistake.partner), (1, VerdictOutcome::Missed, 0));
/// assert_eq!((mistake.score, mistake.times), (None, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The document, by position.
    pub document: usize,
    /// What went wrong.
    pub outcome: VerdictOutcome,
    /// What it was linked to; for a miss, the original of its cluster.
    pub partner: usize,
    /// The highest similarity to what it was linked to; `None` for a miss.
    pub score: Option<f64>,
    /// The number of orders in which it happened.
    pub times: usize,
}

/// All mistakes of several orders: the most frequent first, then by document and partner.
pub fn mistakes(stories: &Stories, runs: &[Run]) -> Vec<Mistake> {
    let mut all: BTreeMap<(usize, VerdictOutcome, usize), (Option<f64>, usize)> = BTreeMap::new();
    for run in runs {
        for (at, outcome) in run.outcomes.iter().enumerate() {
            let (Some(outcome), Some(cluster)) = (*outcome, stories.cluster(at)) else { continue };
            let original = stories.originals()[cluster as usize];
            let (partner, score) = match (outcome, run.said[at]) {
                (
                    VerdictOutcome::Suppressed | VerdictOutcome::WrongLink,
                    ScoredVerdict::Copy { of, score, .. },
                ) => (of, Some(score)),
                (VerdictOutcome::Missed, _) => (original, None),
                _ => continue,
            };
            let known = all.entry((at, outcome, partner)).or_default();
            let higher = match (known.0, score) {
                (Some(known), Some(score)) => Some(score.max(known)),
                (known, score) => score.or(known),
            };
            *known = (higher, known.1 + 1);
        }
    }
    let mistake = |((document, outcome, partner), (score, times))| Mistake {
        document,
        outcome,
        partner,
        score,
        times,
    };
    let mut all: Vec<Mistake> = all.into_iter().map(mistake).collect();
    all.sort_by_key(|mistake| std::cmp::Reverse(mistake.times));
    all
}
