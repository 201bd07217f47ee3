//! The vectors that can have a partner, by size, with the rarest features of each first.

use super::{
    super::{Sides, Vectors, collapse::Collapsed, counts::FeatureRanks},
    bounds::{Bounds, up},
    outlines::{OutlineParameters, VectorOutline},
};
use crate::{measure::Measure, weights::Vector};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Leading bits of a model's features, which are a rank and the same for most.
const RANK_BITS: u32 = 8;

/// A feature of a prefix.
#[derive(Clone, Copy)]
pub(super) struct PrefixEntry {
    pub(super) feature: u64,
    pub(super) part: FeatureMass,
}

/// What the join needs to know about a feature that two vectors share.
#[derive(Clone, Copy)]
pub(super) struct FeatureMass {
    pub(super) weight: f32,
    /// The size of the vector after this feature.
    pub(super) behind: f32,
}

/// A vector that takes part in the join.
pub(super) struct WeightedRecord {
    pub(super) set: u32,
    /// Its position among all members.
    pub(super) member: u32,
    pub(super) sides: Sides,
    pub(super) size: f64,
    /// The features it looks up, rarest first.
    pub(super) prefix: Box<[PrefixEntry]>,
    /// How many of them are indexed.
    indexed: u32,
    /// Computed on demand: most records have no candidates.
    pub(super) outline: OnceLock<VectorOutline>,
}

impl WeightedRecord {
    /// The indexed features.
    pub(super) fn indexed(&self) -> &[PrefixEntry] {
        &self.prefix[..self.indexed as usize]
    }
}

/// The memory of one task, reused for each record.
#[derive(Default)]
struct OrderScratch {
    ordered: Vec<(u64, u32)>,
    prefix: Vec<PrefixEntry>,
}

/// The records in ascending order of size, the ranks of all features, and the outline parameters.
pub(super) fn records(
    vectors: Vectors<'_>,
    collapsed: &Collapsed,
    measure: Measure,
    bounds: Bounds,
) -> (Vec<WeightedRecord>, FeatureRanks, OutlineParameters) {
    let members = &collapsed.representatives;
    let ranks = FeatureRanks::new(vectors.sets, members, RANK_BITS);
    let features = members.iter().map(|&set| vectors.get(set).0.len()).sum();
    let sum = |&set: &u32| vectors.weights.mass(Measure::Jaccard, set as usize) as f64;
    let pen =
        OutlineParameters::new(measure, members.len(), features, members.iter().map(sum).sum());
    let record = |scratch: &mut OrderScratch, member: usize| {
        let set = members[member];
        let (features, weights) = vectors.get(set);
        let size = bounds.size(vectors.weights.mass(measure, set as usize) as f64);
        let indexed = scratch.order_and_cut((features, weights), ranks.of(member), size, bounds);
        (!scratch.prefix.is_empty()).then(|| WeightedRecord {
            set,
            member: member as u32,
            sides: collapsed.sides[member],
            size,
            prefix: scratch.prefix.as_slice().into(),
            indexed,
            outline: OnceLock::new(),
        })
    };
    let members = (0..members.len()).into_par_iter();
    let mut records: Vec<WeightedRecord> =
        members.map_init(OrderScratch::default, record).flatten().collect();
    records.par_sort_unstable_by(|a, b| a.size.total_cmp(&b.size).then(a.set.cmp(&b.set)));
    (records, ranks, pen)
}

impl OrderScratch {
    /// Orders features by rank, keeping their order within a rank, and keeps them up to the point
    /// where the rest is too small to share enough with any partner that is not larger. Returns how
    /// many there are up to where it is too small for one that is not smaller.
    fn order_and_cut(
        &mut self,
        (features, weights): Vector<'_>,
        ranks: &[u8],
        size: f64,
        bounds: Bounds,
    ) -> u32 {
        self.ordered.clear();
        self.prefix.clear();
        // A feature that only one vector has would come first and match nothing: it has no rank and
        // is skipped.
        let ranked = |weight: u32, rank: u8| if weight > 0 { usize::from(rank) } else { 0 };
        let mut left = shared_mass(weights, ranks, bounds);
        let mut from = bounds.size(left as f64);
        // In a collection of mostly different texts, most vectors have nothing to look up.
        if from < bounds.probed * size {
            return 0;
        }
        let mut places = [0u32; 256];
        for (&weight, &rank) in weights.iter().zip(ranks) {
            places[ranked(weight, rank)] += 1;
        }
        places[0] = 0;
        let mut total = 0;
        for place in &mut places {
            total += std::mem::replace(place, total);
        }
        // All features without a rank go to one slot after the others, so that no branch is needed.
        places[0] = total;
        self.ordered.resize(total as usize + 1, (0, 0));
        for ((&feature, &weight), &rank) in features.iter().zip(weights).zip(ranks) {
            let rank = ranked(weight, rank);
            let place = &mut places[rank];
            self.ordered[*place as usize] = (feature, weight);
            *place += u32::from(rank > 0);
        }
        self.ordered.pop();
        let mut indexed = 0;
        for &(feature, weight) in &self.ordered {
            left = left.saturating_sub(bounds.mass(weight));
            let behind = bounds.size(left as f64);
            let part = FeatureMass { weight: weight as f32, behind: up(behind) };
            // Rotated to the distinctive bits: the index is split by leading bits.
            self.prefix.push(PrefixEntry { feature: feature.rotate_left(RANK_BITS), part });
            indexed += u32::from(from >= bounds.indexed * size);
            from = behind;
            if from < bounds.probed * size {
                break;
            }
        }
        indexed
    }
}

/// The mass of the ranked features.
fn shared_mass(weights: &[u32], ranks: &[u8], bounds: Bounds) -> u64 {
    let mass = |(&weight, &rank): (&u32, &u8)| bounds.mass(weight) * u64::from(rank > 0);
    // A thousand masses cannot overflow, and plain sums are fast.
    let chunks = weights.chunks(1000).zip(ranks.chunks(1000));
    let sums = chunks.map(|(weights, ranks)| weights.iter().zip(ranks).map(mass).sum());
    sums.fold(0, u64::saturating_add)
}
