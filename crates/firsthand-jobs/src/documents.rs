//! The documents of inputs themselves, for callers that want nothing but to read.

use crate::error::JobError;
use crate::inputs::Inputs;
use crate::observer::Observer;
use firsthand::collections::Ids;
use firsthand_input::{Batch, Item, ReadError, ReadOptions};
use rayon::prelude::*;

/// Documents in the order of the inputs, some at a time.
pub struct DocumentStream {
    batches: firsthand_input::Batches,
    options: ReadOptions,
    ids: Ids,
}

impl DocumentStream {
    /// Begins to read.
    ///
    /// # Errors
    ///
    /// If an input is not there, or a table has no column for the text.
    pub fn open(
        inputs: &Inputs,
        options: ReadOptions,
        observer: &dyn Observer,
    ) -> Result<Self, JobError> {
        crate::reading::check(inputs.paths())?;
        let reading = inputs.open(options, None, observer)?;
        Ok(Self { batches: reading.batches, options: reading.options, ids: Ids::default() })
    }

    /// The next documents, with unique ids, and what could not be read between them. They are parsed on all
    /// threads of the current pool. `None` at the end.
    pub fn next_documents(&mut self) -> Option<Vec<Result<Item, ReadError>>> {
        let threads = rayon::current_num_threads().max(1);
        let some: Vec<Batch> = self.batches.by_ref().take(threads).collect();
        if some.is_empty() {
            return None;
        }
        let options = &self.options;
        let read: Vec<Vec<_>> =
            some.into_par_iter().map(|batch| batch.into_documents(options).collect()).collect();
        let mut items: Vec<Result<Item, ReadError>> = read.into_iter().flatten().collect();
        for item in items.iter_mut().flatten() {
            self.ids.claim(&mut item.document.id);
        }
        Some(items)
    }
}
