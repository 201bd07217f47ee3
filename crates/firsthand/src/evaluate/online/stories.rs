//! Which documents tell the same story, and which of them comes first.

use crate::evaluate::{truth::Truth, union_find::UnionFind};
use std::collections::HashMap;

/// The cluster of each labelled document.
///
/// ```
/// use firsthand::evaluate::{Label, Truth, online::Stories};
///
/// let truth = Truth::clusters(&[Label::Cluster(1), Label::Cluster(1), Label::Alone], []);
/// let stories = Stories::new(&truth, &[Some(2_000), Some(1_000), None]);
/// assert_eq!(stories.cluster(0), stories.cluster(1));
/// // The original of a cluster is its earliest document.
/// assert_eq!(stories.originals(), [1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stories {
    /// Per document, its cluster; `None` if it is not labelled.
    clusters: Vec<Option<u32>>,
    /// Per cluster, its original.
    originals: Vec<usize>,
}

impl Stories {
    /// Clusters as labelled; where only pairs are, whatever positive pairs connect. The original of
    /// a cluster is the document with the earliest time; without times, or with equal ones, the
    /// first.
    pub fn new(truth: &Truth, times: &[Option<i64>]) -> Self {
        let mut joined = UnionFind::new(truth.documents());
        for (a, b) in truth.positive_pairs() {
            joined.join(a, b);
        }
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut originals: Vec<usize> = Vec::new();
        let time = |at: usize| times.get(at).copied().flatten().unwrap_or(i64::MAX);
        let clusters = (0..truth.documents())
            .map(|at| {
                truth.unit(at)?;
                let next = originals.len() as u32;
                let number = *numbers.entry(joined.root(at)).or_insert(next);
                match originals.get_mut(number as usize) {
                    None => originals.push(at),
                    Some(original) if time(at) < time(*original) => *original = at,
                    Some(_) => {}
                }
                Some(number)
            })
            .collect();
        Self { clusters, originals }
    }

    /// The number of documents, labelled or not.
    pub fn documents(&self) -> usize {
        self.clusters.len()
    }

    /// The cluster of a document; `None` if it is not labelled.
    pub fn cluster(&self, document: usize) -> Option<u32> {
        self.clusters.get(document).copied().flatten()
    }

    /// Per cluster, its original.
    pub fn originals(&self) -> &[usize] {
        &self.originals
    }
}
