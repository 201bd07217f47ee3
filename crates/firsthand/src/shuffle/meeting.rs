//! Classes that share a key, and those of them that share enough keys to be candidates.

use super::{Entry, entry::part_of};
use crate::settings::Settings;

/// A good size for the parts of a crowded key: two of them make at most a million meetings.
pub const PART: usize = 1000;

/// Meetings are handed on in pieces of this number.
const PIECE: usize = 1 << 18;

/// Two classes that share keys, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The lesser class.
    pub a: u64,
    /// The greater class.
    pub b: u64,
    /// The number of keys that they share, at most 255.
    pub shared: u8,
    /// The number of keys that near-duplicates share.
    pub least: u8,
}

impl Meeting {
    /// The number of bytes of a meeting.
    pub const BYTES: usize = 18;

    /// Appends the meeting to others.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.a.to_le_bytes());
        out.extend(self.b.to_le_bytes());
        out.extend([self.shared, self.least]);
    }

    /// Reads meetings that were written one after another; bytes beyond the last whole one are ignored.
    pub fn read_all(bytes: &[u8]) -> impl Iterator<Item = Self> + '_ {
        bytes.as_chunks::<{ Self::BYTES }>().0.iter().map(|bytes| {
            let number = |at: usize| {
                let mut number = [0; 8];
                number.copy_from_slice(&bytes[at..at + 8]);
                u64::from_le_bytes(number)
            };
            Self { a: number(0), b: number(8), shared: bytes[16], least: bytes[17] }
        })
    }

    /// Which of `ranges` parts of all pairs it belongs to.
    pub fn range(&self, ranges: u32) -> u32 {
        let mixed = self.a.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ self.b;
        part_of(mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15), ranges)
    }
}

/// A piece of a crowded key, which meets by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The entries of one part or of two.
    pub entries: Vec<Entry>,
    /// Where the second part starts, if only entries of different parts meet.
    pub split: Option<usize>,
}

/// Lets the classes meet that share a key. `entries` are all entries of some keys, in any order; they are
/// sorted. Meetings go to `found` in pieces. A key that more than `most` classes share is crowded: parts of
/// this size meet pairwise, each pair of them elsewhere, where `cut` sends it.
pub fn meet(
    entries: &mut Vec<Entry>,
    settings: &Settings,
    most: usize,
    found: &mut impl FnMut(Vec<Meeting>),
    cut: &mut impl FnMut(Part),
) {
    entries.sort_unstable();
    // A class that many documents have comes from as many places.
    entries.dedup_by(|later, first| {
        let is_same = (later.key, later.class, later.size) == (first.key, first.class, first.size);
        if is_same {
            first.sides = first.sides.or(later.sides);
        }
        is_same
    });
    let mut met = Vec::new();
    for crowd in entries.chunk_by(|a, b| a.key == b.key) {
        if crowd.len() <= most {
            within(crowd, settings, &mut met, found);
            continue;
        }
        let parts: Vec<&[Entry]> = crowd.chunks(most.max(1)).collect();
        for (at, first) in parts.iter().enumerate() {
            cut(Part { entries: first.to_vec(), split: None });
            for second in &parts[at + 1..] {
                let entries = [*first, *second].concat();
                cut(Part { entries, split: Some(first.len()) });
            }
        }
    }
    hand_on(met, found);
}

/// The meetings of a part of a crowded key.
pub fn meet_part(part: &Part, settings: &Settings, found: &mut impl FnMut(Vec<Meeting>)) {
    let mut met = Vec::new();
    match part.split.filter(|split| *split <= part.entries.len()) {
        None => within(&part.entries, settings, &mut met, found),
        Some(split) => {
            let (first, second) = part.entries.split_at(split);
            for a in first {
                with_each(a, second, settings, &mut met, found);
            }
        }
    }
    hand_on(met, found);
}

fn within(
    crowd: &[Entry],
    settings: &Settings,
    met: &mut Vec<Meeting>,
    found: &mut impl FnMut(Vec<Meeting>),
) {
    for (at, a) in crowd.iter().enumerate() {
        with_each(a, &crowd[at + 1..], settings, met, found);
    }
}

fn with_each(
    a: &Entry,
    others: &[Entry],
    settings: &Settings,
    met: &mut Vec<Meeting>,
    found: &mut impl FnMut(Vec<Meeting>),
) {
    let rule = settings.rule();
    let smallest = rule.smallest_partner(u64::from(a.size));
    for b in others {
        let can_reach = match b.size <= a.size {
            true => u64::from(b.size) >= smallest,
            false => u64::from(a.size) >= rule.smallest_partner(u64::from(b.size)),
        };
        if can_reach && a.class != b.class && a.sides.meet(b.sides) {
            let (x, y) = (a.class.min(b.class), a.class.max(b.class));
            met.push(Meeting { a: x, b: y, shared: 1, least: a.least.min(b.least) });
        }
    }
    if met.len() >= PIECE {
        combine(met);
        // If they did not become fewer, they are handed on; else there is room again.
        if met.len() >= PIECE / 2 {
            hand_on(std::mem::take(met), found);
        }
    }
}

fn hand_on(mut met: Vec<Meeting>, found: &mut impl FnMut(Vec<Meeting>)) {
    combine(&mut met);
    if !met.is_empty() {
        found(met);
    }
}

/// Adds up the meetings of the same classes.
pub fn combine(meetings: &mut Vec<Meeting>) {
    meetings.sort_unstable();
    meetings.dedup_by(|later, first| {
        let is_same = (later.a, later.b) == (first.a, first.b);
        if is_same {
            first.shared = first.shared.saturating_add(later.shared);
            first.least = first.least.min(later.least);
        }
        is_same
    });
}

/// The classes that share enough keys to be near-duplicates, given all meetings of these classes.
pub fn candidates(meetings: &mut Vec<Meeting>) -> impl Iterator<Item = (u64, u64)> + '_ {
    combine(meetings);
    meetings.iter().filter(|met| met.shared >= met.least).map(|met| (met.a, met.b))
}
