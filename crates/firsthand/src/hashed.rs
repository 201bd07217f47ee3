//! Hash maps whose keys are already hashes.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds hashers that take a 64- or 128-bit key as its own hash.
///
/// ```
/// use firsthand::online::BuildHashed;
/// use std::collections::HashMap;
///
/// // The keys of a store are hashes already.
/// let mut lists: HashMap<u64, Vec<u64>, BuildHashed> = HashMap::default();
/// lists.entry(0x9e37_79b9_7f4a_7c15).or_default().push(1);
/// assert_eq!(lists[&0x9e37_79b9_7f4a_7c15], [1]);
/// ```
pub type BuildHashed = BuildHasherDefault<Hashed>;

/// A hasher that takes a 64- or 128-bit key as its own hash.
///
/// ```
/// use firsthand::online::BuildHashed;
/// use std::hash::BuildHasher;
///
/// assert_eq!(BuildHashed::default().hash_one(42u64), 42);
/// ```
#[derive(Debug, Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Integer keys do not get here, but it is correct all the same.
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = value as u64;
    }
}
