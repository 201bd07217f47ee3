//! What a first reading notes of each part of a batch, so that a second one knows it again.

use crate::batch::{Batch, Raw};

/// A part that items came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotedPart {
    /// The number of the input that it is from.
    pub(crate) input: usize,
    /// A checksum of its content.
    pub(crate) sum: u64,
    /// The batch that it was in, and the number of items before it there.
    pub(crate) batch: usize,
    pub(crate) first: usize,
    /// The number of its items.
    pub(crate) items: usize,
}

impl NotedPart {
    /// The parts of a batch.
    pub(crate) fn of(batch: &Batch) -> Vec<Self> {
        let mut first = 0;
        let noted = batch.parts().filter_map(|(input, part)| {
            let sum = part.sum()?;
            let items = part.raw().filter(|raw| !matches!(raw, Raw::Beside { .. })).count();
            first += items;
            Some(Self { input, sum, batch: batch.index(), first: first - items, items })
        });
        noted.collect()
    }
}
