//! All documents one after another, for callers who need no threads.

use std::path::PathBuf;

use firsthand::Document;
use firsthand::collections::Ids;

use crate::batch::{Batch, BatchCursor};
use crate::batches::{Batches, open, open_bytes};
use crate::error::ReadError;
use crate::item::Item;
use crate::options::ReadOptions;

/// An iterator over documents and failures in input order; ids are unique.
pub struct Reader {
    batches: Batches,
    settings: ReadOptions,
    current: Option<(Batch, BatchCursor)>,
    ids: Ids,
}

/// Reads all `inputs`; `-` is standard input. Fails only if a named input is not there: what
/// cannot be read later is an item of the iterator, and the next document follows it.
pub fn read(inputs: &[PathBuf], settings: &ReadOptions) -> Result<Reader, ReadError> {
    let batches = open(inputs, settings)?;
    Ok(Reader { batches, settings: settings.clone(), current: None, ids: Ids::default() })
}

/// Reads bytes in memory, under the name they would have as a file: its extension tells the kind
/// unless the settings do.
pub fn read_bytes(name: &str, bytes: &[u8], settings: &ReadOptions) -> Reader {
    let batches = open_bytes(name, bytes, settings);
    Reader { batches, settings: settings.clone(), current: None, ids: Ids::default() }
}

impl Reader {
    /// How many ids had to be changed so far because an earlier document had the same.
    pub fn renamed(&self) -> usize {
        self.ids.renamed()
    }
}

impl Iterator for Reader {
    type Item = Result<Document, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let current = self.current.as_mut();
            let item = current.and_then(|(batch, cursor)| batch.next_item(cursor, &self.settings));
            match item {
                Some(Ok(Item { mut document, .. })) => {
                    self.ids.claim(&mut document.id);
                    return Some(Ok(document));
                }
                Some(Err(error)) => return Some(Err(error)),
                None => {}
            }
            self.current = Some((self.batches.next()?, BatchCursor::default()));
        }
    }
}
