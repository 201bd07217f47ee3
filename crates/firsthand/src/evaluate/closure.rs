//! What stated pairs join: groups, counted without ever listing their pairs.

use super::{agreement::Agreement, counts::Counts, joined::Joined, sample::Sample, truth::Truth};
use crate::pairs::Match;
use std::collections::BTreeMap;

/// The transitive closure of stated pairs.
///
/// Where clusters are labelled, only documents that take part are joined. Where pairs are, all are:
/// a chain may lead over a document without labels.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Per group of two documents or more: its units, and how many documents of each it has.
    groups: Vec<Vec<(u32, u32)>>,
    /// Pairs within a group that are ignored, by their units.
    ignored: Vec<(u32, u32)>,
    /// Where only pairs are labelled: those within a group, by their unit, and whether positive.
    labelled: Vec<(u32, bool)>,
}

impl Closure {
    /// Joins all pairs.
    pub fn new(truth: &Truth, pairs: impl IntoIterator<Item = Match>) -> Self {
        let mut joined = Joined::new(truth.documents());
        let takes_part = |at: usize| {
            if truth.is_closed() { truth.unit(at).is_some() } else { at < truth.documents() }
        };
        for pair in pairs {
            if takes_part(pair.a) && takes_part(pair.b) {
                joined.join(pair.a, pair.b);
            }
        }
        let mut groups: BTreeMap<u32, BTreeMap<u32, u32>> = BTreeMap::new();
        if truth.is_closed() {
            for at in 0..truth.documents() {
                if let Some(unit) = truth.unit(at) {
                    *groups.entry(joined.root(at)).or_default().entry(unit).or_default() += 1;
                }
            }
        }
        groups.retain(|_, units| units.values().sum::<u32>() > 1);
        let groups = groups.into_values().map(|units| units.into_iter().collect()).collect();
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
            // The pairs of different units: what is left of the square without its diagonal.
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

    /// How well the groups agree with the labelled clusters; none where only pairs are labelled.
    pub fn agreement(&self, truth: &Truth) -> Option<Agreement> {
        truth.is_closed().then(|| Agreement::new(&self.groups, truth))
    }
}
