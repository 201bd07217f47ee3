//! Vectors whose cosine reaches the threshold: all pairs, and no others.
//!
//! In a common order of features, rarest first, the prefix of a vector ends where the length of the
//! rest is below the threshold's share of the whole: vectors that are alike share a feature of both
//! prefixes. Bounds are computed in doubles with a little slack and only rule out what cannot be;
//! what they leave is decided in integers.

use super::{Cost, Matches, Pair, Scope, Sets, TooManyPairs, collapse, counts::Ranks};
use crate::{
    hashed::BuildHashed,
    sketch::grouped_key,
    threshold::Threshold,
    weights::{Weights, dot, reaches},
};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// More than all rounding of a bound together, relative to it.
const SLACK: f64 = 1e-9;
/// Records that one task probes.
const CHUNK: usize = 64;
/// The sum of a pair that cannot reach the threshold any more.
const DEAD: f64 = f64::NEG_INFINITY;

/// Finds every pair of vectors whose cosine reaches the threshold.
pub(crate) fn join(
    sets: &Sets,
    weights: &Weights,
    threshold: Threshold,
    scope: Scope<'_>,
    limit: usize,
) -> Result<Matches, TooManyPairs> {
    let collapsed = collapse::collapse(&elements(sets, weights), scope);
    let vectors = Vectors::new(sets, weights, &collapsed, threshold.value() * (1.0 - SLACK));
    let found = AtomicUsize::new(0);
    let next = AtomicUsize::new(0);
    let parts = rayon::broadcast(|_| {
        let (mut pairs, mut cost) = (Vec::new(), Cost::default());
        let mut sums = vec![0.0; vectors.prefixes.len()];
        let mut touched = Vec::new();
        loop {
            let start = next.fetch_add(CHUNK, Relaxed);
            if start >= vectors.prefixes.len() || found.load(Relaxed) > limit {
                break (pairs, cost);
            }
            let before = pairs.len();
            for x in start..(start + CHUNK).min(vectors.prefixes.len()) {
                vectors.candidates(x, &mut sums, &mut touched, &mut cost);
                for y in touched.drain(..) {
                    let alive = std::mem::take(&mut sums[y as usize]) != DEAD;
                    let (a, b) = (vectors.members[x], vectors.members[y as usize]);
                    if !alive || !collapsed.sides[x].meet(collapsed.sides[y as usize]) {
                        continue;
                    }
                    cost.candidates += 1;
                    cost.verified += 1;
                    let vector = |set: u32| (sets.get(set as usize), weights.get(set as usize));
                    let (left, right) = (weights.square(a as usize), weights.square(b as usize));
                    if reaches(threshold, dot(vector(a), vector(b)), left, right) {
                        pairs.push(Pair { a: a.min(b), b: a.max(b), overlap: 0 });
                    }
                }
            }
            found.fetch_add(pairs.len() - before, Relaxed);
        }
    });
    if found.into_inner() > limit {
        return Err(TooManyPairs { limit, threshold });
    }
    let cost = parts.iter().fold(Cost::default(), |sum, (_, cost)| sum.add(*cost));
    let mut pairs: Vec<Pair> = parts.into_iter().flat_map(|(pairs, _)| pairs).collect();
    pairs.par_sort_unstable();
    Ok(Matches { identical: collapsed.identical, pairs, cost })
}

/// Vectors as sets: a feature with another weight is another element. Zero weights do not count.
fn elements(sets: &Sets, weights: &Weights) -> Sets {
    let elements: Vec<Vec<u64>> = (0..sets.len())
        .into_par_iter()
        .map(|set| {
            let pairs = sets.get(set).iter().zip(weights.get(set));
            let weighted = pairs.filter(|(_, weight)| **weight > 0);
            weighted.map(|(&feature, &weight)| grouped_key(feature, &[weight])).collect()
        })
        .collect();
    elements.into_iter().collect()
}

/// A feature of a prefix.
#[derive(Clone, Copy)]
struct Entry {
    feature: u64,
    weight: f64,
    /// The length of the vector from this feature on, and behind it.
    from: f64,
    behind: f64,
}

struct Posting {
    record: u32,
    entry: Entry,
}

struct Vectors<'a> {
    members: &'a [u32],
    /// The prefix of each vector, rarest features first, as parts of a vector of length one.
    prefixes: Vec<Vec<Entry>>,
    postings: HashMap<u64, Vec<Posting>, BuildHashed>,
    least: f64,
}

impl<'a> Vectors<'a> {
    fn new(sets: &Sets, weights: &Weights, collapsed: &'a collapse::Collapsed, least: f64) -> Self {
        let members = &collapsed.representatives;
        let ranks = Ranks::new(sets, members);
        let prefixes: Vec<Vec<Entry>> = members
            .par_iter()
            .enumerate()
            .map(|(at, &set)| {
                let length = (weights.square(set as usize) as f64).sqrt();
                let features = sets.get(set as usize).iter().zip(weights.get(set as usize));
                let mut ordered: Vec<(u8, u64, f64)> = features
                    .zip(ranks.of(at))
                    .filter(|((_, weight), _)| **weight > 0)
                    .map(|((&feature, &weight), &rank)| (rank, feature, f64::from(weight) / length))
                    .collect();
                ordered.sort_unstable_by_key(|&(rank, feature, _)| (rank, feature));
                prefix(&ordered, least)
            })
            .collect();
        let mut postings: HashMap<u64, Vec<Posting>, BuildHashed> = HashMap::default();
        for (record, prefix) in prefixes.iter().enumerate() {
            for &entry in prefix {
                let posting = Posting { record: record as u32, entry };
                postings.entry(entry.feature).or_default().push(posting);
            }
        }
        Self { members, prefixes, postings, least }
    }

    /// Adds up products over shared prefix features with earlier vectors, as long as the sum may
    /// still reach the threshold.
    fn candidates(&self, x: usize, sums: &mut [f64], touched: &mut Vec<u32>, cost: &mut Cost) {
        cost.probed += 1;
        for own in &self.prefixes[x] {
            let Some(postings) = self.postings.get(&own.feature) else { continue };
            for Posting { record, entry } in postings {
                if *record as usize >= x {
                    break;
                }
                cost.postings += 1;
                let sum = &mut sums[*record as usize];
                if *sum == DEAD {
                    continue;
                }
                if *sum == 0.0 {
                    touched.push(*record);
                    if own.from * entry.from < self.least {
                        *sum = DEAD;
                        continue;
                    }
                }
                *sum += own.weight * entry.weight;
                if *sum + own.behind * entry.behind < self.least {
                    *sum = DEAD;
                }
            }
        }
    }
}

/// The features up to where the length of the rest falls below the threshold.
fn prefix(ordered: &[(u8, u64, f64)], least: f64) -> Vec<Entry> {
    let mut square = 0.0;
    let mut entries = Vec::new();
    for &(rank, feature, weight) in ordered.iter().rev() {
        let behind = f64::sqrt(square) * (1.0 + SLACK);
        square += weight * weight;
        let from = f64::sqrt(square) * (1.0 + SLACK);
        // What one vector alone has matches nothing; it only made the rest shorter.
        if from >= least && rank > 0 {
            entries.push(Entry { feature, weight, from, behind });
        }
    }
    entries.reverse();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_comparing_all_finds(
            vectors in prop::collection::vec(
                prop::collection::btree_map(0u64..40, 0u32..6, 0..12), 2..40),
            hundredths in prop::sample::select(vec![10u64, 30, 50, 60, 80, 90, 100]),
        ) {
            let (mut sets, mut weights) = (Sets::default(), Weights::default());
            for vector in &vectors {
                sets.push(vector.keys().copied().collect());
                weights.push(vector.values().copied().collect());
            }
            let threshold = Threshold::new(hundredths, 100).unwrap();
            let found = join(&sets, &weights, threshold, Scope::Within, usize::MAX).unwrap();
            // Identical vectors are represented by the first of them.
            let positive = |at: usize| -> Vec<(u64, u32)> {
                let pairs = sets.get(at).iter().copied().zip(weights.get(at).iter().copied());
                pairs.filter(|pair| pair.1 > 0).collect()
            };
            let first = |at: usize| (0..=at).find(|&other| positive(other) == positive(at)).unwrap();
            let mut expected = Vec::new();
            for b in 0..vectors.len() {
                for a in 0..b {
                    let vector = |at: usize| (sets.get(at), weights.get(at));
                    let dot = dot(vector(a), vector(b));
                    let (x, y) = (weights.square(a), weights.square(b));
                    let (n, d) = (u128::from(hundredths), 100u128);
                    let (dot, x, y) = (u128::from(dot), u128::from(x), u128::from(y));
                    let holds = dot > 0 && d * d * dot * dot >= n * n * x * y;
                    if holds && first(a) == a && first(b) == b {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            expected.sort_unstable();
            let pairs: Vec<_> = found.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
            prop_assert_eq!(pairs, expected);
            for group in &found.identical {
                prop_assert!(group.iter().all(|&at| first(at as usize) == group[0] as usize));
            }
        }
    }
}
