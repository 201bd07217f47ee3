//! A rough outline of each vector: a few cells that bound what two vectors share.
//!
//! Features are assigned to cells by their hash. What two vectors share in one cell is at most the
//! product of the sizes of their parts in it, or for Jaccard the smaller of them. So a sum over the
//! cells, one byte each, makes most full comparisons unnecessary.

use super::{bounds::Bounds, records::WeightedRecord};
use crate::{
    measure::Measure,
    weights::{Vector, is_dot},
    wide::wide,
};

/// The value of a full cell.
const FULL: f64 = 255.0;
/// The value of a feature of average weight in a cell, for Jaccard: rounding up then costs little.
const AVERAGE: f64 = 16.0;

/// The parameters of outlines.
#[derive(Clone, Copy)]
pub(super) struct OutlineParameters {
    dot: bool,
    /// Cells of an outline, a power of two.
    width: usize,
    /// For Jaccard, the weight of one step of a cell.
    step: f64,
}

/// The outline of a vector.
pub(super) struct VectorOutline {
    cells: Box<[u8]>,
    /// For Jaccard, the weight that did not fit into the cells.
    beyond: f64,
}

impl OutlineParameters {
    /// For `vectors` vectors with `features` features in all and this sum of all weights.
    pub(super) fn new(measure: Measure, vectors: usize, features: usize, weight: f64) -> Self {
        // Two cells per feature: with fewer, most cells are occupied in any two vectors.
        let width = (2 * features / vectors.max(1)).next_power_of_two().clamp(64, 1024);
        let step = (weight / features.max(1) as f64 / AVERAGE).max(1.0);
        Self { dot: is_dot(measure), width, step }
    }

    /// Computes the outline of a vector of this size from its ranked features. `parts` is scratch
    /// memory, which is left clean.
    pub(super) fn draw(
        self,
        (features, weights): Vector<'_>,
        ranks: &[u8],
        size: f64,
        parts: &mut Vec<u64>,
    ) -> VectorOutline {
        // The low bits, because the high ones are used elsewhere.
        let place = |feature: u64| feature as usize & (self.width - 1);
        parts.resize(self.width, 0);
        for ((&feature, &weight), &rank) in features.iter().zip(weights).zip(ranks) {
            let weight = u64::from(weight) * u64::from(rank > 0);
            let (part, mass) =
                (&mut parts[place(feature)], if self.dot { weight * weight } else { weight });
            *part = part.saturating_add(mass);
        }
        let (mut cells, mut beyond) = (vec![0u8; self.width], 0.0);
        let scale = if self.dot { FULL / size } else { 1.0 / self.step };
        for (cell, part) in cells.iter_mut().zip(parts) {
            let part = std::mem::take(part) as f64;
            if part > 0.0 {
                let steps = if self.dot { part.sqrt() } else { part } * scale;
                // Rounded up, and so never too small.
                *cell = (steps as u32).saturating_add(1).min(FULL as u32) as u8;
                beyond += (steps - FULL).max(0.0);
            }
        }
        VectorOutline { cells: cells.into_boxed_slice(), beyond }
    }

    /// Keeps the records that may share enough with a given one; all of them have an outline.
    pub(super) fn sift(
        self,
        records: &[WeightedRecord],
        x: usize,
        others: &mut Vec<u32>,
        bounds: Bounds,
    ) {
        let own = &records[x];
        // A plain loop: what is not inlined does not run in wide vectors.
        let kept = wide(|| {
            let mut kept = 0;
            for at in 0..others.len() {
                let other = &records[others[at] as usize];
                let least = bounds.least(own.size, other.size);
                others[kept] = others[at];
                kept += usize::from(self.most(own, other) >= least);
            }
            kept
        });
        others.truncate(kept);
    }

    /// The most that two records can share.
    #[inline(always)]
    fn most(self, x: &WeightedRecord, y: &WeightedRecord) -> f64 {
        let (Some(a), Some(b)) = (x.outline.get(), y.outline.get()) else { return f64::INFINITY };
        if self.dot {
            // A full cell represents a length of one.
            f64::from(products(&a.cells, &b.cells)) / (FULL * FULL) * (x.size * y.size)
        } else {
            (f64::from(smaller(&a.cells, &b.cells)) + a.beyond.min(b.beyond)) * self.step
        }
    }
}

#[inline(always)]
fn products(x: &[u8], y: &[u8]) -> u32 {
    x.iter().zip(y).map(|(&x, &y)| u32::from(x) * u32::from(y)).sum()
}

#[inline(always)]
fn smaller(x: &[u8], y: &[u8]) -> u32 {
    x.iter().zip(y).map(|(&x, &y)| u32::from(x.min(y))).sum()
}
