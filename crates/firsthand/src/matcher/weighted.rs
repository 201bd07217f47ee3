//! Finds exactly the pairs of vectors that reach the threshold.
//!
//! In a common order of features, rarest first, the prefix of a vector ends where the rest is too
//! small to share enough with any partner, so similar vectors share a feature of both prefixes.
//! Bounds are computed in doubles with a little slack and only rule pairs out; integers decide the
//! remaining ones.

mod bounds;
mod outlines;
mod prefix_len;
mod probe;
mod records;

pub(crate) use prefix_len::prefix_len;

use super::{
    Cost, Matches, Pair, TooManyPairs, Vectors, Wanted, counts::FeatureRanks, forecast::WorkSample,
    index::PrefixIndex, probe_all,
};
use crate::{measure::Rule, weights::is_dot};
use bounds::Bounds;
use outlines::OutlineParameters;
use probe::{CandidateScratch, candidates};
use records::{FeatureMass, WeightedRecord, records};

/// Records per task.
const CHUNK: usize = 64;

/// Finds every pair of vectors that reaches the rule's threshold.
pub(crate) fn join(vectors: Vectors<'_>, wanted: Wanted<'_>) -> Result<Matches, TooManyPairs> {
    let rule = wanted.rule;
    let collapsed = vectors.collapse(wanted.scope);
    let bounds = Bounds::new(rule);
    let (records, ranks, pen) = records(vectors, &collapsed, rule.measure, bounds);
    let index = PrefixIndex::new(records.len(), |record| {
        records[record].indexed().iter().map(|entry| (entry.feature, entry.part))
    });
    let sizes: Vec<f64> = records.iter().map(|record| record.size).collect();
    let join = WeightedJoin {
        vectors,
        rule,
        bounds,
        records: &records,
        ranks: &ranks,
        sizes: &sizes,
        pen,
        index: &index,
    };
    let scratch = || (CandidateScratch::new(records.len()), Vec::new());
    let probe = |x, (scratch, near): &mut (_, Vec<u32>), pairs: &mut Vec<Pair>, cost: &mut Cost| {
        join.near(x, scratch, near, cost);
        join.verify(x, near, pairs);
    };
    let sample = WorkSample::new(records.len(), |record| join.most_steps(record));
    sample.tell(wanted.limits, scratch, |x, scratch, cost| {
        let mut pairs = Vec::new();
        probe(x, scratch, &mut pairs, cost);
        (pairs.len(), join.comparison(x))
    });
    wanted.matches(collapsed, probe_all((records.len(), CHUNK), wanted.limits, scratch, probe))
}

struct WeightedJoin<'a> {
    vectors: Vectors<'a>,
    rule: Rule,
    bounds: Bounds,
    records: &'a [WeightedRecord],
    ranks: &'a FeatureRanks,
    /// The sizes of the records, contiguous in memory.
    sizes: &'a [f64],
    pen: OutlineParameters,
    index: &'a PrefixIndex<FeatureMass>,
}

impl WeightedJoin<'_> {
    /// The records before this one that may reach the threshold with it.
    fn near(&self, x: usize, scratch: &mut CandidateScratch, near: &mut Vec<u32>, cost: &mut Cost) {
        let probe = match is_dot(self.rule.measure) {
            true => candidates::<true>,
            false => candidates::<false>,
        };
        probe(&self.records[x], &self.sizes[..x], self.index, self.bounds, scratch, cost);
        scratch.take(near);
        let sides = self.records[x].sides;
        near.retain(|&y| sides.meet(self.records[y as usize].sides));
        cost.candidates += near.len() as u64;
        if !near.is_empty() {
            near.iter().chain([&(x as u32)]).for_each(|&record| self.outline(record, scratch));
            self.pen.sift(self.records, x, near, self.bounds);
        }
        cost.verified += near.len() as u64;
    }

    /// No fewer steps than a record takes, by the lists that it looks up.
    fn most_steps(&self, x: usize) -> f64 {
        let prefix = self.records[x].prefix.iter();
        let postings: usize = prefix.map(|entry| self.index.get(entry.feature).len()).sum();
        postings as f64 + postings.min(x) as f64 * self.comparison(x)
    }

    /// The steps of comparing a record with another like it.
    fn comparison(&self, x: usize) -> f64 {
        2.0 * self.vectors.get(self.records[x].set).0.len() as f64
    }

    /// Computes the outline of a record, unless that has been done.
    fn outline(&self, record: u32, scratch: &mut CandidateScratch) {
        let record = &self.records[record as usize];
        record.outline.get_or_init(|| {
            let (vector, ranks) =
                (self.vectors.get(record.set), self.ranks.of(record.member as usize));
            self.pen.draw(vector, ranks, record.size, &mut scratch.parts)
        });
    }

    /// Appends those that reach the threshold.
    fn verify(&self, x: usize, near: &[u32], pairs: &mut Vec<Pair>) {
        let a = self.records[x].set;
        for &y in near {
            let b = self.records[y as usize].set;
            if self.vectors.reach(self.rule, a, b) {
                pairs.push(Pair { a: a.min(b), b: a.max(b), overlap: 0 });
            }
        }
    }
}

#[cfg(test)]
mod tests;
