//! Finds exactly the pairs of sets that reach the threshold.
//!
//! The exact matcher is a prefix-filter join (PPJoin) in integers. Identical sets are collapsed,
//! features that occur once are set aside, and what is left is sorted by size. Two sets that reach
//! the threshold must share one of their rarest features, so each set looks up only that prefix.
//! SpotSigs' partitions by length and its pruned index are the special case of Jaccard.
//!
//! Any total order of the features gives the same pairs; rarest first gives the fewest candidates.
//! That is why approximate counts are enough for an exact answer.

mod bands;
mod collapse;
mod counts;
mod forecast;
mod hamming;
mod index;
mod prefixes;
mod probe;
mod proposed;
mod sets;
mod shelved_sets;
pub(crate) mod stars;
mod vectors;
mod verify;
mod weighted;

pub(crate) use bands::{join as bands, meet};
pub use forecast::Forecast;
pub(crate) use hamming::join as hamming;
pub(crate) use probe::overlap_at_least;
pub(crate) use proposed::{by_bands, by_bits, by_sketches, share_band};
pub use sets::Sets;
pub(crate) use sets::{OneSet, overlap};
pub(crate) use shelved_sets::ShelvedSets;
pub(crate) use vectors::Vectors;
pub(crate) use verify::verify;
pub(crate) use weighted::{join as weighted, prefix_len};

use crate::{measure::Rule, threshold::Threshold};
use collapse::Collapsed;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Which pairs are wanted.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
/// use firsthand::matcher::{Scope, Sets, Sides, join};
///
/// // Three sets, each similar to both others; only the last is of a new document.
/// let sets: Sets = [vec![1, 2, 3, 4], vec![1, 2, 3, 5], vec![1, 2, 3, 6]].into_iter().collect();
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.6".parse()? };
/// let (old, new) = (Sides { old: true, new: false }, Sides { old: false, new: true });
/// assert_eq!(join(&sets, rule, Scope::Within)?.pairs.len(), 3);
/// assert_eq!(join(&sets, rule, Scope::Across(&[old, old, new]))?.pairs.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Scope<'a> {
    /// All pairs of one collection.
    Within,
    /// Pairs of an old and a new document; for each set, the sides on which documents have it.
    Across(&'a [Sides]),
}

/// The sides of an old/new comparison on which a set occurs.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
/// use firsthand::matcher::{Scope, Sets, Sides, join};
///
/// let sets: Sets = [vec![1, 2, 3, 4], vec![1, 2, 3, 5]].into_iter().collect();
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.6".parse()? };
/// let found = |sides: &[Sides]| join(&sets, rule, Scope::Across(sides)).map(|it| it.pairs.len());
/// let (old, both) = (Sides { old: true, new: false }, Sides { old: true, new: true });
/// // If a new document has the second set as well, the two are a wanted pair.
/// assert_eq!((found(&[old, old])?, found(&[old, both])?), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sides {
    /// Some old document has it.
    pub old: bool,
    /// Some new document has it.
    pub new: bool,
}

impl Scope<'_> {
    fn sides(self, set: u32) -> Sides {
        match self {
            Self::Within => Sides { old: true, new: true },
            Self::Across(sides) => sides[set as usize],
        }
    }
}

impl Sides {
    pub(crate) fn or(self, other: Self) -> Self {
        Self { old: self.old || other.old, new: self.new || other.new }
    }

    /// Whether the two make up a wanted pair.
    pub(crate) fn meet(self, other: Self) -> bool {
        self.old && other.new || self.new && other.old
    }
}

/// Two different sets that reach the threshold, by their positions, `a < b`.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
/// use firsthand::matcher::{Pair, Scope, Sets, join};
///
/// let sets: Sets = [vec![1, 2, 3, 4], vec![7, 8], vec![2, 3, 4, 5]].into_iter().collect();
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.6".parse()? };
/// let pairs = join(&sets, rule, Scope::Within)?.pairs;
/// assert_eq!(pairs, [Pair { a: 0, b: 2, overlap: 3 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The earlier of the two.
    pub a: u32,
    /// The later of the two.
    pub b: u32,
    /// How many features they share.
    pub overlap: u32,
}

/// The work done by a join, which explains its running time.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
/// use firsthand::matcher::{Scope, Sets, join};
///
/// let sets: Sets = (0..100u64).map(|own| vec![2 * own, 2 * own + 1, 1000 + own]).collect();
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.5".parse()? };
/// // No feature occurs twice, so that nothing has to be compared.
/// let cost = join(&sets, rule, Scope::Within)?.cost;
/// assert_eq!((cost.candidates, cost.verified), (0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Cost {
    /// Sets that can have a partner at all: enough of their features occur elsewhere.
    pub probed: u64,
    /// Index entries that were read.
    pub postings: u64,
    /// Pairs that passed the prefix, length and positional filters.
    pub candidates: u64,
    /// Those of them that passed the bitmap filter and were compared in full.
    pub verified: u64,
}

impl Cost {
    /// The work of two joins.
    pub fn plus(self, other: Self) -> Self {
        self.add(other)
    }

    fn add(mut self, other: Self) -> Self {
        self.probed += other.probed;
        self.postings += other.postings;
        self.candidates += other.candidates;
        self.verified += other.verified;
        self
    }
}

/// The result of a join.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
/// use firsthand::matcher::{Scope, Sets, join};
///
/// let sets: Sets = [vec![1, 2, 3], vec![1, 2, 3, 4], vec![1, 2, 3]].into_iter().collect();
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.7".parse()? };
/// let matches = join(&sets, rule, Scope::Within)?;
/// // The first set also stands for the third, which equals it.
/// assert_eq!(matches.identical, [[0, 2]]);
/// assert_eq!((matches.pairs.len(), matches.pairs[0].a, matches.pairs[0].b), (1, 0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Matches {
    /// Groups of identical sets, two or more each, in ascending order. Each group is represented
    /// in `pairs` by its first member; all others have the same partners.
    pub identical: Vec<Vec<u32>>,
    /// The pairs of different sets, in ascending order.
    pub pairs: Vec<Pair>,
    /// The work it took.
    pub cost: Cost,
}

/// The most pairs of different sets that a join holds, a few gigabytes.
pub const MOST_PAIRS: usize = 100_000_000;

/// A join that would not fit into memory: nearly every pair is similar.
///
/// ```
/// use firsthand::matcher::{MOST_PAIRS, TooManyPairs};
///
/// let error = TooManyPairs { limit: MOST_PAIRS, threshold: "0.8".parse()? };
/// assert!(error.to_string().starts_with("more than 100000000 pairs of different documents"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "more than {limit} pairs of different documents reach the threshold {threshold}: the documents \
     share too much boilerplate to be told apart; raise the threshold, or have their common \
     passages set aside, for which they need a URL or a host"
)]
pub struct TooManyPairs {
    /// The most pairs allowed.
    pub limit: usize,
    /// The threshold that more pairs reach.
    pub threshold: Threshold,
}

/// Finds every pair of sets that reaches the rule's threshold, on the current thread pool.
///
/// Empty sets match nothing. The result does not depend on the number of threads.
///
/// ```
/// use firsthand::settings::{Measure, Rule};
/// use firsthand::matcher::{Scope, Sets, join};
///
/// let mut sets = Sets::default();
/// for features in [vec![1, 2, 3, 4], vec![1, 2, 3, 5], vec![6, 7]] {
///     sets.push(features);
/// }
/// let rule = Rule { measure: Measure::Jaccard, threshold: "0.6".parse()? };
/// let pairs = join(&sets, rule, Scope::Within)?.pairs;
/// assert_eq!((pairs.len(), pairs[0].a, pairs[0].b, pairs[0].overlap), (1, 0, 1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// More than [`MOST_PAIRS`] pairs, not counting those of identical sets.
pub fn join(sets: &Sets, rule: Rule, scope: Scope<'_>) -> Result<Matches, TooManyPairs> {
    exact(sets, Wanted { rule, scope, limits: SearchLimits::default() })
}

/// Finds the pairs that share a band of min-hashes and reach the rule's threshold: the banding
/// determines how many are missed, and none is wrong. Otherwise like [`join`].
///
/// # Errors
///
/// More than [`MOST_PAIRS`] pairs, not counting those of identical sets.
pub fn join_bands(
    sets: &Sets,
    rule: Rule,
    banding: crate::sketch::Banding,
    scope: Scope<'_>,
) -> Result<Matches, TooManyPairs> {
    bands::join(sets, banding, Wanted { rule, scope, limits: SearchLimits::default() })
}

/// Bounds of a search for pairs.
///
/// ```
/// use firsthand::{Detector, Document, Settings, collections::{Collection, Signed}};
/// use firsthand::matcher::SearchLimits;
///
/// let detector = Detector::new(Settings::profile("corpus")?)?;
/// let text = "The ferry to the island did not sail because of the storm over the coast.";
/// let texts = [text.to_owned(), format!("{text} Again."), format!("{text} Really.")];
/// let documents = texts.map(|text| Document::new(text.clone(), text)).to_vec();
/// let signed = Signed::new(&detector, [documents].into_iter(), |batch| batch);
/// // There are three pairs. Beyond the limit, only those with the original are listed.
/// let limits = SearchLimits { pairs: 2, ..SearchLimits::default() };
/// let (pairs, _) = Collection::new(signed).near_duplicates(limits);
/// assert_eq!((pairs.is_complete(), pairs.count()), (false, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct SearchLimits<'a> {
    /// The most pairs of different sets.
    pub pairs: usize,
    /// Called now and then with the share of the work that is done, from 0 to 1: whether to go on. If
    /// not, the search ends with the pairs that it has found.
    pub go_on: &'a (dyn Fn(f64) -> bool + Sync),
    /// Called before a search that will be long, and before no other.
    pub expect: &'a (dyn Fn(Forecast) + Sync),
}

impl Default for SearchLimits<'_> {
    fn default() -> Self {
        Self { pairs: MOST_PAIRS, go_on: &|_| true, expect: &|_| () }
    }
}

impl std::fmt::Debug for SearchLimits<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SearchLimits").field("pairs", &self.pairs).finish_non_exhaustive()
    }
}

/// What a join is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) rule: Rule,
    pub(crate) scope: Scope<'a>,
    pub(crate) limits: SearchLimits<'a>,
}

impl Wanted<'_> {
    /// The result of a join; `found` is `None` if there are more pairs than the limit.
    fn matches(
        self,
        collapsed: Collapsed,
        found: Option<(Vec<Pair>, Cost)>,
    ) -> Result<Matches, TooManyPairs> {
        let too_many = TooManyPairs { limit: self.limits.pairs, threshold: self.rule.threshold };
        let (pairs, cost) = found.ok_or(too_many)?;
        Ok(Matches { identical: collapsed.identical, pairs, cost })
    }
}

/// Finds every pair of sets that is wanted.
pub(crate) fn exact(sets: &Sets, wanted: Wanted<'_>) -> Result<Matches, TooManyPairs> {
    let collapsed = collapse::collapse(sets, wanted.scope);
    let ranks = counts::FeatureRanks::new(sets, &collapsed.representatives, 0);
    let prefixes = prefixes::Prefixes::new(sets, &collapsed, &ranks, wanted.rule);
    drop(ranks);
    let index = index::PrefixIndex::new(prefixes.len(), |record| prefixes.indexed(record));
    let found = probe::probe(&prefixes, &index, wanted.rule, wanted.limits);
    wanted.matches(collapsed, found)
}

/// Probes all records on all threads, a chunk at a time, each thread with its own scratch memory.
/// Returns the pairs that `probe` appends, in ascending order; `None` if there are too many.
fn probe_all<S>(
    (records, chunk): (usize, usize),
    limits: SearchLimits<'_>,
    scratch: impl Fn() -> S + Sync,
    probe: impl Fn(usize, &mut S, &mut Vec<Pair>, &mut Cost) + Sync,
) -> Option<(Vec<Pair>, Cost)> {
    let (next, found) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let go_on = |start: usize| {
        start < records
            && found.load(Relaxed) <= limits.pairs
            && (limits.go_on)(start as f64 / records as f64)
    };
    let parts = rayon::broadcast(|_| {
        let (mut pairs, mut cost, mut scratch) = (Vec::new(), Cost::default(), scratch());
        loop {
            let start = next.fetch_add(chunk, Relaxed);
            if !go_on(start) {
                break (pairs, cost);
            }
            let before = pairs.len();
            for record in start..(start + chunk).min(records) {
                probe(record, &mut scratch, &mut pairs, &mut cost);
            }
            found.fetch_add(pairs.len() - before, Relaxed);
        }
    });
    if found.load(Relaxed) > limits.pairs {
        return None;
    }
    let cost = parts.iter().fold(Cost::default(), |sum, (_, cost)| sum.add(*cost));
    let pairs: Vec<Vec<Pair>> = parts.into_iter().map(|(pairs, _)| pairs).collect();
    let mut pairs = pairs.concat();
    pairs.par_sort_unstable();
    Some((pairs, cost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Measure;

    #[test]
    fn too_many_pairs_are_refused() {
        let sets: Sets = (0..10u64).map(|own| (0..9).chain([100 + own]).collect()).collect();
        let rule = Rule { measure: Measure::Jaccard, threshold: Threshold::percent(80) };
        let up_to = |pairs| {
            let limits = SearchLimits { pairs, ..SearchLimits::default() };
            exact(&sets, Wanted { rule, scope: Scope::Within, limits })
        };
        assert_eq!(up_to(45).unwrap().pairs.len(), 45);
        let error = up_to(44).unwrap_err().to_string();
        assert!(error.starts_with("more than 44 pairs"), "{error}");
        assert!(error.contains("threshold 0.8"), "{error}");
    }
}
