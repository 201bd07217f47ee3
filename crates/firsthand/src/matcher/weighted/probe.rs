//! Matches each vector against the smaller ones: candidates from the index while they may succeed.

use super::{
    super::{Cost, index::PrefixIndex},
    bounds::Bounds,
    records::{FeatureMass, WeightedRecord},
};

/// Nothing is known about the pair yet.
const UNTOUCHED: f64 = f64::MAX;
/// The pair can no longer reach the threshold.
const DEAD: f64 = f64::INFINITY;

/// The memory of one thread; allocated once, left clean by every probe.
pub(super) struct CandidateScratch {
    /// Per record, how much it must still share, or `UNTOUCHED` or `DEAD`.
    missing: Vec<f64>,
    touched: Vec<u32>,
    /// Memory for outlines.
    pub(super) parts: Vec<u64>,
}

impl CandidateScratch {
    pub(super) fn new(records: usize) -> Self {
        Self { missing: vec![UNTOUCHED; records], touched: Vec::new(), parts: Vec::new() }
    }

    /// Takes out the candidates of the last probe.
    pub(super) fn take(&mut self, candidates: &mut Vec<u32>) {
        candidates.clear();
        let missing = &mut self.missing;
        candidates.extend(
            self.touched
                .drain(..)
                .filter(|&y| std::mem::replace(&mut missing[y as usize], UNTOUCHED) != DEAD),
        );
    }
}

/// Sums up what a record shares with earlier ones, whose sizes are given, over the features in the
/// prefixes of both.
///
/// `DOT` selects products instead of the smaller of two weights.
pub(super) fn candidates<const DOT: bool>(
    record: &WeightedRecord,
    earlier: &[f64],
    index: &PrefixIndex<FeatureMass>,
    bounds: Bounds,
    scratch: &mut CandidateScratch,
    cost: &mut Cost,
) {
    cost.probed += 1;
    let (x, smallest) = (earlier.len(), bounds.smallest(record.size));
    let first = earlier.partition_point(|&size| size < smallest) as u32;
    for own in &record.prefix {
        let (weight, behind) = (f64::from(own.part.weight), f64::from(own.part.behind));
        let postings = index.get(own.feature);
        let from = postings.partition_point(|posting| posting.record < first);
        for posting in postings[from..].iter().take_while(|p| (p.record as usize) < x) {
            cost.postings += 1;
            let missing = &mut scratch.missing[posting.record as usize];
            if *missing == DEAD {
                continue;
            }
            if *missing == UNTOUCHED {
                scratch.touched.push(posting.record);
                *missing = bounds.least(record.size, earlier[posting.record as usize]);
            }
            let part = posting.detail;
            let (other, left) = (f64::from(part.weight), f64::from(part.behind));
            let (shared, rest) = match DOT {
                true => (weight * other, behind * left),
                false => (weight.min(other), behind.min(left)),
            };
            *missing -= shared;
            if *missing > rest {
                *missing = DEAD;
            }
        }
    }
}
