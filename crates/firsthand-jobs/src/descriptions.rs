//! What documents are called: title, URL, source and sender of each, noted while they are read and kept
//! outside of memory, since only those of clusters are asked for.

use crate::beyond::scratch::read_at;
use crate::beyond::table::DocumentTable;
pub use crate::description::{Description, DocumentPlace};
use crate::packed_description;
use firsthand_input::Item;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tempfile::{SpooledData, SpooledTempFile};

/// What is held in memory before it goes to a file.
const IN_MEMORY: usize = 4 << 20;
/// A batch may have very many documents, and the descriptions of all may be asked for: none is found by
/// adding up the lengths of all before it.
const MARKED: usize = 64;

/// The descriptions of all documents.
#[derive(Debug)]
pub struct Descriptions {
    noted: Mutex<Noted>,
    /// The same when all is noted.
    all: OnceLock<(SpooledData, Vec<DescribedBatch>)>,
    /// The documents that have them, where these are outside of memory.
    table: Option<Arc<DocumentTable>>,
}

#[derive(Debug)]
struct Noted {
    file: SpooledTempFile,
    end: u64,
    batches: Vec<DescribedBatch>,
    failed: Option<io::Error>,
}

/// Where the descriptions of a batch are.
#[derive(Debug)]
struct DescribedBatch {
    /// Side and number of the batch.
    batch: (usize, usize),
    /// The position of its first document.
    first: usize,
    start: u64,
    /// The length of each description in bytes.
    lengths: Vec<u32>,
    /// Where every [`MARKED`]th of them begins, after `start`.
    marks: Vec<u64>,
    /// The files that its documents are from.
    paths: Vec<String>,
}

impl DescribedBatch {
    fn new(batch: (usize, usize), start: u64, lengths: Vec<u32>, paths: Vec<String>) -> Self {
        let sum = |lengths: &[u32]| lengths.iter().map(|length| u64::from(*length)).sum::<u64>();
        let marks = lengths.chunks(MARKED).scan(0, |before, some| {
            let mark = *before;
            *before += sum(some);
            Some(mark)
        });
        let marks = marks.collect();
        Self { batch, first: 0, start, lengths, marks, paths }
    }

    /// Where a description is in the file, and its length.
    fn place(&self, at: usize) -> Option<(u64, u32)> {
        let length = *self.lengths.get(at)?;
        let mark = at / MARKED;
        let before = &self.lengths[mark * MARKED..at];
        let before: u64 = before.iter().map(|length| u64::from(*length)).sum();
        Some((self.start + self.marks[mark] + before, length))
    }
}

impl Default for Descriptions {
    fn default() -> Self {
        Self { noted: Mutex::default(), all: OnceLock::new(), table: None }
    }
}

impl Default for Noted {
    fn default() -> Self {
        let file = SpooledTempFile::new(IN_MEMORY);
        Self { file, end: 0, batches: Vec::new(), failed: None }
    }
}

impl Descriptions {
    /// Those of documents that are outside of memory.
    pub(crate) fn on_disk(table: Arc<DocumentTable>) -> Self {
        Self { table: Some(table), ..Self::default() }
    }

    /// Starts to take note of a batch; `side` is 0 for a reference and 1 for the inputs.
    pub(crate) fn batch(&self, side: usize, batch: usize) -> BatchDescriptions<'_> {
        BatchDescriptions {
            all: self,
            batch: (side, batch),
            bytes: Vec::new(),
            lengths: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Ends taking note.
    ///
    /// # Errors
    ///
    /// If a temporary file could not be written.
    pub(crate) fn finish(&self) -> io::Result<()> {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let Noted { file, mut batches, failed, .. } = std::mem::take(&mut *noted);
        batches.sort_unstable_by_key(|batch| batch.batch);
        let mut first = 0;
        for batch in &mut batches {
            batch.first = first;
            first += batch.lengths.len();
        }
        self.all.get_or_init(|| (file.into_inner(), batches));
        failed.map_or(Ok(()), Err)
    }

    /// What the document at a position is called, the documents of a reference first; nothing if no
    /// note was taken.
    pub(crate) fn get(&self, at: usize) -> io::Result<Description> {
        if let Some(table) = &self.table {
            return table.description(at);
        }
        let Some((data, batches)) = self.all.get() else { return Ok(Description::default()) };
        let after = batches.partition_point(|batch| batch.first <= at);
        let Some(batch) = batches[..after].last() else { return Ok(Description::default()) };
        let Some((start, length)) = batch.place(at - batch.first) else {
            return Ok(Description::default());
        };
        let (mut room, start, length) = (Vec::new(), start, length as usize);
        let bytes = match data {
            SpooledData::InMemory(all) => {
                let rest = all.get_ref().get(start as usize..).unwrap_or_default();
                &rest[..length.min(rest.len())]
            }
            SpooledData::OnDisk(file) => {
                room.resize(length, 0);
                read_at(file, &mut room, start)?;
                &room
            }
        };
        packed_description::read(bytes, &batch.paths).ok_or(io::ErrorKind::InvalidData.into())
    }
}

/// The descriptions of one batch, handed over when it is dropped: one lock for all its documents.
#[derive(Debug)]
pub(crate) struct BatchDescriptions<'a> {
    all: &'a Descriptions,
    batch: (usize, usize),
    bytes: Vec<u8>,
    lengths: Vec<u32>,
    paths: Vec<String>,
}

impl BatchDescriptions<'_> {
    /// Takes note of a document.
    pub(crate) fn add(&mut self, item: &Item) {
        let before = self.bytes.len();
        packed_description::write(item, &mut self.paths, &mut self.bytes);
        self.lengths.push((self.bytes.len() - before) as u32);
    }
}

impl Drop for BatchDescriptions<'_> {
    fn drop(&mut self) {
        let mut noted = self.all.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, lengths) = (noted.end, std::mem::take(&mut self.lengths));
        let paths = std::mem::take(&mut self.paths);
        noted.end += self.bytes.len() as u64;
        if let Err(error) = noted.file.write_all(&self.bytes) {
            noted.failed.get_or_insert(error);
        }
        noted.batches.push(DescribedBatch::new(self.batch, start, lengths, paths));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::Document;
    use firsthand_input::{Place, Remarks};

    #[test]
    fn what_was_noted_out_of_order_is_found_by_position() {
        let descriptions = Descriptions::default();
        let add = |side: usize, batch: usize, titles: &[Option<&str>]| {
            let mut noted = descriptions.batch(side, batch);
            for title in titles {
                let title = title.map(str::to_owned);
                let document = Document { title, ..Document::new("id", "text") };
                let place = Place { path: "id".to_owned(), at: None };
                noted.add(&Item { document, place, remarks: Remarks::default() });
            }
        };
        add(1, 1, &[Some("e")]);
        add(1, 0, &[Some("c"), None]);
        add(0, 0, &[Some("a"), Some("b")]);
        descriptions.finish().unwrap();
        let titles: Vec<Option<String>> =
            (0..6).map(|at| descriptions.get(at).unwrap().title).collect();
        let expected = [Some("a"), Some("b"), Some("c"), None, Some("e"), None];
        assert_eq!(titles, expected.map(|title| title.map(str::to_owned)));
    }

    #[test]
    fn a_place_is_what_the_lengths_before_it_add_up_to() {
        let lengths: Vec<u32> = (0..3 * MARKED as u32 + 5).map(|at| at % 7).collect();
        let batch = DescribedBatch::new((1, 0), 1000, lengths.clone(), Vec::new());
        let mut start = 1000;
        for (at, length) in lengths.iter().enumerate() {
            assert_eq!(batch.place(at), Some((start, *length)));
            start += u64::from(*length);
        }
        assert_eq!(batch.place(lengths.len()), None);
    }
}
