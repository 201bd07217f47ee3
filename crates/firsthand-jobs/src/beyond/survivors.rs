//! The texts that may have a partner, by size: all others are ruled out by counters.

use super::record_sorter::{RecordSorter, SortedRecords};
use super::row::array;
use super::scratch::Scratch;
use super::set_record::SetRecord;
use super::set_source::{SetPiece, SetSource};
use super::steps::Step;
use super::texts::Texts;
use firsthand::Settings;
use firsthand::pieces::SingleFeatures;
use rayon::prelude::*;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Features are counted in at most two to this power ranges, however little memory there is: counters
/// that are too small keep too much, and lose nothing.
const MOST_RANGES: u32 = 6;

/// The texts that may have a partner, ascending by size and position.
pub(crate) struct Survivors {
    sorted: SortedRecords,
    record: Vec<u8>,
}

/// One of them.
pub(crate) struct Survivor<'a> {
    pub(crate) position: u32,
    pub(crate) head: &'a [u8],
    pub(crate) features: &'a [u8],
}

impl Survivors {
    /// The next one.
    pub(crate) fn next(&mut self) -> io::Result<Option<Survivor<'_>>> {
        if !self.sorted.next(&mut self.record)? {
            return Ok(None);
        }
        let record = &self.record;
        let position = u32::from_be_bytes(array(&record[4..8]));
        let head = u32::from_be_bytes(array(&record[8..12])) as usize;
        let (head, features) = record[12..].split_at(head);
        Ok(Some(Survivor { position, head, features }))
    }
}

/// What texts are looked for in.
pub(crate) struct TextSets<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) source: &'a SetSource<'a>,
    pub(crate) texts: &'a Texts,
}

impl TextSets<'_> {
    /// Calls `each` with every text that has enough features.
    fn each(
        &self,
        piece: SetPiece<'_>,
        mut each: impl FnMut(u32, SetRecord<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let least = 8 * self.settings.min_features.max(1);
        self.source.each(piece, |at, record| {
            let is_text = record.content.len() >= least && !self.texts.is_copy.get(at as usize);
            if is_text { each(at, record) } else { Ok(()) }
        })
    }

    /// Finds the texts that may have a partner, in so much memory.
    pub(crate) fn survivors(
        &self,
        scratch: &Arc<Scratch>,
        memory: usize,
        documents: usize,
        step: &Step<'_>,
    ) -> io::Result<Survivors> {
        let pieces = self.source.pieces();
        // Without a rule by size nothing can be ruled out.
        let counted = SingleFeatures::spare(self.settings, 1).is_some();
        let features = if counted { self.features(&pieces)? } else { 0 };
        let counters = SingleFeatures::bytes(self.settings, features);
        let ranges = counters.div_ceil((memory as u64 / 2).max(1)).max(1);
        let bits = ranges.next_power_of_two().trailing_zeros().min(MOST_RANGES);
        let passes = if counted { 2 << bits } else { 1 };
        let done = AtomicUsize::new(0);
        let total = passes * pieces.len().max(1);
        let advance = || step.share(done.fetch_add(1, Relaxed) as f64 / total as f64);
        let sorter = Mutex::new(RecordSorter::new(scratch, "survivors", memory / 3));
        let keep = |at: u32, record: &SetRecord<'_>| -> io::Result<()> {
            let head = self.texts.heads.get(&at).map_or(record.head, Vec::as_slice);
            let mut bytes = Vec::with_capacity(12 + head.len() + record.content.len());
            bytes.extend_from_slice(&((record.content.len() / 8) as u32).to_be_bytes());
            bytes.extend_from_slice(&at.to_be_bytes());
            bytes.extend_from_slice(&(head.len() as u32).to_be_bytes());
            bytes.extend_from_slice(head);
            bytes.extend_from_slice(record.content);
            sorter.lock().unwrap_or_else(PoisonError::into_inner).push(&bytes)
        };
        // Of each document, how many of its features are single; only if there are several ranges.
        let several: Vec<AtomicU32> = match bits {
            0 => Vec::new(),
            _ => (0..documents).map(|_| AtomicU32::new(0)).collect(),
        };
        for range in (0..1u64 << bits).filter(|_| counted) {
            let is_last = range + 1 == 1 << bits;
            let mut failed = Ok(());
            let singles = SingleFeatures::count(
                self.settings,
                (features >> bits) as usize,
                (bits, range),
                |counters| {
                    let start = || (counters.counter(), Vec::new());
                    failed = pieces.par_iter().try_for_each_init(start, |(counter, set), piece| {
                        advance()?;
                        self.each(*piece, |_, record| {
                            record.features(set);
                            counter.add(set);
                            Ok(())
                        })
                    });
                },
            );
            failed?;
            pieces.par_iter().try_for_each_init(Vec::new, |set, piece| {
                advance()?;
                self.each(*piece, |at, record| {
                    record.features(set);
                    let mut found = singles.singles_of(set);
                    if let Some(before) = several.get(at as usize) {
                        found += before.fetch_add(found as u32, Relaxed) as usize;
                    }
                    let is_alone = SingleFeatures::spare(self.settings, set.len())
                        .is_some_and(|spare| found > spare);
                    if is_last && !is_alone { keep(at, &record) } else { Ok(()) }
                })
            })?;
        }
        if !counted {
            pieces.par_iter().try_for_each(|piece| {
                advance()?;
                self.each(*piece, |at, record| keep(at, &record))
            })?;
        }
        let sorter = sorter.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Survivors { sorted: sorter.finish()?, record: Vec::new() })
    }

    /// The number of features of all texts, not looking at each.
    fn features(&self, pieces: &[SetPiece<'_>]) -> io::Result<u64> {
        let bytes = |piece: &SetPiece<'_>| match piece {
            SetPiece::Batch(_, batch) => batch.sets.1,
            SetPiece::Settled(_, len) => *len as u64,
        };
        Ok(pieces.iter().map(bytes).sum::<u64>() / 8)
    }
}
