//! Texts by size: each is appended to the range that its size is in, so that they are written once, in the order in
//! which they come, and read range by range.

use super::row::array;
use super::scratch::{Scratch, ScratchWriter, read_at};
use super::set_record::damaged;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

const BY_SIZE: &str = "by-size";
/// Ranges, at least and at most: what is in one is compared as if it had all sizes of it, and each has a buffer.
const RANGES: (u64, u64) = (16, 256);
/// The bytes that wait to be written together, at least and at most.
const BUFFER: (u64, u64) = (16 << 10, 256 << 10);
/// The bytes of a text beside its head and its features.
const HEADER: usize = 12;

/// The number of texts by their size.
pub(crate) type SizeCounts = BTreeMap<u32, u64>;

/// Where texts are written by size, on many threads.
pub(crate) struct SizeRanges {
    scratch: Arc<Scratch>,
    /// The least size of each range but the first.
    firsts: Vec<u32>,
    ranges: Vec<Mutex<SizeRange>>,
    out: Mutex<(ScratchWriter, u64)>,
    buffer: usize,
}

/// Texts of neighbouring sizes.
#[derive(Debug, Default)]
struct SizeRange {
    sizes: Option<(usize, usize)>,
    waiting: Vec<u8>,
    pieces: Vec<Range<u64>>,
}

/// A text of which something may be near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SizedText<'a> {
    pub(crate) position: u32,
    /// Site and headline.
    pub(crate) head: &'a [u8],
    /// Its features, ascending, as bytes.
    pub(crate) features: &'a [[u8; 8]],
}

/// Some texts of a range, which are read together.
#[derive(Clone, Debug)]
pub(crate) struct SizePart {
    /// The sizes of its range, or of more than these.
    pub(crate) least: usize,
    pub(crate) most: usize,
    /// Where its texts are.
    pieces: Vec<Range<u64>>,
}

/// Texts that were written. Their file goes with them.
pub(crate) struct SizedTexts {
    scratch: Arc<Scratch>,
    file: File,
    ranges: Vec<SizePart>,
}

impl SizeRanges {
    /// Chooses ranges in which about as many bytes may come, by the sizes of all texts.
    pub(crate) fn new(
        scratch: &Arc<Scratch>,
        sizes: &SizeCounts,
        memory: usize,
    ) -> io::Result<Self> {
        let memory = memory as u64 / 16;
        let ranges = (memory / BUFFER.0).clamp(RANGES.0, RANGES.1);
        let bytes = |(size, count): (&u32, &u64)| (u64::from(*size) * 8 + HEADER as u64) * count;
        let share = sizes.iter().map(bytes).sum::<u64>() / ranges;
        let (mut firsts, mut within) = (Vec::new(), 0);
        for (size, count) in sizes {
            let own = bytes((size, count));
            if within > 0 && within + own > share {
                firsts.push(*size);
                within = 0;
            }
            within += own;
        }
        Ok(Self {
            scratch: Arc::clone(scratch),
            ranges: (0..=firsts.len()).map(|_| Mutex::default()).collect(),
            firsts,
            out: Mutex::new((scratch.create(BY_SIZE)?, 0)),
            buffer: (memory / ranges).min(BUFFER.1) as usize,
        })
    }

    /// Adds a text.
    pub(crate) fn add(&self, position: u32, head: &[u8], features: &[u64]) -> io::Result<()> {
        let size = features.len();
        let range = self.firsts.partition_point(|first| *first as usize <= size);
        let mut range = self.ranges[range].lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = HEADER + head.len() + 8 * size;
        if range.waiting.len() + bytes > self.buffer {
            self.write(&mut range)?;
        }
        let (least, most) = range.sizes.unwrap_or((size, size));
        range.sizes = Some((least.min(size), most.max(size)));
        range.waiting.reserve(bytes);
        for number in [position, head.len() as u32, size as u32] {
            range.waiting.extend_from_slice(&number.to_le_bytes());
        }
        range.waiting.extend_from_slice(head);
        let start = range.waiting.len();
        range.waiting.resize(start + 8 * size, 0);
        let places = range.waiting[start..].as_chunks_mut().0.iter_mut();
        places.zip(features).for_each(|(place, feature)| *place = feature.to_le_bytes());
        Ok(())
    }

    fn write(&self, range: &mut SizeRange) -> io::Result<()> {
        if range.waiting.is_empty() {
            return Ok(());
        }
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let (out, end) = &mut *out;
        out.write_all(&range.waiting)?;
        let start = *end;
        *end += range.waiting.len() as u64;
        range.pieces.push(start..*end);
        range.waiting.clear();
        Ok(())
    }

    /// Ends writing.
    pub(crate) fn finish(mut self) -> io::Result<SizedTexts> {
        let mut ranges = Vec::new();
        for range in std::mem::take(&mut self.ranges) {
            let mut range = range.into_inner().unwrap_or_else(PoisonError::into_inner);
            self.write(&mut range)?;
            if let Some((least, most)) = range.sizes {
                ranges.push(SizePart { least, most, pieces: range.pieces });
            }
        }
        let (out, _) = self.out.into_inner().unwrap_or_else(PoisonError::into_inner);
        out.finish()?;
        let file = File::open(self.scratch.file(BY_SIZE))?;
        Ok(SizedTexts { scratch: self.scratch, file, ranges })
    }
}

impl SizePart {
    pub(crate) fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.end - piece.start).sum()
    }
}

impl Drop for SizedTexts {
    fn drop(&mut self) {
        self.scratch.remove(BY_SIZE);
    }
}

impl SizedTexts {
    /// All texts in parts of at most so many bytes, ascending by size; texts that are written together stay together.
    pub(crate) fn parts(&self, bytes: u64) -> Vec<SizePart> {
        let mut parts: Vec<SizePart> = Vec::new();
        for SizePart { least, most, pieces } in &self.ranges {
            let mut left = 0;
            for piece in pieces {
                let own = piece.end - piece.start;
                match parts.last_mut().filter(|_| own <= left) {
                    Some(part) => {
                        part.pieces.push(piece.clone());
                        left -= own;
                    }
                    None => {
                        let (least, most) = (*least, *most);
                        parts.push(SizePart { least, most, pieces: vec![piece.clone()] });
                        left = bytes.saturating_sub(own);
                    }
                }
            }
        }
        parts
    }

    /// Calls `each` with the texts of a part.
    pub(crate) fn read(
        &self,
        part: &SizePart,
        room: &mut Vec<u8>,
        mut each: impl FnMut(SizedText<'_>),
    ) -> io::Result<()> {
        for piece in &part.pieces {
            room.resize((piece.end - piece.start) as usize, 0);
            read_at(&self.file, room, piece.start)?;
            let mut rest = room.as_slice();
            while !rest.is_empty() {
                let text = next(&mut rest).ok_or_else(damaged)?;
                each(text);
            }
        }
        Ok(())
    }
}

/// The first text.
fn next<'a>(rest: &mut &'a [u8]) -> Option<SizedText<'a>> {
    let (header, others) = rest.split_at_checked(HEADER)?;
    let part = |at: usize| u32::from_le_bytes(array(&header[at..at + 4]));
    let (head, others) = others.split_at_checked(part(4) as usize)?;
    let (features, others) = others.split_at_checked(8 * part(8) as usize)?;
    *rest = others;
    Some(SizedText { position: part(0), head, features: features.as_chunks().0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_come_back_by_size_whatever_the_memory(
            sizes in prop::collection::vec(0usize..40, 0..200),
            (memory, part) in (prop::sample::select(vec![0, 5_000, 1 << 18, 1 << 24]), 0u64..3_000),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let scratch = Arc::new(Scratch::for_tests(folder.path()));
            let mut counts = SizeCounts::new();
            sizes.iter().for_each(|size| *counts.entry(*size as u32).or_default() += 1);
            let ranges = SizeRanges::new(&scratch, &counts, memory).unwrap();
            let features = |at: usize| (0..sizes[at] as u64).map(|n| n << 9 | at as u64).collect::<Vec<_>>();
            for at in 0..sizes.len() {
                ranges.add(at as u32, &[7; 3][..at % 4], &features(at)).unwrap();
            }
            let texts = ranges.finish().unwrap();
            let (mut found, mut most, mut room) = (vec![0; sizes.len()], 0, Vec::new());
            for of in texts.parts(part) {
                prop_assert!(of.bytes() <= part || of.pieces.len() == 1);
                prop_assert!(of.least >= most || of.most == most);
                most = of.most;
                texts.read(&of, &mut room, |text| {
                    let at = text.position as usize;
                    let read: Vec<u64> = text.features.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
                    assert!(read == features(at) && text.head == &[7; 3][..at % 4]);
                    assert!((of.least..=of.most).contains(&read.len()));
                    found[at] += 1;
                }).unwrap();
            }
            prop_assert!(found.iter().all(|times| *times == 1));
        }
    }
}
