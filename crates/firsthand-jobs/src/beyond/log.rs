//! What was read, batch by batch, in the order in which batches were done: two files, one with the
//! documents and one with what they are compared by. Each batch has a checksum, so that what a killed run
//! left is known to be whole.

use super::row::{ROW, array, number};
use super::scratch::{Scratch, ScratchWriter, read_at, read_or_end};
use super::set_record::damaged;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Seek};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

pub(crate) const DOCUMENTS: &str = "documents.log";
pub(crate) const SETS: &str = "sets.log";
const MAGIC: u32 = 0x4653_4c31;
const HEADER: usize = 96;

/// A batch that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchLog {
    /// 0 for a reference, 1 for the inputs.
    pub(crate) side: u32,
    pub(crate) batch: u32,
    pub(crate) documents: u32,
    /// The first and the last input that it has parts of.
    pub(crate) inputs: (u32, u32),
    /// Its rows, ids and descriptions, and notes.
    pub(crate) rows: Vec<u8>,
    pub(crate) names: Vec<u8>,
    pub(crate) notes: Vec<u8>,
    /// Its set records.
    pub(crate) sets: Vec<u8>,
}

/// Where a batch is in the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoggedBatch {
    pub(crate) side: u32,
    pub(crate) batch: u32,
    pub(crate) documents: u32,
    pub(crate) inputs: (u32, u32),
    /// Where rows, names and notes start, and where notes end.
    pub(crate) parts: [u64; 4],
    /// Where its sets are, and their length.
    pub(crate) sets: (u64, u64),
    sets_sum: u64,
    sum: u64,
}

/// The log while it is written by many threads.
pub(crate) struct Log {
    state: Mutex<State>,
}

struct State {
    documents: ScratchWriter,
    sets: ScratchWriter,
    ends: (u64, u64),
    batches: Vec<LoggedBatch>,
    failed: Option<io::Error>,
}

impl Log {
    /// Begins with batches that are there already.
    pub(crate) fn open(scratch: &Arc<Scratch>, batches: Vec<LoggedBatch>) -> io::Result<Self> {
        let ends = batches.iter().fold((0, 0), |(documents, sets), batch| {
            (batch.parts[3].max(documents), (batch.sets.0 + batch.sets.1).max(sets))
        });
        for (name, end) in [(DOCUMENTS, ends.0), (SETS, ends.1)] {
            // What came after the last whole batch goes.
            let options = File::options().create(true).truncate(false).write(true).clone();
            options.open(scratch.file(name))?.set_len(end)?;
            scratch.adopt(end);
        }
        let state = State {
            documents: scratch.append(DOCUMENTS)?,
            sets: scratch.append(SETS)?,
            ends,
            batches,
            failed: None,
        };
        Ok(Self { state: Mutex::new(state) })
    }

    /// Adds a batch.
    pub(crate) fn add(&self, batch: &BatchLog) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.failed.is_none()
            && let Err(error) = state.add(batch)
        {
            state.failed = Some(error);
        }
    }

    /// Whether writing has failed, so that reading on is of no use.
    pub(crate) fn has_failed(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).failed.is_some()
    }

    /// Ends writing.
    pub(crate) fn finish(self) -> io::Result<Vec<LoggedBatch>> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        state.sets.flush()?;
        state.documents.flush()?;
        Ok(state.batches)
    }
}

impl State {
    fn add(&mut self, batch: &BatchLog) -> io::Result<()> {
        let (rows, names, notes) = (&batch.rows, &batch.names, &batch.notes);
        let rows_at = self.ends.0 + HEADER as u64;
        let names_at = rows_at + rows.len() as u64;
        let notes_at = names_at + names.len() as u64;
        let mut logged = LoggedBatch {
            side: batch.side,
            batch: batch.batch,
            documents: batch.documents,
            inputs: batch.inputs,
            parts: [rows_at, names_at, notes_at, notes_at + notes.len() as u64],
            sets: (self.ends.1, batch.sets.len() as u64),
            sets_sum: xxh3_64(&batch.sets),
            sum: 0,
        };
        let payload = [rows.as_slice(), names, notes].map(xxh3_64);
        logged.sum = sum(&logged.header(), payload);
        self.sets.write_all(&batch.sets)?;
        // What a batch is compared by is there before the batch is.
        self.sets.flush()?;
        self.documents.write_all(&logged.header())?;
        for part in [rows, names, notes] {
            self.documents.write_all(part)?;
        }
        self.documents.flush()?;
        self.ends = (logged.parts[3], logged.sets.0 + logged.sets.1);
        self.batches.push(logged);
        Ok(())
    }
}

fn sum(header: &[u8], payload: [u64; 3]) -> u64 {
    let payload = payload.map(u64::to_le_bytes).concat();
    xxh3_64(&[&header[..HEADER - 8], &payload].concat())
}

impl LoggedBatch {
    fn header(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let small =
            [MAGIC, self.side, self.batch, self.documents, self.inputs.0, self.inputs.1, 0, 0];
        for (place, number) in bytes.chunks_exact_mut(4).zip(small) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let [rows, names, notes, end] = self.parts;
        let wide = [rows, names, notes, end, self.sets.0, self.sets.1, self.sets_sum, self.sum];
        for (place, number) in bytes[32..].chunks_exact_mut(8).zip(wide) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_header(bytes: &[u8]) -> Option<Self> {
        let small = |at: usize| number(&bytes[4 * at..4 * at + 4]);
        let wide = |at: usize| u64::from_le_bytes(array(&bytes[32 + 8 * at..40 + 8 * at]));
        (small(0) == MAGIC).then(|| Self {
            side: small(1),
            batch: small(2),
            documents: small(3),
            inputs: (small(4), small(5)),
            parts: [wide(0), wide(1), wide(2), wide(3)],
            sets: (wide(4), wide(5)),
            sets_sum: wide(6),
            sum: wide(7),
        })
    }

    /// Whether everything of it is as it was written.
    fn is_whole(&self, at: u64, documents: &File, sets: &File) -> io::Result<bool> {
        let [rows, names, notes, end] = self.parts;
        let is_plausible = rows == at + HEADER as u64
            && names >= rows
            && notes >= names
            && end >= notes
            && names - rows == u64::from(self.documents) * ROW as u64
            && end <= documents.metadata()?.len()
            && self
                .sets
                .0
                .checked_add(self.sets.1)
                .is_some_and(|end| sets.metadata().is_ok_and(|sets| end <= sets.len()));
        if !is_plausible {
            return Ok(false);
        }
        let part = |file: &File, from: u64, to: u64| {
            let mut bytes = vec![0; (to - from) as usize];
            read_at(file, &mut bytes, from).map(|()| xxh3_64(&bytes))
        };
        let payload = [
            part(documents, rows, names)?,
            part(documents, names, notes)?,
            part(documents, notes, end)?,
        ];
        Ok(sum(&self.header(), payload) == self.sum
            && part(sets, self.sets.0, self.sets.0 + self.sets.1)? == self.sets_sum)
    }
}

/// The whole batches that a log has, up to the first that is not whole; of a batch that was written
/// twice, the first.
pub(crate) fn logged(scratch: &Scratch) -> io::Result<Vec<LoggedBatch>> {
    let (Ok(documents), Ok(sets)) =
        (File::open(scratch.file(DOCUMENTS)), File::open(scratch.file(SETS)))
    else {
        return Ok(Vec::new());
    };
    let mut known: HashMap<(u32, u32), ()> = HashMap::new();
    let (mut batches, mut at, mut header) = (Vec::new(), 0, [0; HEADER]);
    let mut from = &documents;
    loop {
        from.seek(io::SeekFrom::Start(at))?;
        if !read_or_end(&mut from, &mut header)? {
            break;
        }
        let Some(batch) = LoggedBatch::from_header(&header) else { break };
        if !batch.is_whole(at, &documents, &sets)? {
            break;
        }
        at = batch.parts[3];
        if known.insert((batch.side, batch.batch), ()).is_none() {
            batches.push(batch);
        }
    }
    Ok(batches)
}

/// The notes of a batch.
pub(crate) fn notes(documents: &File, batch: &LoggedBatch) -> io::Result<Vec<u8>> {
    let [_, _, start, end] = batch.parts;
    let mut bytes = vec![0; usize::try_from(end - start).map_err(|_| damaged())?];
    read_at(documents, &mut bytes, start)?;
    Ok(bytes)
}
