//! The store in a folder: logs that only grow, one for each bucket, and keys derived from them.
//!
//! ```text
//! store.json             format, settings, current generation; replaced as a whole
//! lock                   held for as long as the store is open
//! generation-1/
//!   00000001.main        the main log: named values, and which log is whose
//!   00000002.log         the log of a bucket: documents, their keys, the ends of rounds
//!   00000002-45-9999.run the sorted keys of a part of that log
//!   journal              how far each log went when a round was acknowledged
//! ```
//!
//! - A round is written to the logs it touches (`round`), each of which is then made durable; it counts
//!   when its end stands in all of them. The journal is written before anyone is told, so that a round
//!   that was cut short by a crash, which is dropped, can be told from one that was damaged later, which
//!   is an error (`recover`).
//! - Keys are derived data: recent ones are in memory (`postings`), the others in runs (`run`), made
//!   (`build`) and merged (`tiers`) by a thread in the background (`worker`). A run that is lost or
//!   damaged is made again from its log.
//! - A bucket is forgotten by deleting its files.
//! - What is read is checked: every frame of a log and every page of a run has a checksum that covers
//!   where it stands.
//!
//! It is not a general engine: one writer, keys of 64 bits, no deletion of single documents, and about 40
//! bytes of memory for each document.

mod backup;
mod bucket;
mod build;
mod compact;
mod create;
mod description;
mod disk;
mod document_buckets;
mod errors;
mod files;
mod find;
mod frame;
mod info;
mod journal;
mod lock;
mod log;
mod main_log;
mod postings;
mod record;
mod recover;
mod round;
mod run;
mod tiers;
mod upkeep;
mod verify;
mod worker;

use crate::{ManagedStore, OnOtherSettings, StoredSettings, Verified};
use bucket::Bucket;
use description::Description;
use disk::Disk;
use document_buckets::DocumentBuckets;
use find::ListCache;
use firsthand::online::{
    Changes, Found, Head, Probe, Seq, Store, StoreError, Stored, parallel_map,
};
use journal::Journal;
use log::Log;
use main_log::MainContents;
use record::{LogHeader, RoundState};
use run::RunError;
use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread::scope,
    time::Instant,
};
use worker::Worker;

#[doc(hidden)]
pub use disk::{CrashPoint, Faults, POINTS};

/// Parts that many probes are answered in, at once.
const PARTS: usize = 2;
/// Fewer probes are answered where they are: to hand them over would take longer.
const FEW: usize = 64;

/// A store in a folder. One process at a time has it open.
#[derive(Debug)]
pub struct Embedded {
    description: Description,
    root: PathBuf,
    folder: PathBuf,
    disk: Arc<Disk>,
    _lock: File,
    header: LogHeader,
    state: RoundState,
    main: Log,
    main_contents: MainContents,
    buckets: BTreeMap<i64, Bucket>,
    owners: DocumentBuckets,
    /// What was read of runs.
    lists: [Mutex<ListCache>; PARTS],
    journal: Journal,
    next_log: u64,
    worker: Worker,
    /// When the journal was last made durable.
    synced: Instant,
    tuning: Tuning,
    /// How many damaged runs were made again.
    rebuilt: u64,
    /// What last went wrong in the background.
    remark: Option<String>,
    /// Why the store does nothing any more.
    broken: Option<String>,
}

/// How a store does its work, for tests: none of it changes an answer.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Recent keys of one bucket of which a run is made,
    pub postings: usize,
    /// and of all buckets.
    pub total: usize,
    /// So many runs of about the same size are made one.
    pub fan: usize,
    /// The main log is written anew when it has more bytes, and most are dead.
    pub main: u64,
    /// What goes wrong.
    pub faults: Faults,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            postings: 400_000,
            total: 1_200_000,
            fan: 8,
            main: 1 << 20,
            faults: Faults::default(),
        }
    }
}

impl Embedded {
    /// Opens the store in a folder, or makes one if settings are given. Without settings, it must be
    /// there, and is opened with its own.
    pub fn open(
        folder: &Path,
        settings: Option<&StoredSettings>,
        other: OnOtherSettings,
    ) -> Result<Self, StoreError> {
        Self::open_tuned(folder, settings, other, Tuning::default())
    }

    /// The same, for tests.
    #[doc(hidden)]
    pub fn open_tuned(
        folder: &Path,
        settings: Option<&StoredSettings>,
        other: OnOtherSettings,
        tuning: Tuning,
    ) -> Result<Self, StoreError> {
        let disk = Disk::new(tuning.faults);
        let (lock, description) = create::prepare(&disk, folder, settings, other)?;
        let generation = description::generation(folder, description.generation);
        let header =
            LogHeader { store: description.id, generation: description.generation, log: 0 };
        let recovered = recover::recover(&disk, &generation, header, &tuning)?;
        let mut store = Self {
            description,
            root: folder.to_owned(),
            folder: generation,
            disk,
            _lock: lock,
            header,
            state: recovered.state,
            main: recovered.main,
            main_contents: recovered.main_contents,
            buckets: recovered.buckets,
            owners: DocumentBuckets::default(),
            lists: Default::default(),
            journal: recovered.journal,
            next_log: recovered.next_log,
            worker: Worker::start()?,
            synced: Instant::now(),
            tuning,
            rebuilt: 0,
            remark: None,
            broken: None,
        };
        store.fill_owners();
        Ok(store)
    }

    fn fill_owners(&mut self) {
        let mut all: Vec<(Seq, i64)> = Vec::new();
        for (&number, bucket) in &self.buckets {
            all.extend(bucket.documents.iter().map(|document| (document.seq, number)));
        }
        all.sort_unstable();
        for (seq, number) in all {
            self.owners.push(seq, number);
        }
    }

    fn trim_owners(&mut self) {
        let buckets = &self.buckets;
        self.owners.trim(|seq, number| {
            buckets.get(&number).is_none_or(|bucket| bucket.local(seq).is_none())
        });
    }

    /// The bucket of a document, and its place there.
    fn locate(&self, seq: Seq) -> Option<(&Bucket, usize)> {
        locate(&self.buckets, &self.owners, seq)
    }

    /// The answers to probes, many of them at once; none if something cannot be read and is to be
    /// repaired or reported first.
    fn answers(&self, probes: &[Probe]) -> Option<Vec<Found>> {
        let buckets = &self.buckets;
        let answers = |(probes, lists): (&[Probe], &Mutex<ListCache>)| -> Option<Vec<Found>> {
            let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
            lists.trim();
            let found = |probe| find::find(probe, &mut lists, buckets.values()).ok();
            probes.iter().map(found).collect()
        };
        if probes.len() < FEW {
            return answers((probes, &self.lists[0]));
        }
        let mut parts = probes.chunks(probes.len().div_ceil(PARTS)).zip(&self.lists);
        let first = parts.next()?;
        scope(|scope| {
            let answers = &answers;
            let others: Vec<_> = parts.map(|part| scope.spawn(move || answers(part))).collect();
            let mut found = answers(first)?;
            for other in others {
                found.extend(other.join().ok()??);
            }
            Some(found)
        })
    }

    fn answer(&mut self, probe: &Probe, lists: &mut ListCache) -> Result<Found, StoreError> {
        loop {
            match find::find(probe, lists, self.buckets.values()) {
                Ok(found) => return Ok(found),
                Err(RunError::Failed(error)) => return Err(error),
                Err(RunError::Damaged { log, from, to }) => self.repair(log, from, to)?,
            }
        }
    }

    /// How far each log goes.
    fn ends(&self) -> BTreeMap<u64, u64> {
        let logs = self.buckets.values().map(|bucket| &bucket.log).chain([&self.main]);
        logs.map(|log| (log.id, log.end)).collect()
    }

    /// Refuses to go on after a failure.
    fn whole(&self) -> Result<(), StoreError> {
        match &self.broken {
            None => Ok(()),
            Some(reason) => Err(StoreError::Failed(format!(
                "the store {} stopped after a failure ({reason}); open it again when the cause is \
                 gone: all that was acknowledged is there",
                self.root.display()
            ))),
        }
    }
}

/// Where a document is: its bucket, and its place there.
fn locate<'a>(
    buckets: &'a BTreeMap<i64, Bucket>,
    owners: &DocumentBuckets,
    seq: Seq,
) -> Option<(&'a Bucket, usize)> {
    let bucket = buckets.get(&owners.get(seq)?)?;
    Some((bucket, bucket.local(seq)?))
}

impl Store for Embedded {
    fn begin(&mut self) -> Result<Head, StoreError> {
        self.whole()?;
        self.take_done()?;
        let buckets = self.buckets.values().map(Bucket::sum).collect();
        Ok(Head { next: self.state.next, clock: self.state.clock, buckets })
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.whole()?;
        if let Some(found) = self.answers(probes) {
            return Ok(found);
        }
        let mut lists = ListCache::default();
        probes.iter().map(|probe| self.answer(probe, &mut lists)).collect()
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.whole()?;
        let (buckets, owners) = (&self.buckets, &self.owners);
        let load = |&seq: &Seq| match locate(buckets, owners, seq) {
            Some((bucket, local)) => bucket.payload(local).map(Some),
            None => Ok(None),
        };
        parallel_map(documents, load).into_iter().collect()
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.whole()?;
        Ok(self.main_contents.values.get(name).cloned())
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.whole()?;
        self.write_round(&changes)
    }

    fn abandon(&mut self) {}

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.whole()?;
        let range = self.owners.range();
        let numbers = from.max(range.start)..range.end;
        let there = numbers.filter_map(|seq| self.locate(seq)).take(most);
        let stored = there.map(|(bucket, local)| {
            let document = bucket.documents[local];
            let payload = bucket.payload(local)?;
            Ok(Stored { seq: document.seq, bucket: bucket.number, time: document.time, payload })
        });
        stored.collect()
    }

    fn facts(&mut self) -> Result<Vec<(String, String)>, StoreError> {
        self.info()
    }
}

impl ManagedStore for Embedded {
    fn settings(&self) -> &StoredSettings {
        &self.description.settings
    }

    fn verify(&mut self) -> Result<Verified, StoreError> {
        self.whole()?;
        self.check_all()
    }

    fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        self.whole()?;
        self.give_back()
    }

    fn backup(&mut self, to: &Path) -> Result<(), StoreError> {
        self.whole()?;
        self.copy_to(to)
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        self.disk.reach(CrashPoint::InShutdown);
        // Before the lock is given back: the next to open must find nobody at work.
        self.disk.close();
        self.worker.end();
        let _ = self.journal.sync();
    }
}
