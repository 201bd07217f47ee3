//! All documents in order, on the caller's thread.

use std::path::PathBuf;

use firsthand::Document;
use firsthand::collections::Ids;

use crate::batch::{Batch, BatchCursor};
use crate::batches::{Batches, open, open_bytes};
use crate::error::ReadError;
use crate::item::Item;
use crate::options::ReadOptions;

/// An iterator over documents and errors in input order, made by [`read`]; ids are unique.
pub struct Reader {
    batches: Batches,
    options: ReadOptions,
    current: Option<(Batch, BatchCursor)>,
    ids: Ids,
}

/// Reads all `inputs`; `-` is standard input.
///
/// # Errors
/// Only if a named input does not exist. Later failures are items of the iterator.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::fs::write(folder.path().join("note.txt"), "Ferry late")?;
/// let inputs = [folder.path().to_path_buf()];
/// for document in firsthand_input::read(&inputs, &Default::default())? {
///     assert_eq!(document?.text, "Ferry late");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(inputs: &[PathBuf], options: &ReadOptions) -> Result<Reader, ReadError> {
    let batches = open(inputs, options)?;
    Ok(Reader { batches, options: options.clone(), current: None, ids: Ids::default() })
}

/// Reads bytes in memory as a file called `name`, whose extension decides the kind unless the
/// settings do.
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Reader {
    let batches = open_bytes(name, bytes, options);
    Reader { batches, options: options.clone(), current: None, ids: Ids::default() }
}

impl Reader {
    /// The number of ids that were changed because an earlier document had the same id.
    pub fn renamed(&self) -> usize {
        self.ids.renamed()
    }
}

impl Iterator for Reader {
    type Item = Result<Document, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let current = self.current.as_mut();
            let item = current.and_then(|(batch, cursor)| batch.next_item(cursor, &self.options));
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
