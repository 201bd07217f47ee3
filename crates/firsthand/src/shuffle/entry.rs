//! The keys of a class, each with all that is needed where classes meet.

use super::{Frequent, class::is_compared};
use crate::{
    detector::Detector, features::Features, keys, matcher::Sides, settings::SettingsError,
};

/// How many keys near-duplicates share at least, if their sets are large enough: candidates become five to
/// seventeen times fewer than with one key, at a quarter more keys.
const LEAST: u32 = 20;

/// A key of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The key.
    pub key: u64,
    /// The first half of the name of the class.
    pub class: u64,
    /// The number of features.
    pub size: u32,
    /// The least number of keys that a near-duplicate shares.
    pub least: u8,
    /// The sides of an old/new comparison on which it occurs.
    pub sides: Sides,
}

impl Entry {
    /// The number of bytes of an entry.
    pub const BYTES: usize = 21;

    /// Appends the entry to others.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.key.to_le_bytes());
        out.extend(self.class.to_le_bytes());
        out.extend(self.size.to_le_bytes());
        out.push(self.least << 2 | u8::from(self.sides.old) << 1 | u8::from(self.sides.new));
    }

    /// Reads entries that were written one after another; bytes beyond the last whole one are ignored.
    pub fn read_all(bytes: &[u8]) -> impl Iterator<Item = Self> + '_ {
        bytes.as_chunks::<{ Self::BYTES }>().0.iter().map(|bytes| {
            let number = |at: usize| {
                let mut number = [0; 8];
                number.copy_from_slice(&bytes[at..at + 8]);
                u64::from_le_bytes(number)
            };
            let size = u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
            let sides = Sides { old: bytes[20] & 2 != 0, new: bytes[20] & 1 != 0 };
            Self { key: number(0), class: number(8), size, least: bytes[20] >> 2, sides }
        })
    }

    /// Which of `ranges` equal parts of all keys it belongs to.
    pub fn range(&self, ranges: u32) -> u32 {
        part_of(self.key, ranges)
    }
}

/// Which of equal parts of all hashes one belongs to.
pub(super) fn part_of(hash: u64, parts: u32) -> u32 {
    ((u128::from(hash) * u128::from(parts)) >> 64) as u32
}

/// The entries of the class of a document; none if it is short and so equals only its exact copies.
///
/// # Errors
///
/// If the features were made with other settings.
pub fn entries(
    detector: &Detector,
    features: &Features,
    sides: Sides,
    frequent: &Frequent,
) -> Result<Vec<Entry>, SettingsError> {
    detector.check(features)?;
    let settings = detector.settings();
    let Some(class) = super::class(detector, features) else { return Ok(Vec::new()) };
    if !is_compared(settings, features) {
        return Ok(Vec::new());
    }
    let keys = keys::of_set(settings, features, LEAST, frequent.features());
    let (class, size) = (class as u64, features.len() as u32);
    let least = keys.least_shared as u8;
    Ok(keys.keys.into_iter().map(|key| Entry { key, class, size, least, sides }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let entry = |key, old, new| {
            let sides = Sides { old, new };
            Entry { key, class: !key, size: 0x0102_0304, least: LEAST as u8, sides }
        };
        let entries = [entry(1, true, false), entry(u64::MAX, false, true)];
        let mut bytes = Vec::new();
        entries.iter().for_each(|entry| entry.write(&mut bytes));
        assert_eq!(bytes.len(), 2 * Entry::BYTES);
        assert_eq!(Entry::read_all(&bytes).collect::<Vec<_>>(), entries);
    }

    #[test]
    fn every_key_is_in_one_of_the_ranges() {
        for ranges in [1, 3, 17] {
            assert_eq!((part_of(0, ranges), part_of(u64::MAX, ranges)), (0, ranges - 1));
        }
    }
}
