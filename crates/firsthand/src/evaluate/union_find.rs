//! Union-find: joins documents into groups, pair by pair.

/// The groups formed by the pairs so far.
#[derive(Clone, Debug)]
pub(super) struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// Every document on its own.
    pub(super) fn new(documents: usize) -> Self {
        Self { parents: (0..documents as u32).collect() }
    }

    /// Joins the groups of two documents.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// The first document of the group.
    pub(super) fn root(&mut self, document: usize) -> u32 {
        let mut at = document;
        while self.parents[at] as usize != at {
            // Path halving.
            self.parents[at] = self.parents[self.parents[at] as usize];
            at = self.parents[at] as usize;
        }
        at as u32
    }
}
