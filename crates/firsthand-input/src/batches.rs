//! The sequential part of reading: what is next, and how far are we.

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::batch::{Batch, Content};
use crate::decode;
use crate::error::{ReadError, Reason};
use crate::kind::{Compression, Kind};
use crate::lines::{Lines, Trouble};
use crate::settings::Settings;
use crate::walk::{self, Entry, Input};

/// As many small files go into one batch.
const FILES_A_BATCH: usize = 64;

/// All inputs in pieces, in an order that never changes.
///
/// The iterator itself only reads bytes. Hand its batches to threads that call
/// [`Batch::documents`]; with a bounded queue between them, memory stays bounded.
pub struct Batches {
    entries: Arc<[Entry]>,
    /// How many entries have been taken.
    taken: usize,
    lines: Option<Open>,
    waiting: Vec<Entry>,
    waiting_bytes: u64,
    index: usize,
    total: Option<u64>,
    consumed: Arc<AtomicU64>,
    batch_bytes: usize,
    line_bytes: usize,
}

/// A JSONL file that is being read.
struct Open {
    name: Arc<str>,
    compression: Compression,
    lines: Lines,
}

/// Lists what `inputs` hold; `-` is standard input. Fails only if a named input is not there.
pub fn open(inputs: &[PathBuf], settings: &Settings) -> Result<Batches, ReadError> {
    let entries = walk::list(inputs, settings)?;
    Ok(Batches::new(entries.into(), settings.batch_bytes, settings.limits.line_bytes))
}

impl Batches {
    fn new(entries: Arc<[Entry]>, batch_bytes: usize, line_bytes: usize) -> Self {
        let size = |entry: &Entry| entry.as_ref().map_or(Some(0), |input| input.size);
        Self {
            total: entries.iter().map(size).sum(),
            entries,
            taken: 0,
            lines: None,
            waiting: Vec::new(),
            waiting_bytes: 0,
            index: 0,
            consumed: Arc::default(),
            batch_bytes,
            line_bytes,
        }
    }

    /// The same files once more from the start, in the same batches: folders are not listed
    /// again, so that files made in the meantime do not come in between.
    pub fn again(&self) -> Self {
        Self::new(Arc::clone(&self.entries), self.batch_bytes, self.line_bytes)
    }

    /// The size of all files as they lie on the disk; `None` if one of them is a stream.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// How many bytes of [`total_bytes`](Self::total_bytes) have been handed out.
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    fn batch(&mut self, content: Content) -> Batch {
        self.index += 1;
        Batch::new(self.index - 1, content)
    }

    fn flush(&mut self) -> Option<Batch> {
        if self.waiting.is_empty() {
            return None;
        }
        let entries = mem::take(&mut self.waiting);
        self.consumed.fetch_add(mem::take(&mut self.waiting_bytes), Ordering::Relaxed);
        Some(self.batch(Content::Entries(entries)))
    }

    fn wait(&mut self, entry: Entry) {
        self.waiting_bytes += entry.as_ref().map_or(0, |input| input.size.unwrap_or(0));
        self.waiting.push(entry);
    }

    fn is_full(&self) -> bool {
        let bytes = self.waiting_bytes;
        self.waiting.len() >= FILES_A_BATCH || (bytes > 0 && bytes >= self.batch_bytes as u64)
    }

    fn start(&mut self, input: &Input) {
        let name = input.name();
        match decode::open(&input.source, input.compression, Arc::clone(&self.consumed)) {
            Ok((stream, compression)) => {
                let lines = Lines::new(stream, self.batch_bytes, self.line_bytes);
                self.lines = Some(Open { name: name.into(), compression, lines });
            }
            Err(error) => {
                let reason = Reason::from_io(&error, input.compression);
                self.wait(Err(ReadError::file(name, reason)));
            }
        }
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        loop {
            if self.is_full() {
                return self.flush();
            }
            if let Some(open) = &mut self.lines {
                let limit = self.line_bytes;
                match open.lines.next() {
                    Some(Ok(chunk)) => {
                        let name = Arc::clone(&open.name);
                        return Some(self.batch(Content::Lines { name, chunk }));
                    }
                    Some(Err(trouble)) => {
                        let error = open.error(trouble, limit);
                        return Some(self.batch(Content::Entries(vec![Err(error)])));
                    }
                    None => self.lines = None,
                }
                continue;
            }
            let entry = self.entries.get(self.taken).cloned();
            self.taken += 1;
            match entry {
                Some(Ok(input)) if input.kind == Kind::Jsonl => {
                    let before = self.flush();
                    self.start(&input);
                    if before.is_some() {
                        return before;
                    }
                }
                Some(entry) => self.wait(entry),
                None => return self.flush(),
            }
        }
    }
}

impl Open {
    fn error(&self, trouble: Trouble, limit: usize) -> ReadError {
        let (line, reason) = match trouble {
            Trouble::TooLong { line } => (line, Reason::LineTooLong { limit }),
            Trouble::Failed { line, error } => (line, Reason::from_io(&error, self.compression)),
        };
        ReadError::line(&*self.name, line, reason)
    }
}
