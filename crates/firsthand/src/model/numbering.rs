//! Numbers for hashes in the order in which they first come: a small table, used again and again.

/// Hashes that have a number.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// One more than a number, or nothing. Small, so that those of a long text are near, too.
    slots: Vec<u32>,
    hashes: Vec<u64>,
}

impl Numbering {
    /// Begins anew, with room for so many.
    pub(super) fn begin(&mut self, most: usize) {
        self.hashes.clear();
        self.slots.clear();
        // At most half full, so that a free slot is near.
        self.slots.resize((2 * most + 1).next_power_of_two(), 0);
    }

    /// The number of a hash, and whether it is new. No more may come than there is room for.
    pub(super) fn of(&mut self, hash: u64) -> (u32, bool) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.slots[at] {
                0 => {
                    let number = self.hashes.len() as u32;
                    self.slots[at] = number + 1;
                    self.hashes.push(hash);
                    return (number, true);
                }
                next if self.hashes[next as usize - 1] == hash => return (next - 1, false),
                _ => at = (at + 1) & mask,
            }
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
