//! Matches each record against the smaller ones: candidates from the index, then the exact overlap.

use super::{
    Cost, Pair, SearchLimits, Sides,
    forecast::WorkSample,
    index::{PostingPlace, PrefixIndex},
    prefixes::Prefixes,
    probe_all,
};
use crate::{measure::Rule, prefetch::prefetch_first};
use rayon::prelude::*;

/// Records probed by one task.
const CHUNK: usize = 256;
/// Steps of a comparison that it takes to add a feature to a bitmap.
const ADDED: f64 = 3.0;
/// Of the steps that a whole comparison has, the share after which a stranger is told, about.
const TOLD: f64 = 0.25;
/// Merge steps between two checks of whether the overlap can still suffice.
const STEPS: usize = 16;
/// From this ratio of sizes on, searching is faster than merging.
const LOPSIDED: usize = 64;
/// Marks a candidate that can no longer reach the threshold.
const DEAD: u32 = u32::MAX;

/// The memory of one thread; allocated once, left clean by every probe.
struct ProbeScratch {
    /// Per record, the number of features shared so far, or `DEAD`.
    shared: Vec<u32>,
    touched: Vec<u32>,
    /// Where the postings of its features are.
    places: Vec<PostingPlace>,
    /// The least overlap by partner size, starting at `smallest`, for records of size `size`.
    least: Vec<u32>,
    size: u32,
    smallest: u32,
}

/// All pairs, or `None` if there are too many.
pub(super) fn probe(
    prefixes: &Prefixes<'_>,
    index: &PrefixIndex<u32>,
    rule: Rule,
    limits: SearchLimits<'_>,
) -> Option<(Vec<Pair>, Cost)> {
    let first = |is_there: fn(&Sides) -> bool| {
        prefixes.sides.iter().position(is_there).unwrap_or(usize::MAX)
    };
    let firsts = (first(|sides| sides.old), first(|sides| sides.new));
    let mut probe = PrefixProbe { prefixes, index, rule, bitmaps: None, firsts };
    let scratch = || ProbeScratch::new(prefixes.len());
    let mean = prefixes.mean_kept();
    let sample = WorkSample::new(prefixes.len(), |record| probe.most_steps(record, mean));
    if probe.is_for_bitmaps(&sample, mean) {
        probe.bitmaps = Some(Bitmaps::new(prefixes));
    }
    sample.tell(limits, scratch, |record, scratch, cost| {
        let mut pairs = Vec::new();
        probe.record(record, scratch, &mut pairs, cost);
        (pairs.len(), comparison(prefixes.lengths[record] as usize, mean))
    });
    probe_all((prefixes.len(), CHUNK), limits, scratch, |record, scratch, pairs, cost| {
        probe.record(record, scratch, pairs, cost);
    })
}

impl ProbeScratch {
    fn new(records: usize) -> Self {
        let (touched, places, least) = (Vec::new(), Vec::new(), Vec::new());
        Self { shared: vec![0; records], touched, places, least, size: 0, smallest: 0 }
    }
}

struct PrefixProbe<'a> {
    prefixes: &'a Prefixes<'a>,
    index: &'a PrefixIndex<u32>,
    rule: Rule,
    bitmaps: Option<Bitmaps>,
    /// The first record of an old and of a new document: those before have no partner among the records before them.
    firsts: (usize, usize),
}

impl PrefixProbe<'_> {
    /// Appends all partners of the record among the records before it.
    fn record(&self, x: usize, scratch: &mut ProbeScratch, pairs: &mut Vec<Pair>, cost: &mut Cost) {
        cost.probed += 1;
        let rarest = self.prefixes.rarest(x);
        let (sides, (old, new)) = (self.prefixes.sides[x], self.firsts);
        if rarest.is_empty() || !(sides.old && new < x || sides.new && old < x) {
            return;
        }
        self.prepare(self.prefixes.sizes[x], scratch);
        let first = self.prefixes.sizes.partition_point(|&size| size < scratch.smallest) as u32;
        let length = self.prefixes.lengths[x];
        self.index.find(rarest, &mut scratch.places);
        for (i, (&feature, place)) in rarest.iter().zip(&scratch.places).enumerate() {
            let postings = self.index.postings(feature, *place);
            let from = postings.partition_point(|posting| posting.record < first);
            let behind = length - i as u32 - 1;
            for posting in postings[from..].iter().take_while(|p| (p.record as usize) < x) {
                cost.postings += 1;
                let y = posting.record as usize;
                let shared = scratch.shared[y];
                if shared == DEAD {
                    continue;
                }
                if shared == 0 {
                    scratch.touched.push(y as u32);
                }
                let least = scratch.least[(self.prefixes.sizes[y] - scratch.smallest) as usize];
                let left = behind.min(self.prefixes.lengths[y] - posting.detail - 1);
                scratch.shared[y] = if shared + 1 + left < least { DEAD } else { shared + 1 };
            }
        }
        for (at, &y) in scratch.touched.iter().enumerate() {
            if let Some(next) = scratch.touched.get(at + 1) {
                prefetch_first(self.prefixes.kept(*next as usize));
            }
            let dead = std::mem::take(&mut scratch.shared[y as usize]) == DEAD;
            if !dead && self.prefixes.sides[x].meet(self.prefixes.sides[y as usize]) {
                cost.candidates += 1;
                let size = self.prefixes.sizes[y as usize];
                let least = scratch.least[(size - scratch.smallest) as usize];
                self.verify(x, y as usize, least as usize, pairs, cost);
            }
        }
        scratch.touched.clear();
    }

    /// Whether bitmaps save more steps than it takes to make them. Where nearly every candidate is a match, as copies
    /// of a text are, they do not.
    fn is_for_bitmaps(&self, sample: &WorkSample, mean: usize) -> bool {
        let mut scratch = ProbeScratch::new(self.prefixes.len());
        let saved = sample.sum(|record| {
            let (mut pairs, mut cost) = (Vec::new(), Cost::default());
            self.record(record, &mut scratch, &mut pairs, &mut cost);
            let length = comparison(self.prefixes.lengths[record] as usize, mean);
            (cost.verified - pairs.len() as u64) as f64 * length * TOLD
        });
        let made = (self.prefixes.len() * mean) as f64 * ADDED;
        saved.is_none_or(|saved| saved > made)
    }

    /// No fewer steps than a record takes, by the lists that it looks up; `mean` is the mean length.
    fn most_steps(&self, x: usize, mean: usize) -> f64 {
        let lists = self.prefixes.rarest(x).iter().map(|&feature| self.index.get(feature).len());
        let postings: usize = lists.sum();
        let length = comparison(self.prefixes.lengths[x] as usize, mean);
        postings as f64 + postings.min(x) as f64 * length
    }

    /// Records come in order of size, so the bounds are mostly those of the previous record.
    fn prepare(&self, size: u32, scratch: &mut ProbeScratch) {
        if scratch.size == size {
            return;
        }
        let x = u64::from(size);
        let smallest = self.rule.smallest_partner(x);
        scratch.size = size;
        scratch.smallest = smallest as u32;
        scratch.least.clear();
        scratch.least.extend((smallest..=x).map(|y| self.rule.least_overlap(x, y) as u32));
    }

    fn verify(&self, x: usize, y: usize, least: usize, pairs: &mut Vec<Pair>, cost: &mut Cost) {
        let (a, b) = (self.prefixes.kept(x), self.prefixes.kept(y));
        if let Some(bitmaps) = &self.bitmaps
            && bitmaps.differ_in_more_than(x, y, (a.len() + b.len()).saturating_sub(2 * least))
        {
            return;
        }
        cost.verified += 1;
        if let Some(overlap) = overlap_at_least(a, b, least) {
            let (x, y) = (self.prefixes.sets[x], self.prefixes.sets[y]);
            pairs.push(Pair { a: x.min(y), b: x.max(y), overlap: overlap as u32 });
        }
    }
}

/// The steps of comparing two sets of these sizes.
fn comparison(a: usize, b: usize) -> f64 {
    match is_lopsided(a, b) {
        true => a.min(b) as f64 * f64::from(a.max(b).max(2).ilog2()),
        false => (a + b) as f64,
    }
}

fn is_lopsided(a: usize, b: usize) -> bool {
    a.max(b) > LOPSIDED * a.min(b)
}

/// The overlap of two ascending sequences; `None` as soon as it cannot reach `least`.
pub(crate) fn overlap_at_least(a: &[u64], b: &[u64], least: usize) -> Option<usize> {
    if is_lopsided(a.len(), b.len()) {
        return overlap_by_search(a, b, least);
    }
    // The number of elements of each that may remain unmatched.
    let (spare_a, spare_b) = (a.len().checked_sub(least)?, b.len().checked_sub(least)?);
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        // Which side is ahead is unpredictable: step without branches, and check the unmatched
        // elements only now and then.
        for _ in 0..STEPS.min(a.len() - i).min(b.len() - j) {
            let (x, y) = (a[i], b[j]);
            shared += usize::from(x == y);
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        if i - shared > spare_a || j - shared > spare_b {
            return None;
        }
    }
    (shared >= least).then_some(shared)
}

/// The same where one is far shorter: each of its elements is searched for in the other.
fn overlap_by_search(a: &[u64], b: &[u64], least: usize) -> Option<usize> {
    let (short, mut long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let mut shared = 0;
    for (at, element) in short.iter().enumerate() {
        let from = long.partition_point(|other| other < element);
        long = &long[from..];
        shared += usize::from(long.first() == Some(element));
        if shared + short.len() - at - 1 < least {
            return None;
        }
    }
    (shared >= least).then_some(shared)
}

/// A small bitmap per record: records whose bitmaps differ in many bits differ in many features.
struct Bitmaps {
    words: usize,
    bits: Vec<u64>,
}

impl Bitmaps {
    fn new(prefixes: &Prefixes<'_>) -> Self {
        // About four bits per feature: with fewer, too many collide, and this is half a byte for
        // every eight.
        let words = (prefixes.mean_kept() * 4 / 64).next_power_of_two().clamp(2, 64);
        let mut bits = vec![0u64; words * prefixes.len()];
        bits.par_chunks_mut(words).enumerate().for_each(|(record, bits)| {
            for &feature in prefixes.kept(record) {
                // The low bits, because the high ones choose slots of tables elsewhere.
                let bit = feature as usize & (words * 64 - 1);
                bits[bit / 64] ^= 1 << (bit % 64);
            }
        });
        Self { words, bits }
    }

    /// Whether more than `limit` features occur in only one of the two records: each differing
    /// parity bit stands for at least one.
    fn differ_in_more_than(&self, x: usize, y: usize, limit: usize) -> bool {
        let bits = |record: usize| &self.bits[record * self.words..][..self.words];
        let mut different = 0;
        for (a, b) in bits(x).chunks(8).zip(bits(y).chunks(8)) {
            different += a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones() as usize).sum::<usize>();
            if different > limit {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Scope, Sets, Wanted, exact};
    use super::*;
    use crate::measure::Measure;
    use crate::threshold::Threshold;
    use proptest::prelude::*;

    /// The cost of finding pairs among families of so many sets: `common` of 60 features are those of the family, the
    /// others are shared with strangers.
    fn cost(family: u64, common: u64) -> Cost {
        let feature = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let sets: Sets = (0..4_000u64)
            .map(|set| {
                let shared = (0..common).map(|at| feature(set / family * 60 + at));
                let strange = |at: u64| feature((1 << 32) + (set * 7_919 + at * 97) % 2_000);
                shared.chain((common..60).map(strange)).collect()
            })
            .collect();
        let rule = Rule { measure: Measure::Jaccard, threshold: Threshold::percent(50) };
        let wanted = Wanted { rule, scope: Scope::Within, limits: SearchLimits::default() };
        exact(&sets, wanted).unwrap().cost
    }

    #[test]
    fn bitmaps_are_made_where_strangers_meet() {
        let (strangers, copies) = (cost(40, 20), cost(4, 58));
        assert!(strangers.verified * 5 < strangers.candidates, "{strangers:?}");
        assert!(copies.candidates > 0 && copies.verified == copies.candidates, "{copies:?}");
    }

    proptest! {
        #[test]
        fn searching_finds_what_merging_finds(
            short in prop::collection::btree_set(0u64..3_000, 0..6),
            long in prop::collection::btree_set(0u64..3_000, 400..600),
            least in 0usize..6,
        ) {
            let short: Vec<u64> = short.into_iter().collect();
            let long: Vec<u64> = long.into_iter().collect();
            let shared = short.iter().filter(|element| long.contains(element)).count();
            let expected = (shared >= least).then_some(shared);
            prop_assert_eq!(overlap_by_search(&short, &long, least), expected);
            prop_assert_eq!(overlap_at_least(&long, &short, least), expected);
        }
    }
}
