//! Writing a run: keys in ascending order, then the other pages.

use super::{
    bloom::Bloom,
    layout::{DOCUMENT, DOCUMENTS, FENCES, Footer, POSTING, POSTINGS},
    pages::{CONTENT, PAGE, seal},
};
use crate::embedded::{
    bucket::DocumentPlace,
    disk::{CrashPoint, Disk, Handle, temporary},
    files,
    postings::Local,
    record::LogHeader,
};
use firsthand::online::StoreError;
use std::{fs, path::Path, sync::Arc};

/// A run that is being written.
pub(in crate::embedded) struct RunWriter {
    disk: Arc<Disk>,
    handle: Arc<Handle>,
    salt: u64,
    /// Pages that are not written yet, and the number of the first.
    buffer: Vec<u8>,
    page: u64,
    /// Number of pages that are synced.
    synced: u64,
    fences: Vec<u64>,
    bloom: Bloom,
    expected: u64,
    last: Option<u64>,
    postings: u64,
    point: CrashPoint,
}

/// Bytes that are written at once.
const BUFFER: usize = 256 * PAGE;

/// Number of pages that are written between syncs.
const SYNC_EVERY: u64 = 2048;

impl RunWriter {
    /// Begins a run of at most `expected` distinct keys. `from` is where its part of the log begins.
    pub(in crate::embedded) fn new(
        disk: &Arc<Disk>,
        path: &Path,
        header: LogHeader,
        from: u64,
        expected: u64,
        point: CrashPoint,
    ) -> Result<Self, StoreError> {
        let temporary = temporary(path);
        let _ = fs::remove_file(&temporary);
        Ok(Self {
            disk: Arc::clone(disk),
            handle: Handle::create(disk, &temporary)?,
            salt: Footer::salt(header, from),
            buffer: Vec::with_capacity(BUFFER),
            page: 0,
            synced: 0,
            fences: Vec::new(),
            bloom: Bloom::new(expected),
            expected,
            last: None,
            postings: 0,
            point,
        })
    }

    /// Adds a key and its document. They must be in ascending order.
    pub(in crate::embedded) fn posting(
        &mut self,
        key: u64,
        local: Local,
    ) -> Result<(), StoreError> {
        if self.postings.is_multiple_of(POSTINGS) {
            self.end_page()?;
            self.fences.push(key);
        }
        if self.last != Some(key) {
            self.bloom.insert(key);
            self.last = Some(key);
        }
        self.buffer.extend_from_slice(&key.to_le_bytes());
        self.buffer.extend_from_slice(&local.to_le_bytes());
        self.postings += 1;
        Ok(())
    }

    /// Pads and seals the page that has been begun, if any.
    fn end_page(&mut self) -> Result<(), StoreError> {
        let begun = self.buffer.len() % PAGE;
        if begun > 0 {
            let start = self.buffer.len() - begun;
            self.buffer.resize(start + PAGE, 0);
            let number = self.page + (start / PAGE) as u64;
            seal(&mut self.buffer[start..], self.salt, number);
        }
        if self.buffer.len() >= BUFFER {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), StoreError> {
        if self.disk.is_closing() {
            return Err(StoreError::Failed("the store is being closed".to_owned()));
        }
        self.handle.write(self.page * PAGE as u64, &self.buffer)?;
        self.page += (self.buffer.len() / PAGE) as u64;
        self.buffer.clear();
        // In small steps, so that the sync of a round does not wait for a large one.
        if self.page - self.synced >= SYNC_EVERY {
            self.handle.sync()?;
            self.synced = self.page;
        }
        Ok(())
    }

    /// Adds entries, `per_page` to a page.
    fn entries(
        &mut self,
        entries: impl Iterator<Item = impl AsRef<[u8]>>,
        per_page: u64,
    ) -> Result<(), StoreError> {
        for (number, entry) in (0u64..).zip(entries) {
            if number.is_multiple_of(per_page) {
                self.end_page()?;
            }
            self.buffer.extend_from_slice(entry.as_ref());
        }
        self.end_page()
    }

    /// Adds the other pages, and renames the file once it is synced. Counts in `footer` are filled in
    /// here.
    pub(in crate::embedded) fn finish(
        mut self,
        path: &Path,
        documents: &[(Local, DocumentPlace)],
        footer: Footer,
    ) -> Result<(), StoreError> {
        const { assert!(POSTING * POSTINGS as usize <= CONTENT && DOCUMENT == 32) };
        self.end_page()?;
        self.write()?;
        self.disk.reach(self.point);
        self.entries(documents.iter().map(document), DOCUMENTS)?;
        let fences = std::mem::take(&mut self.fences);
        self.entries(fences.iter().map(|key| key.to_le_bytes()), FENCES)?;
        let bloom = self.bloom.to_bytes();
        self.entries(bloom.chunks(CONTENT), 1)?;
        let footer = Footer {
            postings: self.postings,
            documents: documents.len() as u64,
            distinct: self.expected,
            ..footer
        };
        self.entries(std::iter::once(footer.to_bytes()), 1)?;
        self.write()?;
        self.handle.sync()?;
        self.disk.rename(&temporary(path), path)
    }
}

// Removes an unfinished file; a finished one has another name by then.
impl Drop for RunWriter {
    fn drop(&mut self) {
        files::delete(self.handle.path());
    }
}

fn document((local, document): &(Local, DocumentPlace)) -> [u8; DOCUMENT] {
    let mut bytes = [0; DOCUMENT];
    bytes[..4].copy_from_slice(&local.to_le_bytes());
    bytes[4..8].copy_from_slice(&document.length.to_le_bytes());
    bytes[8..16].copy_from_slice(&document.seq.to_le_bytes());
    bytes[16..24].copy_from_slice(&document.time.to_le_bytes());
    bytes[24..].copy_from_slice(&document.place.to_le_bytes());
    bytes
}
