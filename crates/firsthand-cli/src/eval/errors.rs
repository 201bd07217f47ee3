//! Where a method is wrong: pairs it states and should not, pairs it misses.

use super::report::{Errors, Wrong};
use firsthand::evaluate::Truth;
use firsthand::{
    Detector,
    collections::{Collection, Pairs},
};
use rayon::prelude::*;

/// Two documents, by their positions, and their score. Large clusters have very many pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    a: u32,
    b: u32,
    score: f64,
}

/// All errors of a method.
#[derive(Debug)]
pub(super) struct Mistakes {
    /// Stated and negative, from the highest score on.
    stated: Vec<Pair>,
    /// Positive and not stated, from the lowest score on.
    missed: Vec<Pair>,
}

/// As many are shown in a report; the others are listed in a file.
const SHOWN: usize = 20;

impl Mistakes {
    /// Looks at every stated and every positive pair.
    pub(super) fn find(
        truth: &Truth,
        collection: &Collection,
        detector: &Detector,
        pairs: &Pairs,
    ) -> Self {
        let pair = |a: usize, b: usize, score: f64| Pair { a: a as u32, b: b as u32, score };
        let wrong = pairs.iter_capped().filter(|pair| truth.label(pair.a, pair.b) == Some(false));
        let mut stated: Vec<Pair> =
            wrong.map(|found| pair(found.a, found.b, found.score)).collect();
        let by_place = |x: &Pair, y: &Pair| (x.a, x.b).cmp(&(y.a, y.b));
        stated.sort_by(|x, y| y.score.total_cmp(&x.score).then_with(|| by_place(x, y)));
        let missed = truth.positive_pairs().filter(|&(a, b)| pairs.get(a, b).is_none());
        let mut missed: Vec<Pair> = missed.map(|(a, b)| pair(a, b, 0.0)).collect();
        missed.par_iter_mut().for_each(|pair| {
            pair.score = collection.similarity(pair.a as usize, pair.b as usize);
        });
        missed.sort_by(|x, y| x.score.total_cmp(&y.score).then_with(|| by_place(x, y)));
        Self { stated, missed }
    }

    /// All of them, the false pairs first.
    pub(super) fn list<'a>(&'a self, ids: &'a [String]) -> impl Iterator<Item = Wrong> + 'a {
        let stated = self.stated.iter().map(|pair| wrong(ids, pair, true));
        stated.chain(self.missed.iter().map(|pair| wrong(ids, pair, false)))
    }

    /// The worst of both kinds, in turns.
    pub(super) fn report(&self, ids: &[String]) -> Errors {
        let mut worst = Vec::new();
        for at in 0..SHOWN {
            worst.extend(self.stated.get(at).map(|pair| wrong(ids, pair, true)));
            worst.extend(self.missed.get(at).map(|pair| wrong(ids, pair, false)));
        }
        worst.truncate(SHOWN);
        Errors {
            false_pairs: self.stated.len() as u64,
            missed_pairs: self.missed.len() as u64,
            worst,
        }
    }
}

fn wrong(ids: &[String], pair: &Pair, stated: bool) -> Wrong {
    let id = |at: u32| ids.get(at as usize).cloned().unwrap_or_default();
    Wrong { a: id(pair.a), b: id(pair.b), stated, score: pair.score }
}
