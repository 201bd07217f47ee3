//! Which features occur once, asked for many texts at a time.

use super::ranges::Ranges;
use crate::prefetch::{AHEAD, prefetch};

/// Tables of so many bytes in all are at hand in a cache, so that features need not be put in the order of ranges.
const AT_HAND: usize = 4 << 20;

/// Which features occur once, of those in some ranges.
#[derive(Clone, Debug)]
pub(crate) struct Singles {
    ranges: Ranges,
    parts: Vec<RepeatedSlots>,
    /// Whether all tables together are in a cache.
    are_at_hand: bool,
}

impl Singles {
    pub(super) fn new(ranges: Ranges, parts: Vec<RepeatedSlots>) -> Self {
        let bytes: usize = parts.iter().map(|part| part.words.len() * size_of::<u64>()).sum();
        Self { ranges, parts, are_at_hand: bytes <= AT_HAND }
    }

    /// Whether a feature that was counted is known to occur but once.
    #[inline]
    pub(super) fn contains(&self, feature: u64) -> bool {
        let (range, rest) = self.ranges.place(feature);
        self.parts.get(range).is_some_and(|part| !part.contains(rest))
    }
}

/// The slots of a table that were counted more than once, a bit for each slot.
#[derive(Clone, Debug)]
pub(super) struct RepeatedSlots {
    words: Vec<u64>,
    /// The bits of a feature that are not its slot.
    shift: u32,
}

impl RepeatedSlots {
    pub(super) fn new(words: Vec<u64>, shift: u32) -> Self {
        Self { words, shift }
    }

    #[inline]
    pub(super) fn contains(&self, feature: u32) -> bool {
        let slot = (feature >> self.shift) as usize;
        self.words[slot / 64] >> (slot % 64) & 1 != 0
    }
}

/// Many texts at a time, for which it is asked how many of their features occur once: range by range, so that
/// each table is looked into while it is in a cache.
#[derive(Debug, Default)]
pub(crate) struct SinglesOfMany {
    /// For each range, the next bits of features, and the text that has each.
    asked: Vec<Vec<(u32, u32)>>,
    /// The answer for each text.
    found: Vec<u32>,
    room: Vec<u64>,
}

impl SinglesOfMany {
    /// Asks for another text.
    pub(crate) fn ask(&mut self, singles: &Singles, features: &[u64]) {
        let mut room = std::mem::take(&mut self.room);
        singles.ranges.choose(features, &mut room);
        self.ask_counted(singles, &room);
        self.room = room;
    }

    /// The same by those of its features that are counted.
    pub(crate) fn ask_counted(&mut self, singles: &Singles, features: &[u64]) {
        if singles.are_at_hand {
            let found = features.iter().filter(|feature| singles.contains(**feature)).count();
            self.found.push(found as u32);
            return;
        }
        self.asked.resize_with(singles.parts.len(), Vec::new);
        let text = self.found.len() as u32;
        self.found.push(0);
        for &feature in features {
            let (range, rest) = singles.ranges.place(feature);
            let asked = &mut self.asked[range];
            prefetch(asked, asked.len() + AHEAD);
            asked.push((rest, text));
        }
    }

    /// The number of single features of each text, and begins anew.
    pub(crate) fn answer(&mut self, singles: &Singles) -> Vec<u32> {
        for (asked, part) in self.asked.iter_mut().zip(&singles.parts) {
            for (at, &(rest, text)) in asked.iter().enumerate() {
                if let Some((later, _)) = asked.get(at + AHEAD) {
                    prefetch(&part.words, (later >> part.shift) as usize / 64);
                }
                self.found[text as usize] += u32::from(!part.contains(rest));
            }
            asked.clear();
        }
        std::mem::take(&mut self.found)
    }
}
