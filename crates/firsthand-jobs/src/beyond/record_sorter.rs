//! Sorts records that do not fit into memory: runs on disk, then a merge of all.

use super::scratch::{Scratch, ScratchReader, ScratchWriter};
use rayon::slice::ParallelSliceMut;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Read};
use std::sync::Arc;

/// The most runs that are merged at once.
const MERGED: usize = 64;
/// Beyond this, more memory makes sorting hardly faster.
const MOST_MEMORY: usize = 1 << 30;

/// Records of any length, which are sorted by their bytes.
pub(crate) struct RecordSorter {
    scratch: Arc<Scratch>,
    name: &'static str,
    memory: usize,
    bytes: Vec<u8>,
    /// The first eight bytes of each record, where it starts, and its length.
    places: Vec<(u64, u32, u32)>,
    runs: Vec<String>,
    made: usize,
}

/// What a place takes beside the bytes of its record.
const PLACE: usize = 16;

impl RecordSorter {
    /// A sorter that takes about `memory` bytes. Its files have the name, and no two sorters at
    /// a time have the same.
    pub(crate) fn new(scratch: &Arc<Scratch>, name: &'static str, memory: usize) -> Self {
        let memory = memory.clamp(1 << 10, MOST_MEMORY);
        let (bytes, places, runs) = (Vec::new(), Vec::new(), Vec::new());
        Self { scratch: Arc::clone(scratch), name, memory, bytes, places, runs, made: 0 }
    }

    /// Adds a record.
    pub(crate) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        let used = self.bytes.len() + self.places.len() * PLACE;
        if used + record.len() + PLACE > self.memory && !self.places.is_empty() {
            self.spill()?;
        }
        let mut first = [0; 8];
        let head = record.len().min(8);
        first[..head].copy_from_slice(&record[..head]);
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(record);
        self.places.push((u64::from_be_bytes(first), start, record.len() as u32));
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let record = |&(first, start, len): &(u64, u32, u32)| {
            (first, &bytes[start as usize..(start + len) as usize])
        };
        self.places.par_sort_unstable_by(|a, b| record(a).cmp(&record(b)));
    }

    fn next_name(&mut self) -> String {
        self.made += 1;
        format!("{}-{}.run", self.name, self.made)
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let name = self.next_name();
        let mut out = self.scratch.create(&name)?;
        for &(_, start, len) in &self.places {
            out.write_all(&len.to_le_bytes())?;
            out.write_all(&self.bytes[start as usize..(start + len) as usize])?;
        }
        out.finish()?;
        self.runs.push(name);
        self.bytes.clear();
        self.places.clear();
        Ok(())
    }

    /// All records in ascending order.
    pub(crate) fn finish(mut self) -> io::Result<SortedRecords> {
        if self.runs.is_empty() {
            self.sort();
            let (bytes, places) = (self.bytes, self.places);
            return Ok(SortedRecords::Memory { bytes, places, next: 0 });
        }
        if !self.places.is_empty() {
            self.spill()?;
        }
        (self.bytes, self.places) = Default::default();
        while self.runs.len() > MERGED {
            let some: Vec<String> = self.runs.drain(..MERGED).collect();
            let mut merge = RunMerge::new(&self.scratch, some, self.memory)?;
            let name = self.next_name();
            let mut out = self.scratch.create(&name)?;
            let mut record = Vec::new();
            while merge.next(&mut record)? {
                out.write_all(&(record.len() as u32).to_le_bytes())?;
                out.write_all(&record)?;
            }
            out.finish()?;
            drop(merge);
            self.runs.push(name);
        }
        RunMerge::new(&self.scratch, self.runs, self.memory).map(SortedRecords::Merge)
    }
}

/// Records in ascending order.
pub(crate) enum SortedRecords {
    /// All of them were in memory.
    Memory {
        /// The bytes of all records.
        bytes: Vec<u8>,
        /// Where each is.
        places: Vec<(u64, u32, u32)>,
        /// The next to be read.
        next: usize,
    },
    /// They are in runs.
    Merge(RunMerge),
}

impl SortedRecords {
    /// The next record; whether there was one.
    pub(crate) fn next(&mut self, record: &mut Vec<u8>) -> io::Result<bool> {
        match self {
            Self::Merge(merge) => merge.next(record),
            Self::Memory { bytes, places, next } => {
                record.clear();
                let Some(&(_, start, len)) = places.get(*next) else { return Ok(false) };
                record.extend_from_slice(&bytes[start as usize..(start + len) as usize]);
                *next += 1;
                Ok(true)
            }
        }
    }

    /// Writes all to a file, one after another, without their lengths. Returns their number.
    pub(crate) fn write(mut self, out: &mut ScratchWriter) -> io::Result<u64> {
        let (mut record, mut count) = (Vec::new(), 0);
        while self.next(&mut record)? {
            out.write_all(&record)?;
            count += 1;
        }
        Ok(count)
    }
}

/// A merge of runs, which are removed when it is dropped.
pub(crate) struct RunMerge {
    scratch: Arc<Scratch>,
    names: Vec<String>,
    runs: Vec<ScratchReader>,
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

impl RunMerge {
    fn new(scratch: &Arc<Scratch>, names: Vec<String>, memory: usize) -> io::Result<Self> {
        let buffer = (memory / 2 / names.len().max(1)).clamp(1 << 12, 1 << 20);
        let runs: io::Result<Vec<_>> =
            names.iter().map(|name| scratch.read(name, buffer)).collect();
        let mut merge =
            Self { scratch: Arc::clone(scratch), names, runs: runs?, heads: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.refill(run, Vec::new())?;
        }
        Ok(merge)
    }

    /// Reads the next record of a run into its head.
    fn refill(&mut self, run: usize, mut record: Vec<u8>) -> io::Result<()> {
        let mut len = [0; 4];
        match self.runs[run].read_exact(&mut len) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            read => read?,
        }
        record.resize(u32::from_le_bytes(len) as usize, 0);
        self.runs[run].read_exact(&mut record)?;
        self.heads.push(Reverse((record, run)));
        Ok(())
    }

    fn next(&mut self, record: &mut Vec<u8>) -> io::Result<bool> {
        let Some(Reverse((mut head, run))) = self.heads.pop() else {
            record.clear();
            return Ok(false);
        };
        std::mem::swap(record, &mut head);
        self.refill(run, head)?;
        Ok(true)
    }
}

impl Drop for RunMerge {
    fn drop(&mut self) {
        self.runs.clear();
        self.names.iter().for_each(|name| self.scratch.remove(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_in_order_whatever_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Arc::new(Scratch::for_tests(folder.path()));
        let records: Vec<Vec<u8>> = (0..5_000u32)
            .map(|n| n.wrapping_mul(0x9e37_79b9).to_be_bytes()[..1 + n as usize % 4].to_vec())
            .collect();
        let mut sorted = records.clone();
        sorted.sort();
        for memory in [1 << 10, 1 << 14, 1 << 20] {
            let mut sorter = RecordSorter::new(&scratch, "test", memory);
            records.iter().for_each(|record| sorter.push(record).unwrap());
            let (mut merged, mut record, mut found) =
                (sorter.finish().unwrap(), Vec::new(), Vec::new());
            while merged.next(&mut record).unwrap() {
                found.push(record.clone());
            }
            assert!(found == sorted, "{memory}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "runs are removed");
    }
}
