//! The sets that can have a partner, by size, with the rarest features of each first.

use super::{Sets, Sides, collapse::Collapsed, counts::FeatureRanks};
use crate::measure::Rule;
use rayon::prelude::*;

/// Sets handled by one task.
const CHUNK: usize = 1024;

/// The sets that take part in the join, as records in ascending order of size.
///
/// Features that occur in only one set are counted in `size` but not kept: in order of rarity they
/// come first, match nothing, and so only shorten the rest of the prefix.
pub(super) struct Prefixes {
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

impl Prefixes {
    pub(super) fn new(
        sets: &Sets,
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
        let mut kept = Runs::new(records.iter().map(|record| record.kept as usize));
        let mut rarest = Runs::new(records.iter().map(|record| probed(record) as usize));

        let chunks = kept.chunks().into_iter().zip(rarest.chunks()).zip(records.chunks(CHUNK));
        chunks.par_bridge().for_each(|((mut kept, mut rarest), records)| {
            let mut ranked: Vec<(u8, u64)> = Vec::new();
            for record in records {
                let position = record.position as usize;
                let set = sets.get(members[position] as usize);
                ranked.clear();
                let all = ranks.of(position).iter().copied().zip(set.iter().copied());
                ranked.extend(all.filter(|&(rank, _)| rank > 0));
                let (own, rest) = kept.split_at_mut(record.kept as usize);
                kept = rest;
                for (slot, &(_, feature)) in own.iter_mut().zip(&ranked) {
                    *slot = feature;
                }
                let length = probed(record) as usize;
                let (first, rest) = rarest.split_at_mut(length);
                rarest = rest;
                if length < ranked.len() {
                    ranked.select_nth_unstable(length);
                    ranked.truncate(length);
                }
                ranked.sort_unstable();
                for (slot, &(_, feature)) in first.iter_mut().zip(&ranked) {
                    *slot = feature;
                }
            }
        });

        Self {
            sets: records.iter().map(|record| members[record.position as usize]).collect(),
            sizes: records.iter().map(|record| record.size).collect(),
            lengths: records.iter().map(|record| record.kept).collect(),
            sides: records.iter().map(|r| collapsed.sides[r.position as usize]).collect(),
            indexed,
            kept,
            rarest,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The features of a record that occur elsewhere, in ascending order.
    pub(super) fn kept(&self, record: usize) -> &[u64] {
        self.kept.get(record)
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
        self.kept.features.len() / self.len().max(1)
    }
}
