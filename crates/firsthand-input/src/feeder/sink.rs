//! Collects parts into batches and sends them through a bounded queue.

use std::mem;
use std::sync::mpsc::SyncSender;

use crate::batch::Batch;
use crate::error::ReadError;
use crate::part::BatchPart;

/// The most small parts in a batch.
const PARTS_A_BATCH: usize = 32;

/// The receiver is gone, so reading can stop.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Continue, or stop.
pub(crate) type Flow = Result<(), Stopped>;

/// Receives parts in order.
pub(crate) struct Sink {
    batches: SyncSender<Batch>,
    waiting: Vec<BatchPart>,
    /// Per waiting part, the number of the input that it is from.
    inputs: Vec<usize>,
    /// The number of the input that is being read.
    input: usize,
    /// The number of waiting parts that yield items.
    waiting_items: usize,
    waiting_bytes: u64,
    index: usize,
    /// The number of the first batch that the current input may be in.
    begun: usize,
    batch_bytes: u64,
}

impl Sink {
    pub(crate) fn new(batches: SyncSender<Batch>, batch_bytes: usize) -> Self {
        let batch_bytes = batch_bytes.max(1) as u64;
        let (waiting, inputs) = (Vec::new(), Vec::new());
        let (waiting_items, waiting_bytes, input) = (0, 0, 0);
        Self {
            batches,
            waiting,
            inputs,
            input,
            waiting_items,
            waiting_bytes,
            index: 0,
            begun: 0,
            batch_bytes,
        }
    }

    /// The same, but that batches are numbered from another number on.
    pub(crate) fn numbered_from(self, index: usize) -> Self {
        Self { index, ..self }
    }

    /// What follows is from the input of this number.
    pub(crate) fn begin(&mut self, input: usize) {
        (self.input, self.begun) = (input, self.index);
    }

    /// Ends an input. One that fills batches shares none with the next, so that a later run can start
    /// there.
    pub(crate) fn end(&mut self) -> Flow {
        if self.index > self.begun { self.flush() } else { Ok(()) }
    }

    /// Adds a part that takes `bytes` bytes of work.
    pub(crate) fn push(&mut self, part: BatchPart, bytes: u64) -> Flow {
        self.waiting.push(part);
        self.inputs.push(self.input);
        self.waiting_items += 1;
        self.count(bytes)
    }

    /// Adds a part without items, or `None` for one that was dropped. Its bytes count either way, so
    /// that batches hold the same items and many such parts do not pile up.
    pub(crate) fn beside(&mut self, part: Option<BatchPart>, bytes: u64) -> Flow {
        self.inputs.extend(part.as_ref().map(|_| self.input));
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

    /// Adds an error.
    pub(crate) fn unread(&mut self, error: ReadError) -> Flow {
        self.push(BatchPart::Unread(error), 0)
    }

    /// Sends the waiting parts as a batch.
    pub(crate) fn flush(&mut self) -> Flow {
        if self.waiting.is_empty() && self.waiting_bytes == 0 {
            return Ok(());
        }
        self.waiting_items = 0;
        let (parts, inputs) = (mem::take(&mut self.waiting), mem::take(&mut self.inputs));
        let batch = Batch::new(self.index, parts, inputs, mem::take(&mut self.waiting_bytes));
        self.index += 1;
        self.batches.send(batch).map_err(|_| Stopped)
    }
}
