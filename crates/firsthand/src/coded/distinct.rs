//! The different features of a text, without sorting them.

/// Slots that are looked at for a feature: no input can slow it down.
const MOST_SLOTS: usize = 64;

/// Tells different features apart, text by text, reusing its memory.
#[derive(Debug, Default)]
pub(super) struct Distinct {
    /// Features at the place of their last bits or after it; 0 where there is none.
    slots: Vec<u64>,
    sorted: Vec<u64>,
}

impl Distinct {
    /// Calls `each` for each different feature, sometimes again, and returns their number. With
    /// repetitions there are at most so many.
    pub(super) fn count<I>(
        &mut self,
        most: usize,
        features: impl Fn() -> I,
        mut each: impl FnMut(u64),
    ) -> usize
    where
        I: Iterator<Item = u64>,
    {
        let slots = (2 * most).next_power_of_two();
        self.slots.clear();
        self.slots.resize(slots, 0);
        let mask = slots - 1;
        let table = self.slots.as_mut_slice();
        let (mut count, mut has_zero, mut is_full) = (0, false, false);
        features().for_each(|feature| {
            let mut at = feature as usize & mask;
            let mut steps = 0;
            while table[at] != 0 && table[at] != feature && steps < MOST_SLOTS {
                at = (at + 1) & mask;
                steps += 1;
            }
            if table[at] == 0 && !(feature == 0 && has_zero) {
                table[at] = feature;
                has_zero |= feature == 0;
                count += 1;
                each(feature);
            }
            is_full |= steps == MOST_SLOTS;
        });
        if !is_full {
            return count;
        }
        self.sorted.clear();
        self.sorted.extend(features());
        self.sorted.sort_unstable();
        self.sorted.dedup();
        self.sorted.iter().for_each(|feature| each(*feature));
        self.sorted.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn each_is_counted_once(
            features in prop::collection::vec(0u64..200, 0..400), shift in prop::sample::select(vec![0, 40]),
        ) {
            // Shifted, all have the same last bits.
            let features: Vec<u64> = features.iter().map(|feature| feature << shift).collect();
            let different: BTreeSet<u64> = features.iter().copied().collect();
            let mut seen = BTreeSet::new();
            let count = Distinct::default().count(features.len(), || features.iter().copied(), |feature| {
                seen.insert(feature);
            });
            prop_assert_eq!(count, different.len());
            prop_assert_eq!(seen, different);
        }
    }
}
