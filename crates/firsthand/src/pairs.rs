//! Verified pairs of documents, held in little: documents with equal features form a class, and
//! pairs of classes stand for all pairs of their documents.

use crate::{
    lists::Lists,
    matcher::{Matches, Pair},
    summary::Summary,
};
use rayon::prelude::*;
use std::sync::OnceLock;

/// The most documents of a class that [`Pairs::iter_capped`] pairs with one another. Further ones are
/// paired only with the first document of their own and of neighbouring classes: a page copied a
/// hundred thousand times would otherwise make five thousand million pairs.
pub const LARGE_CLASS: usize = 1000;

/// Two documents that are near-duplicates, by their positions, `a < b`.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::Match, find_duplicates};
///
/// let texts = ["The ferry did not sail", "A new bridge", "THE FERRY did not sail"];
/// let documents = texts.map(|text| Document::new(text, text));
/// let report = find_duplicates(&Detector::new(Settings::default())?, documents);
/// let pairs: Vec<Match> = report.pairs.iter().collect();
/// assert_eq!(pairs, [Match { a: 0, b: 2, score: 1.0, exact: true }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The earlier in the input.
    pub a: usize,
    /// The later in the input.
    pub b: usize,
    /// Their similarity.
    pub score: f64,
    /// Whether their normalised texts are equal.
    pub exact: bool,
}

/// All verified pairs of a collection.
///
/// ```
/// use firsthand::{Detector, Document, Settings, find_duplicates};
///
/// // A thousand copies make half a million pairs, which are counted without being listed.
/// let documents = (0..1_000).map(|id| Document::new(format!("{id}"), "The ferry did not sail"));
/// let pairs = find_duplicates(&Detector::new(Settings::default())?, documents).pairs;
/// assert_eq!(pairs.count(), 1_000 * 999 / 2);
/// assert!(pairs.is_complete() && pairs.get(3, 998).is_some_and(|pair| pair.exact));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Pairs {
    /// The documents of each class, ascending.
    classes: Lists<u32>,
    /// The class of each document; none if its text is empty.
    class_of: Vec<Option<u32>>,
    /// The text of each document.
    text_of: Vec<Option<u32>>,
    /// Per class, the classes near it with the similarity, ascending.
    near: Lists<(u32, f64)>,
    split: Option<usize>,
    /// Whether there are only pairs with originals.
    of_originals: bool,
    /// The number of all pairs, once it was asked for.
    counted: OnceLock<u64>,
}

impl Pairs {
    pub(crate) fn new(
        documents: &[Summary],
        matches: &Matches,
        score: impl Fn(Pair) -> f64 + Sync,
        split: Option<usize>,
    ) -> Self {
        // For vectors it takes as long as finding them did.
        let scored = matches.pairs.par_iter().map(|pair| (pair.a, pair.b, score(*pair)));
        Self::of_scored(documents, &matches.identical, &scored.collect::<Vec<_>>(), split)
    }

    /// From groups of texts with equal features, and pairs of texts with their similarity, in which the
    /// first text of a group may stand for all.
    pub(crate) fn of_scored(
        documents: &[Summary],
        identical: &[Vec<u32>],
        pairs: &[(u32, u32, f64)],
        split: Option<usize>,
    ) -> Self {
        let texts = documents.iter().filter_map(|document| document.text);
        let texts = texts.max().map_or(0, |last| last + 1);
        // Texts with equal features share the class of the first of them.
        let mut first: Vec<u32> = (0..texts).collect();
        for group in identical {
            group.iter().for_each(|&text| first[text as usize] = group[0]);
        }
        let mut known: Vec<Option<u32>> = vec![None; texts as usize];
        let mut classes = 0;
        let class = |document: &Summary| {
            let text = first[document.text? as usize];
            let class = known[text as usize].get_or_insert_with(|| {
                classes += 1;
                classes - 1
            });
            Some(*class)
        };
        let class_of: Vec<Option<u32>> = documents.iter().map(class).collect();
        let members = class_of.iter().zip(0u32..);
        let members = members.filter_map(|(class, at)| class.map(|class| (class, at)));
        let classes = Lists::new(classes as usize, members);
        let both = pairs.iter().filter_map(|&(a, b, score)| {
            let (a, b) = (known[a as usize]?, known[b as usize]?);
            Some([(a, (b, score)), (b, (a, score))])
        });
        let mut near = Lists::new(classes.len(), both.flatten());
        for class in 0..near.len() {
            near.of_mut(class).sort_unstable_by_key(|(class, _)| *class);
        }
        let text_of = documents.iter().map(|document| document.text).collect();
        let counted = OnceLock::new();
        Self { classes, class_of, text_of, near, split, of_originals: false, counted }
    }

    /// The same, marked as pairs of members with their originals only.
    pub(crate) fn of_originals(self) -> Self {
        Self { of_originals: true, ..self }
    }

    /// Whether all pairs are there, and not only those of members with their originals.
    pub fn is_complete(&self) -> bool {
        !self.of_originals
    }

    /// All pairs in ascending order, made one document at a time. With a reference, `a` is the
    /// document of the reference and `b` the new one.
    pub fn iter(&self) -> impl Iterator<Item = Match> + '_ {
        (0..self.class_of.len()).flat_map(move |a| self.with_later(a, usize::MAX))
    }

    /// The same, but at most [`LARGE_CLASS`] documents of a class are paired with one another: for
    /// callers that hold the pairs in memory, or look at each.
    pub fn iter_capped(&self) -> impl Iterator<Item = Match> + '_ {
        (0..self.class_of.len()).flat_map(move |a| self.with_later(a, LARGE_CLASS))
    }

    /// The pairs of one document with later ones, in ascending order. Of a class beyond the cap, only
    /// the documents that are paired are looked at, so that the time is that of writing the pairs.
    fn with_later(&self, document: usize, cap: usize) -> Vec<Match> {
        let Some(class) = self.class_of[document] else { return Vec::new() };
        let place = self.classes[class as usize].partition_point(|&at| (at as usize) < document);
        // How many documents of each class this one may be paired with.
        let reach = match place {
            0 => usize::MAX,
            within if within < cap => cap,
            _ => 1,
        };
        // With a reference, pairs are of one of its documents and a later, new one.
        let first = match self.split {
            Some(split) if document >= split => return Vec::new(),
            Some(split) => split,
            None => document + 1,
        };
        let mut found: Vec<Match> = Vec::new();
        let own = (class, 1.0);
        for &(class, score) in [own].iter().chain(&self.near[class as usize]) {
            let documents = &self.classes[class as usize];
            let documents = &documents[..documents.len().min(reach)];
            let start = documents.partition_point(|&other| (other as usize) < first);
            found.extend(documents[start..].iter().map(|&other| {
                let exact = self.text_of[document] == self.text_of[other as usize];
                Match { a: document, b: other as usize, score, exact }
            }));
        }
        found.sort_unstable_by_key(|found| found.b);
        found
    }

    /// The number of pairs of [`iter_capped`](Self::iter_capped).
    pub fn capped_count(&self) -> u64 {
        if self.classes.iter().all(|class| class.len() <= LARGE_CLASS) {
            return self.count();
        }
        if self.split.is_some() {
            return self.iter_capped().count() as u64;
        }
        // The first documents of each class, and with the very first the further ones.
        let first = |class: usize| self.classes[class].len().min(LARGE_CLASS) as u64;
        let further = |class: usize| self.classes[class].len() as u64 - first(class);
        let within = |class: usize| first(class) * (first(class) - 1) / 2 + further(class);
        let across = |a: usize, b: usize| first(a) * first(b) + further(a) + further(b);
        let classes = 0..self.classes.len();
        let near = |class: usize| {
            let later = self.near[class].iter().map(|(other, _)| *other as usize);
            later.filter(move |other| *other > class).map(move |other| across(class, other))
        };
        classes.map(|class| within(class) + near(class).sum::<u64>()).sum()
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        *self.counted.get_or_init(|| self.count_all())
    }

    fn count_all(&self) -> u64 {
        let sides = |class: &[u32]| {
            let old =
                self.split.map_or(0, |split| class.partition_point(|&at| (at as usize) < split));
            (old as u64, (class.len() - old) as u64)
        };
        let across = |a: &[u32], b: &[u32]| match self.split {
            None => a.len() as u64 * b.len() as u64,
            Some(_) => {
                let ((a_old, a_new), (b_old, b_new)) = (sides(a), sides(b));
                a_old * b_new + a_new * b_old
            }
        };
        let within = |class: &[u32]| match self.split {
            None => class.len() as u64 * (class.len() as u64 - 1) / 2,
            Some(_) => {
                let (old, new) = sides(class);
                old * new
            }
        };
        let mut count: u64 = self.classes.iter().map(within).sum();
        for (class, near) in self.near.iter().enumerate() {
            for &(other, _) in near.iter().filter(|(other, _)| *other as usize > class) {
                count += across(&self.classes[class], &self.classes[other as usize]);
            }
        }
        count
    }

    /// The number of pairs of documents with different features, where documents with equal features
    /// count as one.
    pub fn class_pairs(&self) -> u64 {
        self.near.items() as u64 / 2
    }

    /// How similar two documents are, if they are near-duplicates.
    pub fn get(&self, a: usize, b: usize) -> Option<Match> {
        let (class_a, class_b) = (self.class_of[a]?, self.class_of[b]?);
        let score = if class_a == class_b {
            1.0
        } else {
            let near = &self.near[class_a as usize];
            near[near.binary_search_by_key(&class_b, |(class, _)| *class).ok()?].1
        };
        let exact = self.text_of[a] == self.text_of[b];
        Some(Match { a: a.min(b), b: a.max(b), score, exact })
    }

    /// All near-duplicates of a document, ascending by class.
    pub(crate) fn neighbours(&self, document: usize) -> Vec<usize> {
        let Some(class) = self.class_of[document] else { return Vec::new() };
        let near = self.near[class as usize].iter().map(|(class, _)| *class);
        let documents =
            [class].into_iter().chain(near).flat_map(|near| &self.classes[near as usize]);
        documents.map(|&at| at as usize).filter(|&at| at != document).collect()
    }

    /// The classes of documents with equal features, each ascending.
    pub(crate) fn classes(&self) -> &Lists<u32> {
        &self.classes
    }

    /// The classes near a class, with the similarity.
    pub(crate) fn near(&self, class: usize) -> &[(u32, f64)] {
        &self.near[class]
    }

    /// Whether any document of the class has a match.
    pub(crate) fn has_any(&self, class: usize) -> bool {
        self.classes[class].len() > 1 || !self.near[class].is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two near classes and one by itself; `classes` says which each document is in.
    fn pairs(classes: &[u32], split: Option<usize>) -> Pairs {
        let members = classes.iter().copied().zip(0u32..);
        Pairs {
            classes: Lists::new(3, members),
            class_of: classes.iter().map(|&class| Some(class)).collect(),
            text_of: classes.iter().map(|&class| Some(class)).collect(),
            near: Lists::new(3, [(0, (1, 0.5)), (1, (0, 0.5))].into_iter()),
            split,
            of_originals: false,
            counted: OnceLock::new(),
        }
    }

    proptest! {
        /// Both documents are among the first of their classes, or one is the very first.
        #[test]
        fn what_is_listed_follows_the_definition(
            classes in prop::collection::vec(0u32..3, 1..24),
            split in prop::option::of(0usize..24),
            cap in 1usize..5,
        ) {
            // No class is without a document.
            let classes = [vec![0, 1, 2], classes].concat();
            let pairs = pairs(&classes, split);
            let place = |at: usize| classes[..at].iter().filter(|c| **c == classes[at]).count();
            let is_listed = |a: usize, b: usize| {
                place(a) < cap && place(b) < cap || place(a) == 0 || place(b) == 0
            };
            let near = |a: usize, b: usize| classes[a] == classes[b] || classes[a] + classes[b] == 1;
            let is_wanted = |a: usize, b: usize| split.is_none_or(|split| a < split && split <= b);
            let all = |capped: bool| {
                let every = (0..classes.len()).flat_map(|a| (a + 1..classes.len()).map(move |b| (a, b)));
                let wanted = every.filter(|&(a, b)| near(a, b) && is_wanted(a, b));
                wanted.filter(|&(a, b)| !capped || is_listed(a, b)).collect::<Vec<_>>()
            };
            let listed = |cap: usize| {
                let later = (0..classes.len()).flat_map(|a| pairs.with_later(a, cap));
                later.map(|pair| (pair.a, pair.b)).collect::<Vec<_>>()
            };
            prop_assert_eq!(listed(cap), all(true));
            prop_assert_eq!(listed(usize::MAX), all(false));
            prop_assert_eq!(pairs.count(), all(false).len() as u64);
        }
    }

    #[test]
    fn a_page_copied_very_often_takes_as_long_as_its_pairs() {
        let copies = 200_000;
        let pairs = pairs(&[vec![0; copies], vec![1, 2]].concat(), None);
        let first = LARGE_CLASS * (LARGE_CLASS - 1) / 2;
        // The one document near them is paired with all.
        let listed = first + copies - LARGE_CLASS + copies;
        assert_eq!(pairs.capped_count(), listed as u64);
        assert_eq!(pairs.iter_capped().count(), listed);
    }
}
