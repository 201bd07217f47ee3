//! A run: the sorted keys of a part of a log, in a file that never changes. It can be rebuilt from the
//! log at any time, so damage to it costs only time.

mod bloom;
mod layout;
mod pages;
mod write;

use super::{bucket::DocumentPlace, disk::Handle, postings::Local, record::LogHeader};
use bloom::Bloom;
use firsthand::online::{Cap, StoreError};
pub(super) use layout::Footer;
use layout::{DOCUMENT, DOCUMENTS, FENCES, POSTING, POSTINGS};
use pages::{CONTENT, PAGE};
use std::sync::Arc;
pub(super) use write::RunWriter;

/// A run that can be read.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) handle: Arc<Handle>,
    pub(super) footer: Footer,
    salt: u64,
    /// The first key of each page.
    fences: Vec<u64>,
    bloom: Bloom,
}

/// Why a run cannot be read.
#[derive(Debug)]
pub(super) enum RunError {
    /// It is damaged and has to be rebuilt from the log.
    Damaged {
        log: u64,
        from: u64,
        to: u64,
    },
    Failed(StoreError),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

impl Run {
    /// Opens a run and returns its documents as well; fails if it is incomplete or belongs elsewhere.
    pub(super) fn open(
        handle: Arc<Handle>,
        header: LogHeader,
        from: u64,
        to: u64,
    ) -> Result<(Self, Vec<(Local, DocumentPlace)>), RunError> {
        let damaged = || RunError::Damaged { log: header.log, from, to };
        let salt = Footer::salt(header, from);
        let length = handle.length()?;
        let last = (length / PAGE as u64).checked_sub(1).ok_or_else(damaged)?;
        let mut page = vec![0; PAGE];
        handle.read(last * PAGE as u64, &mut page)?;
        let footer = pages::content(&page, salt, last).and_then(Footer::from_bytes);
        let footer = footer
            .filter(|footer| (footer.header, footer.from, footer.to) == (header, from, to))
            .filter(|footer| footer.last() == last && length.is_multiple_of(PAGE as u64))
            .ok_or_else(damaged)?;
        let mut run = Self {
            handle,
            footer,
            salt,
            fences: Vec::with_capacity(footer.key_pages() as usize),
            bloom: Bloom::new(0),
        };
        let mut documents = Vec::with_capacity(footer.documents as usize);
        let mut first = footer.key_pages();
        run.each_page(first, footer.document_pages(), |number, content| {
            let count = (footer.documents - (number - first) * DOCUMENTS).min(DOCUMENTS) as usize;
            let (entries, _) = content.as_chunks::<DOCUMENT>();
            documents.extend(entries[..count].iter().map(document));
        })?;
        first += footer.document_pages();
        let mut fences = std::mem::take(&mut run.fences);
        run.each_page(first, footer.fence_pages(), |number, content| {
            let count = (footer.key_pages() - (number - first) * FENCES).min(FENCES) as usize;
            let (keys, _) = content.as_chunks::<8>();
            fences.extend(keys[..count].iter().map(|key| u64::from_le_bytes(*key)));
        })?;
        run.fences = fences;
        first += footer.fence_pages();
        let mut bloom = Vec::with_capacity(Bloom::length(footer.distinct) as usize + CONTENT);
        run.each_page(first, footer.bloom_pages(), |_, content| bloom.extend_from_slice(content))?;
        bloom.truncate(Bloom::length(footer.distinct) as usize);
        run.bloom = Bloom::from_bytes(&bloom);
        Ok((run, documents))
    }

    fn damaged(&self) -> RunError {
        let Footer { header, from, to, .. } = self.footer;
        RunError::Damaged { log: header.log, from, to }
    }

    /// Reads pages, several at once.
    fn each_page(
        &self,
        first: u64,
        count: u64,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), RunError> {
        const AT_ONCE: u64 = 64;
        let mut buffer = vec![0; PAGE * AT_ONCE.min(count) as usize];
        let mut at = first;
        while at < first + count {
            let now = AT_ONCE.min(first + count - at);
            let buffer = &mut buffer[..now as usize * PAGE];
            if !self.handle.read(at * PAGE as u64, buffer)? {
                return Err(self.damaged());
            }
            for (number, page) in (at..).zip(buffer.chunks_exact(PAGE)) {
                let content = pages::content(page, self.salt, number);
                each(number, content.ok_or_else(|| self.damaged())?);
            }
            at += now;
        }
        Ok(())
    }

    /// Whether a key may be in it. The filter rules out most of the others without reading the file.
    pub(super) fn may_have(&self, key: u64) -> bool {
        self.bloom.may_have(key)
    }

    /// Appends the documents under a key to a list: all of them, or the first and the last if there are
    /// more than the cap. Returns their number.
    pub(super) fn list(
        &self,
        key: u64,
        cap: Cap,
        list: &mut Vec<Local>,
    ) -> Result<usize, RunError> {
        let after = self.fences.partition_point(|&first| first <= key) as u64;
        if after == 0 {
            return Ok(0);
        }
        // The key may begin on the page before the first that begins with it.
        let before = self.fences.partition_point(|&first| first < key).saturating_sub(1) as u64;
        let (start, mut in_page) = self.bound(before, |other| other < key)?;
        let end = if after - 1 == before {
            before * POSTINGS + in_page.partition_point(|&(other, _)| other <= key) as u64
        } else {
            self.bound(after - 1, |other| other <= key)?.0
        };
        let count = end.saturating_sub(start) as usize;
        let (first, last) = cap.ends(count);
        let mut page = before;
        for position in (start..start + first as u64).chain(end - last as u64..end) {
            if position / POSTINGS != page {
                page = position / POSTINGS;
                in_page = self.postings(page)?;
            }
            let posting = in_page.get((position % POSTINGS) as usize);
            list.push(posting.ok_or_else(|| self.damaged())?.1);
        }
        Ok(count)
    }

    /// Number of keys in the run before the first one of this page that is not `is_before`, and the
    /// page.
    fn bound(
        &self,
        page: u64,
        is_before: impl Fn(u64) -> bool,
    ) -> Result<(u64, Vec<(u64, Local)>), RunError> {
        let postings = self.postings(page)?;
        let at = postings.partition_point(|&(key, _)| is_before(key));
        Ok((page * POSTINGS + at as u64, postings))
    }

    /// The keys of a page.
    fn postings(&self, page: u64) -> Result<Vec<(u64, Local)>, RunError> {
        let count = self.footer.postings.saturating_sub(page * POSTINGS).min(POSTINGS) as usize;
        let mut postings = Vec::with_capacity(count);
        self.each_page(page, 1, |_, content| {
            let (entries, _) = content.as_chunks::<POSTING>();
            postings.extend(entries[..count].iter().map(posting));
        })?;
        Ok(postings)
    }

    /// Reads all keys in order, 32 pages at a time.
    pub(super) fn cursor(self: &Arc<Self>) -> RunCursor {
        RunCursor { run: Arc::clone(self), page: 0, buffer: Vec::new(), at: 0 }
    }

    /// Its documents.
    pub(super) fn documents(&self) -> Result<Vec<(Local, DocumentPlace)>, RunError> {
        let Footer { header, from, to, .. } = self.footer;
        Ok(Self::open(Arc::clone(&self.handle), header, from, to)?.1)
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> u64 {
        8 * self.fences.len() as u64 + Bloom::length(self.footer.distinct)
    }

    /// Bytes on disk.
    pub(super) fn length(&self) -> u64 {
        (self.footer.last() + 1) * PAGE as u64
    }
}

/// A position in the keys of a run.
pub(super) struct RunCursor {
    run: Arc<Run>,
    page: u64,
    buffer: Vec<(u64, Local)>,
    at: usize,
}

impl RunCursor {
    /// The next key and its document.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Local)>, RunError> {
        if self.at == self.buffer.len() {
            let pages = self.run.footer.key_pages();
            if self.page == pages {
                return Ok(None);
            }
            let now = (pages - self.page).min(32);
            let (run, buffer) = (&self.run, &mut self.buffer);
            buffer.clear();
            run.each_page(self.page, now, |number, content| {
                let left = run.footer.postings - number * POSTINGS;
                let (entries, _) = content.as_chunks::<POSTING>();
                buffer.extend(entries[..left.min(POSTINGS) as usize].iter().map(posting));
            })?;
            self.page += now;
            self.at = 0;
        }
        self.at += 1;
        Ok(self.buffer.get(self.at - 1).copied())
    }
}

fn posting(bytes: &[u8; POSTING]) -> (u64, Local) {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *bytes;
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes([i, j, k, l]))
}

fn document(bytes: &[u8; DOCUMENT]) -> (Local, DocumentPlace) {
    let (numbers, _) = bytes.as_chunks::<8>();
    let number = |at: usize| numbers.get(at).map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (local, length) = (number(0) as u32, (number(0) >> 32) as u32);
    let document =
        DocumentPlace { seq: number(1), time: number(2) as i64, place: number(3), length };
    (local, document)
}
