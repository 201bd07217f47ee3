//! Exact copies, which sampling leaves out, and the clusters at the threshold.

use firsthand::collections::{Match, Pairs};

/// The exact copies and the clusters of a collection.
pub(super) struct CopiesAndClusters {
    /// Whether a document has the text of an earlier one.
    copy: Vec<bool>,
    /// The cluster of each document at the threshold, by the position of its first document.
    pub(super) cluster: Vec<u32>,
    /// Documents that are exact copies of earlier ones.
    pub(super) exact: u64,
    /// Pairs of different texts.
    pub(super) pairs: u64,
}

impl CopiesAndClusters {
    pub(super) fn new(pairs: &Pairs, documents: usize, threshold: f64) -> Self {
        let mut copies = Self {
            copy: vec![false; documents],
            cluster: (0..documents as u32).collect(),
            exact: 0,
            pairs: 0,
        };
        for pair in pairs.iter_capped() {
            if pair.exact {
                copies.exact += u64::from(!copies.copy[pair.b]);
                copies.copy[pair.b] = true;
            }
            if pair.score >= threshold {
                let (a, b) = (copies.first(pair.a), copies.first(pair.b));
                copies.cluster[a.max(b)] = a.min(b) as u32;
            }
        }
        for document in 0..documents {
            copies.cluster[document] = copies.first(document) as u32;
        }
        copies.pairs = copies.different(pairs).filter(|pair| !pair.exact).count() as u64;
        copies
    }

    /// The first document of a cluster; paths to it are halved on the way.
    fn first(&mut self, document: usize) -> usize {
        let mut at = document;
        while self.cluster[at] as usize != at {
            self.cluster[at] = self.cluster[self.cluster[at] as usize];
            at = self.cluster[at] as usize;
        }
        at
    }

    /// One pair for each two different texts, and one for each text that has exact copies.
    pub(super) fn different<'a>(&'a self, pairs: &'a Pairs) -> impl Iterator<Item = Match> + 'a {
        let mut last = None;
        pairs.iter_capped().filter(move |pair| {
            if self.copy[pair.a] {
                return false;
            }
            if pair.exact {
                return last.replace(pair.a) != Some(pair.a);
            }
            !self.copy[pair.b]
        })
    }
}
