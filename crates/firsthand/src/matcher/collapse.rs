//! Identical sets become one: a story copied a thousand times is joined once, not a million times.

use super::{Scope, Sets, Sides};
use crate::wide::wide;
use rayon::prelude::*;

/// The different sets of a collection.
pub(super) struct Collapsed {
    /// The first set of each group of identical ones, ascending; empty sets have none.
    pub(super) representatives: Vec<u32>,
    /// For each representative, the sides on which its group occurs.
    pub(super) sides: Vec<Sides>,
    /// The groups of two or more, each ascending, ordered by their first.
    pub(super) identical: Vec<Vec<u32>>,
}

impl Collapsed {
    /// Every set by itself again, for a check that may tell identical ones apart.
    pub(super) fn apart(self, scope: Scope<'_>) -> Self {
        let others = self.identical.into_iter().flat_map(|group| group.into_iter().skip(1));
        let mut representatives: Vec<u32> =
            self.representatives.into_iter().chain(others).collect();
        representatives.par_sort_unstable();
        let sides = representatives.iter().map(|&set| scope.sides(set)).collect();
        Self { representatives, sides, identical: Vec::new() }
    }
}

pub(super) fn collapse(sets: &Sets, scope: Scope<'_>) -> Collapsed {
    let features = |set: u32| sets.get(set as usize);
    let print = |set: u32| (!features(set).is_empty()).then(|| digest(features(set)));
    collapse_by(sets.len(), scope, print, |a, b| features(a) == features(b))
}

/// The same for anything with an equality and a digest, which is `None` for what is empty.
pub(super) fn collapse_by(
    count: usize,
    scope: Scope<'_>,
    digest: impl Fn(u32) -> Option<u64> + Sync,
    equal: impl Fn(u32, u32) -> bool,
) -> Collapsed {
    let mut keys: Vec<(u64, u32)> = (0..count as u32)
        .into_par_iter()
        .filter_map(|set| digest(set).map(|digest| (digest, set)))
        .collect();
    keys.par_sort_unstable();

    let mut groups: Vec<(u32, Sides)> = Vec::with_capacity(keys.len());
    let mut identical = Vec::new();
    for run in keys.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, only)] = run {
            groups.push((*only, scope.sides(*only)));
            continue;
        }
        let mut rest: Vec<u32> = run.iter().map(|key| key.1).collect();
        // The digest only proposes; equality decides. A second round means a collision.
        while let Some(&first) = rest.first() {
            let (same, other): (Vec<u32>, Vec<u32>) =
                rest.into_iter().partition(|&set| equal(set, first));
            let sides =
                same.iter().fold(Sides::default(), |sides, &set| sides.or(scope.sides(set)));
            groups.push((first, sides));
            if same.len() > 1 {
                identical.push(same);
            }
            rest = other;
        }
    }
    groups.par_sort_unstable();
    identical.sort_unstable();
    let (representatives, sides) = groups.into_iter().unzip();
    Collapsed { representatives, sides, identical }
}

/// A sum, so that many features are added at a time. Each is spread over all bits first: features may be small numbers.
fn digest(features: &[u64]) -> u64 {
    let spread = |feature: &u64| {
        let bits = feature.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits.wrapping_add((bits & 0xffff_ffff) * (bits >> 32))
    };
    wide(
        #[inline(always)]
        || features.iter().map(spread).fold(features.len() as u64, u64::wrapping_add),
    )
}
