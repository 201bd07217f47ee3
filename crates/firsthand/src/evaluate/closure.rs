//! The groups that reported pairs form, counted without listing their pairs.

use super::{
    agreement::Agreement, counts::Counts, sample::Sample, truth::Truth, union_find::UnionFind,
};
use crate::pairs::Match;

/// The transitive closure of reported pairs.
///
/// ```
/// use firsthand::collections::Match;
/// use firsthand::evaluate::{Closure, Label, Sample, Truth};
///
/// let truth = Truth::clusters(&[1, 1, 1].map(Label::Cluster), []);
/// let chain = [(0, 1), (1, 2)].map(|(a, b)| Match { a, b, score: 0.9, exact: false });
/// assert_eq!(Closure::new(&truth, chain).counts(&Sample::whole(&truth)).hits, 3);
/// ```
///
/// Where clusters are labelled, only labelled documents are joined. Where pairs are, all documents
/// are: a chain may pass through an unlabelled one.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Per group of two documents or more: its units, and the number of documents of each.
    groups: Vec<Vec<(u32, u32)>>,
    /// Ignored pairs within a group, by their units.
    ignored: Vec<(u32, u32)>,
    /// Where only pairs are labelled: those within a group, by their unit, and whether positive.
    labelled: Vec<(u32, bool)>,
}

impl Closure {
    /// Joins all pairs.
    pub fn new(truth: &Truth, pairs: impl IntoIterator<Item = Match>) -> Self {
        let mut joined = UnionFind::new(truth.documents());
        let takes_part = |at: usize| {
            if truth.is_closed() { truth.unit(at).is_some() } else { at < truth.documents() }
        };
        for pair in pairs {
            if takes_part(pair.a) && takes_part(pair.b) {
                joined.join(pair.a, pair.b);
            }
        }
        // Where only pairs are labelled, the pairs are counted, not the groups.
        let documents = if truth.is_closed() { 0..truth.documents() } else { 0..0 };
        let mut places: Vec<(u32, u32)> =
            documents.filter_map(|at| Some((joined.root(at), truth.unit(at)?))).collect();
        places.sort_unstable();
        let groups = places.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        let units = |group: &[(u32, u32)]| {
            let units = group.chunk_by(|a, b| a.1 == b.1);
            units.map(|unit| (unit[0].1, unit.len() as u32)).collect()
        };
        let groups = groups.map(units).collect();
        let mut within = |a: usize, b: usize| joined.root(a) == joined.root(b);
        let ignored = truth.ignored_pairs().filter(|&(a, b)| within(a, b));
        let ignored = ignored.filter_map(|(a, b)| truth.unit(a).zip(truth.unit(b))).collect();
        let labelled = truth.labelled_pairs().filter(|&(a, b, _)| within(a, b));
        let labelled =
            labelled.filter_map(|(a, _, positive)| Some((truth.unit(a)?, positive))).collect();
        Self { groups, ignored, labelled }
    }

    /// Counts all pairs within groups.
    pub fn counts(&self, sample: &Sample) -> Counts {
        let mut counts = Counts { positives: sample.positives(), ..Counts::default() };
        for group in &self.groups {
            let (mut all, mut squares) = (0, 0);
            for &(unit, documents) in group {
                let (times, documents) = (sample.unit(unit), u64::from(documents));
                counts.hits += times * (documents * (documents - 1) / 2);
                all += times * documents;
                squares += (times * documents).pow(2);
            }
            // Pairs of different units: the square without its diagonal, halved.
            counts.stated += (all * all - squares) / 2;
        }
        counts.stated += counts.hits;
        counts.stated -= self.ignored.iter().map(|&(a, b)| sample.pair(a, b)).sum::<u64>();
        for &(unit, positive) in &self.labelled {
            counts.stated += sample.unit(unit);
            counts.hits += if positive { sample.unit(unit) } else { 0 };
        }
        counts
    }

    /// How well the groups agree with the labelled clusters; `None` where only pairs are labelled.
    pub fn agreement(&self, truth: &Truth) -> Option<Agreement> {
        truth.is_closed().then(|| Agreement::new(&self.groups, truth))
    }
}
