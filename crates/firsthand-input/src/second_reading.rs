//! The second reading of inputs, set against the first: only what is still the same is copied.

use std::ops::Range;
use std::path::Path;
use std::sync::PoisonError;

use crate::batch::Raw;
use crate::batches::Batches;
use crate::error::{ReadError, Reason};
use crate::noted_part::NotedPart;
use crate::part::BatchPart;
use crate::record_file::RecordFile;

/// What a second reading meets, in the order of the first.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("news.jsonl");
/// # std::fs::write(&path, "{\"text\": \"Ferry late\"}\n")?;
/// use firsthand_input::{ReadOptions, Reread, open};
///
/// let options = ReadOptions { checksums: true, ..ReadOptions::default() };
/// let mut batches = open(&[path.clone()], &options)?;
/// batches.by_ref().for_each(drop);
/// std::fs::write(&path, "{\"text\": \"Ferry cancelled\"}\n")?;
/// let mut changed = 0;
/// batches.reread(|met| {
///     changed += usize::from(matches!(met, Reread::Changed { .. }));
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert_eq!(changed, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum Reread<'a> {
    /// An item that is as it was.
    Same {
        /// Its batch in the first reading.
        batch: usize,
        /// Its number in the batch.
        item: usize,
        /// Its unchanged input.
        raw: Raw<'a>,
    },
    /// The records of a file follow, up to the next file.
    File {
        /// The file as it was listed; none if it is standard input.
        path: Option<&'a Path>,
        /// The name of a member of an archive, within the file.
        member: Option<&'a str>,
        /// What it is.
        file: &'a RecordFile,
    },
    /// A record of a web archive that belongs to no item.
    Beside(Raw<'a>),
    /// Items of a file that has changed since: what stands there now is not what was read.
    Changed {
        /// Their batch in the first reading.
        batch: usize,
        /// Their numbers in the batch; none if something was only added to the file.
        items: Range<usize>,
        /// The file, and that it changed.
        error: ReadError,
    },
}

impl Batches {
    /// Reads everything once more, for copying, and compares it with the first reading, which must
    /// have been done with [`ReadOptions::checksums`](crate::ReadOptions::checksums). From where a file
    /// differs, nothing of it is handed on.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn reread<E>(&self, mut visit: impl FnMut(Reread<'_>) -> Result<(), E>) -> Result<(), E> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let mut noted = noted.iter().copied().peekable();
        let changed = |part: NotedPart| Reread::Changed {
            batch: part.batch,
            items: part.first..part.first + part.items,
            error: ReadError::file(self.input_name(part.input), Reason::Changed),
        };
        // The input whose rest is passed over.
        let mut passed = None;
        for batch in self.again() {
            for (input, part) in batch.parts() {
                // What was there once and is not any more.
                while let Some(lost) = noted.next_if(|part| part.input < input) {
                    visit(changed(lost))?;
                }
                if passed == Some(input) {
                    continue;
                }
                if let BatchPart::Begin(file) = part {
                    visit(self.file(input, file))?;
                    continue;
                }
                let Some(sum) = part.sum() else {
                    part.raw().try_for_each(|raw| visit(Reread::Beside(raw)))?;
                    continue;
                };
                if let Some(same) = noted.next_if(|part| part.input == input && part.sum == sum) {
                    for (item, raw) in (same.first..).zip(part.raw()) {
                        visit(Reread::Same { batch: same.batch, item, raw })?;
                    }
                    continue;
                }
                passed = Some(input);
                let added = NotedPart { input, sum, batch: batch.index(), first: 0, items: 0 };
                visit(changed(noted.next_if(|part| part.input == input).unwrap_or(added)))?;
                while let Some(lost) = noted.next_if(|part| part.input == input) {
                    visit(changed(lost))?;
                }
            }
        }
        noted.try_for_each(|lost| visit(changed(lost)))
    }

    fn file<'a>(&'a self, input: usize, file: &'a RecordFile) -> Reread<'a> {
        let member = file.name.strip_prefix(&*self.input_name(input)).unwrap_or_default();
        let member = member.strip_prefix('/').filter(|member| !member.is_empty());
        Reread::File { path: self.input_path(input), member, file }
    }
}
