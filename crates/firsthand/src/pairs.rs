//! Verified pairs of documents, held in little: documents with equal features form a class, and
//! pairs of classes stand for all pairs of their documents.

use crate::{
    matcher::{Matches, Pair},
    summary::Summary,
};
use rayon::prelude::*;
use std::collections::HashMap;

/// The most documents of a class that [`Pairs::iter_capped`] pairs with one another. Further ones are
/// paired only with the first document of their own and of neighbouring classes: a page copied a
/// hundred thousand times would otherwise make five thousand million pairs.
pub const LARGE_CLASS: usize = 1000;

/// Two documents that are near-duplicates, by their positions, `a < b`.
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
#[derive(Debug, Default)]
pub struct Pairs {
    /// The documents of each class, ascending.
    classes: Vec<Vec<u32>>,
    /// The class of each document; none if its text is empty.
    class_of: Vec<Option<u32>>,
    /// The text of each document.
    text_of: Vec<Option<u32>>,
    /// Per class, the classes near it with the similarity, ascending.
    near: Vec<Vec<(u32, f64)>>,
    split: Option<usize>,
}

impl Pairs {
    pub(crate) fn new(
        documents: &[Summary],
        matches: &Matches,
        score: impl Fn(Pair) -> f64 + Sync,
        split: Option<usize>,
    ) -> Self {
        // Texts with equal features share the class of the first of them.
        let mut first: HashMap<u32, u32> = HashMap::new();
        for group in &matches.identical {
            first.extend(group.iter().map(|&text| (text, group[0])));
        }
        let mut classes: Vec<Vec<u32>> = Vec::new();
        let mut known: HashMap<u32, u32> = HashMap::new();
        let class_of: Vec<Option<u32>> = documents
            .iter()
            .enumerate()
            .map(|(at, document)| {
                let text = document.text?;
                let text = first.get(&text).copied().unwrap_or(text);
                let class = *known.entry(text).or_insert_with(|| {
                    classes.push(Vec::new());
                    classes.len() as u32 - 1
                });
                classes[class as usize].push(at as u32);
                Some(class)
            })
            .collect();
        let mut near = vec![Vec::new(); classes.len()];
        // For vectors it takes as long as finding them did.
        let scores: Vec<f64> = matches.pairs.par_iter().map(|pair| score(*pair)).collect();
        for (pair, score) in matches.pairs.iter().zip(scores) {
            if let (Some(&a), Some(&b)) = (known.get(&pair.a), known.get(&pair.b)) {
                near[a as usize].push((b, score));
                near[b as usize].push((a, score));
            }
        }
        for classes in &mut near {
            classes.sort_unstable_by_key(|(class, _)| *class);
        }
        let text_of = documents.iter().map(|document| document.text).collect();
        Self { classes, class_of, text_of, near, split }
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

    /// The pairs of one document with later ones, in ascending order.
    fn with_later(&self, document: usize, cap: usize) -> Vec<Match> {
        let Some(class) = self.class_of[document] else { return Vec::new() };
        let mut found: Vec<Match> = Vec::new();
        let is_within = |class: u32, at: usize| {
            let documents = &self.classes[class as usize];
            documents.len() <= cap || at as u32 <= documents[cap - 1]
        };
        let leads = |class: u32, at: usize| self.classes[class as usize][0] as usize == at;
        let is_within_own = is_within(class, document);
        let mut push = |other_class: u32, other: usize, score: f64| {
            let both = is_within_own && is_within(other_class, other);
            if !both && !leads(class, document) && !leads(other_class, other) {
                return;
            }
            if self.split.is_some_and(|split| (document < split) == (other < split)) {
                return;
            }
            let exact = self.text_of[document] == self.text_of[other];
            found.push(Match { a: document, b: other, score, exact });
        };
        let own = (class, 1.0);
        for &(class, score) in [own].iter().chain(&self.near[class as usize]) {
            let documents = &self.classes[class as usize];
            let start = documents.partition_point(|&other| other as usize <= document);
            for &other in &documents[start..] {
                push(class, other as usize, score);
            }
        }
        found.sort_unstable_by_key(|found| found.b);
        found
    }

    /// The number of pairs of [`iter_capped`](Self::iter_capped).
    pub fn capped_count(&self) -> u64 {
        match self.classes.iter().all(|class| class.len() <= LARGE_CLASS) {
            true => self.count(),
            false => self.iter_capped().count() as u64,
        }
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        let sides = |class: &Vec<u32>| {
            let old =
                self.split.map_or(0, |split| class.partition_point(|&at| (at as usize) < split));
            (old as u64, (class.len() - old) as u64)
        };
        let across = |a: &Vec<u32>, b: &Vec<u32>| match self.split {
            None => a.len() as u64 * b.len() as u64,
            Some(_) => {
                let ((a_old, a_new), (b_old, b_new)) = (sides(a), sides(b));
                a_old * b_new + a_new * b_old
            }
        };
        let within = |class: &Vec<u32>| match self.split {
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

    /// The classes of documents with equal features, each ascending.
    pub(crate) fn classes(&self) -> &[Vec<u32>] {
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
