//! Buffers a file that is read alternately in two places, its directory and its members.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes per read.
const PAGE: usize = 32 << 10;

/// A file with the two pages read last.
pub(crate) struct CachedFile {
    file: File,
    pub(crate) length: u64,
    pages: [CachedPage; 2],
    /// The page that was used last.
    last: usize,
}

#[derive(Default)]
struct CachedPage {
    start: u64,
    bytes: Vec<u8>,
}

impl CachedPage {
    fn at(&self, position: u64) -> Option<&[u8]> {
        let offset = usize::try_from(position.checked_sub(self.start)?).ok()?;
        self.bytes.get(offset..).filter(|rest| !rest.is_empty())
    }
}

impl CachedFile {
    pub(crate) fn new(mut file: File) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, length, pages: Default::default(), last: 0 })
    }

    /// A range of the file.
    pub(crate) fn part(&mut self, start: u64, length: u64) -> FileRange<'_> {
        FileRange { pages: self, position: start, left: length }
    }

    /// Reads at a position, up to the length of the buffer.
    fn read_at(&mut self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if position >= self.length {
            return Ok(0);
        }
        if self.pages[self.last].at(position).is_none() {
            self.last = 1 - self.last;
        }
        if self.pages[self.last].at(position).is_none() {
            self.file.seek(SeekFrom::Start(position))?;
            if buffer.len() >= PAGE {
                return self.file.read(buffer);
            }
            let page = &mut self.pages[self.last];
            page.start = position;
            page.bytes.clear();
            self.file.by_ref().take(PAGE as u64).read_to_end(&mut page.bytes)?;
        }
        let bytes = self.pages[self.last].at(position).unwrap_or_default();
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        Ok(length)
    }
}

/// A reader of a range of a file.
pub(crate) struct FileRange<'p> {
    pages: &'p mut CachedFile,
    position: u64,
    left: u64,
}

impl Read for FileRange<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let length = self.pages.read_at(self.position, &mut buffer[..wanted])?;
        self.position += length as u64;
        self.left -= length as u64;
        Ok(length)
    }
}
