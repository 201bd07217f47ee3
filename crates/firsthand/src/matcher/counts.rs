//! How often a feature occurs, roughly: enough to put rare features first.
//!
//! A table of saturating counters, addressed by the leading bits of the feature. Collisions make a
//! count too high, never too low, so a count of one is certain: such a feature has no partner.

use super::Sets;
use rayon::prelude::*;

/// Counters per feature of the collection; more means fewer collisions.
const ROOM: usize = 2;

pub(super) struct Counts {
    shift: u32,
    counters: Vec<u16>,
}

impl Counts {
    /// Counts each feature once for every set of `members` that has it.
    pub(super) fn new(sets: &Sets, members: &[u32]) -> Self {
        let features: usize = members.par_iter().map(|&set| sets.get(set as usize).len()).sum();
        let slots = (features * ROOM).next_power_of_two().max(1 << 10);
        let shift = 64 - slots.trailing_zeros();
        // Each thread owns a stretch of the table. The features of a set are sorted, so those
        // that fall into the stretch lie side by side: no thread reads what is not its own.
        let parts = rayon::current_num_threads().next_power_of_two().min(64);
        let mut counters = vec![0u16; slots];
        counters.par_chunks_mut(slots / parts).enumerate().for_each(|(part, counters)| {
            let base = part * (slots / parts);
            let first = (base as u64) << shift;
            let last = first + ((counters.len() as u64) << shift).wrapping_sub(1);
            for &set in members {
                let set = sets.get(set as usize);
                let start = set.partition_point(|&feature| feature < first);
                for &feature in set[start..].iter().take_while(|&&feature| feature <= last) {
                    let counter = &mut counters[(feature >> shift) as usize - base];
                    *counter = counter.saturating_add(1);
                }
            }
        });
        Self { shift, counters }
    }

    pub(super) fn of(&self, feature: u64) -> u16 {
        self.counters[(feature >> self.shift) as usize]
    }
}
