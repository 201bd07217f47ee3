//! Vectors proposed by sketches and verified by the measure: some pairs are missed, none is wrong.

use super::{
    Cost, Matches, Scope, Sets, Sides, TooManyPairs, Vectors, Wanted, bands, exact, hamming,
    verify::verify,
};
use crate::{
    measure::{Measure, Rule},
    sketch::{Banding, Bits},
    threshold::Threshold,
};

/// Finds the wanted pairs that agree on at least `least` bits.
pub(crate) fn by_bits(
    vectors: Vectors<'_>,
    bits: &Bits,
    least: usize,
    wanted: Wanted<'_>,
) -> Result<Matches, TooManyPairs> {
    let collapsed = vectors.collapse(wanted.scope);
    let accept = |a: u32, b: u32| vectors.reach(wanted.rule, a, b);
    let found = hamming::accepted(bits, &collapsed, least as u32, accept, wanted.limits);
    wanted.matches(collapsed, found)
}

/// Finds the wanted pairs that share a band of min-hashes.
pub(crate) fn by_bands(
    vectors: Vectors<'_>,
    banding: Banding,
    wanted: Wanted<'_>,
) -> Result<Matches, TooManyPairs> {
    let collapsed = vectors.collapse(wanted.scope);
    let keys = keys(vectors, &collapsed.representatives, banding);
    let compare = |a: u32, b: u32, cost: &mut Cost| {
        cost.verified += 1;
        vectors.reach(wanted.rule, a, b).then_some(0)
    };
    let found = bands::accepted(&keys, &collapsed, compare, wanted.limits);
    wanted.matches(collapsed, found)
}

/// Whether two non-empty vectors share a band.
pub(crate) fn share_band(vectors: Vectors<'_>, a: u32, b: u32, banding: Banding) -> bool {
    keys(vectors, &[a, b], banding).meet(0, 1)
}

fn keys(vectors: Vectors<'_>, members: &[u32], banding: Banding) -> bands::Keys {
    bands::Keys::of_values(members, banding, |hashes, set, values| {
        let (features, weights) = vectors.get(set);
        hashes.weighted(features, weights, values);
    })
}

/// Finds the wanted pairs whose sketches agree on at least `least` of `of` values.
pub(crate) fn by_sketches(
    vectors: Vectors<'_>,
    sketches: &Sets,
    (least, of): (usize, usize),
    wanted: Wanted<'_>,
) -> Result<Matches, TooManyPairs> {
    let Wanted { rule, limits, .. } = wanted;
    let collapsed = vectors.collapse(wanted.scope);
    let mut own = vec![Vec::new(); sketches.len()];
    let mut sides = vec![Sides::default(); sketches.len()];
    for (&set, &side) in collapsed.representatives.iter().zip(&collapsed.sides) {
        own[set as usize] = sketches.get(set as usize).to_vec();
        sides[set as usize] = side;
    }
    let threshold = Threshold::ratio(least as u64, of as u64);
    let agreement = Rule { measure: Measure::MaxOverlap, threshold };
    let own: Sets = own.into_iter().collect();
    let proposed = exact(&own, Wanted { rule: agreement, scope: Scope::Across(&sides), limits });
    let accept = |a: u32, b: u32| {
        let met = sides[a as usize].meet(sides[b as usize]);
        met && vectors.reach(rule, a, b)
    };
    let found = proposed.ok().and_then(|proposed| verify(proposed, |_| 0, accept, limits));
    wanted.matches(collapsed, found)
}
