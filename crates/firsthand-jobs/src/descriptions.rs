//! What documents are called: title, URL, source and sender of each, noted while they are read and kept
//! outside of memory, since only those of clusters are asked for.

use crate::decisions::text_hash;
use firsthand_input::{Item, Place};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};
use tempfile::SpooledTempFile;

/// What is held in memory before it goes to a file.
const IN_MEMORY: usize = 4 << 20;

/// What a document is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The title, or the subject of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The source; of a mail its list, or else its sender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The sender of a mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// The [hash](text_hash) of its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where it is in the inputs, unless its id says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<DocumentPlace>,
}

/// Where a document is in the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentPlace {
    /// The file, as it was named.
    pub path: String,
    /// The line, row, record, message or item in it, counted from 1; none if it is the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

impl DocumentPlace {
    /// The place of a reading.
    pub(crate) fn of(place: &Place) -> Self {
        Self { path: place.path.clone(), number: place.at.map(|at| at.number) }
    }

    /// The id of a document that has none of its own.
    pub fn id(&self) -> String {
        match self.number {
            Some(number) => format!("{}:{number}", self.path),
            None => self.path.clone(),
        }
    }
}

/// The descriptions of all documents.
#[derive(Debug)]
pub struct Descriptions(Mutex<Noted>);

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
}

impl Default for Descriptions {
    fn default() -> Self {
        let file = SpooledTempFile::new(IN_MEMORY);
        Self(Mutex::new(Noted { file, end: 0, batches: Vec::new(), failed: None }))
    }
}

impl Descriptions {
    /// Starts to take note of a batch; `side` is 0 for a reference and 1 for the inputs.
    pub(crate) fn batch(&self, side: usize, batch: usize) -> BatchDescriptions<'_> {
        BatchDescriptions {
            all: self,
            batch: (side, batch),
            bytes: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// Ends taking note.
    ///
    /// # Errors
    ///
    /// If a temporary file could not be written.
    pub(crate) fn finish(&self) -> io::Result<()> {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.batches.sort_unstable_by_key(|batch| batch.batch);
        let mut first = 0;
        for batch in &mut noted.batches {
            batch.first = first;
            first += batch.lengths.len();
        }
        noted.failed.take().map_or(Ok(()), Err)
    }

    /// What the document at a position is called, the documents of a reference first; nothing if no
    /// note was taken.
    pub(crate) fn get(&self, at: usize) -> io::Result<Description> {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Noted { file, batches, .. } = &mut *noted;
        let after = batches.partition_point(|batch| batch.first <= at);
        let Some(DescribedBatch { first, start, lengths, .. }) = batches[..after].last() else {
            return Ok(Description::default());
        };
        let length = lengths.get(at - first).copied().unwrap_or(0);
        if length == 0 {
            return Ok(Description::default());
        }
        let before: u64 = lengths[..at - first].iter().map(|length| u64::from(*length)).sum();
        let mut bytes = vec![0; length as usize];
        file.seek(SeekFrom::Start(start + before))?;
        file.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

/// The descriptions of one batch, handed over when it is dropped: one lock for all its documents.
#[derive(Debug)]
pub(crate) struct BatchDescriptions<'a> {
    all: &'a Descriptions,
    batch: (usize, usize),
    bytes: Vec<u8>,
    lengths: Vec<u32>,
}

impl BatchDescriptions<'_> {
    /// Takes note of a document.
    pub(crate) fn add(&mut self, item: &Item) {
        let (document, before) = (&item.document, self.bytes.len());
        let place = DocumentPlace::of(&item.place);
        let description = Description {
            title: document.title.clone(),
            url: document.url.clone(),
            source: document.source.clone(),
            sender: document.sender.clone(),
            text: Some(text_hash(&document.text)),
            place: Some(place).filter(|place| place.id() != document.id),
        };
        // Nothing of it can fail in memory.
        let _ = serde_json::to_writer(&mut self.bytes, &description);
        self.lengths.push((self.bytes.len() - before) as u32);
    }
}

impl Drop for BatchDescriptions<'_> {
    fn drop(&mut self) {
        let mut noted = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, lengths) = (noted.end, std::mem::take(&mut self.lengths));
        noted.end += self.bytes.len() as u64;
        if let Err(error) = noted.file.write_all(&self.bytes) {
            noted.failed.get_or_insert(error);
        }
        noted.batches.push(DescribedBatch { batch: self.batch, first: 0, start, lengths });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firsthand::Document;
    use firsthand_input::Remarks;

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
}
