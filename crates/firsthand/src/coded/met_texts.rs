//! Which texts were met before, on any thread.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Hashes in a line of the cache: those of some texts share one.
const IN_LINE: usize = 8;
/// Lines if it is not known how many texts there are.
const LINES: usize = 1 << 17;

/// The texts that were met, by 64 bits of their hashes and the line that they are in: that two texts agree in these is
/// far less likely than that two features of theirs do.
///
/// Nobody waits for anybody: a text that two threads meet at the same time, or whose line is full, may stay unknown, and
/// is then kept as if it were new.
pub(crate) struct MetTexts {
    /// 0 for none.
    hashes: Vec<[AtomicU64; IN_LINE]>,
}

impl MetTexts {
    /// Room for this number of texts, or for some if it is 0.
    pub(crate) fn expecting(texts: usize) -> Self {
        let lines = if texts == 0 { LINES } else { (2 * texts / IN_LINE).next_power_of_two() };
        Self { hashes: bytemuck::zeroed_vec(lines) }
    }

    /// Whether a text with this hash is known to have been met before; from now on it has.
    pub(crate) fn meet(&self, text: u128) -> bool {
        let (line, hash) = (text as usize % self.hashes.len(), ((text >> 64) as u64).max(1));
        for met in &self.hashes[line] {
            match met.load(Relaxed) {
                0 => {
                    met.store(hash, Relaxed);
                    return false;
                }
                other if other == hash => return true,
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn a_text_is_met_before_it_was_met_before(
            texts in prop::collection::vec(1u128..1_500, 0..2_000), shift in 0u32..53, expected in 0usize..2_000,
        ) {
            let (met, mut known) = (MetTexts::expecting(expected), HashSet::new());
            for text in texts {
                // Hashes may agree in many bits, and lines may be full.
                let text = (text << (64 + shift)) | (text % 3);
                let is_new = known.insert(text);
                prop_assert!(!is_new || !met.meet(text), "{text} is new");
            }
        }

        #[test]
        fn nearly_all_copies_are_known(texts in 200usize..3_000, seed in any::<u64>()) {
            let text = |at: usize| xxhash_rust::xxh3::xxh3_128_with_seed(&at.to_le_bytes(), seed);
            let met = MetTexts::expecting(texts);
            prop_assert!((0..texts).all(|at| !met.meet(text(at))));
            let known = (0..texts).filter(|at| met.meet(text(*at))).count();
            prop_assert!(known * 10 >= texts * 9, "{known} of {texts}");
        }
    }
}
