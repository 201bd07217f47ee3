//! What sampling must know about all pairs: which documents repeat another one's text, and which
//! belong together at the threshold.

use firsthand::collections::{Match, Pairs};

/// Exact copies and clusters of a collection.
pub(super) struct Copies {
    /// Whether a document has the text of an earlier one.
    copy: Vec<bool>,
    /// The cluster of each document at the threshold, named by its first document.
    pub(super) cluster: Vec<u32>,
    /// How many documents are exact copies of earlier ones.
    pub(super) exact: u64,
    /// How many pairs of different texts there are.
    pub(super) pairs: u64,
}

impl Copies {
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

    /// The first document of a cluster; ways to it get shorter as they are gone.
    fn first(&mut self, document: usize) -> usize {
        let mut at = document;
        while self.cluster[at] as usize != at {
            self.cluster[at] = self.cluster[self.cluster[at] as usize];
            at = self.cluster[at] as usize;
        }
        at
    }

    /// One pair for each two texts, and one for each text that has exact copies.
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
