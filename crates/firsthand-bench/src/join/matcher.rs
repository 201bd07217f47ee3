//! SpotSigs' Algorithm 1, corrected: partitions, inverted lists, and pruning in integers.
//!
//! As printed, the algorithm loses pairs on the threshold to floating point, and one of its bounds
//! counts twice. Here each set searches for partners of its size or larger, in its own partition
//! and, where a set there can be large enough, in the next; lists ascend by size. Pruning stops a
//! list at the first set that is too large, and stops after enough lists that a set in none of them
//! shares too little.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use firsthand::settings::Threshold;

use super::partitions::{Partition, Partitions};
use super::ranked::Ranked;

/// Sets per task.
const CHUNK: usize = 64;

/// The enabled parts of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EnabledParts {
    /// Partitions by length.
    pub(crate) partitions: bool,
    /// Early stopping, within a list and after some lists.
    pub(crate) pruning: bool,
}

/// The result.
pub(crate) struct JoinOutcome {
    /// Pairs of positions in the input, `a < b`.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// Sets compared in full.
    pub(crate) compared: u64,
    /// The share of sets probed before time was up.
    pub(crate) share: f64,
}

/// Finds the pairs. Sets are probed in an order that mixes sizes, so that a part of them is
/// representative.
pub(crate) fn pairs(
    ranked: &Ranked,
    partitions: &Partitions,
    threshold: Threshold,
    parts: EnabledParts,
    limit: Duration,
) -> JoinOutcome {
    let (start, next) = (Instant::now(), AtomicUsize::new(0));
    let chunks = ranked.len().div_ceil(CHUNK);
    let stride = stride(chunks);
    let (n, d) = (threshold.numerator(), threshold.denominator());
    let probe = PartitionProbe { ranked, partitions, n, d, pruning: parts.pruning };
    let done = rayon::broadcast(|_| {
        let mut seen = vec![0u32; ranked.len()];
        let (mut pairs, mut compared, mut probed) = (Vec::new(), 0, 0usize);
        while start.elapsed() < limit {
            let number = next.fetch_add(1, Relaxed);
            if number >= chunks {
                break;
            }
            let first = (number * stride % chunks) * CHUNK;
            for place in first..(first + CHUNK).min(ranked.len()) {
                compared += probe.set(place, &mut seen, &mut pairs);
                probed += 1;
            }
        }
        (pairs, compared, probed)
    });
    let probed: usize = done.iter().map(|part| part.2).sum();
    JoinOutcome {
        compared: done.iter().map(|part| part.1).sum(),
        share: probed as f64 / ranked.len().max(1) as f64,
        pairs: done.into_iter().flat_map(|part| part.0).collect(),
    }
}

/// A stride that visits each chunk once.
fn stride(chunks: usize) -> usize {
    let common = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // Near the golden section, which spreads the steps most evenly.
    let near = (chunks as f64 * 0.618) as usize;
    (near.max(1)..).find(|&step| common(step, chunks) == 1).unwrap_or(1)
}

struct PartitionProbe<'a> {
    ranked: &'a Ranked,
    partitions: &'a Partitions,
    n: u64,
    d: u64,
    pruning: bool,
}

impl PartitionProbe<'_> {
    /// Appends the partners of a set after it; returns how many were compared.
    fn set(&self, place: usize, seen: &mut [u32], pairs: &mut Vec<(u32, u32)>) -> u64 {
        let own = self.partitions.of(place);
        let partition = &self.partitions.all[own];
        let mut compared = self.within(partition, place, seen, pairs);
        let size = self.ranked.size(place);
        if let Some(next) = partition.next_size
            && self.d * size >= self.n * next
        {
            compared += self.within(&self.partitions.all[own + 1], place, seen, pairs);
        }
        compared
    }

    fn within(
        &self,
        partition: &Partition,
        place: usize,
        seen: &mut [u32],
        pairs: &mut Vec<(u32, u32)>,
    ) -> u64 {
        let features = self.ranked.get(place);
        let size = features.len() as u64;
        let mark = place as u32 + 1;
        let mut compared = 0;
        for (passed, &feature) in (0u64..).zip(features) {
            // A set with none of the features so far shares at most the rest.
            if self.pruning && self.d * (size - passed) < self.n * (size + passed) {
                break;
            }
            let list = partition.list(feature);
            let behind = list.partition_point(|&other| other as usize <= place);
            for &other in &list[behind..] {
                let larger = self.ranked.size(other as usize);
                if self.pruning && self.d * (size - passed) < self.n * (larger + passed) {
                    break;
                }
                if seen[other as usize] == mark {
                    continue;
                }
                seen[other as usize] = mark;
                compared += 1;
                let overlap = overlap(features, self.ranked.get(other as usize));
                if self.d * overlap >= self.n * (size + larger - overlap) {
                    let inputs = &self.ranked.inputs;
                    let (a, b) = (inputs[place], inputs[other as usize]);
                    pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        compared
    }
}

fn overlap(a: &[u32], b: &[u32]) -> u64 {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += u64::from(a[i] == b[j]);
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use firsthand::matcher::Sets;

    fn random_sets(rng: &mut Rng) -> Vec<Vec<u64>> {
        let mut sets: Vec<Vec<u64>> = Vec::new();
        for number in 0..80 {
            let mut set: Vec<u64> = match number % 3 {
                0 => (0..rng.between(1, 30)).map(|_| rng.below(40) as u64).collect(),
                _ => sets[rng.below(sets.len())].clone(),
            };
            for _ in 0..rng.below(4) {
                let at = rng.below(set.len());
                set[at] = rng.below(60) as u64;
            }
            set.extend((0..rng.below(3)).map(|_| rng.below(60) as u64));
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        sets
    }

    fn by_comparing_all(sets: &[Vec<u64>], n: u64, d: u64) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for b in 0..sets.len() {
            for a in 0..b {
                let both = sets[a].iter().filter(|x| sets[b].contains(x)).count() as u64;
                let either = (sets[a].len() + sets[b].len()) as u64 - both;
                if both > 0 && d * both >= n * either {
                    pairs.push((a as u32, b as u32));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn every_variant_finds_exactly_the_pairs() {
        let mut on_threshold = 0;
        for round in 0..60 {
            let sets = random_sets(&mut Rng::new(5, &[round]));
            let ranked = Ranked::new(&sets.iter().cloned().collect::<Sets>());
            for (n, d) in [(1, 1), (9, 10), (4, 5), (11, 25), (2, 5), (1, 10)] {
                let threshold = Threshold::new(n, d).expect("a threshold");
                let expected = by_comparing_all(&sets, n, d);
                on_threshold +=
                    by_comparing_all(&sets, n * 1000 + 1, d * 1000).len().abs_diff(expected.len());
                for (by_length, pruning) in
                    [(true, true), (false, true), (true, false), (false, false)]
                {
                    let partitions = match by_length {
                        true => Partitions::by_length(&ranked, threshold),
                        false => Partitions::single(&ranked),
                    };
                    let parts = EnabledParts { partitions: by_length, pruning };
                    let limit = Duration::from_secs(1000);
                    let mut outcome = pairs(&ranked, &partitions, threshold, parts, limit);
                    outcome.pairs.sort_unstable();
                    assert_eq!(outcome.pairs, expected, "{parts:?} {n}/{d}");
                    assert_eq!(outcome.share, 1.0);
                }
            }
        }
        assert!(on_threshold > 100, "{on_threshold} pairs on the threshold");
    }

    #[test]
    fn pruning_spares_comparisons() {
        let sets = random_sets(&mut Rng::new(5, &[1]));
        let ranked = Ranked::new(&sets.into_iter().collect::<Sets>());
        let threshold = Threshold::new(9, 10).expect("a threshold");
        let partitions = Partitions::single(&ranked);
        let compared = |pruning| {
            let parts = EnabledParts { partitions: false, pruning };
            pairs(&ranked, &partitions, threshold, parts, Duration::from_secs(1000)).compared
        };
        assert!(compared(true) * 3 < compared(false));
    }

    #[test]
    fn steps_come_to_every_chunk() {
        for chunks in [1, 2, 3, 7, 64, 1000] {
            let step = stride(chunks);
            let mut reached: Vec<usize> = (0..chunks).map(|n| n * step % chunks).collect();
            reached.sort_unstable();
            assert!(reached.into_iter().eq(0..chunks), "{chunks}");
        }
    }
}
