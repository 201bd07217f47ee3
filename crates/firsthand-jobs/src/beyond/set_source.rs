//! The sets of all documents, in pieces that several threads can read: as they were logged, and of pages
//! once they are settled.

use super::log::LoggedBatch;
use super::row::Row;
use super::scratch::{Scratch, ScratchWriter, read_at};
use super::set_record::{SetRecord, damaged};
use super::table::DocumentTable;
use firsthand::Settings;
use firsthand::pieces::{BatchCoder, CodedBatch, TextDecoder};
use std::fs::File;
use std::io;
use std::sync::Arc;

const SETTLED: &str = "settled.log";
/// The bytes of a piece of settled pages.
const PIECE: usize = 1 << 20;

/// Where the sets of documents are.
pub(crate) struct SetSource<'a> {
    settings: &'a Settings,
    table: &'a DocumentTable,
    settled: Option<SettledSets>,
    /// Whether batches have the words of texts in place of records.
    is_coded: bool,
}

/// A piece of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SetPiece<'a> {
    /// A batch, from this position on.
    Batch(u32, &'a LoggedBatch),
    /// Settled pages: where they are, and their bytes.
    Settled(u64, usize),
}

/// A piece that was read.
#[derive(Debug)]
pub(crate) enum ReadPiece {
    /// The texts from this position on.
    Coded(u32, CodedBatch),
    /// Records from this position on, but those of pages.
    Records(u32, Vec<u8>),
    /// Records that know their positions.
    Settled(Vec<u8>),
}

/// What a text is compared by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ReadSet<'a> {
    Coded(&'a CodedBatch, usize),
    Record(SetRecord<'a>),
}

/// Makes features of what was read, one text after another.
#[derive(Debug, Default)]
pub(crate) struct SetReader {
    decoder: TextDecoder,
    features: Vec<u64>,
}

impl<'a> SetSource<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        table: &'a DocumentTable,
        settled: Option<SettledSets>,
    ) -> Self {
        Self { settings, table, settled, is_coded: BatchCoder::new(settings).is_some() }
    }

    pub(crate) fn pieces(&self) -> Vec<SetPiece<'a>> {
        let batches = self.table.batches().map(|(first, batch)| SetPiece::Batch(first, batch));
        let settled = self.settled.iter().flat_map(|settled| &settled.pieces);
        batches.chain(settled.map(|&(at, len)| SetPiece::Settled(at, len))).collect()
    }

    pub(crate) fn read(&self, piece: SetPiece<'_>) -> io::Result<ReadPiece> {
        match (piece, &self.settled) {
            (SetPiece::Batch(first, batch), _) => {
                let bytes = self.table.sets(batch)?;
                if !self.is_coded {
                    return Ok(ReadPiece::Records(first, bytes));
                }
                let batch = CodedBatch::from_bytes(&bytes, self.settings).ok_or_else(damaged)?;
                Ok(ReadPiece::Coded(first, batch))
            }
            (SetPiece::Settled(at, len), Some(settled)) => {
                let mut bytes = vec![0; len];
                read_at(&settled.file, &mut bytes, at)?;
                Ok(ReadPiece::Settled(bytes))
            }
            (SetPiece::Settled(..), None) => Ok(ReadPiece::Settled(Vec::new())),
        }
    }

    /// The rows of each batch, with the position of its first document.
    pub(crate) fn rows(&self, piece: SetPiece<'_>) -> io::Result<(u32, Vec<Row>)> {
        match piece {
            SetPiece::Batch(first, batch) => Ok((first, self.table.rows(first, batch)?)),
            // Those of settled pages are with their batches.
            SetPiece::Settled(..) => Ok((0, Vec::new())),
        }
    }
}

impl SetPiece<'_> {
    /// The length of its bytes.
    pub(crate) fn len(&self) -> u64 {
        match self {
            SetPiece::Batch(_, batch) => batch.sets.1,
            SetPiece::Settled(_, len) => *len as u64,
        }
    }
}

impl ReadPiece {
    /// The set of every document, by its position; not of pages that were settled.
    pub(crate) fn sets(&self) -> impl Iterator<Item = io::Result<(u32, ReadSet<'_>)>> {
        let (coded, records) = match self {
            Self::Coded(first, batch) => (Some((*first, batch)), None),
            Self::Records(first, bytes) => (None, Some((Some(*first), bytes))),
            Self::Settled(bytes) => (None, Some((None, bytes))),
        };
        let coded = coded.into_iter().flat_map(|(first, batch)| {
            (first..)
                .zip(0..batch.len())
                .map(move |(at, text)| Ok((at, ReadSet::Coded(batch, text))))
        });
        let records = records.into_iter().flat_map(|(first, bytes)| {
            SetRecord::all(bytes).zip(0u32..).filter_map(move |(record, at)| {
                match (record, first) {
                    (Ok(record), Some(_)) if record.is_page => None,
                    (Ok(record), Some(first)) => Some(Ok((first + at, ReadSet::Record(record)))),
                    (Ok(record), None) => Some(Ok((record.position, ReadSet::Record(record)))),
                    (Err(error), _) => Some(Err(error)),
                }
            })
        });
        coded.chain(records)
    }
}

impl<'a> ReadSet<'a> {
    /// The number of features.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Coded(batch, text) => batch.size(*text),
            Self::Record(record) => record.content.len() / 8,
        }
    }

    /// Site and headline.
    pub(crate) fn head(&self) -> &'a [u8] {
        match self {
            Self::Coded(..) => &[],
            Self::Record(record) => record.head,
        }
    }
}

impl SetReader {
    /// The features of a text in any order; some may be repeated.
    pub(crate) fn features(&mut self, set: &ReadSet<'_>) -> &[u64] {
        match set {
            ReadSet::Coded(batch, text) => self.decoder.shingles(batch, *text),
            ReadSet::Record(record) => self.record(record),
        }
    }

    /// Those that are different, in any order.
    pub(crate) fn distinct(&mut self, set: &ReadSet<'_>) -> &[u64] {
        match set {
            ReadSet::Coded(batch, text) => self.decoder.distinct(batch, *text),
            ReadSet::Record(record) => self.record(record),
        }
    }

    /// Its set: its features, ascending.
    pub(crate) fn set(&mut self, set: &ReadSet<'_>) -> &[u64] {
        match set {
            ReadSet::Coded(batch, text) => self.decoder.set(batch, *text),
            ReadSet::Record(record) => self.record(record),
        }
    }

    fn record(&mut self, record: &SetRecord<'_>) -> &[u64] {
        record.features(&mut self.features);
        &self.features
    }
}

/// The sets of pages that were settled.
pub(crate) struct SettledSets {
    file: File,
    pieces: Vec<(u64, usize)>,
}

/// Writes them.
pub(crate) struct SettledWriter {
    out: ScratchWriter,
    piece: Vec<u8>,
    end: u64,
    pieces: Vec<(u64, usize)>,
}

impl SettledWriter {
    pub(crate) fn new(scratch: &Arc<Scratch>) -> io::Result<Self> {
        let (piece, pieces) = (Vec::new(), Vec::new());
        Ok(Self { out: scratch.create(SETTLED)?, piece, end: 0, pieces })
    }

    pub(crate) fn add(&mut self, record: &SetRecord<'_>) -> io::Result<()> {
        record.write(&mut self.piece);
        if self.piece.len() >= PIECE { self.end_piece() } else { Ok(()) }
    }

    fn end_piece(&mut self) -> io::Result<()> {
        self.out.write_all(&self.piece)?;
        self.pieces.push((self.end, self.piece.len()));
        self.end += self.piece.len() as u64;
        self.piece.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self, scratch: &Scratch) -> io::Result<SettledSets> {
        self.end_piece()?;
        self.out.finish()?;
        Ok(SettledSets { file: File::open(scratch.file(SETTLED))?, pieces: self.pieces })
    }
}
