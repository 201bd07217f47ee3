//! Which texts were met before, on any thread.

use std::sync::{Mutex, PoisonError};

/// Threads that look at the same time rarely want the same part of the table.
const PARTS: usize = 64;
/// Places of the first table of a part.
const LEAST: usize = 1 << 4;

/// The texts that were met, by 64 bits of their hashes and the part that they are in: that two texts agree in these is
/// far less likely than that two features of theirs do.
pub(crate) struct MetTexts {
    parts: Vec<Mutex<MetPart>>,
}

/// A hash is at its place or after it; 0 is none. At least half of the places are free.
struct MetPart {
    hashes: Vec<u64>,
    taken: usize,
}

impl MetTexts {
    /// Room for this number of texts; there may be more.
    pub(crate) fn expecting(texts: usize) -> Self {
        let places = (2 * texts / PARTS).next_power_of_two().max(LEAST);
        let part = |_| Mutex::new(MetPart { hashes: vec![0; places], taken: 0 });
        Self { parts: (0..PARTS).map(part).collect() }
    }

    /// Whether a text with this hash was met before; from now on it was.
    pub(crate) fn meet(&self, text: u128) -> bool {
        let (part, hash) = (text as usize % PARTS, (text >> 64) as u64);
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner).meet(hash.max(1))
    }
}

impl MetPart {
    fn meet(&mut self, hash: u64) -> bool {
        if 2 * self.taken >= self.hashes.len() {
            let larger = vec![0; 2 * self.hashes.len()];
            for hash in std::mem::replace(&mut self.hashes, larger) {
                if hash != 0 {
                    *self.place(hash) = hash;
                }
            }
        }
        let place = self.place(hash);
        let is_met = *place == hash;
        *place = hash;
        self.taken += usize::from(!is_met);
        is_met
    }

    /// The place that has this hash, or where it belongs.
    fn place(&mut self, hash: u64) -> &mut u64 {
        let mask = self.hashes.len() - 1;
        let mut at = hash as usize & mask;
        while self.hashes[at] != 0 && self.hashes[at] != hash {
            at = (at + 1) & mask;
        }
        &mut self.hashes[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn a_text_is_met_once_before_it_was_met_before(
            texts in prop::collection::vec((1u128..500, 0u128..3), 0..2_000), shift in 0u32..55,
            expected in 0usize..2_000,
        ) {
            let met = MetTexts::expecting(expected);
            let mut known = HashSet::new();
            for (text, part) in texts {
                // Hashes may agree in all bits that tell a place.
                let text = text << (64 + shift) | part;
                prop_assert_eq!(met.meet(text), !known.insert(text));
            }
        }
    }
}
