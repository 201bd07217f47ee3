//! Which features occur once: a counter of two bits for each slot of a table.
//!
//! Features that share a slot are counted together, so that a count may be too high, never too low:
//! what is counted once occurs once. The table grows with its features; their slots are their leading
//! bits, so that each counter is then that of two.

use super::{
    ranges::{Ranges, SHARES},
    singles::{RepeatedSlots, Singles},
};
use crate::{
    large_memory::LargeMemory,
    prefetch::{AHEAD, prefetch},
};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Features that wait to be counted in a table, at least and at most.
const WAITING: (usize, usize) = (64, 1 << 13);
/// Features of a range for each that waits: with about as many waiting as its table has lines of the
/// cache, most of them find theirs there.
const IN_LINE: usize = 32;
/// Slots for each feature, at least.
const ROOM: usize = 3;
const LEAST_SLOTS: usize = 1 << 10;
/// As many as features have bits for them.
const MOST_SLOTS: usize = 1 << 31;
/// Slots in a word of the table.
const IN_WORD: usize = 32;
/// The lower bit of each counter.
const ONES: u64 = 0x5555_5555_5555_5555;

/// Counts of the features of some ranges, made by many threads.
pub(crate) struct SharedCounters {
    ranges: Ranges,
    parts: Vec<Mutex<Counters>>,
    /// Features of a range that wait on each thread.
    waiting: usize,
}

impl SharedCounters {
    /// Counters for about `features` features, of which `shares` of [`SHARES`] are counted. Tables begin with
    /// room for one in `first` of them, and grow.
    pub(crate) fn new(shares: usize, features: usize, first: usize) -> Self {
        let ranges = Ranges::new(shares, features);
        let in_range = features >> ranges.bits;
        let part = |_| Mutex::new(Counters::new(in_range / first));
        let waiting = (in_range / IN_LINE).next_power_of_two().clamp(WAITING.0, WAITING.1);
        let parts = (0..ranges.counted).into_par_iter().map(part).collect();
        Self { ranges, parts, waiting }
    }

    /// About the bytes of counters for `features` features of which `shares` are counted, with what waits for
    /// them on each of `threads`.
    pub(crate) fn bytes(shares: usize, features: u64, threads: u64) -> u64 {
        // No more than six counters of two bits, and some room.
        let counted = features / SHARES as u64 * shares as u64;
        2 * counted + threads * 4 * (2 * counted / IN_LINE as u64) + (1 << 17)
    }

    /// Counts features of a range.
    #[inline(never)]
    fn count(&self, range: usize, features: &[u32]) {
        self.parts[range].lock().unwrap_or_else(PoisonError::into_inner).add(features);
    }

    /// Ends counting.
    pub(crate) fn finish(self) -> FinishedCounters {
        let parts = self.parts.into_iter();
        let parts = parts.map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        FinishedCounters { ranges: self.ranges, parts: parts.collect() }
    }
}

/// What was counted of the features in some ranges.
#[derive(Clone, Debug)]
pub(crate) struct FinishedCounters {
    ranges: Ranges,
    parts: Vec<Counters>,
}

impl FinishedCounters {
    /// Which features occur once.
    pub(crate) fn singles(self) -> Singles {
        let parts = self.parts.into_par_iter().map(Counters::repeated).collect();
        Singles::new(self.ranges, parts)
    }

    /// Adds the counts of others.
    pub(crate) fn merge(&mut self, mut other: Self) {
        while self.ranges.bits < other.ranges.bits {
            self.halve();
        }
        while other.ranges.bits < self.ranges.bits {
            other.halve();
        }
        let mut parts = std::mem::take(&mut self.parts);
        parts.iter_mut().zip(other.parts).for_each(|(part, other)| part.merge(other));
        self.parts = parts;
    }

    /// Makes two ranges of each.
    fn halve(&mut self) {
        self.ranges = Ranges::of(self.ranges.bits + 1, 2 * self.ranges.counted);
        self.parts =
            std::mem::take(&mut self.parts).into_iter().flat_map(Counters::halves).collect();
    }
}

/// What one thread counts: many features of a range at a time, since locking it takes as long.
pub(crate) struct Tally<'a> {
    counters: &'a SharedCounters,
    /// Those of each range, one range after another.
    waiting: LargeMemory<u32>,
    lengths: Vec<u16>,
    room: Vec<u64>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(counters: &'a SharedCounters) -> Self {
        let ranges = counters.parts.len();
        let (waiting, lengths) = (LargeMemory::new(ranges * counters.waiting), vec![0; ranges]);
        Self { counters, waiting, lengths, room: Vec::new() }
    }

    /// Counts features.
    pub(crate) fn add_all(&mut self, features: &[u64]) {
        let mut room = std::mem::take(&mut self.room);
        self.counters.ranges.choose(features, &mut room);
        self.add(&room);
        self.room = room;
    }

    /// Counts features and writes them to `room`, those first that are counted; returns their number.
    pub(crate) fn add_and_part(&mut self, features: &[u64], room: &mut [u64]) -> usize {
        let ranges = self.counters.ranges;
        let (mut sampled, mut others) = (0, features.len());
        let room = &mut room[..features.len()];
        // Each goes to both ends, as it cannot be foreseen where it belongs: the next one overwrites it
        // where it does not.
        for &feature in features {
            let is_counted = usize::from(ranges.is_counted(feature));
            room[sampled] = feature;
            sampled += is_counted;
            room[others - 1] = feature;
            others -= 1 - is_counted;
        }
        self.add(&room[..sampled]);
        sampled
    }

    /// Counts those of some features that are in a range.
    fn add(&mut self, features: &[u64]) {
        let (ranges, room) = (self.counters.ranges, self.counters.waiting);
        let waiting: &mut [u32] = &mut self.waiting;
        for &feature in features {
            let (range, rest) = ranges.place(feature);
            let Some(length) = self.lengths.get_mut(range) else { continue };
            let place = range * room + *length as usize;
            prefetch(waiting, place + AHEAD);
            waiting[place] = rest;
            *length += 1;
            if *length as usize == room {
                *length = 0;
                self.counters.count(range, &waiting[range * room..][..room]);
            }
        }
    }

    /// Counts what is waiting.
    pub(crate) fn finish(&mut self) {
        let room = self.counters.waiting;
        for (range, length) in self.lengths.iter_mut().enumerate() {
            let length = std::mem::take(length) as usize;
            self.counters.count(range, &self.waiting[range * room..][..length]);
        }
    }
}

/// How often features occur: not at all, once, or more often.
#[derive(Clone, Debug)]
struct Counters {
    words: Vec<u64>,
    /// The bits of a feature that are not its slot.
    shift: u32,
    counted: usize,
}

impl Counters {
    /// A table that need not grow for this number of features.
    fn new(features: usize) -> Self {
        let slots = (features * ROOM).next_power_of_two().clamp(LEAST_SLOTS, MOST_SLOTS);
        let words = written_zeroes(slots / IN_WORD);
        Self { words, shift: 32 - slots.trailing_zeros(), counted: 0 }
    }

    /// Counts features.
    fn add(&mut self, features: &[u32]) {
        self.counted += features.len();
        while self.counted * ROOM > self.slots() && self.slots() < MOST_SLOTS {
            self.grow();
        }
        let mask = self.words.len() - 1;
        for (at, &feature) in features.iter().enumerate() {
            if let Some(later) = features.get(at + AHEAD) {
                prefetch(&self.words, (later >> self.shift) as usize / IN_WORD);
            }
            let slot = (feature >> self.shift) as usize;
            let (counters, place) =
                (&mut self.words[(slot / IN_WORD) & mask], 2 * (slot % IN_WORD));
            // From 1 to 3, and then no further.
            let one = 1 << place;
            *counters |= one | (*counters & one) << 1;
        }
    }

    fn slots(&self) -> usize {
        self.words.len() * IN_WORD
    }

    /// The slots that are counted more than once. Their table takes half the memory, where further ones are looked
    /// up in the same line of the cache.
    fn repeated(mut self) -> RepeatedSlots {
        // A table of a single word would be half a one.
        if self.words.len() == 1 {
            self.grow();
        }
        for at in 0..self.words.len() / 2 {
            let two = [self.words[2 * at], self.words[2 * at + 1]];
            let [low, high] = two.map(|counters| halved(counters >> 1 & ONES));
            self.words[at] = u64::from(high) << 32 | u64::from(low);
        }
        self.words.truncate(self.words.len() / 2);
        self.words.shrink_to_fit();
        RepeatedSlots::new(self.words, self.shift)
    }

    /// Adds the counts of another table.
    fn merge(&mut self, mut other: Self) {
        while self.words.len() < other.words.len() {
            self.grow();
        }
        while other.words.len() < self.words.len() {
            other.grow();
        }
        self.counted += other.counted;
        for (a, b) in self.words.iter_mut().zip(other.words) {
            // Twice in either, or once in both.
            let twice = (*a | b) & !ONES | (*a & b & ONES) << 1;
            *a = *a | b | twice;
        }
    }

    /// Two tables, for the features of the lower and of the upper half of the range.
    fn halves(mut self) -> [Self; 2] {
        if self.words.len() == 1 {
            self.grow();
        }
        // A feature has a bit less before its slot, and one more behind it.
        let upper = self.words.split_off(self.words.len() / 2);
        let (shift, counted) = (self.shift + 1, self.counted / 2);
        [self.words, upper].map(|words| Self { words, shift, counted })
    }

    fn grow(&mut self) {
        let halves = |word: &u64| [*word as u32, (*word >> 32) as u32].map(doubled);
        self.words = self.words.iter().flat_map(halves).collect();
        self.shift -= 1;
    }
}

/// The lower bit of each of 32 pairs of bits.
fn halved(pairs: u64) -> u32 {
    let mut bits = pairs & ONES;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
    (bits | bits >> 16) as u32
}

/// Zeroes in memory that was written to: a page that is read before it is written costs two faults, for the second
/// of which all threads are interrupted.
fn written_zeroes(length: usize) -> Vec<u64> {
    let mut words = Vec::with_capacity(length);
    // Or the compiler would ask for memory that is zeroed already, and not write to it.
    std::hint::black_box(&mut words).resize(length, 0);
    words
}

/// Sixteen counters, each of them twice.
fn doubled(counters: u32) -> u64 {
    let mut spread = u64::from(counters);
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff;
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff;
    spread = (spread | spread << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    spread = (spread | spread << 2) & 0x3333_3333_3333_3333;
    spread | spread << 2
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            ranges::{IN_RANGE, MOST_RANGES},
            singles::SinglesOfMany,
        },
        *,
    };
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn what_occurs_twice_is_never_single(
            features in prop::collection::vec(0u32..5_000, 0..3_000), spread in any::<bool>(), part in 0usize..3_000,
        ) {
            let feature = |number: &u32| if spread { number.wrapping_mul(0x9e37_79b9) } else { *number };
            let features: Vec<u32> = features.iter().map(feature).collect();
            let mut times: HashMap<u32, usize> = HashMap::new();
            features.iter().for_each(|feature| *times.entry(*feature).or_default() += 1);
            let (first, second) = features.split_at(part.min(features.len()));
            let mut tables = [first, second].map(|features| {
                let mut table = Counters { words: vec![0; 1], shift: 27, counted: 0 };
                features.chunks(7).for_each(|features| table.add(features));
                table
            });
            let [one, other] = &mut tables;
            one.merge(other.clone());
            let repeated = tables[0].clone().repeated();
            for (feature, times) in &times {
                prop_assert!(*times == 1 || repeated.contains(*feature));
            }
        }
    }

    /// Counts of features by counters for `expected` of them.
    fn counted(features: &[u64], expected: usize) -> FinishedCounters {
        let counters = SharedCounters::new(SHARES / 2, expected, 4);
        let mut tally = Tally::new(&counters);
        features.chunks(100).for_each(|some| tally.add_all(some));
        tally.finish();
        counters.finish()
    }

    #[test]
    fn counts_of_small_and_of_large_tables_are_added_up() {
        let feature = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
        let features: Vec<u64> = (0..60_000).map(feature).collect();
        let (large, small) = (MOST_RANGES * IN_RANGE, 1_000);
        for (first, second) in [(large, small), (small, large), (small, small)] {
            let mut singles = counted(&features[..40_000], first);
            singles.merge(counted(&features[30_000..], second));
            let singles = singles.singles();
            let is_single = |feature: &&u64| singles.contains(**feature);
            assert_eq!(features[30_000..40_000].iter().filter(is_single).count(), 0);
            let known = features[..30_000].iter().filter(is_single).count();
            assert!((10_000..15_500).contains(&known), "{known}");
        }
    }

    #[test]
    fn many_texts_at_a_time_are_told_the_same() {
        let feature = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
        let texts: Vec<Vec<u64>> =
            (0..200).map(|text| (text * 40..text * 50 + 60).map(feature).collect()).collect();
        for expected in [100, MOST_RANGES * IN_RANGE] {
            let singles = counted(&texts.concat(), expected).singles();
            let mut many = SinglesOfMany::default();
            for texts in [&texts[..90], &texts[90..]] {
                texts.iter().for_each(|text| many.ask(&singles, text));
                let single = |text: &Vec<u64>| {
                    text.iter().filter(|feature| singles.contains(**feature)).count() as u32
                };
                let one_by_one: Vec<u32> = texts.iter().map(single).collect();
                assert_eq!(many.answer(&singles), one_by_one);
                assert!(one_by_one.iter().any(|count| *count > 0));
            }
        }
    }

    #[test]
    fn most_of_what_occurs_once_is_known_to() {
        let feature = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes()) as u32;
        for (expected, least) in [(50_000, 100_000), (200_000, 150_000)] {
            let mut table = Counters::new(expected);
            (0..200_000).for_each(|number| table.add(&[feature(number)]));
            let repeated = table.repeated();
            let single = (0..200_000).filter(|number| !repeated.contains(feature(*number))).count();
            assert!(single > least, "{single}");
        }
    }
}
