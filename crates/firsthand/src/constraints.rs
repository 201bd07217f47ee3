//! What people have decided about documents of a collection: pairs that are no copies, pairs that are,
//! and originals that were chosen.

use std::collections::HashMap;

/// Decisions about documents, by their positions.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::*};
///
/// let detector = Detector::new(Settings::default())?;
/// let batches = [vec![Document::new("a", "The same text"), Document::new("b", "the SAME text")]];
/// let collection = Collection::new(Signed::new(&detector, batches.into_iter(), |batch| batch));
/// let (pairs, _) = collection.matches()?;
/// let mut constraints = Constraints::default();
/// constraints.part(0, 1);
/// assert!(group_by_decisions(&collection, &pairs, &constraints).clusters.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    parted: HashMap<usize, Vec<usize>>,
    joined: Vec<(usize, usize)>,
    kept: Vec<usize>,
}

impl Constraints {
    /// The two are never in one cluster, whatever brings them together.
    pub fn part(&mut self, a: usize, b: usize) {
        if a != b && !self.are_parted(a, b) {
            self.parted.entry(a).or_default().push(b);
            self.parted.entry(b).or_default().push(a);
        }
    }

    /// The two are in one cluster, unless that would bring together two that are parted. Of joins that
    /// cannot all be, the earlier ones hold.
    pub fn join(&mut self, a: usize, b: usize) {
        self.joined.push((a, b));
    }

    /// The document is the original of its cluster; of several in one cluster, the last.
    pub fn keep(&mut self, document: usize) {
        self.kept.push(document);
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.parted.is_empty() && self.joined.is_empty() && self.kept.is_empty()
    }

    /// Whether two documents are parted.
    pub fn are_parted(&self, a: usize, b: usize) -> bool {
        self.parted_from(a).contains(&b)
    }

    /// The documents that one is parted from.
    pub(crate) fn parted_from(&self, document: usize) -> &[usize] {
        self.parted.get(&document).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn joined(&self) -> &[(usize, usize)] {
        &self.joined
    }

    pub(crate) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Every document that something was decided about.
    pub(crate) fn documents(&self) -> impl Iterator<Item = usize> + '_ {
        let joined = self.joined.iter().flat_map(|(a, b)| [*a, *b]);
        self.parted.keys().copied().chain(joined).chain(self.kept.iter().copied())
    }
}
