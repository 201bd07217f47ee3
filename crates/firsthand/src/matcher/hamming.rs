//! Finds exactly the pairs of bit sketches that differ in few positions.
//!
//! Sketches that differ in at most `d` bits agree in one of `d + 1` blocks (the pigeonhole
//! principle), so sorting by each block finds them all. Where blocks would be so narrow that nearly
//! all sketches agree in one, comparing all pairs is cheaper. Both are exact.

use super::{
    Cost, Matches, Pair, Scope, SearchLimits, Sides, TooManyPairs, Wanted, collapse::Collapsed,
    forecast,
};
use crate::{
    sketch::{Bits, distance},
    threshold::Threshold,
};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Finds every pair of sketches that agree on at least the threshold's share of their bits.
pub(crate) fn join(bits: &Bits, count: usize, wanted: Wanted<'_>) -> Result<Matches, TooManyPairs> {
    let collapsed = collapse(bits, count, wanted.scope);
    let least = least(bits, wanted.rule.threshold);
    let found = HammingSearch::new(bits, &collapsed, least, |_, _| true).pairs(wanted.limits);
    // Comparing the bits is the verification.
    let found = found.map(|(pairs, cost)| (pairs, Cost { verified: cost.candidates, ..cost }));
    wanted.matches(collapsed, found)
}

/// Finds the accepted pairs among those that agree on at least `least` bits; `None` if there are
/// too many.
pub(super) fn accepted(
    bits: &Bits,
    collapsed: &Collapsed,
    least: u32,
    accept: impl Fn(u32, u32) -> bool + Sync,
    limits: SearchLimits<'_>,
) -> Option<(Vec<Pair>, Cost)> {
    HammingSearch::new(bits, collapsed, least, accept).pairs(limits)
}

/// Sets with the same bits become one; empty sets are left out.
pub(super) fn collapse(bits: &Bits, count: usize, scope: Scope<'_>) -> Collapsed {
    let mut order: Vec<u32> =
        (0..count as u32).filter(|&set| bits.get(set as usize).is_some()).collect();
    order.par_sort_unstable_by_key(|&set| (bits.get(set as usize), set));
    let mut groups: Vec<Vec<u32>> = order
        .chunk_by(|&a, &b| bits.get(a as usize) == bits.get(b as usize))
        .map(<[u32]>::to_vec)
        .collect();
    groups.par_sort_unstable();
    let representatives = groups.iter().map(|group| group[0]).collect();
    let all = |group: &Vec<u32>| {
        group.iter().fold(Sides::default(), |sides, &set| sides.or(scope.sides(set)))
    };
    let sides = groups.iter().map(all).collect();
    groups.retain(|group| group.len() > 1);
    Collapsed { representatives, sides, identical: groups }
}

/// The number of bits on which sketches must agree.
fn least(bits: &Bits, threshold: Threshold) -> u32 {
    let (n, d) = (threshold.numerator(), threshold.denominator());
    (n * bits.len()).div_ceil(d) as u32
}

/// A range of bits: start, end.
type BitRange = (usize, usize);

struct HammingSearch<'a, A> {
    bits: &'a Bits,
    members: &'a [u32],
    sides: &'a [Sides],
    /// The most bits that may differ.
    most: u32,
    /// Whether a pair of sets with similar bits is accepted.
    accept: A,
}

impl<'a, A: Fn(u32, u32) -> bool + Sync> HammingSearch<'a, A> {
    fn new(bits: &'a Bits, collapsed: &'a Collapsed, least: u32, accept: A) -> Self {
        let most = (bits.len() as u32).saturating_sub(least);
        let Collapsed { representatives: members, sides, .. } = collapsed;
        Self { bits, members, sides, most, accept }
    }

    /// All pairs, or `None` if there are too many.
    fn pairs(&self, limits: SearchLimits<'_>) -> Option<(Vec<Pair>, Cost)> {
        let found = AtomicUsize::new(0);
        let (mut pairs, mut cost) = (Vec::new(), Cost::default());
        let mut take = |parts: Vec<(Vec<Pair>, Cost)>| {
            for (found, took) in parts {
                pairs.extend(found);
                cost = cost.add(took);
            }
        };
        match self.blocks() {
            None => {
                let (members, words) = (self.members.len() as f64, self.bits.len().div_ceil(64));
                let steps = members * members / 2.0 * words as f64;
                forecast::tell_steps(self.members.len(), steps, limits);
                take(self.all_with_all(&found, limits));
            }
            Some(blocks) => {
                let share = |block: usize| block as f64 / blocks.len() as f64;
                for block in (0..blocks.len()).take_while(|block| (limits.go_on)(share(*block))) {
                    take(self.by_block(&blocks, block, &found, limits.pairs));
                }
            }
        }
        cost.probed = self.members.len() as u64;
        pairs.par_sort_unstable();
        (found.into_inner() <= limits.pairs).then_some((pairs, cost))
    }

    fn of(&self, member: usize) -> &'a [u64] {
        self.bits.get(self.members[member] as usize).unwrap_or_default()
    }

    /// The blocks to sort by; `None` if comparing all pairs is cheaper.
    fn blocks(&self) -> Option<Vec<BitRange>> {
        let (bits, count) = (self.bits.len() as usize, self.most as usize + 1);
        let blocks: Vec<BitRange> =
            (0..count).map(|at| (at * bits / count, (at + 1) * bits / count)).collect();
        let width = blocks.iter().map(|(from, to)| to - from).min().unwrap_or(0).min(64);
        let members = self.members.len() as f64;
        // Sorting costs some comparisons per member; real sketches agree more often than chance.
        let sorted =
            count as f64 * (32.0 * members + 8.0 * members * members / 2f64.powi(width as i32));
        (sorted < members * members / 2.0).then_some(blocks)
    }

    /// The first 64 bits of a block.
    fn key(&self, member: usize, (from, to): BitRange) -> u64 {
        let words = self.of(member);
        let (word, shift, width) = (from / 64, from % 64, (to - from).min(64));
        let low = words[word] >> shift;
        let high = match words.get(word + 1) {
            Some(next) if shift > 0 => next << (64 - shift),
            _ => 0,
        };
        (low | high) & (u64::MAX >> (64 - width))
    }

    fn all_with_all(
        &self,
        found: &AtomicUsize,
        limits: SearchLimits<'_>,
    ) -> Vec<(Vec<Pair>, Cost)> {
        // Each member is compared with those before it.
        let share = |x: usize| (x as f64 / self.members.len() as f64).powi(2);
        (1..self.members.len())
            .into_par_iter()
            .with_min_len(16)
            .map(|x| {
                let mut part = (Vec::new(), Cost::default());
                if found.load(Relaxed) <= limits.pairs && (limits.go_on)(share(x)) {
                    for y in 0..x {
                        self.compare(x, y, &mut part);
                    }
                    found.fetch_add(part.0.len(), Relaxed);
                }
                part
            })
            .collect()
    }

    fn by_block(
        &self,
        blocks: &[BitRange],
        block: usize,
        found: &AtomicUsize,
        limit: usize,
    ) -> Vec<(Vec<Pair>, Cost)> {
        let mut order: Vec<(u64, u32)> = (0..self.members.len() as u32)
            .into_par_iter()
            .map(|member| (self.key(member as usize, blocks[block]), member))
            .collect();
        order.par_sort_unstable();
        (0..order.len())
            .into_par_iter()
            .with_min_len(512)
            .map(|at| {
                let mut part = (Vec::new(), Cost::default());
                let (key, x) = order[at];
                let same = order[at + 1..].iter().take_while(|entry| entry.0 == key);
                if found.load(Relaxed) <= limit {
                    for &(_, y) in same {
                        let earlier = blocks[..block].iter().any(|&earlier| {
                            self.key(x as usize, earlier) == self.key(y as usize, earlier)
                        });
                        // A pair that agrees in an earlier block was examined there.
                        if !earlier {
                            self.compare(x as usize, y as usize, &mut part);
                        }
                    }
                    found.fetch_add(part.0.len(), Relaxed);
                }
                part
            })
            .filter(|part| part.1.candidates > 0)
            .collect()
    }

    fn compare(&self, x: usize, y: usize, (pairs, cost): &mut (Vec<Pair>, Cost)) {
        if !self.sides[x].meet(self.sides[y]) {
            return;
        }
        cost.candidates += 1;
        let different = distance(self.of(x), self.of(y));
        if different <= self.most {
            cost.verified += 1;
            let (a, b) = (self.members[x], self.members[y]);
            if (self.accept)(a, b) {
                let overlap = self.bits.len() as u32 - different;
                pairs.push(Pair { a: a.min(b), b: a.max(b), overlap });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Measure, Rule};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn finds_the_same_pairs_as_brute_force(
            seeds in prop::collection::vec((0u64..12, 0u64..40), 2..60),
            words in 1usize..4,
            hundredths in 50u64..=100,
        ) {
            // Some sets differ in only a few features, so that all distances occur.
            let sets: Vec<Vec<u64>> = seeds
                .iter()
                .map(|&(family, own)| {
                    let feature = |at: u64| (family * 1000 + at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    (own / 8..own / 8 + 30).map(feature).collect()
                })
                .collect();
            let bits = Bits::new(words * 64, sets.len(), |at| (&sets[at], None));
            let threshold = Threshold::new(hundredths, 100).unwrap();
            let collapsed = collapse(&bits, sets.len(), Scope::Within);
            let search = HammingSearch::new(&bits, &collapsed, least(&bits, threshold), |_, _| true);
            let free = AtomicUsize::new(0);
            let sorted = |parts: Vec<(Vec<Pair>, Cost)>| {
                let mut pairs: Vec<Pair> = parts.into_iter().flat_map(|part| part.0).collect();
                pairs.sort_unstable();
                pairs
            };
            let all = sorted(search.all_with_all(&free, SearchLimits::default()));
            let count = search.most as usize + 1;
            let width = words * 64;
            let blocks: Vec<BitRange> =
                (0..count).map(|at| (at * width / count, (at + 1) * width / count)).collect();
            let blocked = (0..count)
                .flat_map(|block| search.by_block(&blocks, block, &free, usize::MAX))
                .collect();
            prop_assert_eq!(&sorted(blocked), &all);
            // And both match the definition.
            let mut expected = 0;
            for x in 0..search.members.len() {
                for y in 0..x {
                    let agree = bits.agreement(search.members[x] as usize, search.members[y] as usize);
                    expected += usize::from(agree * 100 >= hundredths * bits.len());
                }
            }
            prop_assert_eq!(all.len(), expected);
        }
    }

    #[test]
    fn identical_sketches_are_one() {
        let sets = [vec![1u64, 2], vec![3u64], vec![1, 2], vec![]];
        let bits = Bits::new(64, 4, |at| (&sets[at], None));
        let wanted = |percent, limit| {
            let rule = Rule { measure: Measure::Jaccard, threshold: Threshold::percent(percent) };
            let limits = SearchLimits { pairs: limit, ..SearchLimits::default() };
            Wanted { rule, scope: Scope::Within, limits }
        };
        let matches = join(&bits, 4, wanted(100, 10)).unwrap();
        assert_eq!(matches.identical, [vec![0, 2]]);
        assert!(matches.pairs.is_empty());
        let bits = Bits::new(64, 2, |at| (&sets[at], None));
        let error = join(&bits, 2, wanted(1, 0)).unwrap_err();
        assert_eq!(error.limit, 0);
    }
}
