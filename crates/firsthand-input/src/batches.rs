//! All inputs in pieces, in an order that never changes, and how far we are.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::batch::Batch;
use crate::error::ReadError;
use crate::feeder::{self, Sink};
use crate::options::ReadOptions;
use crate::walk::{self, ListedInput};

/// As many batches wait at most.
const QUEUE: usize = 4;

/// All inputs in pieces, in an order that never changes.
///
/// A thread reads bytes and cuts them into batches, a few ahead. Hand the batches to threads that
/// call [`Batch::documents`]; memory stays bounded, since the reader waits for them.
pub struct Batches {
    entries: Arc<[ListedInput]>,
    settings: Arc<ReadOptions>,
    copying: bool,
    total: Option<u64>,
    consumed: Arc<AtomicU64>,
    /// The reader's queue, once it has been started.
    queue: Option<Receiver<Batch>>,
}

/// Lists what `inputs` hold; `-` is standard input. Fails only if a named input is not there.
pub fn open(inputs: &[PathBuf], settings: &ReadOptions) -> Result<Batches, ReadError> {
    let entries = walk::list(inputs, settings)?;
    Ok(Batches::new(entries.into(), Arc::new(settings.clone()), false))
}

/// The same for bytes in memory, under the name they would have as a file.
pub fn open_bytes(name: &str, bytes: &[u8], settings: &ReadOptions) -> Batches {
    let entries = [walk::entry_of(name, bytes, settings)];
    Batches::new(entries.into(), Arc::new(settings.clone()), false)
}

impl Batches {
    pub(crate) fn new(
        entries: Arc<[ListedInput]>,
        settings: Arc<ReadOptions>,
        copying: bool,
    ) -> Self {
        let size = |entry: &ListedInput| entry.as_ref().map_or(Some(0), |input| input.size);
        let total = entries.iter().map(size).sum();
        Self { entries, settings, copying, total, consumed: Arc::default(), queue: None }
    }

    /// The same files once more from the start, in the same batches, to be copied: folders are
    /// not listed again, so that files made in the meantime do not come in between.
    pub fn again(&self) -> Self {
        Self::new(Arc::clone(&self.entries), Arc::clone(&self.settings), true)
    }

    /// How many files there are to read, by kind.
    pub fn files(&self) -> BTreeMap<&'static str, usize> {
        let mut files = BTreeMap::new();
        for input in self.entries.iter().flatten() {
            *files.entry(input.kind.name()).or_default() += 1;
        }
        files
    }

    /// The size of all files as they lie on the disk; `None` if one of them is a stream.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// How many bytes of [`total_bytes`](Self::total_bytes) have been taken.
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    fn start(&self) -> Receiver<Batch> {
        let (sender, receiver) = sync_channel(QUEUE);
        let sink = Sink::new(sender, self.settings.batch_bytes);
        let (entries, settings) = (Arc::clone(&self.entries), Arc::clone(&self.settings));
        let (consumed, copying) = (Arc::clone(&self.consumed), self.copying);
        // It ends when all is read or nobody listens; either way there is nothing to say.
        thread::spawn(move || drop(feeder::feed(&entries, &settings, &consumed, copying, sink)));
        receiver
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if self.queue.is_none() {
            self.queue = Some(self.start());
        }
        let batch = self.queue.as_ref()?.recv().ok()?;
        self.consumed.fetch_add(batch.bytes_left_to_read(), Ordering::Relaxed);
        Some(batch)
    }
}
