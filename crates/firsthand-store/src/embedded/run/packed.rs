//! The keys of a run in memory, for probes of many keys that count every document: to read hundreds of
//! lists from a file would take too long.

use crate::embedded::postings::Local;

/// Lists of documents one after the other, by key.
#[derive(Debug, Default)]
pub(in crate::embedded) struct Packed {
    keys: Vec<u64>,
    /// Where the list of each key begins, and at last where all end.
    starts: Vec<u32>,
    locals: Locals,
    /// For the leading bits of a key, the first key that has them.
    table: Vec<u32>,
    shift: u32,
}

/// Documents; in half the room where the bucket is small.
#[derive(Debug)]
enum Locals {
    Small(Vec<u16>),
    Large(Vec<Local>),
}

impl Default for Locals {
    fn default() -> Self {
        Self::Small(Vec::new())
    }
}

impl Packed {
    /// Adds a key and its document, which must be the next in order.
    pub(super) fn push(&mut self, key: u64, local: Local) {
        if self.keys.last() != Some(&key) {
            self.keys.push(key);
            self.starts.push(self.locals.len() as u32);
        }
        self.locals.push(local);
    }

    /// Makes it ready to be asked.
    pub(super) fn finish(&mut self) {
        self.starts.push(self.locals.len() as u32);
        self.keys.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.locals.shrink();
        let bits = self.keys.len().max(2).ilog2();
        self.shift = 64 - bits;
        self.table = Vec::with_capacity((1 << bits) + 1);
        let mut at = 0;
        for leading in 0..1u64 << bits {
            while self.keys.get(at).is_some_and(|key| key >> self.shift < leading) {
                at += 1;
            }
            self.table.push(at as u32);
        }
        self.table.push(self.keys.len() as u32);
    }

    /// Counts the documents under a key.
    pub(in crate::embedded) fn count(&self, key: u64, counts: &mut [u32]) {
        let leading = (key >> self.shift) as usize;
        let (Some(&from), Some(&to)) = (self.table.get(leading), self.table.get(leading + 1))
        else {
            return;
        };
        let from = from as usize;
        let Some(near) = self.keys.get(from..to as usize) else { return };
        let Ok(at) = near.binary_search(&key) else { return };
        let list = self.starts[from + at] as usize..self.starts[from + at + 1] as usize;
        match &self.locals {
            Locals::Small(all) => add(&all[list], counts),
            Locals::Large(all) => add(&all[list], counts),
        }
    }

    /// Bytes in memory.
    pub(in crate::embedded) fn memory(&self) -> u64 {
        let locals = match &self.locals {
            Locals::Small(all) => 2 * all.len(),
            Locals::Large(all) => 4 * all.len(),
        };
        (8 * self.keys.len() + 4 * self.starts.len() + 4 * self.table.len() + locals) as u64
    }
}

impl Locals {
    fn len(&self) -> usize {
        match self {
            Self::Small(all) => all.len(),
            Self::Large(all) => all.len(),
        }
    }

    fn push(&mut self, local: Local) {
        match self {
            Self::Small(all) => match u16::try_from(local) {
                Ok(small) => all.push(small),
                Err(_) => {
                    let mut large: Vec<Local> = all.iter().map(|&small| small.into()).collect();
                    large.push(local);
                    *self = Self::Large(large);
                }
            },
            Self::Large(all) => all.push(local),
        }
    }

    fn shrink(&mut self) {
        match self {
            Self::Small(all) => all.shrink_to_fit(),
            Self::Large(all) => all.shrink_to_fit(),
        }
    }
}

/// Counts documents of a list.
pub(in crate::embedded) fn add<T: Copy + Into<Local>>(list: &[T], counts: &mut [u32]) {
    for &local in list {
        if let Some(count) = counts.get_mut(local.into() as usize) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_what_was_put_in() {
        for (spread, far) in [(1, 0), (1 << 50, 0), (1 << 50, 70_000)] {
            let mut packed = Packed::default();
            for key in 0..1000 {
                (0..key % 5).for_each(|n| packed.push(key * spread, n as u32 + far));
            }
            packed.finish();
            for key in 0..1010 {
                let mut counts = vec![0; 5 + far as usize];
                packed.count(key * spread, &mut counts);
                let wanted = if key < 1000 { key % 5 } else { 0 };
                assert_eq!(counts.iter().sum::<u32>(), wanted as u32);
            }
        }
        let mut empty = Packed::default();
        empty.finish();
        empty.count(7, &mut [0]);
    }
}
