//! The choice of pairs to label: spread over scores, more of them near the threshold, and few of any
//! one cluster.
//!
//! Scores fall into bands. A band keeps a bounded number of candidates, chosen by a hash of the
//! clusters that they join, so that neither the number of pairs in a cluster nor their order
//! matters. Pairs are then taken from the bands in proportion to their weights, so that any number
//! of pairs from the top of the list is a sample of the same kind.

use firsthand::collections::Match;
use std::collections::{BTreeMap, HashMap};

/// The sample that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct SamplePlan {
    pub(super) floor: f64,
    pub(super) threshold: f64,
    pub(super) pairs: usize,
    pub(super) seed: u64,
}

/// The most pairs that touch a cluster.
pub const PAIRS_PER_CLUSTER: usize = 5;

/// Bands of scores from the floor to 1; pairs that score 1 have an additional one.
const BANDS: usize = 20;

/// The distance from the threshold within which a score is near it.
const NEAR: f64 = 0.1;

/// The additional weight of a band at the threshold; a band far from it has weight 1.
const MORE: f64 = 4.0;

/// The weight of pairs that score 1, which are rarely worth a label.
const EQUAL: f64 = 0.25;

/// Picks pairs in the order in which they should be labelled; the same for the same seed.
pub(super) fn pick(
    matches: impl Iterator<Item = Match>,
    cluster: &[u32],
    plan: &SamplePlan,
) -> Vec<Match> {
    let mut bands: Vec<Band> = (0..=BANDS).map(|number| Band::new(number, plan)).collect();
    let room = plan.pairs.saturating_mul(4).saturating_add(100);
    for found in matches {
        let (a, b) = (cluster[found.a], cluster[found.b]);
        bands[band(found.score, plan)].offer(found, (a.min(b), a.max(b)), plan.seed, room);
    }
    let mut queues: Vec<Queue> = bands.into_iter().map(Band::queue).collect();
    let mut touched: HashMap<u32, usize> = HashMap::new();
    let mut picked = Vec::new();
    while picked.len() < plan.pairs {
        // The band that is furthest behind its share (Webster's method).
        let next = queues
            .iter_mut()
            .filter(|queue| !queue.pairs.is_empty())
            .reduce(|best, one| if one.claim() > best.claim() { one } else { best });
        let Some(queue) = next else { break };
        let Some(found) = queue.pairs.pop() else { break };
        let (a, b) = (cluster[found.a], cluster[found.b]);
        let full = |of: u32| touched.get(&of).is_some_and(|pairs| *pairs >= PAIRS_PER_CLUSTER);
        if full(a) || full(b) {
            continue;
        }
        *touched.entry(a).or_default() += 1;
        if a != b {
            *touched.entry(b).or_default() += 1;
        }
        queue.taken += 1;
        picked.push(found);
    }
    picked
}

/// The number of the band that a score falls into.
fn band(score: f64, plan: &SamplePlan) -> usize {
    if score >= 1.0 {
        return BANDS;
    }
    let share = (score - plan.floor) / (1.0 - plan.floor).max(1e-9);
    ((share * BANDS as f64) as usize).min(BANDS - 1)
}

/// Two clusters, the smaller number first.
type Joined = (u32, u32);

/// The candidates of a band: for each two clusters the few pairs with the smallest hashes.
struct Band {
    weight: f64,
    candidates: BTreeMap<(u64, Joined), Vec<(u64, Match)>>,
}

impl Band {
    fn new(number: usize, plan: &SamplePlan) -> Self {
        let middle = plan.floor + (1.0 - plan.floor) * (number as f64 + 0.5) / BANDS as f64;
        let distance = (middle - plan.threshold) / NEAR;
        let weight =
            if number == BANDS { EQUAL } else { 1.0 + MORE * (-distance * distance).exp() };
        Self { weight, candidates: BTreeMap::new() }
    }

    fn offer(&mut self, found: Match, joined: Joined, seed: u64, room: usize) {
        let key = (hash(seed, u64::from(joined.0), u64::from(joined.1)), joined);
        let full = self.candidates.len() >= room;
        if full && self.candidates.last_key_value().is_some_and(|(last, _)| key > *last) {
            return;
        }
        let pairs = self.candidates.entry(key).or_default();
        pairs.push((hash(seed, found.a as u64, found.b as u64), found));
        pairs.sort_unstable_by_key(|(hash, found)| (*hash, found.a, found.b));
        pairs.truncate(PAIRS_PER_CLUSTER);
        if self.candidates.len() > room {
            self.candidates.pop_last();
        }
    }

    /// The first pair of each two clusters, then the second pair of each, and so on.
    fn queue(self) -> Queue {
        let mut ranked: Vec<(usize, Match)> = Vec::new();
        for pairs in self.candidates.into_values() {
            ranked.extend(pairs.into_iter().map(|(_, found)| found).enumerate());
        }
        // Stable: within a rank, the order of the hashes stays.
        ranked.sort_by_key(|(rank, _)| *rank);
        let pairs = ranked.into_iter().rev().map(|(_, found)| found).collect();
        Queue { weight: self.weight, taken: 0, pairs }
    }
}

/// The remaining pairs of a band, the next one last.
struct Queue {
    weight: f64,
    taken: usize,
    pairs: Vec<Match>,
}

impl Queue {
    fn claim(&self) -> f64 {
        self.weight / (2 * self.taken + 1) as f64
    }
}

/// A pseudo-random number that depends only on its arguments (splitmix64).
fn hash(seed: u64, a: u64, b: u64) -> u64 {
    [a, b].into_iter().fold(mixed(seed), |state, value| mixed(state ^ value))
}

fn mixed(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: SamplePlan = SamplePlan { floor: 0.2, threshold: 0.5, pairs: 100, seed: 0 };

    fn found(a: usize, b: usize, score: f64) -> Match {
        Match { a, b, score, exact: false }
    }

    /// Many pairs of low scores, few of high ones, no two of one document.
    fn many() -> Vec<Match> {
        (0..20_000)
            .map(|at: usize| {
                let share = (at as f64 + 0.5) / 20_000.0;
                found(2 * at, 2 * at + 1, 0.2 + 0.799 * share.powi(4))
            })
            .collect()
    }

    fn alone(documents: usize) -> Vec<u32> {
        (0..documents as u32).collect()
    }

    #[test]
    fn spread_over_scores_with_more_near_the_threshold() {
        let picked = pick(many().into_iter(), &alone(40_000), &PLAN);
        assert_eq!(picked.len(), 100);
        let within = |low: f64, high: f64| {
            picked.iter().filter(|pair| (low..high).contains(&pair.score)).count()
        };
        let (low, near, high) = (within(0.2, 0.4), within(0.4, 0.6), within(0.6, 1.0));
        assert!(near > low && near > high && low >= 10 && high >= 10, "{low} {near} {high}");
        // The top of the list is such a sample too.
        let top = &picked[..20];
        assert!(top.iter().any(|p| p.score < 0.4) && top.iter().any(|p| p.score > 0.7), "{top:?}");
    }

    #[test]
    fn the_same_for_the_same_seed_in_any_order() {
        let picked = pick(many().into_iter(), &alone(40_000), &PLAN);
        assert_eq!(pick(many().into_iter().rev(), &alone(40_000), &PLAN), picked);
        let other = pick(many().into_iter(), &alone(40_000), &SamplePlan { seed: 1, ..PLAN });
        assert_ne!(other, picked);
    }

    #[test]
    fn a_giant_cluster_does_not_fill_the_sample() {
        let mut cluster = alone(500);
        cluster[..300].fill(0);
        let mut matches: Vec<Match> =
            (0..300).flat_map(|a| (a + 1..300).map(move |b| found(a, b, 0.55))).collect();
        matches.extend((300..499).step_by(2).map(|a| found(a, a + 1, 0.55)));
        let picked = pick(matches.into_iter(), &cluster, &PLAN);
        let giant = picked.iter().filter(|pair| pair.a < 300).count();
        assert!((1..=PAIRS_PER_CLUSTER).contains(&giant), "{giant}");
        assert_eq!(picked.len() - giant, 100 - giant);
    }

    #[test]
    fn fewer_pairs_than_wanted_are_all_taken() {
        let matches = [found(0, 1, 0.3), found(2, 3, 1.0), found(4, 5, 0.9999)];
        let picked = pick(matches.into_iter(), &alone(6), &PLAN);
        assert_eq!(picked.len(), 3);
        assert!(pick(std::iter::empty(), &[], &PLAN).is_empty());
    }
}
