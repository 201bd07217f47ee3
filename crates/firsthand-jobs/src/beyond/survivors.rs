//! The texts that may have a partner, by size: all others are ruled out by counters.

use super::record_sorter::{RecordSorter, SortedRecords};
use super::row::array;
use super::scratch::Scratch;
use super::set_record::SetRecord;
use super::set_source::{SetPiece, SetSource};
use super::steps::Step;
use super::texts::Texts;
use firsthand::Settings;
use firsthand::pieces::{FeatureCounters, SingleFeatures};
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

/// Bytes of sets that are looked at together, where there is the memory for it.
const TOGETHER: u64 = 32 << 20;

/// Some pieces that were read.
struct PiecesRead<'a> {
    sets: &'a TextSets<'a>,
    pieces: Vec<(SetPiece<'a>, Vec<u8>)>,
}

impl<'a> PiecesRead<'a> {
    fn new(sets: &'a TextSets<'a>, pieces: &[SetPiece<'a>]) -> io::Result<Self> {
        let read = |piece: &SetPiece<'a>| Ok((*piece, sets.source.read(*piece)?));
        Ok(Self { sets, pieces: pieces.iter().map(read).collect::<io::Result<_>>()? })
    }

    /// The texts that have enough features, and their positions.
    fn texts(&self) -> impl Iterator<Item = io::Result<(u32, SetRecord<'_>)>> {
        let least = 8 * self.sets.settings.min_features.max(1);
        let is_copy = &self.sets.texts.is_copy;
        let sets = self.pieces.iter().flat_map(|(piece, bytes)| piece.sets(bytes));
        sets.filter(move |text| {
            text.as_ref().map_or(true, |(at, record)| {
                record.content.len() >= least && !is_copy.get(*at as usize)
            })
        })
    }
}

impl TextSets<'_> {
    /// Finds the texts that may have a partner, in so much memory. What was `counted` as they were read, and
    /// takes part of it, need not be counted again.
    pub(crate) fn survivors(
        &self,
        scratch: &Arc<Scratch>,
        memory: usize,
        documents: usize,
        counted: Option<SingleFeatures>,
        step: &Step<'_>,
    ) -> io::Result<Survivors> {
        let pieces = self.source.pieces();
        // Without a rule by size nothing can be ruled out.
        let is_counted = SingleFeatures::spare(self.settings, 1).is_some();
        let bytes = pieces.iter().map(SetPiece::len).sum::<u64>();
        let features = if is_counted { bytes / 8 } else { 0 };
        let counters = SingleFeatures::bytes(self.settings, features);
        let ranges = counters.div_ceil((memory as u64 / 2).max(1)).max(1);
        let bits = match counted {
            Some(_) => 0,
            None => ranges.next_power_of_two().trailing_zeros().min(MOST_RANGES),
        };
        let passes = match (is_counted, &counted) {
            (true, None) => 2 << bits,
            _ => 1,
        };
        let at_once = TOGETHER.min(memory as u64 / 32).saturating_mul(pieces.len() as u64);
        let groups = pieces.chunks((at_once / bytes.max(1)).max(1) as usize);
        let groups: Vec<&[SetPiece<'_>]> = groups.collect();
        let done = AtomicUsize::new(0);
        let total = passes * groups.len().max(1);
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
        let mut counted = counted;
        for range in (0..1u64 << bits).filter(|_| is_counted) {
            let is_last = range + 1 == 1 << bits;
            let singles = match counted.take() {
                Some(singles) => singles,
                None => {
                    let (features, range) = ((features >> bits) as usize, (bits, range));
                    let counters = FeatureCounters::new(self.settings, features, range);
                    let start = || (counters.counter(), Vec::new());
                    groups.par_iter().try_for_each_init(start, |(counter, set), pieces| {
                        advance()?;
                        PiecesRead::new(self, pieces)?.texts().try_for_each(|text| {
                            text?.1.features(set);
                            counter.add(set);
                            Ok::<_, io::Error>(())
                        })
                    })?;
                    counters.finish()
                }
            };
            groups.par_iter().try_for_each(|pieces| {
                advance()?;
                let read = PiecesRead::new(self, pieces)?;
                let texts = read.texts().collect::<io::Result<Vec<_>>>()?;
                let features = |(_, record): &(u32, SetRecord<'_>)| {
                    let mut features = Vec::new();
                    record.features(&mut features);
                    features
                };
                let found = singles.singles_of(texts.iter().map(features));
                for ((at, record), mut found) in texts.into_iter().zip(found) {
                    if let Some(before) = several.get(at as usize) {
                        found += before.fetch_add(found, Relaxed);
                    }
                    let size = record.content.len() / 8;
                    let spare = SingleFeatures::spare(self.settings, size);
                    let is_alone = spare.is_some_and(|spare| found as usize > spare);
                    if is_last && !is_alone {
                        keep(at, &record)?;
                    }
                }
                Ok::<_, io::Error>(())
            })?;
        }
        if !is_counted {
            groups.par_iter().try_for_each(|pieces| {
                advance()?;
                let read = PiecesRead::new(self, pieces)?;
                read.texts().try_for_each(|text| text.and_then(|(at, set)| keep(at, &set)))
            })?;
        }
        let sorter = sorter.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Survivors { sorted: sorter.finish()?, record: Vec::new() })
    }
}
