//! Room for the features of many texts, or for their codes, in large blocks.
//!
//! A box for each text costs a page fault for every four kilobytes, which is a fifth of the time in which
//! a collection is read, and large collections miss the table of pages with every access.

use crate::large_memory::map;
use bytemuck::Pod;
use memmap2::MmapMut;
use std::{
    marker::PhantomData,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// The bytes of a block.
const BLOCK: usize = 4 << 20;

/// What is kept of one text after another, on one thread.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    blocks: Vec<MmapMut>,
    /// Where further blocks are taken from first.
    spare: Arc<SpareBlocks>,
    /// The bytes of the last block that are taken.
    used: usize,
    items: PhantomData<T>,
}

/// Where the items of a text are on a shelf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShelfPlace {
    block: u32,
    start: u32,
    len: u32,
}

/// A block of a shelf.
#[derive(Clone, Debug)]
pub(crate) struct ShelfBlock<T>(Arc<MmapMut>, PhantomData<T>);

/// Blocks that nobody needs any more, for other shelves: to get memory from the system anew takes longer than to
/// write to it.
#[derive(Debug, Default)]
pub(crate) struct SpareBlocks(Mutex<Vec<MmapMut>>);

impl SpareBlocks {
    /// Adds a block, unless somebody else has it as well.
    pub(crate) fn add<T>(&self, block: ShelfBlock<T>) {
        if let Ok(block) = Arc::try_unwrap(block.0) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(block);
        }
    }

    fn take(&self) -> Option<MmapMut> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self::with_spare(Arc::default())
    }
}

impl<T> Shelf<T> {
    /// An empty shelf that takes its blocks from these as long as there are any.
    pub(crate) fn with_spare(spare: Arc<SpareBlocks>) -> Self {
        Self { blocks: Vec::new(), spare, used: 0, items: PhantomData }
    }
}

impl<T: Pod> Shelf<T> {
    /// Puts items on the shelf; none if they are more than a block holds, or there is no further one.
    pub(crate) fn add(&mut self, items: &[T]) -> Option<ShelfPlace> {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        if self.blocks.is_empty() || self.used + bytes.len() > BLOCK {
            if bytes.len() > BLOCK {
                return None;
            }
            self.blocks.push(self.spare.take().or_else(|| map(BLOCK))?);
            self.used = 0;
        }
        let start = self.used;
        self.blocks.last_mut()?[start..start + bytes.len()].copy_from_slice(bytes);
        self.used += bytes.len();
        Some(ShelfPlace {
            block: self.blocks.len() as u32 - 1,
            start: (start / size_of::<T>()) as u32,
            len: items.len() as u32,
        })
    }

    /// The blocks, by number.
    pub(crate) fn finish(self) -> Vec<ShelfBlock<T>> {
        self.blocks.into_iter().map(|block| ShelfBlock(Arc::new(block), PhantomData)).collect()
    }
}

impl ShelfPlace {
    /// The number of the block.
    pub(crate) fn block(self) -> usize {
        self.block as usize
    }

    fn bytes<T>(self) -> Range<usize> {
        let start = self.start as usize * size_of::<T>();
        start..start + self.len as usize * size_of::<T>()
    }
}

impl<T: Pod> ShelfBlock<T> {
    /// The items at a place.
    #[inline]
    pub(crate) fn items(&self, place: ShelfPlace) -> &[T] {
        // Blocks begin at a page, so that all items lie at multiples of their size.
        bytemuck::cast_slice(&self.0[place.bytes::<T>()])
    }

    /// The same to be changed, unless somebody else has the block as well.
    pub(crate) fn items_mut(&mut self, place: ShelfPlace) -> Option<&mut [T]> {
        Some(bytemuck::cast_slice_mut(&mut Arc::get_mut(&mut self.0)?[place.bytes::<T>()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_on_a_shelf_is_found_there() {
        let mut shelf = Shelf::default();
        let texts: Vec<Vec<u64>> =
            (0..40u64).map(|text| (0..text * 3_000).map(|at| text << 32 | at).collect()).collect();
        let places: Vec<_> = texts.iter().map(|text| shelf.add(text).unwrap()).collect();
        assert!(shelf.add(&vec![7; BLOCK / size_of::<u64>() + 1]).is_none());
        let mut blocks = shelf.finish();
        assert!(blocks.len() > 1);
        for (text, place) in texts.iter().zip(places) {
            let block = &mut blocks[place.block()];
            assert_eq!(block.items(place), text);
            assert_eq!(block.items_mut(place).unwrap(), text);
            let other = block.clone();
            assert!(block.items_mut(place).is_none());
            drop(other);
        }
    }

    #[test]
    fn spare_blocks_are_filled_again() {
        let spare = Arc::new(SpareBlocks::default());
        let mut codes = Shelf::<u16>::default();
        let code = codes.add(&[7; 1_000]).unwrap();
        for block in codes.finish() {
            let other = block.clone();
            spare.add(block);
            assert!(spare.take().is_none(), "somebody else has it");
            assert_eq!(other.items(code), [7; 1_000]);
            spare.add(other);
        }
        let mut shelf = Shelf::with_spare(Arc::clone(&spare));
        let texts: Vec<Vec<u64>> = (0..4).map(|text| vec![text; 300_000]).collect();
        let places: Vec<_> = texts.iter().map(|text| shelf.add(text).unwrap()).collect();
        assert!(spare.take().is_none());
        let blocks = shelf.finish();
        for (text, place) in texts.iter().zip(places) {
            assert_eq!(blocks[place.block()].items(place), text);
        }
    }
}
