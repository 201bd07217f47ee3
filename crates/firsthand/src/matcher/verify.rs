//! Verifies found pairs one by one.

use super::{Cost, Matches, Pair, SearchLimits};
use rayon::prelude::*;
use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Found pairs that are verified by one task.
const CHUNK: usize = 256;

/// The pairs that pass; `None` if there are more than the limit.
///
/// Sets with equal sketches may differ, so every pair of such a group is checked; its overlap is
/// the `whole` of either.
pub(crate) fn verify(
    found: Matches,
    whole: impl Fn(u32) -> u32 + Sync,
    accept: impl Fn(u32, u32) -> bool + Sync,
    limits: SearchLimits<'_>,
) -> Option<(Vec<Pair>, Cost)> {
    let groups: HashMap<u32, &[u32]> =
        found.identical.iter().map(|group| (group[0], group.as_slice())).collect();
    let (counted, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let parts = found.identical.len() + found.pairs.len().div_ceil(CHUNK);
    // Whoever does not want to wait has the pairs that passed so far.
    let go_on = || {
        let share = done.load(Relaxed) as f64 / parts as f64;
        counted.load(Relaxed) <= limits.pairs && (limits.go_on)(share)
    };
    let look = |left: &[u32], right: &[u32], overlap: u32, pairs: &mut Vec<Pair>| {
        for &a in left {
            if right.len() > 1 && !go_on() {
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
            look(std::slice::from_ref(b), &group[..at], whole(*b), &mut pairs);
        }
        done.fetch_add(1, Relaxed);
        pairs
    });
    let across = found.pairs.par_chunks(CHUNK).flat_map_iter(|chunk| {
        let mut pairs = Vec::new();
        let is_wanted = go_on();
        let all = |text| groups.get(text).copied().unwrap_or(std::slice::from_ref(text));
        for pair in chunk.iter().filter(|_| is_wanted) {
            look(all(&pair.a), all(&pair.b), pair.overlap, &mut pairs);
        }
        done.fetch_add(1, Relaxed);
        pairs
    });
    let mut pairs: Vec<Pair> = within.chain(across).collect();
    pairs.par_sort_unstable();
    (counted.into_inner() <= limits.pairs).then_some((pairs, found.cost))
}
