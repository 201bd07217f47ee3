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

    /// Calls `each` with the set of every document of a piece; not with pages that were settled.
    pub(crate) fn each(
        &self,
        piece: SetPiece<'_>,
        mut each: impl FnMut(u32, SetRecord<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        match (piece, &self.settled) {
            (SetPiece::Batch(first, batch), _) => {
                self.table.each_set((first, batch), |at, record| match record.is_page {
                    true => Ok(()),
                    false => each(at, record),
                })
            }
            (SetPiece::Settled(at, len), Some(settled)) => {
                let mut bytes = vec![0; len];
                read_at(&settled.file, &mut bytes, at)?;
                SetRecord::all(&bytes).try_for_each(|record| {
                    let record = record?;
                    each(record.position, record)
                })
            }
            (SetPiece::Settled(..), None) => Ok(()),
        }
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
