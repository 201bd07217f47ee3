//! Verifies found pairs one by one.

use super::{Cost, Matches, Pair};
use rayon::prelude::*;
use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The pairs that pass; `None` if there are more than `limit`.
///
/// Sets with equal sketches may differ, so every pair of such a group is checked; its overlap is
/// the `whole` of either.
pub(crate) fn verify(
    found: Matches,
    whole: impl Fn(u32) -> u32 + Sync,
    accept: impl Fn(u32, u32) -> bool + Sync,
    limit: usize,
) -> Option<(Vec<Pair>, Cost)> {
    let groups: HashMap<u32, &[u32]> =
        found.identical.iter().map(|group| (group[0], group.as_slice())).collect();
    let counted = AtomicUsize::new(0);
    let look = |left: &[u32], right: &[u32], overlap: u32, pairs: &mut Vec<Pair>| {
        for &a in left {
            if counted.load(Relaxed) > limit {
                return;
            }
            let before = pairs.len();
            let accepted = right.iter().filter(|&&b| accept(a.min(b), a.max(b)));
            pairs.extend(accepted.map(|&b| Pair { a: a.min(b), b: a.max(b), overlap }));
            counted.fetch_add(pairs.len() - before, Relaxed);
        }
    };
    let within = found.identical.par_iter().flat_map_iter(|group| {
        let mut pairs = Vec::new();
        for (at, b) in group.iter().enumerate() {
            look(&group[..at], std::slice::from_ref(b), whole(*b), &mut pairs);
        }
        pairs
    });
    let across = found.pairs.par_chunks(256).flat_map_iter(|chunk| {
        let mut pairs = Vec::new();
        for pair in chunk {
            let all = |text| groups.get(text).copied().unwrap_or(std::slice::from_ref(text));
            look(all(&pair.a), all(&pair.b), pair.overlap, &mut pairs);
        }
        pairs
    });
    let mut pairs: Vec<Pair> = within.chain(across).collect();
    pairs.par_sort_unstable();
    (counted.into_inner() <= limit).then_some((pairs, found.cost))
}
