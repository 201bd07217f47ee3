//! Which features occur once: a counter of two bits for each slot of a table.
//!
//! Features that share a slot are counted together, so that a count may be too high, never too low:
//! what is counted once occurs once. The table grows with its features; their slots are their leading
//! bits, so that each counter is then that of two.

use std::sync::{Mutex, PoisonError};

/// Features are cut into this number of ranges by their leading bits; the first of the ranges are a
/// sample of all features, and each has a table of its own. Threads that count at the same time rarely
/// want the same table.
pub(crate) const RANGES: usize = 512;
const RANGE_BITS: u32 = RANGES.trailing_zeros();
/// Features that wait to be counted in a table.
const WAITING: usize = 64;
/// Slots for each feature, at least.
const ROOM: usize = 4;
const LEAST_SLOTS: usize = 1 << 10;
/// As many as features have bits for them.
const MOST_SLOTS: usize = 1 << 31;
/// Slots in a word of the table.
const IN_WORD: usize = 32;
/// The lower bit of each counter.
const ONES: u64 = 0x5555_5555_5555_5555;

/// Counts of the features of some ranges, made by many threads.
pub(crate) struct SharedCounters {
    parts: Vec<Mutex<Counters>>,
}

impl SharedCounters {
    /// Counters for about `features` features, of which only those in the first `ranges` are counted.
    pub(crate) fn new(ranges: usize, features: usize) -> Self {
        let in_range = features.div_ceil(RANGES);
        Self { parts: (0..ranges).map(|_| Mutex::new(Counters::new(in_range))).collect() }
    }

    /// Ends counting.
    pub(crate) fn finish(self) -> Singles {
        let parts = self.parts.into_iter();
        let parts = parts.map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        Singles { parts: parts.collect() }
    }
}

/// Which features occur once, of those in some ranges.
#[derive(Clone, Debug)]
pub(crate) struct Singles {
    parts: Vec<Counters>,
}

impl Singles {
    /// Whether a feature is known to occur but once.
    #[inline]
    pub(crate) fn contains(&self, feature: u64) -> bool {
        let (range, rest) = place(feature);
        self.parts.get(range).is_some_and(|part| part.is_single(rest))
    }

    /// Whether more than `spare` features of a sample are known to occur but once.
    pub(crate) fn are_more_than(&self, spare: usize, sample: &[u64]) -> bool {
        let mut singles = 0;
        sample.chunks(IN_WORD).any(|some| {
            singles += some.iter().filter(|feature| self.contains(**feature)).count();
            singles > spare
        })
    }

    /// The features that are counted, in `room`.
    pub(crate) fn sample<'a>(&self, features: &[u64], room: &'a mut Vec<u64>) -> &'a [u64] {
        choose(features, self.parts.len(), room)
    }

    /// Adds the counts of others.
    pub(crate) fn merge(&mut self, other: Self) {
        self.parts.iter_mut().zip(other.parts).for_each(|(part, other)| part.merge(other));
    }
}

/// The range of a feature, and its next bits.
#[inline]
fn place(feature: u64) -> (usize, u32) {
    ((feature >> (64 - RANGE_BITS)) as usize, (feature << RANGE_BITS >> 32) as u32)
}

/// The features of the first ranges, in `room`. Which these are cannot be foreseen, so each is written, and
/// the next one takes its place if it is not among them.
fn choose<'a>(features: &[u64], ranges: usize, room: &'a mut Vec<u64>) -> &'a [u64] {
    if room.len() < features.len() {
        room.resize(features.len(), 0);
    }
    let sample = &mut room[..features.len()];
    let mut length = 0;
    for &feature in features {
        sample[length] = feature;
        length += usize::from(place(feature).0 < ranges);
    }
    &sample[..length]
}

/// What one thread counts: many features of a range at a time, since locking it takes as long.
pub(crate) struct Tally<'a> {
    counters: &'a SharedCounters,
    waiting: Vec<[u32; WAITING]>,
    lengths: Vec<u8>,
    room: Vec<u64>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(counters: &'a SharedCounters) -> Self {
        let ranges = counters.parts.len();
        let (waiting, lengths) = (vec![[0; WAITING]; ranges], vec![0; ranges]);
        Self { counters, waiting, lengths, room: Vec::new() }
    }

    /// Counts features.
    pub(crate) fn add_all(&mut self, features: &[u64]) {
        let mut room = std::mem::take(&mut self.room);
        let sample = choose(features, self.lengths.len(), &mut room);
        sample.iter().for_each(|feature| self.add(*feature));
        self.room = room;
    }

    /// Counts features and writes them to `room`, those first that are counted; returns their number.
    pub(crate) fn add_and_part(&mut self, features: &[u64], room: &mut [u64]) -> usize {
        let ranges = self.lengths.len();
        let (mut sampled, mut others) = (0, features.len());
        // Each goes to both ends, as it cannot be foreseen where it belongs: the next one overwrites it
        // where it does not.
        for &feature in features {
            let is_counted = usize::from(place(feature).0 < ranges);
            room[sampled] = feature;
            sampled += is_counted;
            room[others - 1] = feature;
            others -= 1 - is_counted;
        }
        room[..sampled].iter().for_each(|feature| self.add(*feature));
        sampled
    }

    /// Counts a feature.
    #[inline]
    pub(crate) fn add(&mut self, feature: u64) {
        let (range, rest) = place(feature);
        let Some((waiting, length)) = self.waiting.get_mut(range).zip(self.lengths.get_mut(range))
        else {
            return;
        };
        waiting[*length as usize % WAITING] = rest;
        *length += 1;
        if *length as usize == WAITING {
            self.count(range);
        }
    }

    fn count(&mut self, range: usize) {
        let length = std::mem::take(&mut self.lengths[range]) as usize;
        let counters = &self.counters.parts[range];
        let mut counters = counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.add(&self.waiting[range][..length]);
    }

    /// Counts what is waiting.
    pub(crate) fn finish(&mut self) {
        (0..self.lengths.len()).for_each(|range| self.count(range));
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
        Self { words: vec![0; slots / IN_WORD], shift: 32 - slots.trailing_zeros(), counted: 0 }
    }

    /// Counts features.
    fn add(&mut self, features: &[u32]) {
        self.counted += features.len();
        while self.counted * ROOM > self.slots() && self.slots() < MOST_SLOTS {
            self.grow();
        }
        let mask = self.words.len() - 1;
        for &feature in features {
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

    /// Whether a feature that was counted occurs but once.
    #[inline]
    fn is_single(&self, feature: u32) -> bool {
        let slot = (feature >> self.shift) as usize;
        self.words[slot / IN_WORD] >> (2 * (slot % IN_WORD)) & 2 == 0
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

    fn grow(&mut self) {
        let halves = |word: &u64| [*word as u32, (*word >> 32) as u32].map(doubled);
        self.words = self.words.iter().flat_map(halves).collect();
        self.shift -= 1;
    }
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
    use super::*;
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
            for (feature, times) in &times {
                prop_assert!(*times == 1 || !one.is_single(*feature));
            }
        }
    }

    #[test]
    fn most_of_what_occurs_once_is_known_to() {
        let feature = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes()) as u32;
        for (expected, least) in [(50_000, 100_000), (200_000, 150_000)] {
            let mut table = Counters::new(expected);
            (0..200_000).for_each(|number| table.add(&[feature(number)]));
            let single = (0..200_000).filter(|number| table.is_single(feature(*number))).count();
            assert!(single > least, "{single}");
        }
    }
}
