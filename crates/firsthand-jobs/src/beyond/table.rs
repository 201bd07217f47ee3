//! The documents of a collection, outside of memory: each is found by its position.

use super::log::{self, DOCUMENTS, LoggedBatch, SETS};
use super::row::{ROW, Row, array, number};
use super::scratch::{Scratch, read_at, write_at};
use super::set_record::{SetRecord, damaged};
use super::spill::BatchNotes;
use super::texts::Texts;
use crate::description::Description;
use firsthand::collections::Summary;
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Batches that are looked at on a thread before what was made of them is taken.
const BATCHES_A_THREAD: usize = 4;

/// All documents, those of a reference first.
#[derive(Debug)]
pub(crate) struct DocumentTable {
    documents: File,
    sets: File,
    /// In the order of the input.
    batches: Vec<LoggedBatch>,
    /// The position of the first document of each batch.
    firsts: Vec<u32>,
    len: u32,
    split: Option<u32>,
    least_features: usize,
    /// The numbers that documents have after their ids, where these occurred before.
    pub(crate) renamed: Vec<(u32, u32)>,
    /// What pages are compared by, once their sites are known.
    pub(crate) settled: Option<File>,
    /// Rows and names of batches that were asked for, as long as there is room.
    kept: Vec<OnceLock<Box<[u8]>>>,
    room: AtomicU64,
    /// The folder stays as long as the table.
    _scratch: Arc<Scratch>,
}

/// What is known of a page once it is settled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SettledRow {
    pub(crate) fingerprint: Option<u128>,
    pub(crate) length: u32,
    pub(crate) size: u32,
    pub(crate) nothing_but_form: bool,
}

/// The bytes of a settled row.
pub(crate) const SETTLED: usize = 25;

impl SettledRow {
    pub(crate) fn to_bytes(self) -> [u8; SETTLED] {
        let mut bytes = [0; SETTLED];
        bytes[..16].copy_from_slice(&self.fingerprint.unwrap_or(0).to_le_bytes());
        bytes[16..20].copy_from_slice(&self.length.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.size.to_le_bytes());
        let (has_text, is_form) = (self.fingerprint.is_some(), self.nothing_but_form);
        bytes[24] = u8::from(has_text) | u8::from(is_form) << 1;
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let fingerprint = u128::from_le_bytes(array(&bytes[..16]));
        Self {
            fingerprint: (bytes[24] & 1 != 0).then_some(fingerprint),
            length: number(&bytes[16..20]),
            size: number(&bytes[20..24]),
            nothing_but_form: bytes[24] & 2 != 0,
        }
    }
}

impl DocumentTable {
    pub(crate) fn new(
        scratch: &Arc<Scratch>,
        mut batches: Vec<LoggedBatch>,
        (is_against, least_features): (bool, usize),
    ) -> io::Result<Self> {
        batches.sort_unstable_by_key(|batch| (batch.side, batch.batch));
        let (mut firsts, mut len, mut old) = (Vec::with_capacity(batches.len()), 0u32, 0);
        for batch in &batches {
            firsts.push(len);
            len = len.checked_add(batch.documents).ok_or_else(|| {
                io::Error::other("more than four thousand million documents, which is too many")
            })?;
            old = if batch.side == 0 { len } else { old };
        }
        Ok(Self {
            documents: File::open(scratch.file(DOCUMENTS))?,
            sets: File::open(scratch.file(SETS))?,
            kept: batches.iter().map(|_| OnceLock::new()).collect(),
            room: AtomicU64::new(0),
            batches,
            firsts,
            len,
            split: is_against.then_some(old),
            least_features,
            renamed: Vec::new(),
            settled: None,
            _scratch: Arc::clone(scratch),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Where the inputs start, if there is a reference.
    pub(crate) fn split(&self) -> Option<usize> {
        self.split.map(|split| split as usize)
    }

    pub(crate) fn batches(&self) -> impl ExactSizeIterator<Item = (u32, &LoggedBatch)> {
        self.firsts.iter().copied().zip(&self.batches)
    }

    /// Makes something of each batch, on all threads, and hands it to `take` in the order of the batches.
    pub(crate) fn each_batch<T: Send>(
        &self,
        make: impl Fn(u32, &LoggedBatch) -> io::Result<T> + Sync,
        mut take: impl FnMut((u32, &LoggedBatch), T) -> io::Result<()>,
    ) -> io::Result<()> {
        let batches: Vec<(u32, &LoggedBatch)> = self.batches().collect();
        for some in batches.chunks(BATCHES_A_THREAD * rayon::current_num_threads()) {
            let made = some.par_iter().map(|(first, batch)| make(*first, batch));
            let made: Vec<T> = made.collect::<io::Result<_>>()?;
            some.iter().zip(made).try_for_each(|(batch, made)| take(*batch, made))?;
        }
        Ok(())
    }

    /// Keeps what is asked for from now on in so much memory: results name documents in an order that is not theirs.
    pub(crate) fn keep_up_to(&mut self, bytes: u64) {
        self.room = AtomicU64::new(bytes);
    }

    /// Rows and names of the batch with this number, if there is room for them.
    fn kept(&self, number: usize) -> io::Result<Option<&[u8]>> {
        let (kept, batch) = (&self.kept[number], &self.batches[number]);
        let [start, _, end, _] = batch.parts;
        let take = |room: u64| room.checked_sub(end - start);
        if kept.get().is_none() && self.room.fetch_update(Relaxed, Relaxed, take).is_ok() {
            let mut bytes = vec![0; (end - start) as usize];
            read_at(&self.documents, &mut bytes, start)?;
            let _ = kept.set(bytes.into());
        }
        Ok(kept.get().map(|bytes| &**bytes))
    }

    /// Reads from rows or names of a batch.
    fn read(&self, number: usize, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let Some(kept) = self.kept(number)? else { return read_at(&self.documents, bytes, at) };
        let from = kept.get((at - self.batches[number].parts[0]) as usize..);
        let from = from.and_then(|from| from.get(..bytes.len())).ok_or_else(damaged)?;
        bytes.copy_from_slice(from);
        Ok(())
    }

    fn settle(&self, row: &mut Row, settled: &[u8]) {
        let settled = SettledRow::from_bytes(settled);
        row.fingerprint = settled.fingerprint;
        (row.length, row.size) = (settled.length, settled.size);
        row.nothing_but_form = settled.nothing_but_form;
    }

    /// The row of a document, and the number of its batch.
    fn row(&self, at: u32) -> io::Result<(Row, usize)> {
        let batch = self.firsts.partition_point(|first| *first <= at) - 1;
        let within = u64::from(at - self.firsts[batch]);
        let mut bytes = [0; ROW];
        self.read(batch, &mut bytes, self.batches[batch].parts[0] + within * ROW as u64)?;
        let mut row = Row::from_bytes(&bytes);
        if let Some(settled) = &self.settled {
            let mut bytes = [0; SETTLED];
            read_at(settled, &mut bytes, u64::from(at) * SETTLED as u64)?;
            self.settle(&mut row, &bytes);
        }
        Ok((row, batch))
    }

    /// The rows of a batch.
    pub(crate) fn rows(&self, first: u32, batch: &LoggedBatch) -> io::Result<Vec<Row>> {
        let count = batch.documents as usize;
        let mut bytes = vec![0; count * ROW];
        read_at(&self.documents, &mut bytes, batch.parts[0])?;
        let mut rows: Vec<Row> = bytes.chunks_exact(ROW).map(Row::from_bytes).collect();
        if let Some(settled) = &self.settled {
            let mut bytes = vec![0; count * SETTLED];
            read_at(settled, &mut bytes, u64::from(first) * SETTLED as u64)?;
            let settled = bytes.chunks_exact(SETTLED);
            rows.iter_mut().zip(settled).for_each(|(row, settled)| self.settle(row, settled));
        }
        Ok(rows)
    }

    /// The notes of a batch.
    pub(crate) fn notes(&self, batch: &LoggedBatch) -> io::Result<BatchNotes> {
        serde_json::from_slice(&log::notes(&self.documents, batch)?).map_err(|_| damaged())
    }

    /// The ids of a batch as they were read, with its rows.
    pub(crate) fn ids(&self, first: u32, batch: &LoggedBatch) -> io::Result<Vec<String>> {
        let [_, names, notes, _] = batch.parts;
        let mut bytes = vec![0; (notes - names) as usize];
        read_at(&self.documents, &mut bytes, names)?;
        let id = |row: &Row| {
            let start = row.id.0 as usize;
            let id = bytes.get(start..start + row.id.1 as usize).ok_or_else(damaged)?;
            String::from_utf8(id.to_vec()).map_err(|_| damaged())
        };
        self.rows(first, batch)?.iter().map(id).collect()
    }

    /// The set records of a batch.
    pub(crate) fn sets(&self, batch: &LoggedBatch) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; batch.sets.1 as usize];
        read_at(&self.sets, &mut bytes, batch.sets.0)?;
        Ok(bytes)
    }

    /// Calls `each` with every set record of a batch, and the position of its document.
    pub(crate) fn each_set(
        &self,
        (first, batch): (u32, &LoggedBatch),
        mut each: impl FnMut(u32, SetRecord<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let bytes = self.sets(batch)?;
        for (at, record) in SetRecord::all(&bytes).enumerate() {
            each(first + at as u32, record?)?;
        }
        Ok(())
    }

    /// The id of a document as it was read.
    pub(crate) fn raw_id(&self, at: u32) -> io::Result<String> {
        let (row, batch) = self.row(at)?;
        self.name(row.id, batch)
    }

    fn name(&self, (start, len): (u32, u32), batch: usize) -> io::Result<String> {
        let mut bytes = vec![0; len as usize];
        self.read(batch, &mut bytes, self.batches[batch].parts[1] + u64::from(start))?;
        String::from_utf8(bytes).map_err(|_| damaged())
    }

    fn renamed(&self, at: u32, id: String) -> String {
        match self.renamed.binary_search_by_key(&at, |(at, _)| *at) {
            Ok(place) => format!("{id}#{}", self.renamed[place].1),
            Err(_) => id,
        }
    }

    /// What is known of a document.
    pub(crate) fn summary(&self, at: usize) -> io::Result<Summary> {
        let (row, batch) = self.row(at as u32)?;
        let id = self.renamed(at as u32, self.name(row.id, batch)?);
        Ok(self.summary_of(row, id))
    }

    fn summary_of(&self, row: Row, id: String) -> Summary {
        let short = row.fingerprint.is_none() || (row.size as usize) < self.least_features;
        Summary::new(id, row.time, (row.length, row.size), (short, row.nothing_but_form && short))
    }

    /// What is known of all documents from a position on, in order.
    pub(crate) fn summaries(&self, from: usize) -> impl Iterator<Item = io::Result<Summary>> {
        let batches = self
            .batches()
            .filter(move |(first, batch)| *first as usize + batch.documents as usize > from);
        batches.flat_map(move |(first, batch)| {
            let of_batch = self.rows(first, batch).and_then(|rows| {
                let ids = self.ids(first, batch)?;
                let all = (first..).zip(rows.into_iter().zip(ids));
                let all = all.map(|(at, (row, id))| self.summary_of(row, self.renamed(at, id)));
                Ok(all.skip(from.saturating_sub(first as usize)).collect::<Vec<_>>())
            });
            match of_batch {
                Ok(summaries) => summaries.into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            }
        })
    }

    /// Gives exact copies what the first document with their text has.
    pub(crate) fn share_texts(&self, texts: &Texts) -> io::Result<()> {
        let Some(settled) = &self.settled else { return Ok(()) };
        let place = |at: u32| u64::from(at) * SETTLED as u64;
        let mut copies = texts.copies()?;
        while let Some((copy, first)) = copies.next()? {
            let (mut own, mut of_first) = ([0; SETTLED], [0; SETTLED]);
            read_at(settled, &mut own, place(copy))?;
            read_at(settled, &mut of_first, place(first))?;
            let first = SettledRow::from_bytes(&of_first);
            let row = SettledRow {
                length: first.length,
                size: first.size,
                ..SettledRow::from_bytes(&own)
            };
            write_at(settled, &row.to_bytes(), place(copy))?;
        }
        Ok(())
    }

    /// What a document is called.
    pub(crate) fn description(&self, at: usize) -> io::Result<Description> {
        let (row, batch) = self.row(at as u32)?;
        if row.description == 0 {
            return Ok(Description::default());
        }
        let json = self.name((row.id.0 + row.id.1, row.description), batch)?;
        serde_json::from_str(&json).map_err(|_| damaged())
    }
}
