//! Candidates by bands of min-hashes, verified exactly.
//!
//! Two sets are candidates when they have the same key in some band. Each pair is examined in the
//! first band that both share, so that no list of candidates has to be kept.

use super::{
    Cost, Matches, Pair, SearchLimits, Sets, Sides, TooManyPairs, Wanted, collapse,
    collapse::Collapsed, forecast, probe::overlap_at_least,
};
use crate::sketch::{Banding, MinHashes, grouped_key};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Entries of a band per task.
const CHUNK: usize = 4096;
/// The steps of comparing two sets, roughly, for a forecast.
const COMPARISON: f64 = 100.0;

/// The band keys of all sets, one set after another.
pub(crate) struct Keys {
    bands: usize,
    keys: Vec<u32>,
}

impl Keys {
    /// The keys of some sets, none of which is empty.
    pub(crate) fn new(sets: &Sets, members: &[u32], banding: Banding) -> Self {
        Self::of_values(members, banding, |hashes, set, values| {
            hashes.values(sets.get(set as usize), values);
        })
    }

    /// The keys of some sets, given a function that writes the min-hashes of each.
    pub(super) fn of_values(
        members: &[u32],
        banding: Banding,
        write: impl Fn(&MinHashes, u32, &mut Vec<u32>) + Sync,
    ) -> Self {
        let hashes = MinHashes::new(banding.hashes());
        let mut keys = vec![0u32; members.len() * banding.bands];
        keys.par_chunks_mut(banding.bands).zip(members).for_each_init(
            Vec::new,
            |values, (own, &set)| {
                write(&hashes, set, values);
                for (place, (key, run)) in
                    own.iter_mut().zip(values.chunks(banding.rows)).enumerate()
                {
                    *key = grouped_key(place as u64, run) as u32;
                }
            },
        );
        Self { bands: banding.bands, keys }
    }

    pub(super) fn of(&self, member: u32) -> &[u32] {
        &self.keys[member as usize * self.bands..][..self.bands]
    }

    /// Whether two members share a band.
    pub(super) fn meet(&self, a: u32, b: u32) -> bool {
        self.of(a).iter().zip(self.of(b)).any(|(a, b)| a == b)
    }
}

/// Whether two non-empty sets share a band.
pub(crate) fn meet(a: &[u64], b: &[u64], banding: Banding) -> bool {
    let sets: Sets = [a.to_vec(), b.to_vec()].into_iter().collect();
    Keys::new(&sets, &[0, 1], banding).meet(0, 1)
}

/// Finds the pairs that share a band and reach the rule's threshold.
pub(crate) fn join(
    sets: &Sets,
    banding: Banding,
    wanted: Wanted<'_>,
) -> Result<Matches, TooManyPairs> {
    let collapsed = collapse::collapse(sets, wanted.scope);
    let keys = Keys::new(sets, &collapsed.representatives, banding);
    let compare = |a: u32, b: u32, cost: &mut Cost| {
        let (a, b) = (sets.get(a as usize), sets.get(b as usize));
        let least = wanted.rule.least_overlap(a.len() as u64, b.len() as u64) as usize;
        if least > a.len().min(b.len()) {
            return None;
        }
        cost.verified += 1;
        overlap_at_least(a, b, least.max(1)).map(|overlap| overlap as u32)
    };
    let found = accepted(&keys, &collapsed, compare, wanted.limits);
    wanted.matches(collapsed, found)
}

/// The pairs that share a band and for which the comparison returns an overlap; `None` if there are
/// too many.
pub(super) fn accepted(
    keys: &Keys,
    collapsed: &Collapsed,
    compare: impl Fn(u32, u32, &mut Cost) -> Option<u32> + Sync,
    limits: SearchLimits<'_>,
) -> Option<(Vec<Pair>, Cost)> {
    let members = &collapsed.representatives;
    let look = BandScan { members, keys, sides: &collapsed.sides, compare };
    let found = AtomicUsize::new(0);
    let mut pairs = Vec::new();
    let mut cost = Cost { probed: members.len() as u64, ..Cost::default() };
    let share = |band: usize| band as f64 / keys.bands as f64;
    for band in (0..keys.bands).take_while(|band| (limits.go_on)(share(*band))) {
        let mut order: Vec<(u32, u32)> = (0..members.len() as u32)
            .into_par_iter()
            .map(|member| (keys.of(member)[band], member))
            .collect();
        order.par_sort_unstable();
        if band == 0 {
            let runs = order.chunk_by(|a, b| a.0 == b.0).map(|run| run.len() as f64);
            let candidates: f64 = runs.map(|run| run * (run - 1.0) / 2.0).sum();
            let steps = candidates * keys.bands as f64 * COMPARISON;
            forecast::tell_steps(members.len(), steps, limits);
        }
        let parts: Vec<(Vec<Pair>, Cost)> = (0..order.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut part = (Vec::new(), Cost::default());
                for at in chunk * CHUNK..((chunk + 1) * CHUNK).min(order.len()) {
                    if found.load(Relaxed) > limits.pairs {
                        break;
                    }
                    let before = part.0.len();
                    look.at(band, &order[at..], &mut part);
                    found.fetch_add(part.0.len() - before, Relaxed);
                }
                part
            })
            .collect();
        for (found, took) in parts {
            pairs.extend(found);
            cost = cost.add(took);
        }
        if found.load(Relaxed) > limits.pairs {
            return None;
        }
    }
    pairs.par_sort_unstable();
    Some((pairs, cost))
}

struct BandScan<'a, C> {
    members: &'a [u32],
    keys: &'a Keys,
    sides: &'a [Sides],
    compare: C,
}

impl<C: Fn(u32, u32, &mut Cost) -> Option<u32>> BandScan<'_, C> {
    /// Compares the first entry with the following ones that have the same key.
    fn at(&self, band: usize, entries: &[(u32, u32)], (pairs, cost): &mut (Vec<Pair>, Cost)) {
        let Some((&(key, x), rest)) = entries.split_first() else { return };
        cost.postings += 1;
        let (own, keys) = (self.members[x as usize], self.keys.of(x));
        for &(_, y) in rest.iter().take_while(|entry| entry.0 == key) {
            // A pair that met in an earlier band was examined there.
            let met = keys[..band].iter().zip(self.keys.of(y)).any(|(a, b)| a == b);
            if met || !self.sides[x as usize].meet(self.sides[y as usize]) {
                continue;
            }
            cost.candidates += 1;
            let other = self.members[y as usize];
            let (a, b) = (own.min(other), own.max(other));
            if let Some(overlap) = (self.compare)(a, b, cost) {
                pairs.push(Pair { a, b, overlap });
            }
        }
    }
}
