//! A collection beyond memory: whatever does not fit is on disk, and the results are the same.
//!
//! Documents are signed into a log on disk. From there on, everything is sorting and reading in order:
//! pages by site, texts by their hash, the texts that may have a partner by size, pairs by component.
//! In memory are, at any time, one buffer for sorting, counters, or some blocks of texts, within the
//! budget; and a few bytes for each document. What is done with each piece is in [`firsthand::pieces`].

mod bits;
pub mod budget;
mod fates;
pub(crate) mod grouping;
mod join;
mod links;
mod log;
mod manifest;
pub(crate) mod on_disk;
mod record_sorter;
mod renaming;
mod row;
pub mod scratch;
mod set_record;
mod set_source;
mod sites;
mod size_ranges;
mod spill;
mod steps;
mod survivors;
pub(crate) mod table;
mod texts;

use crate::error::{JobError, MemoryError};
use crate::observer::{Notice, Observer};
use crate::pair_list::PairList;
use crate::problems::Unread;
use crate::reading::{Pass, Reading, expected_features};
use crate::sources::{Loss, NOWHERE, SiteLoss, SiteTally, SourceTally};
use firsthand::matcher::Cost;
use firsthand::pieces::{FeatureCounters, SingleFeatures};
use firsthand::{Detector, Settings};
use grouping::Grouped;
use join::{JoinError, SizeBlocks};
use links::Links;
use log::Log;
pub(crate) use log::LoggedBatch;
use manifest::Manifest;
use on_disk::OnDisk;
use scratch::Scratch;
use set_source::{SetSource, SettledSets};
use sites::{SiteCounts, Sites, SitesError};
use spill::{BatchNotes, BatchSpiller, SpillSigner};
use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use steps::Step;
use survivors::TextSets;
use table::DocumentTable;
use texts::{TextSorter, Texts};

/// The memory of a job, and where the rest goes.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The bytes that the process may take, beside [a fixed amount](budget::FIXED).
    pub bytes: u64,
    /// Whether somebody asked for this, so that even standard input has to keep to it.
    pub is_asked: bool,
    /// The folder for what does not fit; by default inside the folder for results.
    pub scratch: Option<PathBuf>,
    /// The most bytes that may be there.
    pub room: u64,
    /// Whether to go on where an earlier run of the same job was ended.
    pub resume: bool,
}

impl Default for Memory {
    fn default() -> Self {
        let bytes = budget::default_memory().unwrap_or(u64::MAX);
        Self { bytes, is_asked: false, scratch: None, room: u64::MAX, resume: true }
    }
}

/// What each document takes in memory at most, wherever its text is.
const PER_DOCUMENT: u64 = 16;

/// A job that goes beyond memory.
pub(crate) struct BeyondJob<'a> {
    pub(crate) detector: &'a Detector,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) scratch: Arc<Scratch>,
    pub(crate) memory: u64,
    /// Whether titles and the like are wanted.
    pub(crate) described: bool,
}

/// What was read.
pub(crate) struct ReadTable {
    pub(crate) table: DocumentTable,
    pub(crate) bytes: u64,
    pub(crate) unread: Unread,
    /// Which features occur once, and the memory that this takes, if they were counted as they were read.
    pub(crate) counted: Option<(SingleFeatures, u64)>,
    /// The documents that an earlier run read.
    pub(crate) resumed: u64,
}

/// What pairs are wanted.
pub(crate) struct WantedPairs<'a> {
    pub(crate) list: PairList,
    /// The most pairs of different texts, and the most that are listed.
    pub(crate) most: (u64, u64),
    pub(crate) go_on: &'a (dyn Fn(f64) -> bool + Sync),
}

impl BeyondJob<'_> {
    fn settings(&self) -> &Settings {
        self.detector.settings()
    }

    /// An error of a file in the scratch folder. If the disk is full, the folder stays for a later run.
    fn failed(&self, error: io::Error) -> JobError {
        let folder = self.scratch.path().to_path_buf();
        match error.kind() {
            io::ErrorKind::Interrupted if self.observer.is_cancelled() => JobError::Cancelled,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                self.scratch.keep();
                MemoryError::Full { folder, held: self.scratch.held() }.into()
            }
            _ => MemoryError::Scratch { folder, source: error }.into(),
        }
    }

    /// The batches that an earlier run left, if it was the same job.
    pub(crate) fn earlier(
        &self,
        (new, reference): (&Reading, Option<&Reading>),
        resume: bool,
    ) -> Result<Vec<LoggedBatch>, JobError> {
        let now = Manifest::new(self.settings(), self.described, (new, reference));
        let mut earlier = Vec::new();
        if let Some(then) = Manifest::read(self.scratch.path()).filter(|_| resume) {
            match then.difference(&now) {
                None => earlier = log::logged(&self.scratch).map_err(|error| self.failed(error))?,
                Some(because) => self.observer.notice(Notice::NotResumed { because: &because }),
            }
        }
        if earlier.is_empty() {
            self.scratch.clear();
        } else {
            self.scratch.clear_but(&[Manifest::name(), log::DOCUMENTS, log::SETS]);
        }
        now.write(&self.scratch).map_err(|error| self.failed(error))?;
        Ok(earlier)
    }

    /// Reads everything into the log, but for what is there already.
    pub(crate) fn read(
        &self,
        (new, mut reference): (&mut Reading, Option<&mut Reading>),
        earlier: Vec<LoggedBatch>,
        total: Option<u64>,
    ) -> Result<ReadTable, JobError> {
        let step = Step::new(self.observer, &self.scratch, "reading")
            .map_err(|error| self.failed(error))?;
        let pass = Pass::new(self.observer, total).noting();
        let resumed = self
            .restore(&pass, (new, reference.as_deref_mut()), &earlier)
            .map_err(|error| self.failed(error))?;
        let known: HashSet<(u32, u32)> =
            earlier.iter().map(|batch| (batch.side, batch.batch)).collect();
        let counters = self.counters((new, reference.as_deref())).filter(|_| known.is_empty());
        let log = Log::open(&self.scratch, earlier).map_err(|error| self.failed(error))?;
        let is_against = reference.is_some();
        for (side, reading) in [(0, reference), (1, Some(new))] {
            let Some(reading) = reading else { continue };
            pass.each_batch(
                reading,
                side,
                |batch| known.contains(&(side as u32, batch as u32)),
                || SpillSigner::new(self.detector, counters.as_ref().map(|(counters, _)| counters)),
                |signer, origin, items, notes| {
                    let described = self.described;
                    let batch = (side, &origin);
                    let mut spiller = BatchSpiller::new(self.settings(), signer, described, batch);
                    items.for_each(|item| spiller.add(&item));
                    // What a cancelled or failed run left half is not noted.
                    log.add(&spiller.finish(notes(), origin));
                    !log.has_failed()
                },
            );
        }
        let batches = log.finish().map_err(|error| self.failed(error))?;
        let (bytes, unread) = pass.finish()?;
        let kind = (is_against, self.settings().min_features);
        let table = DocumentTable::new(&self.scratch, batches, kind);
        drop(step);
        let table = table.map_err(|error| self.failed(error))?;
        let counted = counters.map(|(counters, bytes)| (counters.finish(), bytes));
        Ok(ReadTable { table, bytes, unread, counted, resumed })
    }

    /// Counters for all features, if these can be counted as they are read: texts are compared as they are, the
    /// number of their features is about known, and there is the memory. Of texts that have copies, features are
    /// then taken for those of several texts, so that some are looked at that have no partner.
    fn counters(
        &self,
        (new, reference): (&Reading, Option<&Reading>),
    ) -> Option<(FeatureCounters, u64)> {
        let settings = self.settings();
        let batches = [Some(new), reference].into_iter().flatten().map(|reading| &reading.batches);
        let features: usize = batches.map(expected_features).sum();
        let bytes = SingleFeatures::bytes(settings, features as u64);
        let is_possible = !settings.template && SingleFeatures::spare(settings, 1).is_some();
        (is_possible && features > 0 && bytes <= self.memory / 2)
            .then(|| (FeatureCounters::new(settings, features, (0, 0)), bytes))
    }

    /// Takes note of what an earlier run read, and starts each reading where that ended. Returns the number
    /// of documents.
    fn restore(
        &self,
        pass: &Pass<'_>,
        (new, reference): (&mut Reading, Option<&mut Reading>),
        earlier: &[LoggedBatch],
    ) -> io::Result<u64> {
        if earlier.is_empty() {
            return Ok(0);
        }
        let documents = File::open(self.scratch.file(log::DOCUMENTS))?;
        let (mut inputs, mut count) = (0, 0);
        for (side, reading) in [(0, reference), (1, Some(new))] {
            let Some(reading) = reading else { continue };
            let mut batches: Vec<&LoggedBatch> =
                earlier.iter().filter(|batch| batch.side == side).collect();
            batches.sort_unstable_by_key(|batch| batch.batch);
            let start = if reading.batches.is_chained() { 0 } else { first_unread(&batches) };
            let (mut parts, mut left) = (Vec::new(), 0);
            for (place, batch) in batches.iter().enumerate() {
                let notes: BatchNotes = serde_json::from_slice(&log::notes(&documents, batch)?)
                    .map_err(|_| set_record::damaged())?;
                let origin = (side as usize, batch.batch as usize);
                let read = (notes.clues.as_slice(), u64::from(batch.documents));
                pass.restore(origin, notes.problems, read);
                count += u64::from(batch.documents);
                if place < start {
                    parts.extend(notes.parts);
                    left += notes.late_bytes;
                }
            }
            if let Some(batch) = batches.get(start).filter(|_| start > 0) {
                let from = (batch.inputs.0 as usize, batch.batch as usize);
                inputs += from.0 as u64;
                reading.batches.resume(from, left, parts.into_iter());
            }
        }
        self.observer.notice(Notice::Resumed { documents: count, inputs });
        Ok(count)
    }

    /// Finds pairs and clusters.
    pub(crate) fn find(
        &self,
        (mut table, counted): (DocumentTable, Option<(SingleFeatures, u64)>),
        wanted: &WantedPairs<'_>,
    ) -> Result<(OnDisk, Cost), JobError> {
        let documents = table.len();
        let (counted, taken) = counted.unzip();
        let needed = documents as u64 * PER_DOCUMENT;
        let memory = self.memory.saturating_sub(needed) as usize;
        if self.memory > budget::LEAST && 2 * needed > self.memory {
            let memory = self.memory;
            return Err(MemoryError::TooMany { documents, needed: 2 * needed, memory }.into());
        }
        let failed = |error| self.failed(error);
        let step = |name| Step::new(self.observer, &self.scratch, name).map_err(failed);
        let naming = step("naming")?;
        let beside = memory.saturating_sub(taken.unwrap_or(0) as usize);
        table.renamed = renaming::renamed(&self.scratch, &table, beside / 2).map_err(failed)?;
        drop(naming);
        let (texts, settled, sites) = self.texts(&mut table, beside)?;
        if wanted.list == PairList::All && texts.equal_pairs > wanted.most.1 {
            let (pairs, limit) = (texts.equal_pairs, wanted.most.1);
            return Err(crate::OutputError::TooManyPairs { pairs, limit }.into());
        }
        let source = SetSource::new(self.settings(), &table, settled);
        let sets = TextSets { settings: self.settings(), source: &source, texts: &texts };
        let counting = step(if counted.is_some() { "ruling out" } else { "counting" })?;
        let survivors = sets
            .survivors(&self.scratch, memory, (documents, counted), &counting)
            .map_err(failed)?;
        drop(counting);
        let matching = step("matching")?;
        let blocks = SizeBlocks::new(self.settings(), survivors, memory);
        if self.memory > budget::LEAST && blocks.least_memory() > 2 * self.memory {
            let (needed, memory) = (blocks.least_memory(), self.memory);
            return Err(MemoryError::LargeText { needed, memory }.into());
        }
        let mut links = Links::new(&self.scratch, documents).map_err(failed)?;
        let found = blocks.search(texts.apart, wanted.go_on, |found, at| {
            let at = |place: u32| at[place as usize];
            for group in found.identical {
                let others = group[1..].iter();
                others.copied().try_for_each(|b| links.identical(at(group[0]), at(b)))?;
            }
            let mut pairs = found.pairs.into_iter();
            pairs.try_for_each(|(a, b, score)| links.near(at(a), at(b), score))
        });
        let cost = found.map_err(|error| match error {
            JoinError::Io(error) => self.failed(error),
            JoinError::TooMany(error) => error.into(),
        })?;
        drop(matching);
        if self.observer.is_cancelled() {
            return Err(JobError::Cancelled);
        }
        let grouping = step("grouping")?;
        table.keep_up_to(memory as u64 / 4);
        let about = (self.settings(), &table);
        let list = (wanted.list, wanted.most.1);
        let grouped: io::Result<Grouped> = std::thread::scope(|scope| {
            // Their file takes a while to go.
            scope.spawn(|| drop(blocks));
            let components = links.components(&texts, memory / 3)?;
            grouping::group(&self.scratch, about, components, list, memory / 2, &grouping)
        });
        let grouped = grouped.map_err(failed)?;
        drop(grouping);
        let is_complete = grouped.class_pairs <= wanted.most.0;
        let found =
            OnDisk { texts: texts.count, table: Arc::new(table), grouped, sites, is_complete };
        Ok((found, cost))
    }

    /// Exact copies, after pages were settled by what their sites teach.
    fn texts(
        &self,
        table: &mut DocumentTable,
        memory: usize,
    ) -> Result<(Texts, Option<SettledSets>, SiteCounts), JobError> {
        let failed = |error| self.failed(error);
        let mut sorter = TextSorter::new(&self.scratch, memory / 3);
        let mut settled = None;
        if self.settings().template {
            let step = Step::new(self.observer, &self.scratch, "learning sites").map_err(failed)?;
            let (scratch, settings) = (&self.scratch, self.settings());
            let sites = Sites { scratch, settings, table, memory: memory / 2 };
            settled = sites.settle(&mut sorter, &step).map_err(|error| match error {
                SitesError::Io(error) => self.failed(error),
                SitesError::TooLarge(site, needed) => {
                    let needed = 2 * needed + needed / 8;
                    MemoryError::LargeSite { site, needed, memory: self.memory }.into()
                }
            })?;
        }
        let step = Step::new(self.observer, &self.scratch, "exact copies").map_err(failed)?;
        let total = table.len().max(1) as f64;
        let read = table.each_batch(
            |first, batch| table.rows(first, batch),
            |(first, _), rows| {
                step.share(f64::from(first) / total)?;
                for (at, row) in (first..).zip(rows) {
                    if let Some(fingerprint) = row.fingerprint.filter(|_| !row.is_page) {
                        sorter.add(at, fingerprint, &[])?;
                    }
                }
                Ok(())
            },
        );
        read.map_err(failed)?;
        let split = table.split().map(|split| split as u32);
        let texts = sorter.finish(table.len(), split).map_err(failed)?;
        let Some((sets, rows, counts)) = settled else {
            return Ok((texts, None, SiteCounts::default()));
        };
        table.settled = Some(rows);
        table.share_texts(&texts).map_err(failed)?;
        Ok((texts, Some(sets), counts))
    }

    /// The sources that lose much, and the sites that lose most to one cluster.
    pub(crate) fn losses(&self, found: &OnDisk) -> Result<(Vec<Loss>, Vec<SiteLoss>), JobError> {
        let table = &found.table;
        let (mut sources, mut sites) = (SourceTally::default(), SiteTally::default());
        let first_new = table.split().unwrap_or(0);
        let count = table.each_batch(
            |first, batch| Ok((table.notes(batch)?, table.rows(first, batch)?)),
            |(first, batch), (notes, rows)| {
                if batch.side == 0 {
                    return Ok(());
                }
                let of_batch: Vec<u32> =
                    notes.sources.iter().map(|name| sources.number(name)).collect();
                let sites_of_batch: Vec<u32> =
                    notes.sites.iter().map(|name| sites.number(name)).collect();
                let number =
                    |numbers: &[u32], at: u32| numbers.get(at as usize).copied().unwrap_or(NOWHERE);
                for (at, row) in (first as usize..).zip(rows) {
                    let fate = found.grouped.fates.get(at)?;
                    let dropped = fate.filter(|fate| fate.original as usize != at);
                    sources.add(number(&of_batch, row.source), dropped.is_some());
                    let cluster = dropped.map(|dropped| dropped.cluster as usize);
                    sites.add(number(&sites_of_batch, row.site), cluster, at - first_new);
                }
                Ok(())
            },
        );
        count.map_err(|error| self.failed(error))?;
        Ok((sources.losses(), sites.losses()))
    }
}

/// The place of the last batch that begins with an input of its own, of those without a gap before them: all
/// inputs before that one are read.
fn first_unread(batches: &[&LoggedBatch]) -> usize {
    let without_gap = batches.iter().zip(0..).take_while(|(batch, at)| batch.batch == *at).count();
    let begins = |place: &usize| {
        let (batch, before) = (batches[*place], batches[*place - 1]);
        batch.inputs.0 != u32::MAX && before.inputs.1 < batch.inputs.0
    };
    (1..without_gap).rev().find(begins).unwrap_or(0)
}

/// The folder for what does not fit into memory: inside of one that was named or of the results, or else
/// where temporary files go.
pub(crate) fn scratch_folder(
    memory: &Memory,
    output: Option<&Path>,
    inputs: &[PathBuf],
) -> PathBuf {
    let name = |of: &[PathBuf]| {
        let names: Vec<_> =
            of.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
        let hash = xxhash_rust::xxh3::xxh3_64(format!("{names:?}").as_bytes());
        format!(".firsthand-scratch-{hash:016x}")
    };
    match (&memory.scratch, output) {
        (Some(folder), Some(output)) => folder.join(name(&[output.to_path_buf()])),
        (Some(folder), None) => folder.join(name(inputs)),
        (None, Some(output)) => output.join(".firsthand-scratch"),
        (None, None) => std::env::temp_dir().join(name(inputs)),
    }
}
