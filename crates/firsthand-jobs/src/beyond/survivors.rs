//! The texts that may have a partner, by size: all others are ruled out by counters.

use super::scratch::Scratch;
use super::set_source::{ReadPiece, ReadSet, SetPiece, SetReader, SetSource};
use super::size_ranges::{SizeCounts, SizeRanges, SizedTexts};
use super::steps::Step;
use super::texts::Texts;
use firsthand::Settings;
use firsthand::pieces::{FeatureCounters, SingleFeatures};
use rayon::prelude::*;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// Features are counted in at most two to this power ranges, however little memory there is: counters
/// that are too small keep too much, and lose nothing.
const MOST_RANGES: u32 = 6;

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
    pieces: Vec<ReadPiece>,
}

impl<'a> PiecesRead<'a> {
    fn new(sets: &'a TextSets<'a>, pieces: &[SetPiece<'a>]) -> io::Result<Self> {
        let read = |piece: &SetPiece<'a>| sets.source.read(*piece);
        Ok(Self { sets, pieces: pieces.iter().map(read).collect::<io::Result<_>>()? })
    }

    /// The texts that are compared, and their positions.
    fn texts(&self) -> impl Iterator<Item = io::Result<(u32, ReadSet<'_>)>> {
        let sets = self.pieces.iter().flat_map(ReadPiece::sets);
        sets.filter(move |text| {
            text.as_ref().map_or(true, |(at, set)| self.sets.is_compared(*at, set.size()))
        })
    }
}

impl TextSets<'_> {
    /// Whether a text has enough features, and is no copy.
    fn is_compared(&self, at: u32, size: usize) -> bool {
        size >= self.settings.min_features.max(1) && !self.texts.is_copy.get(at as usize)
    }

    /// How many of the texts that are compared have each size.
    fn sizes(&self, pieces: &[SetPiece<'_>]) -> io::Result<SizeCounts> {
        let count = |mut sizes: SizeCounts, piece: &SetPiece<'_>| {
            let (first, rows) = self.source.rows(*piece)?;
            for (at, row) in (first..).zip(rows) {
                if self.is_compared(at, row.size as usize) {
                    *sizes.entry(row.size).or_default() += 1;
                }
            }
            Ok(sizes)
        };
        let counted = pieces.par_iter().try_fold(SizeCounts::new, count);
        counted.try_reduce(SizeCounts::new, |mut sizes, others| {
            others.into_iter().for_each(|(size, count)| *sizes.entry(size).or_default() += count);
            Ok(sizes)
        })
    }

    /// Finds the texts that may have a partner, in so much memory. What was `counted` as they were read, and
    /// takes part of it, need not be counted again.
    pub(crate) fn survivors(
        &self,
        scratch: &Arc<Scratch>,
        memory: usize,
        (documents, counted): (usize, Option<SingleFeatures>),
        step: &Step<'_>,
    ) -> io::Result<SizedTexts> {
        let pieces = self.source.pieces();
        let sizes = self.sizes(&pieces)?;
        // Without a rule by size nothing can be ruled out.
        let is_counted = SingleFeatures::spare(self.settings, 1).is_some();
        let bytes = pieces.iter().map(SetPiece::len).sum::<u64>();
        let features: u64 = sizes.iter().map(|(size, count)| u64::from(*size) * count).sum();
        let features = if is_counted { features } else { 0 };
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
        let survivors = SizeRanges::new(scratch, &sizes, memory)?;
        let keep = |at: u32, set: &ReadSet<'_>, reader: &mut SetReader| {
            let head = self.texts.heads.get(&at).map_or(set.head(), Vec::as_slice);
            survivors.add(at, head, reader.set(set))
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
                    let start = || (counters.counter(), SetReader::default());
                    groups.par_iter().try_for_each_init(start, |(counter, reader), pieces| {
                        advance()?;
                        PiecesRead::new(self, pieces)?.texts().try_for_each(|text| {
                            counter.add(reader.distinct(&text?.1));
                            Ok::<_, io::Error>(())
                        })
                    })?;
                    counters.finish()
                }
            };
            let start = || (singles.asked(), SetReader::default());
            groups.par_iter().try_for_each_init(start, |(asked, reader), pieces| {
                advance()?;
                let read = PiecesRead::new(self, pieces)?;
                let mut texts = Vec::new();
                for text in read.texts() {
                    let (at, set) = text?;
                    let features = reader.features(&set);
                    asked.ask(features);
                    texts.push((at, set, features.len()));
                }
                for ((at, set, features), mut found) in texts.into_iter().zip(asked.answer()) {
                    if let Some(before) = several.get(at as usize) {
                        found += before.fetch_add(found, Relaxed);
                    }
                    // Repeated features were found more often than they count.
                    let repeated = features.saturating_sub(set.size());
                    let spare = SingleFeatures::spare(self.settings, set.size());
                    let is_alone = spare.is_some_and(|spare| found as usize > spare + repeated);
                    if is_last && !is_alone {
                        keep(at, &set, reader)?;
                    }
                }
                Ok::<_, io::Error>(())
            })?;
        }
        if !is_counted {
            groups.par_iter().try_for_each_init(SetReader::default, |reader, pieces| {
                advance()?;
                let read = PiecesRead::new(self, pieces)?;
                read.texts().try_for_each(|text| text.and_then(|(at, set)| keep(at, &set, reader)))
            })?;
        }
        survivors.finish()
    }
}
