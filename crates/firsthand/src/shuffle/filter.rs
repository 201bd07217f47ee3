//! Which classes are candidates at all: a bit for each hash, so that only their sets are moved.

/// The bits that there are for each class: one other set in nine is moved in vain.
const BITS: u64 = 8;
/// The least and the largest number of bits, as powers of two: the largest filter takes 512 MiB.
const POWERS: std::ops::RangeInclusive<u32> = 16..=32;

/// A set of classes that may answer yes too often, and never no.
///
/// ```
/// use firsthand::shuffle::ClassFilter;
///
/// let mut filter = ClassFilter::for_count(2);
/// filter.add(0x0123_4567_89ab_cdef);
/// let filter = ClassFilter::from_bytes(filter.into_bytes());
/// assert!(filter.contains(0x0123_4567_89ab_cdef) && !filter.contains(7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFilter {
    power: u32,
    bits: Vec<u8>,
}

impl ClassFilter {
    /// An empty filter that is large enough for a number of classes.
    pub fn for_count(classes: u64) -> Self {
        let wanted = classes.saturating_mul(BITS).max(1);
        let power =
            (u64::BITS - (wanted - 1).leading_zeros()).clamp(*POWERS.start(), *POWERS.end());
        Self { power, bits: vec![0; 1 << (power - 3)] }
    }

    /// Adds a class, given the first half of its name.
    pub fn add(&mut self, class: u64) {
        let at = class >> (u64::BITS - self.power);
        self.bits[(at / 8) as usize] |= 1 << (at % 8);
    }

    /// Whether the class may have been added.
    pub fn contains(&self, class: u64) -> bool {
        let at = class >> (u64::BITS - self.power);
        self.bits[(at / 8) as usize] & 1 << (at % 8) != 0
    }

    /// The bits.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bits
    }

    /// The filter of some bits. Those of filters for the same number of classes may be united by `or`.
    pub fn from_bytes(mut bits: Vec<u8>) -> Self {
        let length = bits.len().next_power_of_two().max(1);
        bits.resize(length, u8::MAX);
        Self { power: length.ilog2() + 3, bits }
    }
}
