//! The threshold that scores suggest without labels: the valley between unrelated texts and copies.
//!
//! Most pairs of a collection are hardly similar and few are copies, so a histogram of scores falls
//! from a large mass at its low end and rises again towards its high end. A threshold where pairs
//! are fewest in between separates the fewest doubtful ones. Without labels this is the best guess;
//! where there is no valley, the answer says so.

use std::fmt;
use std::ops::Range;

/// The window widths tried, in bins: narrow ones find a narrow valley, wide ones smooth out noise.
const WIDTHS: [usize; 6] = [3, 5, 7, 9, 13, 17];

/// Fewer pairs show no distribution.
const LEAST: u128 = 10;

/// How much higher the square roots of the counts must be on both sides. The root of a count has an
/// error of about 1/2 whatever the count, and a difference of two roots 0.7. Many positions are
/// tried, so this is more than three times that: a mass that only falls is then mistaken for two in
/// less than one case in a hundred.
const CLEAR: f64 = 2.5;

/// The valley between unrelated pairs and copies.
///
/// ```
/// use firsthand::evaluate::valley;
///
/// let counts = [900, 700, 300, 90, 20, 4, 0, 1, 0, 0, 2, 3, 7, 9, 12, 30];
/// let valley = valley(&counts)?;
/// assert!(valley.bins.contains(&valley.at) && counts[valley.at] == 0);
/// # Ok::<(), firsthand::evaluate::NoValley>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valley {
    /// Cut at the lower edge of this bin.
    pub at: usize,
    /// All bins that are hardly fuller than the emptiest one.
    pub bins: Range<usize>,
}

/// Why there is no valley.
///
/// ```
/// use firsthand::evaluate::{NoValley, valley};
///
/// assert_eq!(valley(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 4]), Err(NoValley::Few(7)));
/// assert_eq!(valley(&[900, 500, 200, 80, 40, 20, 10, 5, 2, 1]), Err(NoValley::OnlyLow));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValley {
    /// Too few pairs to say anything.
    Few(u64),
    /// The counts fall and do not rise again: no copies, or copies that blend into the rest.
    OnlyLow,
    /// The counts do not rise towards the low end: the scores do not reach low enough.
    OnlyHigh,
}

impl fmt::Display for NoValley {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Few(pairs) => write!(f, "there are too few pairs to find one: {pairs}"),
            Self::OnlyLow => f.write_str(
                "the counts keep falling towards high scores: there are hardly any copies, or \
                 their scores blend into the rest",
            ),
            Self::OnlyHigh => f.write_str(
                "there are no unrelated pairs below the copies: start from a lower score",
            ),
        }
    }
}

/// Finds the valley in a histogram of scores with equally wide bins, the lowest first.
///
/// ```
/// use firsthand::evaluate::valley;
///
/// let counts = [900, 700, 300, 90, 20, 4, 0, 1, 0, 0, 2, 3, 7, 9, 12, 30];
/// assert_eq!(valley(&counts).map(|valley| valley.at), Ok(8));
/// ```
///
/// # Errors
///
/// There are too few pairs, or only one mass of them.
pub fn valley(counts: &[u64]) -> Result<Valley, NoValley> {
    let all: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if all < LEAST {
        return Err(NoValley::Few(u64::try_from(all).unwrap_or(u64::MAX)));
    }
    // Of the windows that find a valley, the one that sees most of it is right: narrow ones may
    // take a dent for the whole valley.
    let widths = WIDTHS.into_iter().filter(|width| width * 3 <= counts.len());
    let seen = widths.filter_map(|width| {
        let windows = Windows::new(counts, width);
        windows.deepest().filter(|deepest| deepest.depth >= CLEAR).map(|it| windows.around(&it))
    });
    match seen.max_by_key(ExactSizeIterator::len) {
        Some(bins) => Ok(Valley { at: cut(counts, &bins), bins }),
        None => Err(one_sided(counts, all)),
    }
}

/// Which side the only mass is on.
fn one_sided(counts: &[u64], all: u128) -> NoValley {
    let low: u128 = counts[..counts.len().div_ceil(2)].iter().map(|&count| u128::from(count)).sum();
    if low * 2 >= all { NoValley::OnlyLow } else { NoValley::OnlyHigh }
}

/// The counts of all windows of one width, by their first bins.
struct Windows {
    width: usize,
    counts: Vec<u128>,
}

impl Windows {
    fn new(counts: &[u64], width: usize) -> Self {
        let sum = |window: &[u64]| window.iter().map(|&count| u128::from(count)).sum();
        Self { width, counts: counts.windows(width).map(sum).collect() }
    }

    /// The deepest window between fuller ones on both sides.
    fn deepest(&self) -> Option<Deepest> {
        let Self { width, counts } = self;
        let root = |count: u128| (count as f64).sqrt();
        // The fullest window from each position on.
        let mut after = counts.clone();
        for at in (1..after.len()).rev() {
            after[at - 1] = after[at - 1].max(after[at]);
        }
        let mut deepest: Option<Deepest> = None;
        let mut before = 0;
        for at in *width..counts.len().saturating_sub(*width) {
            before = before.max(counts[at - width]);
            let shore = before.min(after[at + width]);
            // Pairs of one cluster come together, so a dent proves less than its roots suggest.
            if counts[at].saturating_mul(2) > shore {
                continue;
            }
            let depth = root(shore) - root(counts[at]);
            if deepest.as_ref().is_none_or(|known| depth > known.depth) {
                deepest = Some(Deepest { at, depth, shore });
            }
        }
        deepest
    }

    /// All bins around a window that are hardly fuller than it.
    ///
    /// Copies are often spread thinly over many scores, on top of the unrelated pairs: where there
    /// are twice as many pairs as in the emptiest place, every other one is unrelated.
    fn around(&self, deepest: &Deepest) -> Range<usize> {
        let Deepest { at, shore, .. } = *deepest;
        let most = self.counts[at].saturating_mul(2).saturating_add(2).min(shore.saturating_sub(1));
        let low = |at: &usize| self.counts[*at] <= most;
        let first = (0..at).rev().take_while(low).last().unwrap_or(at);
        let last = (at..self.counts.len()).take_while(low).last().unwrap_or(at);
        // A window represents its middle.
        first + self.width / 2..last + self.width / 2 + 1
    }
}

/// A window between fuller ones.
struct Deepest {
    /// Its first bin.
    at: usize,
    /// How much greater the roots of the counts are on both sides.
    depth: f64,
    /// The count of the fullest window on the lower side.
    shore: u128,
}

/// Where to cut in a valley: in the middle of the empty stretch at its low end.
///
/// If the whole valley is empty, that is its middle. If copies are spread over it, it is just above
/// its low end, because everything further up is a copy.
fn cut(counts: &[u64], valley: &Range<usize>) -> usize {
    let above: u128 = counts[valley.start..].iter().map(|&count| u128::from(count)).sum();
    let mut spared = (above / 50).max(2);
    let empty = counts[valley.clone()].iter().take_while(|&&count| {
        let fits = u128::from(count) <= spared;
        spared = spared.saturating_sub(u128::from(count));
        fits
    });
    valley.start + empty.count() / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Counts of 80 bins around an expected shape, the same for the same seed.
    fn drawn(seed: u64, shape: impl Fn(f64) -> f64) -> Vec<u64> {
        let mut state = seed;
        let mut unit = move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut poisson = move |mean: f64| {
            if mean > 30.0 {
                // The sum of twelve is close enough to a normal variable.
                let normal: f64 = (0..12).map(|_| unit()).sum::<f64>() - 6.0;
                return (mean + normal * mean.sqrt()).max(0.0).round() as u64;
            }
            let (mut count, mut product, end) = (0, unit(), (-mean).exp());
            while product > end {
                product *= unit();
                count += 1;
            }
            count
        };
        (0..80).map(|bin| poisson(shape(f64::from(bin)))).collect()
    }

    #[test]
    fn finds_the_place_between_two_masses() {
        for seed in 0..50 {
            let counts = drawn(seed, |bin| {
                let unlike = 20_000.0 * (-bin / 3.0).exp();
                let copies = 6.0 * (-(bin - 70.0).powi(2) / 200.0).exp();
                unlike + copies
            });
            let found = valley(&counts).unwrap();
            assert!((28..=52).contains(&found.at), "{found:?} {counts:?}");
            assert!(found.bins.contains(&found.at));
        }
    }

    #[test]
    fn one_stray_pair_does_not_halve_an_empty_stretch() {
        let mut counts = vec![500, 300, 100, 30, 9, 2];
        counts.extend([0; 20]);
        counts.extend([1, 3, 8, 20, 30, 40]);
        counts[16] = 1;
        let found = valley(&counts).unwrap();
        assert!((12..=19).contains(&found.at), "{found:?}");
    }

    #[test]
    fn explains_why_there_is_no_valley() {
        assert_eq!(valley(&[]), Err(NoValley::Few(0)));
        assert_eq!(valley(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 4]), Err(NoValley::Few(7)));
        let mut falling = 0;
        for seed in 0..200 {
            let counts = drawn(seed, |bin| 5_000.0 * (-bin / 6.0).exp());
            falling += usize::from(valley(&counts) == Err(NoValley::OnlyLow));
        }
        assert!(falling >= 198, "{falling} of 200");
        let rising = drawn(1, |bin| 0.2 * (bin / 12.0).exp());
        assert_eq!(valley(&rising), Err(NoValley::OnlyHigh));
    }

    proptest! {
        #[test]
        fn a_valley_lies_between_fuller_bins(
            counts in proptest::collection::vec(
                prop_oneof![0u64..4, 0u64..1000, Just(u64::MAX)], 0..120),
        ) {
            if let Ok(found) = valley(&counts) {
                prop_assert!(found.bins.start < found.bins.end && found.bins.end <= counts.len());
                prop_assert!(found.bins.start <= found.at && found.at <= found.bins.end);
                let most = |bins: &[u64]| bins.iter().copied().max().unwrap_or(0);
                prop_assert!(most(&counts[..found.at]) > 0 && most(&counts[found.at..]) > 0);
            }
        }
    }
}
