//! How well short signatures, or only the heaviest grams, reproduce the measure.

use super::{FLOOR, LearnError, Trainer};
use crate::{
    evaluate::Scored,
    matcher::{self, Scope, SearchLimits, Sets, Vectors, Wanted},
    measure::{Measure, Rule},
    model::Model,
    pairs::Match,
    sketch::{Bits, MinHashes},
    threshold::Threshold,
    weights::Weights,
};
use rayon::prelude::*;

/// Below this similarity, few bits make most pairs similar by chance.
const NOISE: f64 = 0.25;

/// What documents are compared by, instead of all their weighted grams.
///
/// ```
/// use firsthand::learn::Signatures;
///
/// assert_ne!(Signatures::Bits(64), Signatures::Hashes(64));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signatures {
    /// This many bits of random hyperplanes: they estimate the cosine.
    Bits(usize),
    /// This many min-hashes over weights in eighths: they estimate Jaccard.
    Hashes(usize),
    /// This many of the heaviest grams of each document.
    Heaviest(usize),
}

impl Trainer<'_> {
    /// All pairs of documents that have any similarity under each of the signatures, which replace
    /// the weights of a model. Documents are read once for all of them.
    ///
    /// # Errors
    ///
    /// Too many pairs are similar.
    pub fn score_by(
        &self,
        model: &Model,
        signatures: &[Signatures],
    ) -> Result<Vec<Scored>, LearnError> {
        let detector = self.detector(model)?;
        let collection = self.collection(&detector);
        let vectors = (0..self.documents.len()).map(|at| collection.vector_of(at));
        let vectors: Vec<(&[u64], &[u32])> = vectors.collect();
        let score = |signatures: &Signatures| {
            let low = Threshold::percent(FLOOR).value();
            let (pairs, floor) = match *signatures {
                Signatures::Bits(bits) => (by_bits(&vectors, bits, NOISE), NOISE),
                Signatures::Hashes(count) => (by_hashes(&vectors, count, low), low),
                Signatures::Heaviest(count) => {
                    (by_heaviest(&vectors, count, self.plan.measure)?, low)
                }
            };
            Ok(Scored::new(self.truth, pairs, floor))
        };
        signatures.iter().map(score).collect()
    }
}

fn by_bits(vectors: &[(&[u64], &[u32])], bits: usize, floor: f64) -> Vec<Match> {
    let bits = Bits::new(bits, vectors.len(), |at| (vectors[at].0, Some(vectors[at].1)));
    all_pairs(vectors.len(), floor, |a, b| {
        if bits.get(a).is_none() || bits.get(b).is_none() {
            return 0.0;
        }
        let agree = bits.agreement(a, b) as f64 / bits.len() as f64;
        (std::f64::consts::PI * (1.0 - agree)).cos()
    })
}

fn by_hashes(vectors: &[(&[u64], &[u32])], count: usize, floor: f64) -> Vec<Match> {
    let hashes = MinHashes::new(count);
    let values: Vec<Vec<u32>> = vectors
        .par_iter()
        .map(|(features, weights)| {
            let mut values = Vec::new();
            if !features.is_empty() {
                hashes.weighted(features, weights, &mut values);
            }
            values
        })
        .collect();
    all_pairs(vectors.len(), floor, |a, b| {
        let agree = values[a].iter().zip(&values[b]).filter(|(x, y)| x == y).count();
        agree as f64 / count as f64
    })
}

fn by_heaviest(
    vectors: &[(&[u64], &[u32])],
    count: usize,
    measure: Measure,
) -> Result<Vec<Match>, LearnError> {
    let (mut sets, mut weights) = (Sets::default(), Weights::default());
    for (features, own) in vectors {
        let mut grams: Vec<(u32, u64)> =
            own.iter().copied().zip(features.iter().copied()).collect();
        grams.sort_unstable_by(|a, b| b.cmp(a));
        grams.truncate(count);
        grams.sort_unstable_by_key(|gram| gram.1);
        sets.push_sorted(grams.iter().map(|gram| gram.1).collect());
        weights.push(grams.iter().map(|gram| gram.0).collect());
    }
    let vectors = Vectors { sets: &sets, weights: &weights };
    let rule = Rule { measure, threshold: Threshold::percent(FLOOR) };
    let wanted = Wanted { rule, scope: Scope::Within, limits: SearchLimits::default() };
    let found = matcher::weighted(vectors, wanted)?;
    let scored = |a: u32, b: u32| Match {
        a: a.min(b) as usize,
        b: a.max(b) as usize,
        score: vectors.likeness(rule, a, b).0,
        exact: false,
    };
    // Of equal vectors, only one was compared with others.
    let mut group: Vec<Vec<u32>> = (0..sets.len() as u32).map(|set| vec![set]).collect();
    for same in &found.identical {
        group[same[0] as usize].clone_from(same);
    }
    let mut pairs = Vec::new();
    for same in &found.identical {
        for (at, &b) in same.iter().enumerate() {
            pairs.extend(same[..at].iter().map(|&a| scored(a, b)));
        }
    }
    for pair in &found.pairs {
        for &a in &group[pair.a as usize] {
            pairs.extend(group[pair.b as usize].iter().map(|&b| scored(a, b)));
        }
    }
    Ok(pairs)
}

/// All pairs whose similarity is at least the floor.
fn all_pairs(count: usize, floor: f64, score: impl Fn(usize, usize) -> f64 + Sync) -> Vec<Match> {
    let of = |b: usize| {
        let scored = (0..b).map(|a| Match { a, b, score: score(a, b), exact: false });
        scored.filter(|pair| pair.score >= floor).collect::<Vec<_>>()
    };
    (0..count).into_par_iter().flat_map_iter(of).collect()
}
