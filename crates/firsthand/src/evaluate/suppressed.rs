//! Originals that a collection loses: stories of which nothing is kept.

use super::{online::Stories, truth::Truth};
use crate::clusters::Cluster;
use serde::Serialize;

/// What became of a labelled document.
///
/// ```
/// use firsthand::{Detector, Document, Settings, find_duplicates};
/// use firsthand::evaluate::{Fate, Label, Truth, fates};
///
/// let text = "The ferry to the island did not sail because of the storm.";
/// let documents = ["a", "b", "c"].map(|id| Document::new(id, text));
/// let report = find_duplicates(&Detector::new(Settings::default())?, documents);
/// // By the labels, the last document is not a copy of the others: nothing is kept of it.
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// let fates = fates(&truth, &report.clusters);
/// assert_eq!(fates, [Fate::Kept, Fate::Dropped, Fate::Suppressed { original: 0 }].map(Some));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is kept.
    Kept,
    /// It is dropped, and its story is not lost by that.
    Dropped,
    /// It is dropped, and so is every other document of its story: an original is lost. One document
    /// of such a story is suppressed, the first; the others are dropped.
    Suppressed {
        /// What was kept in its place.
        original: usize,
    },
    /// The same, but in favour of a document with which it shares a good part: the labels do not say
    /// whether that is right.
    Unclear,
}

/// What becomes of every document if each cluster keeps its original only; `None` for documents that
/// do not count.
pub fn fates(truth: &Truth, clusters: &[Cluster]) -> Vec<Option<Fate>> {
    let stories = Stories::new(truth, &[]);
    let mut kept_for: Vec<Option<usize>> = vec![None; truth.documents()];
    for cluster in clusters {
        for member in cluster.members.iter().filter(|one| one.document != cluster.original) {
            if let Some(place) = kept_for.get_mut(member.document) {
                *place = Some(cluster.original);
            }
        }
    }
    let mut is_kept = vec![false; stories.originals().len()];
    // Per story, the first document that is dropped in favour of one that is labelled different.
    let mut wrong: Vec<Option<usize>> = vec![None; is_kept.len()];
    let mut first: Vec<Option<usize>> = vec![None; is_kept.len()];
    for (at, original) in kept_for.iter().enumerate() {
        let Some(story) = stories.cluster(at).map(|story| story as usize) else { continue };
        first[story].get_or_insert(at);
        match *original {
            None => is_kept[story] = true,
            Some(original) if truth.label(at, original) == Some(false) => {
                wrong[story].get_or_insert(at);
            }
            Some(_) => {}
        }
    }
    let fate = |(at, original): (usize, &Option<usize>)| {
        let story = stories.cluster(at)? as usize;
        Some(match *original {
            None => Fate::Kept,
            Some(_) if is_kept[story] => Fate::Dropped,
            Some(original) if wrong[story] == Some(at) => Fate::Suppressed { original },
            Some(_) if wrong[story].is_none() && first[story] == Some(at) => Fate::Unclear,
            Some(_) => Fate::Dropped,
        })
    };
    kept_for.iter().enumerate().map(fate).collect()
}

/// How many originals are lost among some documents.
///
/// ```
/// use firsthand::evaluate::{Fate, Suppressed};
///
/// let mut fates = vec![Fate::Kept; 1_999];
/// fates.push(Fate::Suppressed { original: 0 });
/// let suppressed = Suppressed::new(fates);
/// assert_eq!((suppressed.originals, suppressed.of_10_000), (1, Some(5.0)));
/// // One loss in 2,000 may well be one in 422.
/// assert_eq!(suppressed.at_most_of_10_000.map(f64::round), Some(24.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Suppressed {
    /// Documents that count.
    pub documents: u64,
    /// Those of them that are dropped, rightly or not.
    pub dropped: u64,
    /// Suppressed originals.
    pub originals: u64,
    /// Originals that are dropped in favour of documents with which they share a good part.
    pub unclear: u64,
    /// Suppressed originals per 10,000 documents; `None` without documents.
    pub of_10_000: Option<f64>,
    /// What that rate is at most, with 95 % confidence: few documents prove little.
    pub at_most_of_10_000: Option<f64>,
}

impl Suppressed {
    /// Counts the fates of some documents.
    pub fn new(fates: impl IntoIterator<Item = Fate>) -> Self {
        let mut sum = Self::default();
        for fate in fates {
            sum.documents += 1;
            sum.dropped += u64::from(fate != Fate::Kept);
            sum.originals += u64::from(matches!(fate, Fate::Suppressed { .. }));
            sum.unclear += u64::from(fate == Fate::Unclear);
        }
        let rate = |count: f64| (sum.documents > 0).then(|| count * 1e4 / sum.documents as f64);
        sum.of_10_000 = rate(sum.originals as f64);
        sum.at_most_of_10_000 = rate(poisson_limit(sum.originals)).map(|rate| rate.min(1e4));
        sum
    }
}

/// The mean of the Poisson distribution that gives at most `count` in 5 % of cases.
fn poisson_limit(count: u64) -> f64 {
    // The chance of at most `count`; the terms are sums of logarithms, as large counts underflow.
    let chance = |mean: f64| {
        let mut log = -mean;
        let mut sum = log.exp();
        for k in 1..=count {
            log += (mean / k as f64).ln();
            sum += log.exp();
        }
        sum
    };
    let (mut low, mut high) = (count as f64, 2.0 * count as f64 + 10.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if chance(middle) > 0.05 { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clusters::Member, evaluate::Label};

    fn cluster(original: usize, others: &[usize]) -> Cluster {
        let member = |&document: &usize| Member {
            document,
            score: 0.9,
            exact: false,
            via: None,
            decided: false,
        };
        let members = [original].iter().chain(others).map(member).collect();
        Cluster { original, members }
    }

    fn count(truth: &Truth, clusters: &[Cluster]) -> (u64, u64, u64) {
        let sum = Suppressed::new(fates(truth, clusters).into_iter().flatten());
        (sum.originals, sum.unclear, sum.dropped)
    }

    /// Documents 0 and 1 are copies, 2 and 3 too; 4 and 5 are alone, and 6 is not labelled.
    fn truth(gray: &[(usize, usize)]) -> Truth {
        let labels = [1, 1, 2, 2].map(Label::Cluster).into_iter();
        let labels: Vec<Label> =
            labels.chain([Label::Alone, Label::Alone, Label::Unknown]).collect();
        Truth::clusters(&labels, gray.iter().copied())
    }

    #[test]
    fn a_story_that_is_lost_counts_once() {
        assert_eq!(count(&truth(&[]), &[cluster(0, &[1, 2, 3])]), (1, 0, 3));
        assert_eq!(count(&truth(&[]), &[cluster(0, &[2, 3, 4, 5, 6])]), (3, 0, 4));
    }

    #[test]
    fn nothing_is_lost_while_a_copy_is_kept() {
        assert_eq!(count(&truth(&[]), &[cluster(0, &[1]), cluster(2, &[3])]), (0, 0, 2));
        // 3 is taken for a copy of 0, but 2 is kept.
        assert_eq!(count(&truth(&[]), &[cluster(0, &[1, 3])]), (0, 0, 2));
    }

    #[test]
    fn what_the_labels_leave_open_is_unclear() {
        assert_eq!(count(&truth(&[(0, 4)]), &[cluster(0, &[4])]), (0, 1, 1));
        // One document of the story is labelled different from what is kept.
        assert_eq!(count(&truth(&[(0, 2)]), &[cluster(0, &[2, 3])]), (1, 0, 2));
        // Nothing is known of a document without labels.
        assert_eq!(count(&truth(&[]), &[cluster(6, &[4])]), (0, 1, 1));
    }

    #[test]
    fn fates_agree_with_the_definition() {
        // All ways to drop some of six documents in favour of others.
        let truth = truth(&[(1, 4), (2, 5)]);
        let story = [0, 0, 1, 1, 2, 3];
        for code in 0..7_usize.pow(6) {
            let kept_for: Vec<usize> = (0..6).map(|at| code / 7_usize.pow(at) % 7).collect();
            let is_kept = |at: usize| kept_for[at] == at;
            if kept_for.iter().any(|&to| to < 6 && !is_kept(to)) {
                continue;
            }
            let clusters: Vec<Cluster> = (0..7)
                .map(|to| {
                    let others: Vec<usize> =
                        (0..6).filter(|&at| at != to && kept_for[at] == to).collect();
                    cluster(to, &others)
                })
                .collect();
            let lost = (0..4).filter(|&one| {
                let members = || (0..6).filter(|&at| story[at] == one);
                members().all(|at| !is_kept(at))
                    && members().any(|at| truth.label(at, kept_for[at]) == Some(false))
            });
            assert_eq!(count(&truth, &clusters).0, lost.count() as u64, "{kept_for:?}");
        }
    }

    #[test]
    fn limits_match_published_tables() {
        for (count, limit) in [(0, 2.996), (1, 4.744), (2, 6.296), (10, 16.962), (50, 63.287)] {
            assert!((poisson_limit(count) - limit).abs() < 2e-3, "{count}");
        }
    }
}
