//! Memory in huge pages, where the system has them: who writes to thousands of places in turn would otherwise have to
//! ask for a page nearly every time.

use bytemuck::Pod;
use memmap2::MmapMut;
use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
};

/// Less is not worth a mapping of its own.
const LEAST: usize = 4 << 20;

/// Zeroes at first.
#[derive(Debug)]
pub(crate) struct LargeMemory<T>(Place<T>);

#[derive(Debug)]
enum Place<T> {
    Mapped(MmapMut, PhantomData<T>),
    Own(Vec<T>),
}

impl<T> Default for LargeMemory<T> {
    fn default() -> Self {
        Self(Place::Own(Vec::new()))
    }
}

impl<T: Pod> LargeMemory<T> {
    /// Memory for this number of items.
    pub(crate) fn new(length: usize) -> Self {
        let bytes = length.saturating_mul(size_of::<T>());
        let mapped = if bytes < LEAST { None } else { map(bytes) };
        let own = || Place::Own(vec![T::zeroed(); length]);
        Self(mapped.map_or_else(own, |mapped| Place::Mapped(mapped, PhantomData)))
    }
}

impl<T: Pod> Deref for LargeMemory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Place::Mapped(mapped, _) => bytemuck::cast_slice(mapped),
            Place::Own(own) => own,
        }
    }
}

impl<T: Pod> DerefMut for LargeMemory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Place::Mapped(mapped, _) => bytemuck::cast_slice_mut(mapped),
            Place::Own(own) => own,
        }
    }
}

/// Memory from the system; none if it has no more.
pub(crate) fn map(bytes: usize) -> Option<MmapMut> {
    let mapped = MmapMut::map_anon(bytes).ok()?;
    // Without them it is only slower.
    #[cfg(target_os = "linux")]
    let _ = mapped.advise(memmap2::Advice::HugePage);
    Some(mapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_memory_are_zeroes_that_can_be_written() {
        for length in [0, 3, LEAST / 2 - 1, LEAST / 2, LEAST] {
            let mut memory = LargeMemory::<u16>::new(length);
            assert!(memory.iter().all(|item| *item == 0));
            let numbers = || (0..=u16::MAX).cycle().take(length);
            memory.iter_mut().zip(numbers()).for_each(|(item, number)| *item = number);
            assert!(memory.iter().copied().eq(numbers()));
        }
    }
}
