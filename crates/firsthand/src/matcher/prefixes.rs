//! The sets that can have a partner, by size, with the rarest features of each first.

use super::{Sets, Sides, collapse::Collapsed, counts::FeatureRanks};
use crate::{measure::Rule, prefetch::prefetch_first};
use rayon::prelude::*;

/// Sets handled by one task.
const CHUNK: usize = 256;

/// The sets that take part in the join, as records in ascending order of size.
///
/// Features that occur in only one set are counted in `size` but not kept: in order of rarity they
/// come first, match nothing, and so only shorten the rest of the prefix.
pub(super) struct Prefixes<'a> {
    /// The set of each record.
    pub(super) sets: Vec<u32>,
    /// Its number of features, kept or not; ascending.
    pub(super) sizes: Vec<u32>,
    /// The number of features kept.
    pub(super) lengths: Vec<u32>,
    /// The sides on which its group occurs.
    pub(super) sides: Vec<Sides>,
    /// How many of its rarest kept features are indexed.
    indexed: Vec<u32>,
    /// The sets, if most features are kept: copies of these would take as much memory again.
    whole: Option<&'a Sets>,
    kept: Runs,
    rarest: Runs,
}

/// Runs of features of different lengths, one per record.
struct Runs {
    ends: Vec<usize>,
    features: Vec<u64>,
}

impl Runs {
    fn new(lengths: impl Iterator<Item = usize>) -> Self {
        let mut total = 0;
        let ends: Vec<usize> = lengths
            .map(|length| {
                total += length;
                total
            })
            .collect();
        Self { ends, features: vec![0; total] }
    }

    fn get(&self, record: usize) -> &[u64] {
        let start = if record == 0 { 0 } else { self.ends[record - 1] };
        &self.features[start..self.ends[record]]
    }

    /// The features of consecutive chunks of records, to be filled in parallel.
    fn chunks(&mut self) -> Vec<&mut [u64]> {
        let mut rest = self.features.as_mut_slice();
        let mut start = 0;
        let mut chunks = Vec::with_capacity(self.ends.len() / CHUNK + 1);
        for ends in self.ends.chunks(CHUNK) {
            let end = *ends.last().unwrap_or(&start);
            let (chunk, tail) = rest.split_at_mut(end - start);
            chunks.push(chunk);
            (rest, start) = (tail, end);
        }
        chunks
    }
}

struct JoinRecord {
    size: u32,
    position: u32,
    kept: u32,
}

/// Distributes the features of a set: those that occur elsewhere go to `kept` in their order, if there is
/// room, and the rarest of these, as many as there is room for, to `rarest` in the order of their ranks.
fn deal(set: &[u64], ranks: &[u8], kept: &mut [u64], rarest: &mut [u64], room: &mut Vec<u64>) {
    if !kept.is_empty() {
        let elsewhere = ranks.iter().zip(set).filter(|(rank, _)| **rank > 0);
        kept.iter_mut().zip(elsewhere).for_each(|(slot, (_, feature))| *slot = *feature);
    }
    // Features are in order, so that dealing them out by rank sorts them by both. All of them are dealt out, since
    // nothing tells beforehand which there is room for.
    let mut places = [0u32; 256];
    ranks.iter().for_each(|&rank| places[rank as usize] += 1);
    let most = ranks.iter().fold(0, |most, &rank| most.max(rank));
    let alone = std::mem::take(&mut places[0]);
    let mut start = 0;
    for place in &mut places[1..=most as usize] {
        start += std::mem::replace(place, start);
    }
    // Those that occur nowhere else are last.
    places[0] = set.len() as u32 - alone;
    room.resize(set.len().max(room.len()), 0);
    for (&rank, &feature) in ranks.iter().zip(set) {
        let place = &mut places[rank as usize];
        room[*place as usize] = feature;
        *place += 1;
    }
    rarest.copy_from_slice(&room[..rarest.len()]);
}

impl<'a> Prefixes<'a> {
    pub(super) fn new(
        sets: &'a Sets,
        collapsed: &Collapsed,
        ranks: &FeatureRanks,
        rule: Rule,
    ) -> Self {
        let members = &collapsed.representatives;
        let mut records: Vec<JoinRecord> = members
            .par_iter()
            .enumerate()
            .filter_map(|(position, &set)| {
                let features = sets.get(set as usize);
                let kept = ranks.of(position).iter().filter(|&&rank| rank > 0).count();
                let size = features.len() as u64;
                let least = rule.least_overlap(size, rule.smallest_partner(size));
                (kept as u64 >= least).then_some(JoinRecord {
                    size: size as u32,
                    position: position as u32,
                    kept: kept as u32,
                })
            })
            .collect();
        records.par_sort_unstable_by_key(|record| (record.size, record.position));

        // A set and any partner share one of the first `size - least overlap + 1` features.
        let prefix = |record: &JoinRecord, least: u64| {
            let size = u64::from(record.size);
            let alone = size - u64::from(record.kept);
            (size - least + 1).saturating_sub(alone).min(u64::from(record.kept)) as u32
        };
        let probed = |record: &JoinRecord| {
            let size = u64::from(record.size);
            prefix(record, rule.least_overlap(size, rule.smallest_partner(size)))
        };
        let indexed = records
            .iter()
            .map(|record| {
                let size = u64::from(record.size);
                prefix(record, rule.least_overlap(size, size))
            })
            .collect();
        let total =
            |of: fn(&JoinRecord) -> u32| records.iter().map(|r| u64::from(of(r))).sum::<u64>();
        let are_copied = total(|record| record.kept) * 2 < total(|record| record.size);
        let copied = |record: &JoinRecord| if are_copied { record.kept as usize } else { 0 };
        let mut kept = Runs::new(records.iter().map(copied));
        let mut rarest = Runs::new(records.iter().map(|record| probed(record) as usize));

        let chunks = kept.chunks().into_iter().zip(rarest.chunks()).zip(records.chunks(CHUNK));
        chunks.par_bridge().for_each_init(Vec::new, |room, ((mut kept, mut rarest), records)| {
            for (at, record) in records.iter().enumerate() {
                // In order of size, sets are all over the memory.
                if let Some(next) = records.get(at + 1) {
                    prefetch_first(sets.get(members[next.position as usize] as usize));
                    prefetch_first(ranks.of(next.position as usize));
                }
                let position = record.position as usize;
                let set = sets.get(members[position] as usize);
                let (own, rest) = kept.split_at_mut(copied(record));
                kept = rest;
                let (first, rest) = rarest.split_at_mut(probed(record) as usize);
                rarest = rest;
                deal(set, ranks.of(position), own, first, room);
            }
        });

        Self {
            sets: records.iter().map(|record| members[record.position as usize]).collect(),
            sizes: records.iter().map(|record| record.size).collect(),
            lengths: records.iter().map(|record| record.kept).collect(),
            sides: records.iter().map(|r| collapsed.sides[r.position as usize]).collect(),
            indexed,
            whole: (!are_copied).then_some(sets),
            kept,
            rarest,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The features of a record that occur elsewhere, and perhaps others, in ascending order.
    pub(super) fn kept(&self, record: usize) -> &[u64] {
        match self.whole {
            Some(sets) => sets.get(self.sets[record] as usize),
            None => self.kept.get(record),
        }
    }

    /// The features of a record that it looks up, rarest first.
    pub(super) fn rarest(&self, record: usize) -> &[u64] {
        self.rarest.get(record)
    }

    /// The indexed ones among them, each with the number of rarer ones.
    pub(super) fn indexed(&self, record: usize) -> impl Iterator<Item = (u64, u32)> {
        let rarest = &self.rarest(record)[..self.indexed[record] as usize];
        rarest.iter().zip(0u32..).map(|(&feature, rarer)| (feature, rarer))
    }

    /// The average number of kept features.
    pub(super) fn mean_kept(&self) -> usize {
        self.lengths.iter().map(|length| *length as usize).sum::<usize>() / self.len().max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn features_are_dealt_by_rank(
            ranked in prop::collection::btree_map(any::<u64>(), prop_oneof![0u8..4, any::<u8>()], 0..90),
            share in 0usize..=100,
        ) {
            let (set, ranks): (Vec<u64>, Vec<u8>) = ranked.iter().unzip();
            let expected: Vec<u64> =
                ranked.iter().filter(|(_, rank)| **rank > 0).map(|(feature, _)| *feature).collect();
            let mut by_rank: Vec<(u8, u64)> =
                ranked.iter().filter(|(_, rank)| **rank > 0).map(|(feature, rank)| (*rank, *feature)).collect();
            by_rank.sort_unstable();
            by_rank.truncate(expected.len() * share / 100);
            let (mut kept, mut rarest) = (vec![0; expected.len()], vec![0; by_rank.len()]);
            deal(&set, &ranks, &mut kept, &mut rarest, &mut vec![7; 20]);
            prop_assert_eq!(kept, expected);
            prop_assert_eq!(rarest, by_rank.into_iter().map(|(_, feature)| feature).collect::<Vec<_>>());
        }
    }
}
