//! The vectors that can have a partner, by size, with the rarest features of each in front.

use super::{
    super::{Sides, Vectors, collapse::Collapsed, counts::Ranks},
    bounds::{Bounds, up},
};
use crate::measure::Measure;
use rayon::prelude::*;

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
}

impl Record {
    /// The features that the index holds.
    pub(super) fn indexed(&self) -> &[Entry] {
        &self.prefix[..self.indexed as usize]
    }
}

/// The records, in ascending order of size.
pub(super) fn records(
    vectors: Vectors<'_>,
    collapsed: &Collapsed,
    measure: Measure,
    bounds: Bounds,
) -> Vec<Record> {
    let members = &collapsed.representatives;
    let ranks = Ranks::new(vectors.sets, members);
    let mut records: Vec<Record> = members
        .par_iter()
        .enumerate()
        .map_init(Vec::new, |ordered: &mut Vec<(u8, u64, u32)>, (at, &set)| {
            let (features, weights) = vectors.get(set);
            ordered.clear();
            // What one vector alone has would come first and match nothing.
            ordered.extend(
                features
                    .iter()
                    .zip(weights)
                    .zip(ranks.of(at))
                    .filter(|((_, weight), rank)| **weight > 0 && **rank > 0)
                    .map(|((&feature, &weight), &rank)| (rank, feature, weight)),
            );
            ordered.sort_unstable();
            let size = bounds.size(vectors.weights.mass(measure, set as usize) as f64);
            let (prefix, indexed) = prefix(ordered, size, bounds);
            (!prefix.is_empty()).then(|| Record {
                set,
                sides: collapsed.sides[at],
                size,
                prefix: prefix.into_boxed_slice(),
                indexed,
            })
        })
        .flatten()
        .collect();
    records.par_sort_unstable_by(|a, b| a.size.total_cmp(&b.size).then(a.set.cmp(&b.set)));
    records
}

/// The features up to where the rest is too small to share enough with any partner that is not
/// larger, and how many there are to where it is too small for one that is not smaller.
fn prefix(ordered: &[(u8, u64, u32)], size: f64, bounds: Bounds) -> (Vec<Entry>, u32) {
    let (mut mass, mut indexed) = (0.0, 0);
    let mut entries = Vec::new();
    for &(_, feature, weight) in ordered.iter().rev() {
        let behind = bounds.size(mass);
        mass += bounds.mass(f64::from(weight));
        let from = bounds.size(mass);
        if from >= bounds.probed * size {
            let part = Part { weight: weight as f32, behind: up(behind) };
            entries.push(Entry { feature, part });
            indexed += u32::from(from >= bounds.indexed * size);
        }
    }
    entries.reverse();
    (entries, indexed)
}
