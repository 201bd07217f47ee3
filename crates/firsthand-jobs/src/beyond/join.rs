//! The search for pairs among texts that are sorted by size, block by block: a text can only be near to
//! those that are not much smaller, so each block meets the blocks in its window of sizes. Where the window
//! does not fit into memory, it is taken in parts.

use super::row::array;
use super::scratch::{Scratch, ScratchWriter, read_at};
use super::set_record::damaged;
use super::survivors::Survivors;
use firsthand::Settings;
use firsthand::matcher::{Cost, SearchLimits, TooManyPairs};
use firsthand::pieces::{Block, BlockPairs, SingleFeatures};
use std::fs::File;
use std::io;
use std::sync::Arc;

const BY_SIZE: &str = "by-size";
/// The memory that a search takes for each byte of features.
const FACTOR: usize = 4;
/// Blocks that are in memory at once, where not all are.
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

/// Texts of neighbouring sizes.
#[derive(Clone, Copy, Debug)]
struct SizeBlock {
    start: u64,
    bytes: u64,
    least: usize,
    most: usize,
}

/// Texts by size, in blocks of which several fit into memory.
pub(crate) struct SizeBlocks {
    file: File,
    blocks: Vec<SizeBlock>,
    capacity: u64,
}

impl SizeBlocks {
    /// Writes texts in their order.
    pub(crate) fn new(
        scratch: &Arc<Scratch>,
        mut survivors: Survivors,
        memory: usize,
    ) -> io::Result<Self> {
        let capacity = (memory / FACTOR).max(1) as u64;
        let mut out = scratch.create(BY_SIZE)?;
        let (mut blocks, mut end) = (Vec::<SizeBlock>::new(), 0);
        while let Some(text) = survivors.next()? {
            let size = text.features.len() / 8;
            let bytes = write(&mut out, text.position, text.head, text.features)?;
            match blocks.last_mut() {
                Some(block) if block.bytes + bytes <= (capacity / BLOCKS).max(1) => {
                    block.bytes += bytes;
                    block.most = size;
                }
                _ => blocks.push(SizeBlock { start: end, bytes, least: size, most: size }),
            }
            end += bytes;
        }
        out.finish()?;
        Ok(Self { file: File::open(scratch.file(BY_SIZE))?, blocks, capacity })
    }

    /// The memory that the largest text would need beside another of its size.
    pub(crate) fn least_memory(&self) -> u64 {
        2 * self.blocks.iter().map(|block| block.bytes).max().unwrap_or(0) * FACTOR as u64
    }

    /// Finds all pairs; `found` gets those of each search, by position.
    pub(crate) fn search(
        &self,
        settings: &Settings,
        apart: bool,
        go_on: &(dyn Fn(f64) -> bool + Sync),
        mut found: impl FnMut(BlockPairs, &[u32]) -> io::Result<()>,
    ) -> Result<Cost, JoinError> {
        let mut cost = Cost::default();
        let work = self.loads(settings);
        let total: u64 = work.iter().map(|load| load.bytes).sum::<u64>().max(1);
        let mut done = 0;
        for load in work {
            let (mut block, mut positions) = (Block::default(), Vec::new());
            for old in load.old.clone() {
                self.load(old, &mut block, &mut positions)?;
            }
            if !load.is_first {
                block.search_across(positions.len());
            } else {
                block.search_before(positions.len());
            }
            for new in load.new.clone() {
                self.load(new, &mut block, &mut positions)?;
            }
            let (before, bytes) = (done as f64, load.bytes as f64);
            let wanted = |within: f64| go_on((before + within * bytes) / total as f64);
            let limits = SearchLimits { go_on: &wanted, ..SearchLimits::default() };
            let pairs = block.search(settings, apart, limits).map_err(JoinError::TooMany)?;
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
    fn loads(&self, settings: &Settings) -> Vec<Load> {
        let blocks = &self.blocks;
        let mut loads = Vec::new();
        let mut new = 0;
        while new < blocks.len() {
            let least = SingleFeatures::smallest_partner(settings, blocks[new].least);
            let window = blocks[..new].partition_point(|block| block.most < least);
            let bytes = |range: std::ops::Range<usize>| -> u64 {
                blocks[range].iter().map(|block| block.bytes).sum()
            };
            // As many new blocks as fit beside the window, but at least one.
            let mut end = new + 1;
            while end < blocks.len() && bytes(window..end + 1) <= self.capacity {
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

    fn load(&self, at: usize, block: &mut Block, positions: &mut Vec<u32>) -> io::Result<()> {
        let SizeBlock { start, bytes, .. } = self.blocks[at];
        let mut read = vec![0; bytes as usize];
        read_at(&self.file, &mut read, start)?;
        let mut rest = read.as_slice();
        while !rest.is_empty() {
            let (header, others) = rest.split_at_checked(12).ok_or_else(damaged)?;
            let part = |at: usize| u32::from_le_bytes(array(&header[at..at + 4]));
            let (head, others) = others.split_at_checked(part(4) as usize).ok_or_else(damaged)?;
            let (features, others) =
                others.split_at_checked(part(8) as usize).ok_or_else(damaged)?;
            let (hashes, _) = features.as_chunks::<8>();
            block.push(hashes.iter().map(|hash| u64::from_le_bytes(*hash)).collect(), head);
            positions.push(part(0));
            rest = others;
        }
        Ok(())
    }
}

/// One search: new blocks among themselves, if they are searched first, and with old ones.
struct Load {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
    is_first: bool,
    bytes: u64,
}

fn write(out: &mut ScratchWriter, position: u32, head: &[u8], features: &[u8]) -> io::Result<u64> {
    for number in [position, head.len() as u32, features.len() as u32] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(head)?;
    out.write_all(features)?;
    Ok((12 + head.len() + features.len()) as u64)
}
