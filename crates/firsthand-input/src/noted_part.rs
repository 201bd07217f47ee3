//! What a first reading notes of each part of a batch, so that a second one knows it again.

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
    /// As numbers, to be kept.
    pub(crate) fn to_numbers(self) -> [u64; 5] {
        let Self { input, sum, batch, first, items } = self;
        [input as u64, sum, batch as u64, first as u64, items as u64]
    }

    pub(crate) fn from_numbers([input, sum, batch, first, items]: [u64; 5]) -> Self {
        let [input, batch, first, items] = [input, batch, first, items].map(|n| n as usize);
        Self { input, sum, batch, first, items }
    }
}
