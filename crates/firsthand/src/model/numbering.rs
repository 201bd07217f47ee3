//! Numbers for hashes in the order in which they first come: a small table, used again and again.

/// Hashes that have a number.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    slots: Vec<Slot>,
    /// Slots of earlier texts are free.
    text: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    number: u32,
    text: u32,
}

impl Numbering {
    /// Begins anew, with room for so many.
    pub(super) fn begin(&mut self, most: usize) {
        // At most half full, so that a free slot is near.
        let size = (2 * most + 1).next_power_of_two();
        self.count = 0;
        self.text = self.text.wrapping_add(1);
        if self.slots.len() < size || self.text == 0 {
            self.text = 1;
            self.slots.clear();
            self.slots.resize(size.max(1024), Slot::default());
        }
    }

    /// The number of a hash, and whether it is new. No more may come than there is room for.
    pub(super) fn of(&mut self, hash: u64) -> (u32, bool) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.text != self.text {
                *slot = Slot { hash, number: self.count, text: self.text };
                self.count += 1;
                return (slot.number, true);
            }
            if slot.hash == hash {
                return (slot.number, false);
            }
            at = (at + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_first_occurrence() {
        let mut numbering = Numbering::default();
        for round in 0..3u64 {
            numbering.begin(3000);
            for at in 0..3000u64 {
                // Many fall into one slot.
                let hash = (at % 1500) << (round * 8);
                assert_eq!(numbering.of(hash), ((at % 1500) as u32, at < 1500));
            }
        }
    }
}
