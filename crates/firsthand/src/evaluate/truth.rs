//! The labels: which pairs of documents are near-duplicates, which are not, and which do not count.

use super::union_find::UnionFind;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The label of one document in a collection with labelled clusters.
///
/// ```
/// use firsthand::evaluate::{Label, Truth};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Alone, Label::Unknown], []);
/// assert_eq!(truth.label(0, 1), Some(false));
/// // Nothing is known of the last document, so no pair with it counts.
/// assert_eq!((truth.label(0, 2), truth.counted()), (None, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It belongs to this cluster.
    Cluster(u32),
    /// It has no near-duplicate.
    Alone,
    /// It is not labelled, and does not count.
    Unknown,
}

/// The labels of a collection, by document position.
///
/// Labels form *units*: a cluster, or a single document; where only pairs are labelled, whatever
/// these pairs connect. Units can be drawn or split without tearing a cluster apart. Those with
/// positive pairs come first.
///
/// ```
/// use firsthand::evaluate::{Label, Truth};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// assert_eq!((truth.label(0, 1), truth.label(0, 2)), (Some(true), Some(false)));
/// ```
#[derive(Clone, Debug)]
pub struct Truth {
    /// The unit of each document; `None` if it does not count.
    units: Vec<Option<u32>>,
    /// How many documents each unit has.
    sizes: Vec<u32>,
    /// How many positive pairs each unit has.
    positives: Vec<u64>,
    world: LabelScope,
}

#[derive(Clone, Debug)]
enum LabelScope {
    /// Pairs within a unit are positive, these are ignored, all others are negative.
    Closed { ignored: BTreeSet<(u32, u32)> },
    /// Only these pairs count: positive or negative.
    Open { labels: BTreeMap<(u32, u32), bool> },
}

impl Truth {
    /// Labelled clusters: two documents of one cluster are a positive pair, any two others a
    /// negative one, unless they are in `ignored`.
    pub fn clusters(labels: &[Label], ignored: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut sizes: HashMap<u32, u32> = HashMap::new();
        for label in labels {
            if let Label::Cluster(cluster) = label {
                *sizes.entry(*cluster).or_default() += 1;
            }
        }
        // Clusters first, in the order of their first documents; then all other documents.
        let mut truth = Self::empty(labels.len(), LabelScope::Closed { ignored: BTreeSet::new() });
        let mut known: HashMap<u32, u32> = HashMap::new();
        for (at, label) in labels.iter().enumerate() {
            if let Label::Cluster(cluster) = label
                && let Some(&size) = sizes.get(cluster).filter(|size| **size > 1)
            {
                let unit = *known
                    .entry(*cluster)
                    .or_insert_with(|| truth.push(size, u64::from(size) * u64::from(size - 1) / 2));
                truth.units[at] = Some(unit);
            }
        }
        for (at, label) in labels.iter().enumerate() {
            if truth.units[at].is_none() && *label != Label::Unknown {
                truth.units[at] = Some(truth.push(1, 0));
            }
        }
        let counts = |&(a, b): &(u32, u32)| match (truth.unit(a as usize), truth.unit(b as usize)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        };
        let ignored = ignored.into_iter().filter_map(|(a, b)| ordered(a, b)).filter(counts);
        let ignored = ignored.collect();
        truth.world = LabelScope::Closed { ignored };
        truth
    }

    /// Labelled pairs: only these count, as near-duplicates or not. If a pair is given twice, the
    /// last label counts.
    pub fn pairs(
        documents: usize,
        labelled: impl IntoIterator<Item = (usize, usize, bool)>,
    ) -> Self {
        let labelled = labelled.into_iter();
        let labels: BTreeMap<(u32, u32), bool> = labelled
            .filter(|(a, b, _)| *a.max(b) < documents)
            .filter_map(|(a, b, positive)| Some((ordered(a, b)?, positive)))
            .collect();
        let mut joined = UnionFind::new(documents);
        labels.keys().for_each(|&(a, b)| joined.join(a as usize, b as usize));
        let mut positives: BTreeMap<u32, u64> = BTreeMap::new();
        for (&(a, _), &positive) in &labels {
            *positives.entry(joined.root(a as usize)).or_default() += u64::from(positive);
        }
        let mut truth = Self::empty(documents, LabelScope::Closed { ignored: BTreeSet::new() });
        let mut order: Vec<(u32, u64)> = positives.into_iter().collect();
        order.sort_by_key(|(_, positives)| *positives == 0);
        let mut known: HashMap<u32, u32> = HashMap::new();
        for (root, positives) in order {
            known.insert(root, truth.push(0, positives));
        }
        for at in 0..documents {
            let unit = known.get(&joined.root(at)).copied();
            truth.units[at] = unit;
            if let Some(unit) = unit {
                truth.sizes[unit as usize] += 1;
            }
        }
        truth.world = LabelScope::Open { labels };
        truth
    }

    fn empty(documents: usize, world: LabelScope) -> Self {
        Self { units: vec![None; documents], sizes: Vec::new(), positives: Vec::new(), world }
    }

    fn push(&mut self, size: u32, positives: u64) -> u32 {
        self.sizes.push(size);
        self.positives.push(positives);
        self.sizes.len() as u32 - 1
    }

    /// Whether a pair is positive; `None` if it does not count.
    pub fn label(&self, a: usize, b: usize) -> Option<bool> {
        let pair = ordered(a, b)?;
        match &self.world {
            LabelScope::Open { labels } => labels.get(&pair).copied(),
            LabelScope::Closed { ignored } => {
                let (a, b) = (self.unit(a)?, self.unit(b)?);
                if a == b { Some(true) } else { (!ignored.contains(&pair)).then_some(false) }
            }
        }
    }

    /// Whether every pair of documents is labelled, not only some.
    pub fn is_closed(&self) -> bool {
        matches!(self.world, LabelScope::Closed { .. })
    }

    /// The number of documents, counted or not.
    pub fn documents(&self) -> usize {
        self.units.len()
    }

    /// The number of documents that count.
    pub fn counted(&self) -> usize {
        self.units.iter().flatten().count()
    }

    /// The unit of a document; `None` if it does not count.
    pub fn unit(&self, document: usize) -> Option<u32> {
        self.units.get(document).copied().flatten()
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.sizes.len()
    }

    /// How many documents each unit has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How many pairs are positive.
    pub fn positives(&self) -> u64 {
        self.positives.iter().sum()
    }

    /// How many positive pairs each unit has.
    pub(super) fn positives_by_unit(&self) -> &[u64] {
        &self.positives
    }

    /// How many pairs are negative.
    pub fn negatives(&self) -> u64 {
        match &self.world {
            LabelScope::Open { labels } => {
                labels.values().filter(|positive| !**positive).count() as u64
            }
            LabelScope::Closed { ignored } => {
                let all = self.counted() as u64;
                all * all.saturating_sub(1) / 2 - self.positives() - ignored.len() as u64
            }
        }
    }

    /// The number of pairs of counted documents that are ignored, being graded as neither.
    pub fn ignored(&self) -> u64 {
        self.ignored_pairs().count() as u64
    }

    /// The ignored pairs; empty where only some pairs are labelled.
    pub(super) fn ignored_pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let ignored = match &self.world {
            LabelScope::Closed { ignored } => Some(ignored),
            LabelScope::Open { .. } => None,
        };
        ignored.into_iter().flatten().map(|&(a, b)| (a as usize, b as usize))
    }

    /// The labelled pairs; empty where whole clusters are labelled.
    pub(super) fn labelled_pairs(&self) -> impl Iterator<Item = (usize, usize, bool)> {
        let labels = match &self.world {
            LabelScope::Open { labels } => Some(labels),
            LabelScope::Closed { .. } => None,
        };
        let labels = labels.into_iter().flatten();
        labels.map(|(&(a, b), &positive)| (a as usize, b as usize, positive))
    }

    /// All positive pairs, ascending within a cluster.
    pub fn positive_pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.clusters_first()];
        if self.is_closed() {
            for (at, unit) in self.units.iter().enumerate() {
                if let Some(members) = unit.and_then(|unit| members.get_mut(unit as usize)) {
                    members.push(at);
                }
            }
        }
        let within = members.into_iter().flat_map(|members| {
            (0..members.len()).flat_map(move |i| {
                let first = members[i];
                let later: Vec<usize> = members[i + 1..].to_vec();
                later.into_iter().map(move |second| (first, second))
            })
        });
        within.chain(self.labelled_pairs().filter(|pair| pair.2).map(|(a, b, _)| (a, b)))
    }

    /// How many units have positive pairs; they come first.
    pub fn clusters_first(&self) -> usize {
        self.positives.partition_point(|&positives| positives > 0)
    }
}

/// The pair in ascending order; `None` if both are the same document.
fn ordered(a: usize, b: usize) -> Option<(u32, u32)> {
    (a != b).then_some((a.min(b) as u32, a.max(b) as u32))
}
