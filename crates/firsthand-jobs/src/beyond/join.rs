//! The search for pairs among texts by size, block by block: a text can only be near to those that are not
//! much smaller, so each block meets the blocks in its window of sizes. Where the window does not fit into
//! memory, it is taken in parts.

use super::size_ranges::{SizePart, SizedTexts};
use firsthand::Settings;
use firsthand::matcher::{Cost, SearchLimits, TooManyPairs};
use firsthand::pieces::{Block, BlockPairs, SingleFeatures};
use rayon::prelude::*;
use std::io;
use std::ops::Range;

/// The memory that a search takes for each byte of features, in tenths, where sizes do not tell.
const TENTHS: u64 = 40;
/// Blocks that are in memory at once at least, where not all are.
const BLOCKS: u64 = 4;

/// Why a search ended.
pub(crate) enum JoinError {
    Io(io::Error),
    TooMany(TooManyPairs),
}

impl From<io::Error> for JoinError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Texts by size, in blocks of which several fit into memory.
pub(crate) struct SizeBlocks<'a> {
    settings: &'a Settings,
    texts: SizedTexts,
    blocks: Vec<SizePart>,
    capacity: u64,
    tenths: u64,
}

impl<'a> SizeBlocks<'a> {
    pub(crate) fn new(settings: &'a Settings, texts: SizedTexts, memory: usize) -> Self {
        let tenths = tenths_a_byte(settings);
        let capacity = ((memory as u64).saturating_mul(10) / tenths).max(1);
        let blocks = texts.parts((capacity / BLOCKS).max(1));
        Self { settings, texts, blocks, capacity, tenths }
    }

    /// The memory that the largest text would need beside another of its size.
    pub(crate) fn least_memory(&self) -> u64 {
        2 * self.blocks.iter().map(SizePart::bytes).max().unwrap_or(0) * self.tenths / 10
    }

    /// Finds all pairs; `found` gets those of each search, by position.
    pub(crate) fn search(
        &self,
        apart: bool,
        go_on: &(dyn Fn(f64) -> bool + Sync),
        mut found: impl FnMut(BlockPairs, &[u32]) -> io::Result<()>,
    ) -> Result<Cost, JoinError> {
        let mut cost = Cost::default();
        let work = self.loads();
        let total: u64 = work.iter().map(|load| load.bytes).sum::<u64>().max(1);
        let mut done = 0;
        for load in work {
            let (mut block, mut positions) = self.load(load.old)?;
            if !load.is_first {
                block.search_across(positions.len());
            } else {
                block.search_before(positions.len());
            }
            let new = self.load(load.new)?;
            block.append(new.0);
            positions.extend(new.1);
            let (before, bytes) = (done as f64, load.bytes as f64);
            let wanted = |within: f64| go_on((before + within * bytes) / total as f64);
            let limits = SearchLimits { go_on: &wanted, ..SearchLimits::default() };
            let pairs = block.search(self.settings, apart, limits).map_err(JoinError::TooMany)?;
            cost = cost.plus(pairs.cost);
            found(pairs, &positions)?;
            done += load.bytes;
            if !go_on(done as f64 / total as f64) {
                break;
            }
        }
        Ok(cost)
    }

    /// The searches that together meet every two texts that can be near each other.
    fn loads(&self) -> Vec<Load> {
        let blocks = &self.blocks;
        // Up to the end of each block.
        let mut ends = vec![0];
        ends.extend(blocks.iter().scan(0, |end, block| {
            *end += block.bytes();
            Some(*end)
        }));
        let bytes = |range: Range<usize>| ends[range.end] - ends[range.start];
        let mut loads = Vec::new();
        let mut new = 0;
        while new < blocks.len() {
            let least = SingleFeatures::smallest_partner(self.settings, blocks[new].least);
            let window = blocks[..new].partition_point(|block| block.most < least);
            // As many new blocks as fit beside the window. If these are few, the window is better taken in parts:
            // every part of it is read for new blocks of half of the memory.
            let room = match self.capacity.saturating_sub(bytes(window..new)) {
                room if room < self.capacity / 3 => self.capacity / 2,
                room => room,
            };
            let mut end = new + 1;
            while end < blocks.len() && bytes(new..end + 1) <= room {
                end += 1;
            }
            let (mut old, mut is_first) = (window, true);
            while old < new || is_first {
                let start = old;
                while old < new
                    && (old == start || bytes(start..old + 1) + bytes(new..end) <= self.capacity)
                {
                    old += 1;
                }
                let bytes = bytes(start..old) + bytes(new..end);
                loads.push(Load { old: start..old, new: new..end, is_first, bytes });
                is_first = false;
            }
            new = end;
        }
        loads
    }

    /// Some blocks as one, and the positions of its texts.
    fn load(&self, blocks: Range<usize>) -> io::Result<(Block, Vec<u32>)> {
        let blocks = &self.blocks[blocks];
        let share = blocks.len().div_ceil(rayon::current_num_threads()).max(1);
        let shares = blocks.par_chunks(share).map(|blocks| self.load_share(blocks));
        let shares: io::Result<Vec<_>> = shares.collect();
        let mut shares = shares?.into_iter();
        let (mut block, mut positions) = shares.next().unwrap_or_default();
        for (other, others) in shares {
            block.append(other);
            positions.extend(others);
        }
        Ok((block, positions))
    }

    fn load_share(&self, blocks: &[SizePart]) -> io::Result<(Block, Vec<u32>)> {
        let (mut block, mut positions) = (Block::default(), Vec::new());
        let (mut room, mut features) = (Vec::new(), Vec::new());
        for part in blocks {
            self.texts.read(part, &mut room, |text| {
                features.clear();
                features.extend(text.features.iter().map(|bytes| u64::from_le_bytes(*bytes)));
                block.push(&features, text.head);
                positions.push(text.position);
            })?;
        }
        Ok((block, positions))
    }
}

/// The memory that a search takes for each byte of features, in tenths. Most of it beside the sets is for what each
/// text looks up and what is indexed of it: more, the more of its features it can do without.
fn tenths_a_byte(settings: &Settings) -> u64 {
    const SIZE: usize = 1_000;
    SingleFeatures::spare(settings, SIZE).map_or(TENTHS, |spare| 15 + (55 * spare / SIZE) as u64)
}

/// One search: new blocks among themselves, if they are searched first, and with old ones.
struct Load {
    old: Range<usize>,
    new: Range<usize>,
    is_first: bool,
    bytes: u64,
}
