//! Approximate counts of how often each feature occurs: enough to put rare features first.
//!
//! Counters are addressed by the leading bits of the feature. Collisions make a count too high,
//! never too low, so a count of one is certain: such a feature has no partner. One big table would
//! miss the cache on every feature, so features are first partitioned by their leading bits, each
//! partition is counted in a small table, and the counts are collected in the same order. Sets are ascending,
//! so that of a large collection some partitions are made at a time: too many would miss the cache themselves.

use super::Sets;
use crate::{
    large_memory::LargeMemory,
    prefetch::{prefetch, prefetch_first},
};
use rayon::prelude::*;
use std::ops::Range;

/// Counters per feature; more means fewer collisions.
const ROOM: usize = 2;
/// Features per partition: its counters fit into a core's cache, and their indices into 16 bits.
const PART: usize = 1 << 15;
/// Enough for two thousand million features; with more, counters are shared by more of them.
const MOST_PARTS: usize = 1 << 16;
/// Places of a partition that are asked for ahead: a line of the cache.
const AHEAD: usize = 32;
/// Partitions that are made at a time.
const PARTS_AT_ONCE: usize = 1 << 11;

/// For each feature of each member, how common it is.
pub(super) struct FeatureRanks {
    /// Members per task.
    chunk: usize,
    /// Per task, the ranks of its members concatenated, and where each member's ranks start.
    tasks: Vec<(Vec<u8>, Vec<usize>)>,
}

/// What one thread counts.
struct CountTask<'a> {
    sets: &'a Sets,
    members: &'a [u32],
    ranks: Vec<u8>,
    starts: Vec<usize>,
    /// The number of each member's features whose ranks are known.
    known: Vec<u32>,
    dealt: DealtSlots,
}

impl<'a> CountTask<'a> {
    fn new(sets: &'a Sets, members: &'a [u32], layout: CounterLayout, parts: usize) -> Self {
        let mut starts = Vec::with_capacity(members.len() + 1);
        starts.push(0);
        let mut end = 0;
        starts.extend(members.iter().map(|&member| {
            end += sets.get(member as usize).len();
            end
        }));
        let share = end / layout.parts;
        let dealt = DealtSlots::new(parts, share + share / 8 + 16);
        Self { sets, members, ranks: vec![0; end], starts, known: vec![0; members.len()], dealt }
    }

    /// Features are ascending, so that those of the next parts follow those that are known.
    fn left(&self, at: usize) -> &'a [u64] {
        &self.sets.get(self.members[at] as usize)[self.known[at] as usize..]
    }

    /// Asks for the features of a member ahead.
    fn ask_for(&self, at: usize) {
        if at < self.members.len() {
            prefetch_first(self.left(at));
        }
    }

    /// Deals out the slots of all features in some parts.
    fn deal(&mut self, layout: CounterLayout, parts: &Range<usize>) {
        let mut dealt = std::mem::take(&mut self.dealt);
        dealt.beyond.iter_mut().for_each(Vec::clear);
        let mut places = dealt.begin();
        for at in 0..self.members.len() {
            self.ask_for(at + 1);
            for &feature in self.left(at) {
                let part = layout.part(feature);
                if part >= parts.end {
                    break;
                }
                places.put(part - parts.start, layout.slot(feature));
            }
        }
        self.dealt = dealt;
    }

    /// Takes the ranks that are there now in place of the slots.
    fn collect(&mut self, layout: CounterLayout, parts: &Range<usize>) {
        let mut dealt = std::mem::take(&mut self.dealt);
        let mut places = dealt.begin();
        for at in 0..self.members.len() {
            self.ask_for(at + 1);
            let (left, start) = (self.left(at), self.starts[at] + self.known[at] as usize);
            let mut count = 0;
            for (&feature, rank) in left.iter().zip(&mut self.ranks[start..]) {
                let part = layout.part(feature);
                if part >= parts.end {
                    break;
                }
                *rank = places.get(part - parts.start) as u8;
                count += 1;
            }
            self.known[at] += count;
        }
        self.dealt = dealt;
    }
}

/// The slots of features, part by part, and then their ranks in the same places. All parts have the same room; what is
/// more than that is apart.
#[derive(Default)]
struct DealtSlots {
    room: usize,
    slots: LargeMemory<u16>,
    lengths: Vec<u32>,
    beyond: Vec<Vec<u16>>,
}

/// The next place of each part.
struct SlotPlaces<'a> {
    room: usize,
    slots: &'a mut [u16],
    next: &'a mut [u32],
    beyond: &'a mut [Vec<u16>],
}

impl DealtSlots {
    fn new(parts: usize, room: usize) -> Self {
        let slots = LargeMemory::new(parts * room);
        Self { room, slots, lengths: vec![0; parts], beyond: vec![Vec::new(); parts] }
    }

    /// Begins with the first place of each part; where that ends is the length of the part.
    fn begin(&mut self) -> SlotPlaces<'_> {
        let Self { room, slots, lengths: next, beyond } = self;
        next.fill(0);
        SlotPlaces { room: *room, slots, next, beyond }
    }

    /// The slots of each part.
    fn by_part(&mut self) -> impl Iterator<Item = [&mut [u16]; 2]> {
        let Self { room, slots, lengths, beyond } = self;
        let parts = slots.chunks_mut(*room).zip(lengths).zip(beyond);
        parts.map(|((slots, length), beyond)| {
            let within = (*length as usize).min(slots.len());
            [&mut slots[..within], &mut beyond[..]]
        })
    }
}

impl SlotPlaces<'_> {
    /// Asks for places that come after the next one of a part.
    #[inline(always)]
    fn ahead(&self, part: usize, next: usize) {
        prefetch(self.slots, part * self.room + next + AHEAD);
    }

    #[inline]
    fn put(&mut self, part: usize, slot: u16) {
        let next = self.next[part] as usize;
        self.next[part] += 1;
        if next < self.room {
            self.ahead(part, next);
            self.slots[part * self.room + next] = slot;
        } else {
            self.beyond[part].push(slot);
        }
    }

    #[inline]
    fn get(&mut self, part: usize) -> u16 {
        let next = self.next[part] as usize;
        self.next[part] += 1;
        if next < self.room {
            self.ahead(part, next);
            self.slots[part * self.room + next]
        } else {
            self.beyond[part].get(next - self.room).copied().unwrap_or_default()
        }
    }
}

/// Where a feature is counted.
#[derive(Clone, Copy)]
struct CounterLayout {
    /// Leading bits to ignore: in a model's features they are a rank.
    skipped: u32,
    parts: usize,
    slots: usize,
}

impl CounterLayout {
    fn new(features: usize, skipped: u32) -> Self {
        let parts = (features / PART).next_power_of_two().clamp(2, MOST_PARTS);
        let slots = (features * ROOM / parts).next_power_of_two().clamp(1 << 10, 1 << 16);
        Self { skipped, parts, slots }
    }

    fn part(self, feature: u64) -> usize {
        ((feature << self.skipped) >> (64 - self.parts.trailing_zeros())) as usize
    }

    fn slot(self, feature: u64) -> u16 {
        let behind = feature << self.skipped << self.parts.trailing_zeros();
        (behind >> (64 - self.slots.trailing_zeros())) as u16
    }
}

impl FeatureRanks {
    /// Counts each feature once for every set in `members` that has it. Features are distinguished
    /// by the bits after the `skipped` leading ones.
    pub(super) fn new(sets: &Sets, members: &[u32], skipped: u32) -> Self {
        Self::in_rounds(sets, members, skipped, PARTS_AT_ONCE)
    }

    fn in_rounds(sets: &Sets, members: &[u32], skipped: u32, at_once: usize) -> Self {
        let size = |member: &u32| sets.get(*member as usize).len();
        let features = members.par_iter().map(size).sum();
        let layout = CounterLayout::new(features, skipped);
        let chunk = members.len().div_ceil(rayon::current_num_threads()).max(1);
        let chunks = members.par_chunks(chunk);
        // In another order than that of the bits that are counted, all have to be made at once.
        let at_once = if skipped == 0 { at_once.min(layout.parts) } else { layout.parts };
        let mut tasks: Vec<CountTask<'_>> =
            chunks.map(|members| CountTask::new(sets, members, layout, at_once)).collect();
        for first in (0..layout.parts).step_by(at_once) {
            let round = first..first + at_once;
            tasks.par_iter_mut().for_each(|task| task.deal(layout, &round));
            let mut by_part: Vec<Vec<[&mut [u16]; 2]>> = (0..at_once).map(|_| Vec::new()).collect();
            for task in &mut tasks {
                by_part
                    .iter_mut()
                    .zip(task.dealt.by_part())
                    .for_each(|(part, task)| part.push(task));
            }
            by_part.into_par_iter().for_each_init(
                || vec![0u16; layout.slots],
                |counters, mut part| {
                    counters.fill(0);
                    for slot in part.iter().flatten().flat_map(|slots| slots.iter()) {
                        let counter = &mut counters[*slot as usize];
                        *counter = counter.saturating_add(1);
                    }
                    for slot in part.iter_mut().flatten().flat_map(|slots| slots.iter_mut()) {
                        *slot = u16::from(quantise(counters[*slot as usize]));
                    }
                },
            );
            tasks.par_iter_mut().for_each(|task| task.collect(layout, &round));
        }
        let tasks = tasks.into_iter().map(|task| (task.ranks, task.starts)).collect();
        Self { chunk, tasks }
    }

    /// The ranks of a member's features: 0 for a feature that no other member has, higher for more
    /// common ones.
    pub(super) fn of(&self, member: usize) -> &[u8] {
        let (ranks, starts) = &self.tasks[member / self.chunk];
        let at = member % self.chunk;
        &ranks[starts[at]..starts[at + 1]]
    }
}

/// Small counts unchanged, larger ones by their logarithm.
fn quantise(count: u16) -> u8 {
    let count = count.saturating_sub(1);
    if count < 128 {
        return count as u8;
    }
    // From seven bits on, eight steps per power of two.
    let power = count.ilog2();
    let step = (count >> (power - 3)) & 7;
    (128 + (power as u16 - 7) * 8 + step).min(255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_grow_with_counts() {
        let ranks: Vec<u8> = (1..=u16::MAX).map(quantise).collect();
        assert!(ranks.is_sorted());
        assert_eq!((ranks[0], ranks[1], ranks[127]), (0, 1, 127));
        assert!(*ranks.last().unwrap() > 190);
    }

    #[test]
    fn a_rank_of_zero_is_certain_and_counts_are_never_too_low() {
        let sets: Sets = (0..500u64)
            .map(|set| {
                (0..40).map(|n| (set * n % 701 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
            })
            .collect();
        let members: Vec<u32> = (0..500).collect();
        for (threads, skipped, at_once) in
            [(1, 0, 512), (2, 0, 512), (5, 0, 512), (2, 8, 512), (1, 0, 1), (2, 0, 1), (2, 8, 1)]
        {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let ranks = pool.install(|| FeatureRanks::in_rounds(&sets, &members, skipped, at_once));
            for member in 0..sets.len() {
                for (feature, &rank) in sets.get(member).iter().zip(ranks.of(member)) {
                    let having = |set: &usize| sets.get(*set).binary_search(feature).is_ok();
                    let count = (0..sets.len()).filter(having).count();
                    assert!(rank >= quantise(count as u16), "{count} {rank}");
                }
            }
        }
    }
}
