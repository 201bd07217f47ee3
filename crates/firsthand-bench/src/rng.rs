//! A tiny pseudo-random generator (SplitMix64), so that a seed means the same in every release.

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of one item: each `path` under a seed has its own stream, so that any document
    /// can be regenerated without the ones before it.
    pub(crate) fn new(seed: u64, path: &[u64]) -> Self {
        let mut rng = Self { state: seed };
        for &step in path {
            rng.state = rng.next() ^ step;
        }
        rng.state = rng.next();
        rng
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from `first` to `last`, both included.
    pub(crate) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// A number from 0 up to, not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with the given probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number of the standard normal distribution (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        // 1 - unit() is never 0, whose logarithm would be infinite.
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// One of the choices, all equally likely.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Shuffles the items.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        // First outputs of SplitMix64 from state 1234567, as in its reference implementation.
        let mut rng = Rng { state: 1_234_567 };
        let first = [rng.next(), rng.next(), rng.next()];
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn paths_have_streams_of_their_own() {
        let mut first: Vec<u64> =
            [&[][..], &[0], &[1], &[0, 0], &[0, 1], &[1, 0]].map(|p| Rng::new(7, p).next()).into();
        first.push(Rng::new(8, &[]).next());
        let mut distinct = first.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), first.len());
        assert_eq!(Rng::new(7, &[0, 1]).next(), first[4]);
    }

    #[test]
    fn ranges_are_covered_and_kept() {
        let mut rng = Rng::new(1, &[]);
        let mut seen = [false; 5];
        for _ in 0..1000 {
            seen[rng.between(3, 7) - 3] = true;
        }
        assert_eq!(seen, [true; 5]);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut rng = Rng::new(2, &[]);
        let drawn: Vec<f64> = (0..20_000).map(|_| rng.normal()).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
    }
}
