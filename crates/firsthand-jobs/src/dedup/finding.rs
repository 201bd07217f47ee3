//! From inputs to what was found: in memory, or beyond it.

use super::decided::Decided;
use super::matching_stop::MatchingStop;
use super::{begin, check_pairs, estimate, most_pairs};
use crate::beyond::scratch::{Scratch, free_space};
use crate::beyond::{BeyondJob, LoggedBatch, Memory, ReadTable, WantedPairs, budget};
use crate::decisions::Obeyed;
use crate::descriptions::Descriptions;
use crate::error::{InputError, JobError, MemoryError};
use crate::findings::{Findings, PairList};
use crate::input_order::InputOrder;
use crate::observer::{Notice, Observer, Phase};
use crate::problems::Unread;
use crate::reading::{Pass, Reading, expected_features};
use crate::report::{Stopped, Stopwatch, Times};
use crate::results::Contents;
use crate::sources::{Loss, SiteLoss, Sources};
use crate::temp_files::TempFiles;
use firsthand::collections::{self, Collection, group};
use firsthand::matcher::{Forecast, SearchLimits};
use firsthand::{Detector, pieces};
use firsthand_input::Item;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A search for near-duplicates.
pub(super) struct Finding<'a> {
    pub(super) detector: &'a Detector,
    pub(super) contents: &'a Contents,
    /// What people have decided.
    pub(super) decisions: Option<&'a Decided>,
    /// Whether titles and the like are wanted, as decisions do.
    pub(super) described: bool,
    /// Counts the documents of each batch.
    pub(super) order: &'a InputOrder,
    /// The error if no document could be read, unless that is no error.
    pub(super) nothing: &'a (dyn Fn(&Unread) -> Option<InputError> + Sync),
    pub(super) memory: &'a Memory,
    /// Where the folder for what does not fit into memory would be.
    pub(super) scratch_path: PathBuf,
    pub(super) stop_after: Option<Duration>,
    pub(super) observer: &'a dyn Observer,
    pub(super) temp_files: &'a TempFiles,
}

/// What was found.
pub(super) struct Found {
    pub(super) findings: Findings,
    pub(super) unread: Unread,
    pub(super) bytes: u64,
    /// The documents that an earlier run read.
    pub(super) resumed: u64,
    pub(super) losses: Vec<Loss>,
    pub(super) site_losses: Vec<SiteLoss>,
    pub(super) descriptions: Descriptions,
    /// How decisions were obeyed.
    pub(super) obeyed: Option<Obeyed>,
    pub(super) stopped: Option<Stopped>,
    pub(super) scratch: Option<Arc<Scratch>>,
}

type Clock<'a> = (&'a mut Stopwatch, &'a mut Times);

impl Finding<'_> {
    pub(super) fn run(
        &self,
        new: &mut Reading,
        mut reference: Option<&mut Reading>,
        clock: Clock<'_>,
    ) -> Result<Found, JobError> {
        let settings = self.detector.settings();
        let text = |packed_to: u64| {
            let all = [Some(&*new), reference.as_deref()];
            let bytes = |reading| estimate::text_bytes(reading, packed_to);
            all.into_iter().flatten().map(bytes).sum::<Option<u64>>()
        };
        let [text, least_text] = estimate::PACKED.map(text);
        // Of a reference, sets are made of all texts that may have a partner on either side.
        let is_compact = reference.is_none()
            && collections::Signed::is_compact(settings, expected_features(&new.batches));
        let tenths = estimate::tenths_a_byte(settings, is_compact);
        let needed = text.map(|text| text.saturating_mul(tenths) / 10);
        let memory = self.memory.bytes;
        let is_earlier = || self.scratch_path.join("manifest.json").exists();
        // Rows of a table may be had only once, so they are not tried in memory first.
        let is_table =
            [Some(&*new), reference.as_deref()].into_iter().flatten().any(Reading::is_table);
        let is_unknown = is_table && self.memory.is_asked && needed.is_none();
        let is_large = is_unknown || needed.is_some_and(|needed| needed > memory);
        if let Some(needing) = self.needs_all() {
            if let Some(needed) = needed.filter(|_| is_large) {
                return Err(needing(needed).into());
            }
        } else if is_large {
            return self.beyond_memory(new, reference, clock, least_text);
        } else if is_earlier()
            && let Ok(begun) = self.begin_beyond((new, reference.as_deref()))
            && !begun.earlier.is_empty()
        {
            return self.search_beyond(begun, (new, reference), clock, least_text);
        }
        // Whatever else an earlier run left is gone: it is not needed for what fits.
        let most_features = estimate::most_features(memory, text.unwrap_or(0), is_compact);
        let is_settled = is_table && needed.is_some();
        let within = if is_settled { u64::MAX } else { memory.saturating_mul(10) / tenths };
        if let Some(found) = self.in_memory(
            new,
            reference.as_deref_mut(),
            (clock.0, clock.1),
            (within, most_features),
        )? {
            return Ok(found);
        }
        if let Some(needing) = self.needs_all() {
            return Err(needing(needed.unwrap_or(0).max(memory.saturating_mul(2))).into());
        }
        // The inputs hold more than their size tells: from the start, on disk.
        for reading in [Some(&mut *new), reference.as_deref_mut()].into_iter().flatten() {
            let is_stream = reading.inputs.iter().any(|path| path.as_os_str() == "-");
            if is_stream && reading.stdin.is_none() {
                return Err(MemoryError::StandardInput.into());
            }
            reading.batches = firsthand_input::open(&reading.inputs, &reading.options)
                .map_err(InputError::from)?;
        }
        self.beyond_memory(new, reference, clock, least_text)
    }

    /// If all documents have to be in memory at once: the error where they do not fit, by what they need.
    fn needs_all(&self) -> Option<Box<dyn Fn(u64) -> MemoryError>> {
        let memory = self.memory.bytes;
        if let Some(what) = pieces::needs_all(self.detector.settings()) {
            return Some(Box::new(move |needed| MemoryError::NeedsAll { what, needed, memory }));
        }
        let file = self.decisions?.path().to_path_buf();
        Some(Box::new(move |needed| MemoryError::Decisions { file: file.clone(), needed, memory }))
    }

    /// The search in memory; none if that does not do.
    fn in_memory(
        &self,
        new: &mut Reading,
        reference: Option<&mut Reading>,
        (watch, times): Clock<'_>,
        (text_memory, most_features): (u64, usize),
    ) -> Result<Option<Found>, JobError> {
        let observer = self.observer;
        keep_freed_memory();
        new.batches.divide();
        let descriptions = Descriptions::default();
        let Some((signed, unread, [sources, sites])) =
            self.sign(new, reference, &descriptions, text_memory)?
        else {
            return Ok(None);
        };
        let Signed { documents, reference, bytes } = signed;
        times.reading = watch.lap();
        observer.phase(Phase::Preparing);
        let collection = match reference {
            Some(reference) => Some(Collection::against(reference, documents)?),
            None => Collection::within(documents, most_features),
        };
        let Some(collection) = collection else { return Ok(None) };
        times.preparing = watch.lap();
        self.check_read(collection.documents().len(), collection.split(), &unread)?;
        check_pairs(&collection, self.contents)?;
        begin(Phase::Matching, observer)?;
        let stop = MatchingStop::new(self.stop_after);
        let go_on = |share: f64| {
            observer.matched(share);
            !observer.is_cancelled() && stop.go_on(share)
        };
        let most = most_pairs(self.contents.pairs, collection.documents().len());
        let expect = |forecast: Forecast| {
            let is_cut = forecast.pairs > most as u64;
            // Up to the pair that is one too many.
            let share = if is_cut { most as f64 / forecast.pairs as f64 } else { 1.0 };
            observer.notice(Notice::LongSearch {
                texts: forecast.texts,
                pairs: Some(forecast.pairs).filter(|pairs| *pairs > 0),
                took: forecast.took.mul_f64(share),
                is_cut,
                is_limited: self.stop_after.is_some(),
            });
        };
        let limits = SearchLimits { pairs: most, go_on: &go_on, expect: &expect };
        let (pairs, cost) = collection.near_duplicates(limits);
        if observer.is_cancelled() {
            return Err(JobError::Cancelled);
        }
        times.matching = watch.lap();
        let (clusters, obeyed) = match self.decisions {
            None => (group(&collection, &pairs), None),
            Some(decided) => {
                let (clusters, obeyed) = decided.group(&collection, &pairs, &descriptions)?;
                (clusters, Some(obeyed))
            }
        };
        times.grouping = watch.lap();
        let findings =
            Findings::new(collection, (pairs, cost), clusters, self.most_listed(most as u64));
        let never = |error| JobError::Input(InputError::Descriptions(error));
        let dropped: io::Result<Vec<Option<usize>>> = findings.drops_by_cluster().collect();
        let dropped = dropped.map_err(never)?;
        let (losses, site_losses) = rayon::join(
            || sources.losses(dropped.iter().map(Option::is_some)),
            || sites.site_losses(dropped.iter().copied()),
        );
        Ok(Some(Found {
            losses,
            site_losses,
            findings,
            unread,
            bytes,
            resumed: 0,
            descriptions,
            obeyed,
            stopped: stop.stopped(),
            scratch: None,
        }))
    }

    /// Fails if not one document was read beside those of the reference.
    fn check_read(
        &self,
        documents: usize,
        split: Option<usize>,
        unread: &Unread,
    ) -> Result<(), InputError> {
        match documents == split.unwrap_or(0) {
            true => (self.nothing)(unread).map_or(Ok(()), Err),
            false => Ok(()),
        }
    }

    fn most_listed(&self, most: u64) -> u64 {
        if self.contents.pairs == PairList::All { self.contents.max_pairs } else { most }
    }

    /// The search with everything on disk that does not fit.
    fn beyond_memory(
        &self,
        new: &mut Reading,
        reference: Option<&mut Reading>,
        clock: Clock<'_>,
        text: Option<u64>,
    ) -> Result<Found, JobError> {
        let begun = self.begin_beyond((new, reference.as_deref()))?;
        let (memory, scratch) = (self.memory.bytes, self.scratch_path.as_path());
        self.observer.notice(Notice::BeyondMemory { memory, scratch });
        self.search_beyond(begun, (new, reference), clock, text)
    }

    /// Takes the scratch folder, and what an earlier run left in it to go on with.
    fn begin_beyond(
        &self,
        readings: (&Reading, Option<&Reading>),
    ) -> Result<BegunBeyond<'_>, JobError> {
        let (path, memory) = (&self.scratch_path, self.memory);
        let unusable = |source: io::Error| match source.kind() {
            io::ErrorKind::ResourceBusy => MemoryError::InUse(path.clone()),
            _ => MemoryError::Scratch { folder: path.clone(), source },
        };
        let scratch = Scratch::open(path, memory.room, self.temp_files).map_err(unusable)?;
        let job = BeyondJob {
            detector: self.detector,
            observer: self.observer,
            scratch: Arc::new(scratch),
            memory: memory.bytes,
            described: self.described,
        };
        let earlier = job.earlier(readings, memory.resume)?;
        Ok(BegunBeyond { job, earlier })
    }

    fn search_beyond(
        &self,
        BegunBeyond { job, earlier }: BegunBeyond<'_>,
        (new, reference): (&mut Reading, Option<&mut Reading>),
        (watch, times): Clock<'_>,
        text: Option<u64>,
    ) -> Result<Found, JobError> {
        let there = earlier.iter().map(|batch| batch.sets.1).sum();
        self.check_room(&self.scratch_path, text, &there)?;
        let total = [Some(&*new), reference.as_deref()];
        let total = total.into_iter().flatten().map(|reading| reading.batches.total_bytes()).sum();
        let ReadTable { table, bytes, unread, counted, resumed } =
            job.read((new, reference), earlier, total)?;
        for (_, batch) in table.batches().filter(|(_, batch)| batch.side == 1) {
            self.order.batch(batch.batch as usize).add_all(batch.documents as usize);
        }
        times.reading = watch.lap();
        let documents = table.len();
        self.check_read(documents, table.split(), &unread)?;
        let stop = MatchingStop::new(self.stop_after);
        let go_on = |share: f64| {
            self.observer.matched(share);
            !self.observer.is_cancelled() && stop.go_on(share)
        };
        let most = most_pairs(self.contents.pairs, documents) as u64;
        let wanted = WantedPairs {
            list: self.contents.pairs,
            most: (most, self.most_listed(most)),
            go_on: &go_on,
        };
        let (found, cost) = job.find((table, counted), &wanted)?;
        times.matching = watch.lap();
        let (losses, site_losses) = job.losses(&found)?;
        times.grouping = watch.lap();
        Ok(Found {
            descriptions: Descriptions::on_disk(Arc::clone(&found.table)),
            findings: Findings::on_disk(found, cost, wanted.most.1),
            unread,
            bytes,
            resumed,
            losses,
            site_losses,
            obeyed: None,
            stopped: stop.stopped(),
            scratch: Some(job.scratch),
        })
    }

    /// Fails if the disk has not the room that will be needed, by an estimate.
    fn check_room(&self, path: &Path, text: Option<u64>, there: &u64) -> Result<(), MemoryError> {
        let (Some(text), Some(free)) = (text, free_space(path)) else { return Ok(()) };
        let needed = estimate::scratch_bytes(self.detector.settings(), text);
        let needed = needed.saturating_sub(*there);
        let free = free.min(self.memory.room);
        // In a tiny collection the estimate is mostly wrong.
        if needed > free && needed > budget::FIXED {
            let folder = path.to_path_buf();
            return Err(MemoryError::NoRoom { folder, needed, free });
        }
        Ok(())
    }

    /// Reads and signs the reference, then the inputs; none if they do not fit.
    fn sign(
        &self,
        new: &mut Reading,
        reference: Option<&mut Reading>,
        descriptions: &Descriptions,
        memory: u64,
    ) -> Result<Option<(Signed, Unread, [Sources; 2])>, JobError> {
        let total = match &reference {
            Some(reference) => {
                let both = new.batches.total_bytes().zip(reference.batches.total_bytes());
                both.map(|(a, b)| a + b)
            }
            None => new.batches.total_bytes(),
        };
        let pass = Pass::new(self.observer, total).within(Some(memory));
        let describe = |side: usize, batch: usize| {
            let mut noted = self.described.then(|| descriptions.batch(side, batch));
            move |item: &Item| noted.iter_mut().for_each(|noted| noted.add(item))
        };
        let detector = self.detector;
        let reference = reference.map(|reference| {
            pass.sign_for_pairs(reference, 0, detector, |batch| describe(0, batch))
        });
        let (sources, sites) = (Sources::named(), Sources::sites());
        let documents = pass.sign_for_pairs(new, 1, detector, |batch| {
            let mut noted = [sources.batch(batch), sites.batch(batch)];
            let mut describe = describe(1, batch);
            let mut count = self.order.batch(batch);
            move |item: &Item| {
                count.add();
                noted.iter_mut().for_each(|noted| noted.add(&item.document));
                describe(item);
            }
        });
        if pass.is_beyond_memory() && !self.observer.is_cancelled() {
            return Ok(None);
        }
        let (bytes, unread) = pass.finish()?;
        descriptions.finish().map_err(InputError::Descriptions)?;
        Ok(Some((Signed { documents, reference, bytes }, unread, [sources, sites])))
    }
}

/// Has the allocator keep what is freed for the next step.
///
/// That of GNU hands every large block back to the system, and the next step gets it page by page, each of them
/// cleared. Once a large block was freed it expects more of these and keeps them (mallopt(3), dynamic threshold). Others
/// take no notice.
fn keep_freed_memory() {
    const LARGEST_KEPT: usize = 31 << 20;
    // It must not be optimised away.
    std::hint::black_box(Vec::<u8>::with_capacity(LARGEST_KEPT));
}

/// A search beyond memory, about to read.
struct BegunBeyond<'a> {
    job: BeyondJob<'a>,
    earlier: Vec<LoggedBatch>,
}

/// Signed inputs.
struct Signed {
    documents: collections::Signed,
    reference: Option<collections::Signed>,
    bytes: u64,
}
