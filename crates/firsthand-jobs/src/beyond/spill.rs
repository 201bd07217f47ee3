//! Reading into the log: each batch is signed on one thread and written as a whole.

use super::log::BatchLog;
use super::row::{NONE, Row};
use super::set_record::{SetRecord, feature_bytes};
use crate::description::Description;
use crate::problems::ProblemNote;
use crate::reading::BatchOrigin;
use crate::site_counts::clue_of;
use crate::sources::source_or_host;
use firsthand::pieces::{BatchCoder, FeatureCounter, FeatureCounters, PieceSigner};
use firsthand::{Detector, Document, Settings};
use firsthand_input::Item;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What is noted of a batch beside its documents.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct BatchNotes {
    /// Sources and sites, which rows name by number.
    pub(crate) sources: Vec<String>,
    pub(crate) sites: Vec<String>,
    /// Documents by what tells their site.
    pub(crate) clues: Vec<u64>,
    /// What could not be read, and what was odd.
    pub(crate) problems: Vec<ProblemNote>,
    /// What a second reading knows the parts of the batch by.
    pub(crate) parts: Vec<[u64; 5]>,
    /// The bytes that are read only when documents are built.
    pub(crate) late_bytes: u64,
}

/// What one thread signs with, or takes down words with where these are enough; and counts features with, if these
/// are counted as they are read.
pub(crate) struct SpillSigner<'a> {
    signer: PieceSigner<'a>,
    coder: Option<BatchCoder<'a>>,
    counter: Option<FeatureCounter<'a>>,
}

impl<'a> SpillSigner<'a> {
    pub(crate) fn new(detector: &'a Detector, counters: Option<&'a FeatureCounters>) -> Self {
        let counter = counters.map(FeatureCounters::counter);
        let coder = BatchCoder::new(detector.settings());
        Self { signer: PieceSigner::new(detector), coder, counter }
    }
}

/// Makes the log of one batch.
pub(crate) struct BatchSpiller<'a, 'b> {
    settings: &'a Settings,
    signer: &'b mut SpillSigner<'a>,
    described: bool,
    log: BatchLog,
    sources: Names,
    sites: Names,
    clues: Vec<u64>,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct Names {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NONE };
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }
}

impl<'a, 'b> BatchSpiller<'a, 'b> {
    pub(crate) fn new(
        settings: &'a Settings,
        signer: &'b mut SpillSigner<'a>,
        described: bool,
        (side, origin): (usize, &BatchOrigin),
    ) -> Self {
        let log = BatchLog {
            side: side as u32,
            batch: origin.index as u32,
            inputs: origin.inputs,
            ..BatchLog::default()
        };
        let (sources, sites) = (Names::default(), Names::default());
        Self {
            settings,
            signer,
            described,
            log,
            sources,
            sites,
            clues: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Signs a document and takes note of it.
    pub(crate) fn add(&mut self, item: &Item) {
        let document = &item.document;
        let mut row = Row {
            time: document.time,
            id: (self.log.names.len() as u32, document.id.len() as u32),
            source: self.sources.number(source_or_host(document)),
            site: self.sites.number(document.site()),
            ..Row::default()
        };
        let clue = clue_of(document);
        self.clues.resize(self.clues.len().max(clue + 1), 0);
        self.clues[clue] += 1;
        self.log.names.extend_from_slice(document.id.as_bytes());
        if self.described {
            let start = self.log.names.len();
            // Nothing of it can fail in memory.
            let _ = serde_json::to_writer(&mut self.log.names, &Description::of(item));
            row.description = (self.log.names.len() - start) as u32;
        }
        match &mut self.signer.coder {
            Some(coder) => {
                let text = coder.add(document, self.signer.counter.as_mut());
                row.fingerprint = text.fingerprint;
                (row.length, row.size) = (text.length, text.size);
            }
            None => self.sign(document, &mut row),
        }
        self.log.rows.extend_from_slice(&row.to_bytes());
        self.log.documents += 1;
    }

    /// Takes note of what a document is compared by.
    fn sign(&mut self, document: &Document, row: &mut Row) {
        let piece = self.signer.signer.sign(document);
        row.is_page = piece.site().is_some();
        row.fingerprint = piece.fingerprint();
        let (content, head) = if row.is_page {
            self.bytes = piece.to_bytes();
            (&self.bytes, Vec::new())
        } else {
            let text = piece.settle(self.settings, None);
            (row.length, row.size) = (text.length, text.features.len() as u32);
            if let Some(counter) = &mut self.signer.counter {
                counter.add(&text.features);
            }
            feature_bytes(&text.features, &mut self.bytes);
            (&self.bytes, text.head)
        };
        let record =
            SetRecord { position: self.log.documents, head: &head, content, is_page: row.is_page };
        record.write(&mut self.log.sets);
    }

    /// The log of the batch.
    pub(crate) fn finish(mut self, problems: Vec<ProblemNote>, origin: BatchOrigin) -> BatchLog {
        let notes = BatchNotes {
            sources: self.sources.names,
            sites: self.sites.names,
            clues: self.clues,
            problems,
            parts: origin.parts,
            late_bytes: origin.late_bytes,
        };
        if let Some(coder) = &mut self.signer.coder {
            self.log.sets = coder.finish();
        }
        // Nothing of it can fail in memory.
        self.log.notes = serde_json::to_vec(&notes).unwrap_or_default();
        self.log
    }
}
