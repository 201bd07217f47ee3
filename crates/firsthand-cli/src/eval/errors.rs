//! Where a method is wrong: pairs it states and should not, pairs it misses.

use super::report::{Errors, Wrong};
use firsthand::evaluate::Truth;
use firsthand::{Collection, Detector, Pairs};
use rayon::prelude::*;

/// Two documents and their score.
type Scored = (usize, usize, f64);

/// All errors of a method.
pub(super) struct Mistakes {
    /// Stated and negative, from the highest score on.
    pub(super) stated: Vec<Scored>,
    /// Positive and not stated, from the lowest score on.
    pub(super) missed: Vec<Scored>,
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
        let wrong = pairs.iter().filter(|pair| truth.label(pair.a, pair.b) == Some(false));
        let mut stated: Vec<Scored> = wrong.map(|pair| (pair.a, pair.b, pair.score)).collect();
        stated.sort_by(|x, y| y.2.total_cmp(&x.2).then_with(|| (x.0, x.1).cmp(&(y.0, y.1))));
        let missed: Vec<_> =
            truth.positive_pairs().filter(|&(a, b)| pairs.get(a, b).is_none()).collect();
        let mut missed: Vec<Scored> = missed
            .into_par_iter()
            .map(|(a, b)| (a, b, collection.similarity(detector, a, b)))
            .collect();
        missed.sort_by(|x, y| x.2.total_cmp(&y.2).then_with(|| (x.0, x.1).cmp(&(y.0, y.1))));
        Self { stated, missed }
    }

    /// All of them, the false pairs first.
    pub(super) fn list(&self, collection: &Collection) -> Vec<Wrong> {
        let stated = self.stated.iter().map(|pair| wrong(collection, *pair, true));
        stated.chain(self.missed.iter().map(|pair| wrong(collection, *pair, false))).collect()
    }

    /// The worst of both kinds, in turns.
    pub(super) fn report(&self, collection: &Collection) -> Errors {
        let mut worst = Vec::new();
        for at in 0..SHOWN {
            worst.extend(self.stated.get(at).map(|pair| wrong(collection, *pair, true)));
            worst.extend(self.missed.get(at).map(|pair| wrong(collection, *pair, false)));
        }
        worst.truncate(SHOWN);
        Errors {
            false_pairs: self.stated.len() as u64,
            missed_pairs: self.missed.len() as u64,
            worst,
        }
    }
}

fn wrong(collection: &Collection, (a, b, score): Scored, stated: bool) -> Wrong {
    let id = |at: usize| collection.documents()[at].id.clone();
    Wrong { a: id(a), b: id(b), stated, score }
}
