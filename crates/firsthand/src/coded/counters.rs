//! Which features occur once: a counter of two bits for each slot of a table.
//!
//! Features that share a slot are counted together, so that a count may be too high, never too low:
//! what is counted once occurs once. The table grows with its features; their slots are their leading
//! bits, so that each counter is then that of two.

use std::sync::{Mutex, PoisonError};

/// Parts of the table: threads that count at the same time rarely want the same.
const PARTS: usize = 256;
/// Features that wait to be counted in a part.
const WAITING: usize = 64;
/// Slots for each feature, at least.
const ROOM: usize = 4;
const LEAST_SLOTS: usize = 1 << 10;
/// Slots in a word of the table.
const IN_WORD: usize = 32;
/// The lower bit of each counter.
const ONES: u64 = 0x5555_5555_5555_5555;

/// Counts of the features that begin with some zeros, made by many threads.
pub(crate) struct SharedCounters {
    zeros: u32,
    parts: Vec<Mutex<Counters>>,
}

impl SharedCounters {
    /// Counters for about so many features, of which only those with `zeros` leading zeros are counted.
    pub(crate) fn new(zeros: u32, features: usize) -> Self {
        let in_part = (features >> zeros).div_ceil(PARTS);
        let parts = (0..PARTS).map(|_| Mutex::new(Counters::new(in_part))).collect();
        Self { zeros, parts }
    }

    /// Ends counting.
    pub(crate) fn finish(self) -> Singles {
        let parts = self.parts.into_iter();
        let parts = parts.map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        Singles { zeros: self.zeros, parts: parts.collect() }
    }
}

/// Which features occur once, of those that begin with some zeros.
#[derive(Clone, Debug)]
pub(crate) struct Singles {
    zeros: u32,
    parts: Vec<Counters>,
}

impl Singles {
    /// Whether a feature is known to occur but once.
    #[inline]
    pub(crate) fn contains(&self, feature: u64) -> bool {
        place(feature, self.zeros).is_some_and(|(part, rest)| self.parts[part].is_single(rest))
    }

    /// Adds the counts of others.
    pub(crate) fn merge(&mut self, other: Self) {
        self.parts.iter_mut().zip(other.parts).for_each(|(part, other)| part.merge(other));
    }
}

/// The part that counts a feature, if it begins with the zeros, and its bits after those that are then
/// known.
#[inline]
fn place(feature: u64, zeros: u32) -> Option<(usize, u64)> {
    const BITS: u32 = PARTS.trailing_zeros();
    let bits = feature << zeros;
    (bits >> zeros == feature).then_some(((bits >> (64 - BITS)) as usize, bits << BITS))
}

/// What one thread counts: many features of a part at a time, since locking it takes as long.
pub(crate) struct Tally<'a> {
    counters: &'a SharedCounters,
    waiting: Vec<[u64; WAITING]>,
    lengths: [u8; PARTS],
}

impl<'a> Tally<'a> {
    pub(crate) fn new(counters: &'a SharedCounters) -> Self {
        Self { counters, waiting: vec![[0; WAITING]; PARTS], lengths: [0; PARTS] }
    }

    /// Counts a feature.
    #[inline]
    pub(crate) fn add(&mut self, feature: u64) {
        let Some((part, rest)) = place(feature, self.counters.zeros) else { return };
        let length = self.lengths[part] as usize;
        self.waiting[part][length % WAITING] = rest;
        self.lengths[part] = length as u8 + 1;
        if length + 1 == WAITING {
            self.count(part);
        }
    }

    fn count(&mut self, part: usize) {
        let length = std::mem::take(&mut self.lengths[part]) as usize;
        let counters = &self.counters.parts[part];
        let mut counters = counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.add(&self.waiting[part][..length]);
    }

    /// Counts what is waiting.
    pub(crate) fn finish(&mut self) {
        (0..PARTS).for_each(|part| self.count(part));
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
        let slots = (features * ROOM).next_power_of_two().max(LEAST_SLOTS);
        Self { words: vec![0; slots / IN_WORD], shift: 64 - slots.trailing_zeros(), counted: 0 }
    }

    /// Counts features.
    fn add(&mut self, features: &[u64]) {
        self.counted += features.len();
        while self.counted * ROOM > self.words.len() * IN_WORD {
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

    /// Whether a feature that was counted occurs but once.
    #[inline]
    fn is_single(&self, feature: u64) -> bool {
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
            features in prop::collection::vec(0u64..5_000, 0..3_000), spread in any::<bool>(), part in 0usize..3_000,
        ) {
            let feature = |number: &u64| if spread { number.wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { *number };
            let features: Vec<u64> = features.iter().map(feature).collect();
            let mut times: HashMap<u64, usize> = HashMap::new();
            features.iter().for_each(|feature| *times.entry(*feature).or_default() += 1);
            let (first, second) = features.split_at(part.min(features.len()));
            let mut tables = [first, second].map(|features| {
                let mut table = Counters { words: vec![0; 1], shift: 59, counted: 0 };
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
        let feature = |number: u64| xxhash_rust::xxh3::xxh3_64(&number.to_le_bytes());
        for (expected, least) in [(50_000, 100_000), (200_000, 150_000)] {
            let mut table = Counters::new(expected);
            (0..200_000).for_each(|number| table.add(&[feature(number)]));
            let single = (0..200_000).filter(|number| table.is_single(feature(*number))).count();
            assert!(single > least, "{single}");
        }
    }
}
