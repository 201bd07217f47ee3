//! Random numbers that are the same on every machine: splitmix64.

/// A generator with a given seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

/// The odd number nearest to 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// The stream of a seed; different streams of one seed are independent.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        Self(mix(seed ^ mix(stream.wrapping_mul(STEP).wrapping_add(1))))
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(STEP);
        // The high half of the product: uniform enough for any number of documents.
        ((u128::from(mix(self.0)) * end as u128) >> 64) as usize
    }

    /// Shuffles a slice.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}

fn mix(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_and_repeatable() {
        let mut counts = [0u32; 10];
        let mut random = Random::new(1, 2);
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(counts.iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
        let first = |stream| Random::new(1, stream).below(1 << 40);
        assert_eq!(first(2), first(2));
        assert_ne!(first(2), first(3));
        let mut order: Vec<u32> = (0..50).collect();
        random.shuffle(&mut order);
        assert!(!order.is_sorted());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
