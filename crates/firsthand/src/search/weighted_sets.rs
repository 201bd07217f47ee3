//! Sets with weights: sketches propose pairs, and the measure verifies them.

use super::each;
use crate::{
    matcher::{self, Matches, Sets, TooManyPairs, Vectors, Wanted},
    measure::Rule,
    settings::Matcher,
    sketch::{Bits, MinHashes, grouped},
    weights::Weights,
};

/// The weights of sets, and the sketches that propose pairs.
#[derive(Debug)]
pub(super) struct WeightedSets {
    weights: Weights,
    sketches: Sketches,
}

/// The sketches that propose pairs of vectors.
#[derive(Debug)]
enum Sketches {
    /// None: the matcher finds all pairs, or those that share a band.
    None,
    Bits(Bits),
    MinHashes(Sets),
}

impl WeightedSets {
    pub(super) fn new(matcher: &Matcher, sets: &Sets, weights: Weights) -> Self {
        let sketches = match matcher {
            Matcher::Bits { bits } => Sketches::Bits(Bits::new(*bits, sets.len(), |set| {
                (sets.get(set), Some(weights.get(set)))
            })),
            Matcher::Sketch { hashes, group } => {
                let hashes = MinHashes::new(*hashes);
                Sketches::MinHashes(each(sets.len(), |set, values| {
                    let (features, weights) = (sets.get(set), weights.get(set));
                    if features.is_empty() {
                        return Vec::new();
                    }
                    hashes.weighted(features, weights, values);
                    grouped(values, *group)
                }))
            }
            Matcher::Exact
            | Matcher::Bands(_)
            | Matcher::Fingerprint { .. }
            | Matcher::Collisions(_) => Sketches::None,
        };
        Self { weights, sketches }
    }

    pub(super) fn vectors<'a>(&'a self, sets: &'a Sets) -> Vectors<'a> {
        Vectors { sets, weights: &self.weights }
    }

    /// The weights of the features of a set.
    pub(super) fn weights(&self, set: usize) -> &[u32] {
        self.weights.get(set)
    }

    /// The wanted pairs among those that are proposed. Bands are chosen for `settled`, the rule of the
    /// settings.
    pub(super) fn pairs(
        &self,
        matcher: &Matcher,
        sets: &Sets,
        settled: Rule,
        wanted: Wanted<'_>,
    ) -> Result<Matches, TooManyPairs> {
        let vectors = self.vectors(sets);
        match (&self.sketches, matcher.least_agreement(wanted.rule), matcher) {
            (Sketches::Bits(bits), Some((least, _)), _) => {
                matcher::by_bits(vectors, bits, least, wanted)
            }
            (Sketches::MinHashes(sketches), Some(least), _) => {
                matcher::by_sketches(vectors, sketches, least, wanted)
            }
            (_, _, Matcher::Bands(bands)) => match bands.banding(settled) {
                Some(banding) => matcher::by_bands(vectors, banding, wanted),
                None => matcher::weighted(vectors, wanted),
            },
            _ => matcher::weighted(vectors, wanted),
        }
    }

    /// The similarity of two vectors, whether it reaches the threshold, and whether they are proposed.
    pub(super) fn likeness(
        &self,
        matcher: &Matcher,
        sets: &Sets,
        rule: Rule,
        (a, b): (u32, u32),
    ) -> (f64, bool, bool) {
        let vectors = self.vectors(sets);
        let (score, holds) = vectors.likeness(rule, a, b);
        let met = match (&self.sketches, matcher.least_agreement(rule), matcher) {
            (Sketches::Bits(bits), Some((least, _)), _) => {
                bits.agreement(a as usize, b as usize) >= least as u64
            }
            (Sketches::MinHashes(sketches), Some((least, _)), _) => {
                matcher::overlap(sketches.get(a as usize), sketches.get(b as usize)) >= least
            }
            (_, _, Matcher::Bands(bands)) => {
                let empty = |set: u32| sets.get(set as usize).is_empty();
                let share = |banding| matcher::share_band(vectors, a, b, banding);
                empty(a) || empty(b) || bands.banding(rule).is_none_or(share)
            }
            _ => true,
        };
        // Equal vectors are found without a proposal.
        (score, holds, met || vectors.equal(a, b))
    }
}

#[cfg(test)]
mod tests;
