//! The sets of all documents, in pieces that several threads can read: as they were logged, and of pages
//! once they are settled.

use super::log::LoggedBatch;
use super::scratch::{Scratch, ScratchWriter, read_at};
use super::set_record::SetRecord;
use super::table::DocumentTable;
use std::fs::File;
use std::io;
use std::sync::Arc;

const SETTLED: &str = "settled.log";
/// The bytes of a piece of settled pages.
const PIECE: usize = 1 << 20;

/// Where the sets of documents are.
pub(crate) struct SetSource<'a> {
    table: &'a DocumentTable,
    settled: Option<SettledSets>,
}

/// A piece of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SetPiece<'a> {
    /// A batch, from this position on.
    Batch(u32, &'a LoggedBatch),
    /// Settled pages: where they are, and their bytes.
    Settled(u64, usize),
}

impl<'a> SetSource<'a> {
    pub(crate) fn new(table: &'a DocumentTable, settled: Option<SettledSets>) -> Self {
        Self { table, settled }
    }

    pub(crate) fn pieces(&self) -> Vec<SetPiece<'a>> {
        let batches = self.table.batches().map(|(first, batch)| SetPiece::Batch(first, batch));
        let settled = self.settled.iter().flat_map(|settled| &settled.pieces);
        batches.chain(settled.map(|&(at, len)| SetPiece::Settled(at, len))).collect()
    }

    /// The bytes of a piece.
    pub(crate) fn read(&self, piece: SetPiece<'_>) -> io::Result<Vec<u8>> {
        match (piece, &self.settled) {
            (SetPiece::Batch(_, batch), _) => self.table.sets(batch),
            (SetPiece::Settled(at, len), Some(settled)) => {
                let mut bytes = vec![0; len];
                read_at(&settled.file, &mut bytes, at)?;
                Ok(bytes)
            }
            (SetPiece::Settled(..), None) => Ok(Vec::new()),
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

    /// The set of every document, by its position, from the bytes of the piece; not of pages that were settled.
    pub(crate) fn sets<'b>(
        self,
        bytes: &'b [u8],
    ) -> impl Iterator<Item = io::Result<(u32, SetRecord<'b>)>> {
        SetRecord::all(bytes).enumerate().filter_map(move |(at, record)| match (self, record) {
            (SetPiece::Batch(..), Ok(record)) if record.is_page => None,
            (SetPiece::Batch(first, _), Ok(record)) => Some(Ok((first + at as u32, record))),
            (SetPiece::Settled(..), Ok(record)) => Some(Ok((record.position, record))),
            (_, Err(error)) => Some(Err(error)),
        })
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
