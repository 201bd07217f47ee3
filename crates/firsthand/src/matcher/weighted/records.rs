//! The vectors that can have a partner, by size, with the rarest features of each in front.

use super::{
    super::{Sides, Vectors, collapse::Collapsed, counts::Ranks},
    bounds::{Bounds, up},
    outlines::Outlines,
};
use crate::{measure::Measure, weights::is_dot};
use rayon::prelude::*;

/// Leading bits of a model's features, which are a rank and the same for most.
const RANK_BITS: u32 = 8;

/// A feature of a prefix.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) feature: u64,
    pub(super) part: Part,
}

/// What is known of a feature where two vectors meet in it.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) weight: f32,
    /// The size of the vector behind this feature.
    pub(super) behind: f32,
}

/// A vector that takes part in the join.
pub(super) struct Record {
    pub(super) set: u32,
    pub(super) sides: Sides,
    pub(super) size: f64,
    /// The features that it looks up, rarest first.
    pub(super) prefix: Box<[Entry]>,
    /// How many of them the index holds.
    indexed: u32,
    /// How many of all its features others have as well.
    pub(super) kept: u32,
    /// Its place among the members.
    member: u32,
}

impl Record {
    /// The features that the index holds.
    pub(super) fn indexed(&self) -> &[Entry] {
        &self.prefix[..self.indexed as usize]
    }
}

/// The records, in ascending order of size, and their outlines.
pub(super) fn records(
    vectors: Vectors<'_>,
    collapsed: &Collapsed,
    measure: Measure,
    bounds: Bounds,
) -> (Vec<Record>, Outlines) {
    let members = &collapsed.representatives;
    let ranks = Ranks::new(vectors.sets, members, RANK_BITS);
    // What one vector alone has would come first and match nothing.
    let kept = |member: usize| {
        let (features, weights) = vectors.get(members[member]);
        let ranked = features.iter().zip(weights).zip(ranks.of(member));
        ranked
            .filter(|((_, weight), rank)| **weight > 0 && **rank > 0)
            .map(|((&feature, &weight), &rank)| (rank, feature, weight))
    };
    let mut records: Vec<Record> = (0..members.len())
        .into_par_iter()
        .map_init(Vec::new, |ordered, member| {
            let set = members[member];
            order(kept(member), ordered);
            let size = bounds.size(vectors.weights.mass(measure, set as usize) as f64);
            let (prefix, indexed) = prefix(ordered, size, bounds);
            (!prefix.is_empty()).then(|| Record {
                set,
                sides: collapsed.sides[member],
                size,
                prefix: prefix.into_boxed_slice(),
                indexed,
                kept: ordered.len() as u32,
                member: member as u32,
            })
        })
        .flatten()
        .collect();
    records.par_sort_unstable_by(|a, b| a.size.total_cmp(&b.size).then(a.set.cmp(&b.set)));
    let outlines = Outlines::new(&records, is_dot(measure), |record| {
        kept(record.member as usize).map(|(_, feature, weight)| (feature, weight))
    });
    (records, outlines)
}

/// Puts features in order: by rank, and as they are within one.
fn order(features: impl Iterator<Item = (u8, u64, u32)> + Clone, ordered: &mut Vec<(u64, u32)>) {
    let mut ends = [0usize; 256];
    features.clone().for_each(|(rank, _, _)| ends[rank as usize] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    ordered.clear();
    ordered.resize(total, (0, 0));
    for (rank, feature, weight) in features {
        let place = &mut ends[rank as usize];
        ordered[*place] = (feature, weight);
        *place += 1;
    }
}

/// The features up to where the rest is too small to share enough with any partner that is not
/// larger, and how many there are to where it is too small for one that is not smaller.
fn prefix(ordered: &[(u64, u32)], size: f64, bounds: Bounds) -> (Vec<Entry>, u32) {
    let mut left: u64 = ordered.iter().map(|&(_, weight)| bounds.mass(weight)).sum();
    let mut from = bounds.size(left as f64);
    let (mut entries, mut indexed) = (Vec::new(), 0);
    for &(feature, weight) in ordered {
        if from < bounds.probed * size {
            break;
        }
        left -= bounds.mass(weight);
        let behind = bounds.size(left as f64);
        let part = Part { weight: weight as f32, behind: up(behind) };
        // By the bits that tell features apart: the index is cut by leading bits.
        entries.push(Entry { feature: feature.rotate_left(RANK_BITS), part });
        indexed += u32::from(from >= bounds.indexed * size);
        from = behind;
    }
    (entries, indexed)
}
