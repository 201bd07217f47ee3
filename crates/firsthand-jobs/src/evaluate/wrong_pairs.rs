//! The errors of a method: false pairs, which it states and should not, and pairs that it misses.

use super::report::{PairErrors, WrongPair};
use firsthand::collections::{Collection, Pairs};
use firsthand::evaluate::Truth;
use rayon::prelude::*;

/// Two documents, by position, and their score. Compact, since large clusters have very many pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ScoredPair {
    a: u32,
    b: u32,
    score: f64,
}

/// All errors of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongPairs {
    /// Stated and negative, by descending score.
    stated: Vec<ScoredPair>,
    /// Positive and not stated, by ascending score.
    missed: Vec<ScoredPair>,
}

/// The most errors listed in a report; `errors.tsv` lists all.
const REPORTED: usize = 20;

impl WrongPairs {
    /// Checks every stated and every positive pair.
    pub(super) fn find(truth: &Truth, collection: &Collection, pairs: &Pairs) -> Self {
        let pair = |a: usize, b: usize, score: f64| ScoredPair { a: a as u32, b: b as u32, score };
        let wrong = pairs.iter_capped().filter(|pair| truth.label(pair.a, pair.b) == Some(false));
        let mut stated: Vec<ScoredPair> =
            wrong.map(|found| pair(found.a, found.b, found.score)).collect();
        let by_place = |x: &ScoredPair, y: &ScoredPair| (x.a, x.b).cmp(&(y.a, y.b));
        stated.sort_by(|x, y| y.score.total_cmp(&x.score).then_with(|| by_place(x, y)));
        let missed = truth.positive_pairs().filter(|&(a, b)| pairs.get(a, b).is_none());
        let mut missed: Vec<ScoredPair> = missed.map(|(a, b)| pair(a, b, 0.0)).collect();
        missed.par_iter_mut().for_each(|pair| {
            pair.score = collection.similarity(pair.a as usize, pair.b as usize);
        });
        missed.sort_by(|x, y| x.score.total_cmp(&y.score).then_with(|| by_place(x, y)));
        Self { stated, missed }
    }

    /// All of them, false pairs first.
    pub fn list<'a>(&'a self, ids: &'a [String]) -> impl Iterator<Item = WrongPair> + 'a {
        let stated = self.stated.iter().map(|pair| wrong(ids, pair, true));
        stated.chain(self.missed.iter().map(|pair| wrong(ids, pair, false)))
    }

    /// The worst of both kinds, alternating.
    pub(super) fn report(&self, ids: &[String]) -> PairErrors {
        let mut worst = Vec::new();
        for at in 0..REPORTED {
            worst.extend(self.stated.get(at).map(|pair| wrong(ids, pair, true)));
            worst.extend(self.missed.get(at).map(|pair| wrong(ids, pair, false)));
        }
        worst.truncate(REPORTED);
        PairErrors {
            false_pairs: self.stated.len() as u64,
            missed_pairs: self.missed.len() as u64,
            worst,
        }
    }
}

fn wrong(ids: &[String], pair: &ScoredPair, stated: bool) -> WrongPair {
    let id = |at: u32| ids.get(at as usize).cloned().unwrap_or_default();
    WrongPair { a: id(pair.a), b: id(pair.b), stated, score: pair.score }
}
