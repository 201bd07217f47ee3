//! Which texts have no partner: too many of their features occur in no other text.

use crate::{
    coded::{
        counters::{RANGES, SharedCounters, Singles, Tally},
        sampled_ranges,
    },
    measure::Rule,
    settings::{Matcher, Settings},
};

/// Counters of two bits for features, which tell the texts that cannot have a partner.
///
/// Features that share a counter are counted together, so that a text may be taken for one that has a
/// partner, never the other way round. Where counters for all features would be too large, features are
/// counted in ranges of their leading bits, one after the other.
///
/// ```
/// use firsthand::{Settings, pieces::SingleFeatures};
///
/// let settings = Settings::profile("corpus")?;
/// let texts: [Vec<u64>; 3] =
///     [0, 1, 100].map(|from| (from..from + 50u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect());
/// let counted = SingleFeatures::count(&settings, 150, (0, 0), |counters| {
///     let mut counter = counters.counter();
///     texts.iter().for_each(|text| counter.add(text));
/// });
/// let spare = SingleFeatures::spare(&settings, 50).ok_or("all texts may have a partner")?;
/// assert!(counted.singles_of(&texts[0]) <= spare && counted.singles_of(&texts[2]) > spare);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SingleFeatures {
    singles: Singles,
    range: (u32, u64),
}

impl SingleFeatures {
    /// How many of its features a text of this size can do without and still have a partner; none if
    /// texts are not compared by what they share of their sets.
    pub fn spare(settings: &Settings, size: usize) -> Option<usize> {
        if !matches!(settings.collection_matcher(), Matcher::Exact) {
            return None;
        }
        let (rule, size) = (settings.rule(), size as u64);
        let least = rule.least_overlap(size, rule.smallest_partner(size));
        Some(size.saturating_sub(least) as usize)
    }

    /// About the bytes of counters for `features` features.
    pub fn bytes(settings: &Settings, features: u64) -> u64 {
        // Four counters of two bits, up to the next power of two.
        let ranges = sampled_ranges(settings.rule()) as u64;
        2 * (features / RANGES as u64 * ranges) + (1 << 17)
    }

    /// Counts those of the about `features` features that `count_all` adds whose leading bits are a number:
    /// `range` has the number of bits and the number. Each text is to be added once; each thread that adds some
    /// asks for a counter of its own.
    pub fn count(
        settings: &Settings,
        features: usize,
        range: (u32, u64),
        count_all: impl FnOnce(&FeatureCounters),
    ) -> Self {
        let counters = SharedCounters::new(sampled_ranges(settings.rule()), features);
        let counters = FeatureCounters { counters, range };
        count_all(&counters);
        Self { singles: counters.counters.finish(), range }
    }

    /// How many features of a text are known to be in no other, of those that were counted.
    pub fn singles_of(&self, text: &[u64]) -> usize {
        in_range(text, self.range).filter(|feature| self.singles.contains(*feature)).count()
    }

    /// The size of the smallest text that one of this size can be a near-duplicate of, where sizes
    /// tell.
    pub fn smallest_partner(settings: &Settings, size: usize) -> usize {
        match settings.collection_matcher() {
            Matcher::Exact => {
                let rule: Rule = settings.rule();
                rule.smallest_partner(size as u64) as usize
            }
            _ => 0,
        }
    }
}

/// Where features are counted, for [`SingleFeatures::count`].
///
/// ```
/// use firsthand::{Settings, pieces::SingleFeatures};
///
/// let settings = Settings::profile("corpus")?;
/// // Each thread that counts has a counter of its own.
/// let counted = SingleFeatures::count(&settings, 6, (0, 0), |counters| {
///     std::thread::scope(|scope| {
///         for text in [[1, 2, 3], [2, 3, 4]] {
///             scope.spawn(move || counters.counter().add(&text));
///         }
///     });
/// });
/// assert_eq!(counted.singles_of(&[2, 3]), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FeatureCounters {
    counters: SharedCounters,
    range: (u32, u64),
}

impl FeatureCounters {
    /// What one thread counts with.
    pub fn counter(&self) -> FeatureCounter<'_> {
        FeatureCounter { tally: Tally::new(&self.counters), range: self.range }
    }
}

impl std::fmt::Debug for FeatureCounters {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("FeatureCounters").field("range", &self.range).finish_non_exhaustive()
    }
}

/// Counts the features of texts on one thread.
///
/// ```
/// use firsthand::{Settings, pieces::SingleFeatures};
///
/// let settings = Settings::profile("corpus")?;
/// let counted = SingleFeatures::count(&settings, 6, (0, 0), |counters| {
///     let mut counter = counters.counter();
///     [[1, 2, 3], [2, 3, 4]].iter().for_each(|text| counter.add(text));
/// });
/// assert_eq!(counted.singles_of(&[2, 3]), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FeatureCounter<'a> {
    tally: Tally<'a>,
    range: (u32, u64),
}

impl FeatureCounter<'_> {
    /// Counts the features of a text, ascending.
    pub fn add(&mut self, text: &[u64]) {
        in_range(text, self.range).for_each(|feature| self.tally.add(feature));
    }
}

impl Drop for FeatureCounter<'_> {
    fn drop(&mut self) {
        self.tally.finish();
    }
}

impl std::fmt::Debug for FeatureCounter<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("FeatureCounter").field("range", &self.range).finish_non_exhaustive()
    }
}

/// The features of an ascending text whose leading bits are a number, without these bits.
fn in_range(text: &[u64], (bits, number): (u32, u64)) -> impl Iterator<Item = u64> {
    let bits_of = move |feature: u64| feature.checked_shr(64 - bits).unwrap_or(0);
    let start = text.partition_point(|&feature| bits_of(feature) < number);
    let end = text.partition_point(|&feature| bits_of(feature) <= number);
    text[start..end].iter().map(move |feature| feature << bits)
}
