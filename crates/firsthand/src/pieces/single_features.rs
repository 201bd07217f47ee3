//! Which texts have no partner: too many of their features occur in no other text.

use crate::{
    coded::{
        counters::{SharedCounters, Tally},
        sampled_shares,
        singles::{Singles, SinglesOfMany},
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
/// use firsthand::{Settings, pieces::{FeatureCounters, SingleFeatures}};
///
/// let settings = Settings::profile("corpus")?;
/// let mut texts: [Vec<u64>; 3] =
///     [0, 1, 100].map(|from| (from..from + 50u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect());
/// texts.iter_mut().for_each(|text| text.sort_unstable());
/// let counters = FeatureCounters::new(&settings, 150, (0, 0));
/// let mut counter = counters.counter();
/// texts.iter().for_each(|text| counter.add(text));
/// drop(counter);
/// let counted = counters.finish();
/// let spare = SingleFeatures::spare(&settings, 50).ok_or("all texts may have a partner")? as u32;
/// let singles = counted.singles_of(&texts);
/// assert!(singles[0] <= spare && singles[2] > spare);
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
        let threads = rayon::current_num_threads() as u64;
        SharedCounters::bytes(sampled_shares(settings.rule()), features, threads)
    }

    /// How many features of each of many texts are known to be in no other, of those that were counted.
    pub fn singles_of<T: AsRef<[u64]>>(&self, texts: impl IntoIterator<Item = T>) -> Vec<u32> {
        let mut asked = self.asked();
        texts.into_iter().for_each(|text| asked.ask(text.as_ref()));
        asked.answer()
    }

    /// The same, asked for one text after another.
    pub fn asked(&self) -> SinglesAsked<'_> {
        let (many, features) = (SinglesOfMany::default(), Vec::new());
        SinglesAsked { counted: self, many, features }
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

/// Many texts for which it is asked how many of their features are in no other: they are looked up faster
/// together.
///
/// ```
/// use firsthand::{Settings, pieces::FeatureCounters};
///
/// let counters = FeatureCounters::new(&Settings::profile("corpus")?, 6, (0, 0));
/// [[1, 2, 3], [2, 3, 4]].iter().for_each(|text| counters.counter().add(text));
/// let counted = counters.finish();
/// let mut asked = counted.asked();
/// asked.ask(&[3, 2]);
/// asked.ask(&[]);
/// assert_eq!(asked.answer(), [0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SinglesAsked<'a> {
    counted: &'a SingleFeatures,
    many: SinglesOfMany,
    features: Vec<u64>,
}

impl SinglesAsked<'_> {
    /// Asks for a text by its features, in any order; of one that is repeated, every time.
    pub fn ask(&mut self, text: &[u64]) {
        let features = in_range(text, self.counted.range, &mut self.features);
        self.many.ask(&self.counted.singles, features);
    }

    /// The number of single features of each text, and begins anew.
    pub fn answer(&mut self) -> Vec<u32> {
        self.many.answer(&self.counted.singles)
    }
}

/// Where features are counted.
///
/// ```
/// use firsthand::{Settings, pieces::FeatureCounters};
///
/// let counters = FeatureCounters::new(&Settings::profile("corpus")?, 6, (0, 0));
/// // Each thread that counts has a counter of its own.
/// std::thread::scope(|scope| {
///     for text in [[1, 2, 3], [2, 3, 4]] {
///         let counters = &counters;
///         scope.spawn(move || counters.counter().add(&text));
///     }
/// });
/// assert_eq!(counters.finish().singles_of([[2, 3]]), [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FeatureCounters {
    counters: SharedCounters,
    range: (u32, u64),
}

impl FeatureCounters {
    /// Counters for those of about `features` features whose leading bits are a number: `range` has the number of
    /// bits and the number. Each text is to be added once; of one that is added again, its features are taken for
    /// those of several.
    pub fn new(settings: &Settings, features: usize, range: (u32, u64)) -> Self {
        let counters = SharedCounters::new(sampled_shares(settings.rule()), features, 1);
        Self { counters, range }
    }

    /// Ends counting.
    pub fn finish(self) -> SingleFeatures {
        SingleFeatures { singles: self.counters.finish().singles(), range: self.range }
    }

    /// What one thread counts with.
    pub fn counter(&self) -> FeatureCounter<'_> {
        FeatureCounter {
            tally: Tally::new(&self.counters),
            range: self.range,
            features: Vec::new(),
        }
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
/// use firsthand::{Settings, pieces::FeatureCounters};
///
/// let counters = FeatureCounters::new(&Settings::profile("corpus")?, 6, (0, 0));
/// let mut counter = counters.counter();
/// [[1, 2, 3], [2, 3, 4]].iter().for_each(|text| counter.add(text));
/// // What it has counted is there once it is gone.
/// drop(counter);
/// assert_eq!(counters.finish().singles_of([[2, 3]]), [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FeatureCounter<'a> {
    tally: Tally<'a>,
    range: (u32, u64),
    features: Vec<u64>,
}

impl FeatureCounter<'_> {
    /// Counts the different features of a text.
    pub fn add(&mut self, text: &[u64]) {
        self.tally.add_all(in_range(text, self.range, &mut self.features));
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

/// The features of a text whose leading bits are a number, without these bits: in `room`, unless these are all.
fn in_range<'a>(text: &'a [u64], (bits, number): (u32, u64), room: &'a mut Vec<u64>) -> &'a [u64] {
    if bits == 0 {
        return text;
    }
    room.clear();
    let is_in_range = |feature: &&u64| **feature >> (64 - bits) == number;
    room.extend(text.iter().filter(is_in_range).map(|feature| feature << bits));
    room
}
