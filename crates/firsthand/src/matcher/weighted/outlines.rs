//! A rough outline of each vector: a few cells that say how much two vectors share at most.
//!
//! Features are dealt out to cells by their hash. What two vectors share in one cell is at most the
//! product of the sizes of their parts in it, or for Jaccard the smaller of them. So a sum over the
//! cells, a byte each, spares most comparisons in full.

use super::records::Record;
use crate::wide::wide;
use rayon::prelude::*;

/// What a full cell holds.
const FULL: f64 = 255.0;
/// What a feature of average weight is in a cell, for Jaccard: rounding up then costs little.
const AVERAGE: f64 = 16.0;

/// The outlines of all records.
pub(super) struct Outlines {
    dot: bool,
    /// Cells of a record.
    width: usize,
    cells: Vec<u8>,
    /// For Jaccard, what one step of a cell stands for, and what did not fit into the cells of each
    /// record.
    step: f64,
    beyond: Vec<f64>,
}

impl Outlines {
    /// Outlines by the features of each record that others have as well, with their weights.
    pub(super) fn new<I>(
        records: &[Record],
        dot: bool,
        features: impl Fn(&Record) -> I + Sync,
    ) -> Self
    where
        I: Iterator<Item = (u64, u32)>,
    {
        let kept: u64 = records.iter().map(|record| u64::from(record.kept)).sum();
        let sizes: f64 = records.iter().map(|record| record.size).sum();
        // Two cells for a feature: with fewer, most hold something of any two vectors.
        let width = (2 * kept as usize / records.len().max(1)).next_power_of_two().clamp(64, 1024);
        let step = (sizes / kept.max(1) as f64 / AVERAGE).max(1.0);
        let mut cells = vec![0u8; width * records.len()];
        let beyond = cells
            .par_chunks_mut(width)
            .zip(records)
            .map_init(
                || vec![0u64; width],
                |parts, (cells, record)| {
                    parts.fill(0);
                    for (feature, weight) in features(record) {
                        let weight = u64::from(weight);
                        // The leading bits chose other places.
                        parts[feature as usize & (width - 1)] +=
                            if dot { weight * weight } else { weight };
                    }
                    let mut beyond = 0.0;
                    for (cell, &part) in cells.iter_mut().zip(&*parts) {
                        let size = match dot {
                            true => (part as f64).sqrt() / record.size * FULL,
                            false => part as f64 / step,
                        };
                        *cell = size.ceil().min(FULL) as u8;
                        beyond += (size - FULL).max(0.0);
                    }
                    beyond
                },
            )
            .collect();
        Self { dot, width, cells, step, beyond }
    }

    fn of(&self, record: usize) -> &[u8] {
        &self.cells[record * self.width..][..self.width]
    }

    /// Keeps those that may share enough with a record.
    pub(super) fn sift(
        &self,
        records: &[Record],
        x: usize,
        others: &mut Vec<u32>,
        least: impl Fn(f64, f64) -> f64,
    ) {
        let own = self.of(x);
        wide(|| {
            others.retain(|&y| {
                let (x, y) = (x, y as usize);
                let (a, b) = (records[x].size, records[y].size);
                let most = match self.dot {
                    // A length of one is a full cell.
                    true => f64::from(products(own, self.of(y))) / (FULL * FULL) * (a * b),
                    false => {
                        let beyond = self.beyond[x].min(self.beyond[y]);
                        (f64::from(smaller(own, self.of(y))) + beyond) * self.step
                    }
                };
                most >= least(a, b)
            });
        });
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
