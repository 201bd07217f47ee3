//! Where cut pieces go: put together into batches, handed on through a bounded queue.

use std::mem;
use std::sync::mpsc::SyncSender;

use crate::batch::Batch;
use crate::error::ReadError;
use crate::part::BatchPart;

/// As many small pieces go into one batch.
const PARTS_A_BATCH: usize = 32;

/// Nobody wants any more: the reader may go home.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Go on, or stop.
pub(crate) type Flow = Result<(), Stopped>;

/// Takes pieces in order.
pub(crate) struct Sink {
    batches: SyncSender<Batch>,
    waiting: Vec<BatchPart>,
    /// How many of them give items.
    waiting_items: usize,
    waiting_bytes: u64,
    index: usize,
    batch_bytes: u64,
}

impl Sink {
    pub(crate) fn new(batches: SyncSender<Batch>, batch_bytes: usize) -> Self {
        let batch_bytes = batch_bytes.max(1) as u64;
        let waiting = Vec::new();
        Self { batches, waiting, waiting_items: 0, waiting_bytes: 0, index: 0, batch_bytes }
    }

    /// Takes a piece that is worth so many bytes of work.
    pub(crate) fn push(&mut self, part: BatchPart, bytes: u64) -> Flow {
        self.waiting.push(part);
        self.waiting_items += 1;
        self.count(bytes)
    }

    /// Takes a piece that gives no item, or only notes that there was one. Its bytes count all
    /// the same: batches hold the same items whether or not such pieces are handed on, and a long
    /// row of them does not pile up.
    pub(crate) fn beside(&mut self, part: Option<BatchPart>, bytes: u64) -> Flow {
        self.waiting.extend(part);
        self.count(bytes)
    }

    fn count(&mut self, bytes: u64) -> Flow {
        self.waiting_bytes += bytes;
        if self.waiting_items >= PARTS_A_BATCH || self.waiting_bytes >= self.batch_bytes {
            self.flush()?;
        }
        Ok(())
    }

    /// Takes something that cannot be read.
    pub(crate) fn unread(&mut self, error: ReadError) -> Flow {
        self.push(BatchPart::Unread(error), 0)
    }

    /// Hands on what waits.
    pub(crate) fn flush(&mut self) -> Flow {
        if self.waiting.is_empty() && self.waiting_bytes == 0 {
            return Ok(());
        }
        self.waiting_items = 0;
        let parts = mem::take(&mut self.waiting);
        let batch = Batch::new(self.index, parts, mem::take(&mut self.waiting_bytes));
        self.index += 1;
        self.batches.send(batch).map_err(|_| Stopped)
    }
}
