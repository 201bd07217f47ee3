//! Room for the features of many texts, in large blocks.
//!
//! A box for each text costs a page fault for every four kilobytes, which is a fifth of the time in which
//! a collection is read. Blocks are mapped as huge pages where the system has them.

use memmap2::MmapMut;
use std::{ops::Range, sync::Arc};

/// The bytes of a block.
const BLOCK: usize = 4 << 20;
const FEATURE: usize = size_of::<u64>();

/// The features of one text after another, on one thread.
#[derive(Debug, Default)]
pub(crate) struct FeatureShelf {
    blocks: Vec<MmapMut>,
    /// The bytes of the last block that are taken.
    used: usize,
}

/// Where some features are on a shelf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShelfPlace {
    block: u32,
    start: u32,
    len: u32,
}

/// A block of features.
#[derive(Clone, Debug)]
pub(crate) struct FeatureBlock(Arc<MmapMut>);

impl FeatureShelf {
    /// Puts features on the shelf; none if they are more than a block holds, or there is no further one.
    pub(crate) fn add(&mut self, features: &[u64]) -> Option<ShelfPlace> {
        let bytes: &[u8] = bytemuck::cast_slice(features);
        if self.blocks.is_empty() || self.used + bytes.len() > BLOCK {
            if bytes.len() > BLOCK {
                return None;
            }
            let block = MmapMut::map_anon(BLOCK).ok()?;
            // Without them it is only slower.
            #[cfg(target_os = "linux")]
            let _ = block.advise(memmap2::Advice::HugePage);
            self.blocks.push(block);
            self.used = 0;
        }
        let start = self.used;
        self.blocks.last_mut()?[start..start + bytes.len()].copy_from_slice(bytes);
        self.used += bytes.len();
        Some(ShelfPlace {
            block: self.blocks.len() as u32 - 1,
            start: (start / FEATURE) as u32,
            len: features.len() as u32,
        })
    }

    /// The blocks, by number.
    pub(crate) fn finish(self) -> Vec<FeatureBlock> {
        self.blocks.into_iter().map(|block| FeatureBlock(Arc::new(block))).collect()
    }
}

impl ShelfPlace {
    /// The number of the block.
    pub(crate) fn block(self) -> usize {
        self.block as usize
    }

    fn bytes(self) -> Range<usize> {
        let start = self.start as usize * FEATURE;
        start..start + self.len as usize * FEATURE
    }
}

impl FeatureBlock {
    /// The features at a place.
    #[inline]
    pub(crate) fn features(&self, place: ShelfPlace) -> &[u64] {
        // Blocks begin at a page, so that all features lie at multiples of their size.
        bytemuck::cast_slice(&self.0[place.bytes()])
    }

    /// The same to be changed, unless somebody else has the block as well.
    pub(crate) fn features_mut(&mut self, place: ShelfPlace) -> Option<&mut [u64]> {
        Some(bytemuck::cast_slice_mut(&mut Arc::get_mut(&mut self.0)?[place.bytes()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_on_a_shelf_is_found_there() {
        let mut shelf = FeatureShelf::default();
        let texts: Vec<Vec<u64>> =
            (0..40u64).map(|text| (0..text * 3_000).map(|at| text << 32 | at).collect()).collect();
        let places: Vec<_> = texts.iter().map(|text| shelf.add(text).unwrap()).collect();
        assert!(shelf.add(&vec![7; BLOCK / FEATURE + 1]).is_none());
        let mut blocks = shelf.finish();
        assert!(blocks.len() > 1);
        for (text, place) in texts.iter().zip(places) {
            let block = &mut blocks[place.block()];
            assert_eq!(block.features(place), text);
            assert_eq!(block.features_mut(place).unwrap(), text);
            let other = block.clone();
            assert!(block.features_mut(place).is_none());
            drop(other);
        }
    }
}
