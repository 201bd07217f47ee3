//! Features in ranges, of which some are a sample.

/// What shares of all features are told in: features are a sample if their leading bits are a number below
/// so many of these.
pub(crate) const SHARES: usize = 512;
/// Features of a range: its table then stays in a cache of the processor while many are counted.
pub(super) const IN_RANGE: usize = 1 << 18;
/// The most ranges, so that the places where features of each wait are at hand as well.
pub(super) const MOST_RANGES: usize = 1 << 12;

/// Features are cut into ranges by their leading bits; the first of the ranges are a sample of all features,
/// and each has a table of its own. Threads that count at the same time rarely want the same table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    /// The leading bits that are the number of a range.
    pub(super) bits: u32,
    /// The number of those that are counted.
    pub(super) counted: usize,
    /// The last feature that is counted.
    last: u64,
}

impl Ranges {
    /// For about `features` features in all, of which `shares` of [`SHARES`] are counted.
    pub(super) fn new(shares: usize, features: usize) -> Self {
        let all = (features / IN_RANGE).next_power_of_two().clamp(SHARES, MOST_RANGES);
        Self::of(all.trailing_zeros(), shares * (all / SHARES))
    }

    pub(super) fn of(bits: u32, counted: usize) -> Self {
        Self { bits, counted, last: (u64::MAX >> bits) | ((counted as u64 - 1) << (64 - bits)) }
    }

    /// The range of a feature, and its next bits.
    #[inline]
    pub(super) fn place(self, feature: u64) -> (usize, u32) {
        ((feature >> (64 - self.bits)) as usize, (feature << self.bits >> 32) as u32)
    }

    #[inline]
    pub(super) fn is_counted(self, feature: u64) -> bool {
        feature <= self.last
    }

    /// The features that are counted, in `room`. Which these are cannot be foreseen, so each is written, and
    /// the next one takes its place if it is not among them.
    pub(super) fn choose(self, features: &[u64], room: &mut Vec<u64>) {
        room.clear();
        room.resize(features.len(), 0);
        let mut length = 0;
        for &feature in features {
            room[length] = feature;
            length += usize::from(self.is_counted(feature));
        }
        room.truncate(length);
    }
}
