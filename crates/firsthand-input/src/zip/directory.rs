//! The directory at the end of a zip archive, read entry by entry.

use std::io::{self, Read};

use memchr::memmem;

use super::headers::{CENTRAL, CentralHeader, u16_at, u32_at, u64_at};
use super::pages::CachedFile;
use crate::stream::Budget;

/// The length of the end record without its comment.
const END: usize = 22;
/// The longest comment.
const COMMENT: usize = 1 << 16;

/// A directory and the position in it.
#[derive(Debug)]
pub(crate) struct Directory {
    position: u64,
    end: u64,
    entries: u64,
    /// The number of bytes before the archive, as in self-extracting programs.
    shift: u64,
}

impl Directory {
    /// The next entry, or a description of what is wrong with it.
    pub(crate) fn next(
        &mut self,
        pages: &mut CachedFile,
        taken: &Budget,
    ) -> Result<Option<CentralHeader>, String> {
        if self.entries == 0 {
            return Ok(None);
        }
        let mut length = 0;
        let left = self.end.saturating_sub(self.position);
        let stream = taken.count(pages.part(self.position, left));
        let central = CentralHeader::read(Measured { stream, length: &mut length }, self.shift)?;
        self.position += length;
        self.entries -= 1;
        Ok(Some(central))
    }
}

/// Finds the directory; `None` if it is missing or misplaced.
pub(crate) fn find(pages: &mut CachedFile) -> io::Result<Option<Directory>> {
    let length = pages.length;
    let from = length.saturating_sub((END + COMMENT) as u64);
    let mut tail = Vec::new();
    pages.part(from, length - from).read_to_end(&mut tail)?;
    let length_of = |at: usize| at + END + usize::from(u16_at(&tail, at + 20));
    let records: Vec<usize> =
        memmem::find_iter(&tail, b"PK\x05\x06").filter(|at| tail.len() >= at + END).collect();
    // The comment may hold what looks like a record: the first one whose comment reaches exactly to
    // the end counts, and otherwise the last that fits at all.
    let exact = records.iter().filter(|at| length_of(**at) == tail.len());
    let others = records.iter().rev().filter(|at| length_of(**at) < tail.len());
    for at in exact.chain(others) {
        if let Some(directory) = at_record(pages, from + *at as u64, &tail[*at..])? {
            return Ok(Some(directory));
        }
    }
    Ok(None)
}

/// The directory that an end record at a position describes; `None` if it is not there.
fn at_record(pages: &mut CachedFile, position: u64, end: &[u8]) -> io::Result<Option<Directory>> {
    let mut entries = u64::from(u16_at(end, 10));
    let mut size = u64::from(u32_at(end, 12));
    let mut start = u64::from(u32_at(end, 16));
    let mut behind = position;
    let is_full = entries == u64::from(u16::MAX)
        || size == u64::from(u32::MAX)
        || start == u64::from(u32::MAX);
    if is_full && let Some((position, record)) = large(pages, behind)? {
        entries = u64_at(&record, 32);
        size = u64_at(&record, 40);
        start = u64_at(&record, 48);
        behind = position;
    }
    // It ends where the record begins; its stated offset ignores bytes before the archive.
    let Some(real) = behind.checked_sub(size) else { return Ok(None) };
    for (position, shift) in [(real, real.checked_sub(start)), (start, Some(0))] {
        let Some(shift) = shift else { continue };
        if entries == 0 || starts_with(pages, position, CENTRAL)? {
            return Ok(Some(Directory { position, end: behind, entries, shift }));
        }
    }
    Ok(None)
}

/// The zip64 end record and its position, found by its locator before the end record.
fn large(pages: &mut CachedFile, end: u64) -> io::Result<Option<(u64, [u8; 56])>> {
    let mut locator = [0; 20];
    let Some(at) = end.checked_sub(20) else { return Ok(None) };
    pages.part(at, 20).read_exact(&mut locator)?;
    if !locator.starts_with(b"PK\x06\x07") {
        return Ok(None);
    }
    // With bytes before the archive, the stated position is wrong: try the usual one.
    for position in [u64_at(&locator, 8), at.saturating_sub(56)] {
        let mut record = [0; 56];
        let read = pages.part(position, 56).read_exact(&mut record);
        if read.is_ok() && record.starts_with(b"PK\x06\x06") && position < end {
            return Ok(Some((position, record)));
        }
    }
    Ok(None)
}

fn starts_with(pages: &mut CachedFile, position: u64, signature: [u8; 4]) -> io::Result<bool> {
    let mut bytes = Vec::new();
    pages.part(position, 4).read_to_end(&mut bytes)?;
    Ok(bytes == signature)
}

/// Counts the bytes read.
struct Measured<'a, R> {
    stream: R,
    length: &'a mut u64,
}

impl<R: Read> Read for Measured<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.stream.read(buffer)?;
        *self.length += length as u64;
        Ok(length)
    }
}
