//! The store in a folder: append-only logs, one for each bucket, and keys derived from them.
//!
//! ```text
//! store.json             layout, settings, current generation; replaced as a whole
//! lock                   locked while the store is open
//! generation-1/
//!   00000001.main        the main log: named values, and the log of each bucket
//!   00000002.log         the log of a bucket: documents, their keys, the ends of rounds
//!   00000002-45-9999.run the sorted keys of bytes 45 to 9999 of that log
//!   journal              the length of each log when a round was acknowledged
//!   texts/               the texts of documents, if they are kept
//! ```
//!
//! - A round is written to the logs that it touches (`round`), and each of them is synced. It is
//!   committed once its commit record is in all of them. The journal is written before the caller
//!   gets an answer. It tells a round that a crash cut short, which is dropped, from one that was
//!   damaged later, which is an error (`recover`).
//! - Keys are derived data: recent ones are in memory (`postings`), the others in runs (`run`), which
//!   the background thread (`worker`) builds (`build`) and merges (`tiers`). A run that is lost or
//!   damaged is rebuilt from its log.
//! - A bucket is forgotten by deleting its files.
//! - Everything that is read is checked: each frame of a log and each page of a run has a checksum
//!   that covers its position.

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
mod texts;
mod tiers;
mod upkeep;
mod verify;
mod worker;

use crate::{Fact, ManagedStore, OnOtherSettings, StoredSettings, TextShelf, Verified};
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
use recover::{Generation, Recovered};
use run::RunError;
use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread::scope,
    time::Instant,
};
use texts::TextFiles;
use worker::Worker;

#[doc(hidden)]
pub use disk::{CrashPoint, Faults, POINTS};

/// The most threads that look up keys at once.
const LOOK_UP_THREADS: usize = 2;
/// How often it is tried to read a store while another process deletes files.
const READ_ATTEMPTS: u32 = 100;
/// Fewer probes are answered by the caller: handing them over would take longer.
const FEW: usize = 64;

/// A store in a folder. One process at a time can change it; others may read it meanwhile.
///
/// Rounds are appended to a log for each bucket and synced; keys are derived from the logs and kept in
/// sorted files. If a commit fails, the store refuses all further work until it is opened again, and
/// then has everything that was acknowledged.
///
/// ```
/// use firsthand::{Settings, online::Store};
/// use firsthand_store::{Embedded, OnOtherSettings, StoredSettings};
///
/// let folder = tempfile::tempdir()?;
/// let settings = StoredSettings::new(&Settings::default())?;
/// let mut store = Embedded::open(folder.path(), Some(&settings), OnOtherSettings::Refuse)?;
/// assert_eq!(store.begin()?.next, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Embedded {
    description: Description,
    root: PathBuf,
    folder: PathBuf,
    disk: Arc<Disk>,
    /// None if the store is only read.
    lock: Option<File>,
    header: LogHeader,
    state: RoundState,
    main: Log,
    main_contents: MainContents,
    buckets: BTreeMap<i64, Bucket>,
    owners: DocumentBuckets,
    /// Lists that were read from runs, for each thread that looks up keys.
    lists: [Mutex<ListCache>; LOOK_UP_THREADS],
    /// None if the store is only read.
    journal: Option<Journal>,
    next_log: u64,
    worker: Worker,
    /// When the journal was last synced.
    synced: Instant,
    tuning: Tuning,
    /// Number of damaged runs that were rebuilt.
    rebuilt: u64,
    /// The last failure of the background thread.
    remark: Option<String>,
    /// The texts, once somebody has asked for them.
    texts: Option<TextFiles>,
    /// Why the store refuses all further work.
    broken: Option<String>,
}

/// Sizes and faults for tests. None of them changes an answer.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Number of recent keys of one bucket that are written to a run.
    pub postings: usize,
    /// Number of recent keys of all buckets from which on some are written to runs.
    pub total: usize,
    /// Number of runs of about the same size that are merged.
    pub fan: usize,
    /// Size in bytes from which on the main log is rewritten if most of it is obsolete.
    pub main: u64,
    /// Faults to inject.
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
    /// Opens the store in a folder, or creates it if settings are given. Without settings it must
    /// exist, and is opened with its own.
    ///
    /// # Errors
    ///
    /// As [`crate::open`].
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
        let generation = description.folder(folder);
        let files = Generation::new(&disk, &generation, description.header(), &tuning)?;
        let recovered = files.recover()?;
        let mut store = Self::new(folder, description, disk, recovered, tuning);
        store.lock = Some(lock);
        store.worker = Worker::start()?;
        Ok(store)
    }

    /// Opens the store in a folder to read it as of its last commit. Nothing is written, not even a
    /// lock: another process may have it open and add documents, which are not seen.
    ///
    /// # Errors
    ///
    /// As [`crate::open_to_read`].
    pub fn open_to_read(folder: &Path) -> Result<Self, StoreError> {
        let (disk, tuning) = (Disk::reading(), Tuning::default());
        let mut attempts = 0;
        loop {
            attempts += 1;
            let description = Description::read(folder)?;
            let description = description.ok_or_else(|| create::no_store(folder))?;
            let generation = description.folder(folder);
            let files = Generation::new(&disk, &generation, description.header(), &tuning)?;
            let recorded = journal::read(&disk, &generation)?;
            match files.read(&recorded) {
                Ok(recovered) => {
                    return Ok(Self::new(folder, description, disk, recovered, tuning));
                }
                // The other process has deleted some of the files.
                Err(_) if attempts < READ_ATTEMPTS && files.has_changed() => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn new(
        root: &Path,
        description: Description,
        disk: Arc<Disk>,
        recovered: Recovered,
        tuning: Tuning,
    ) -> Self {
        let mut store = Self {
            root: root.to_owned(),
            folder: description.folder(root),
            header: description.header(),
            description,
            disk,
            lock: None,
            state: recovered.state,
            main: recovered.main,
            main_contents: recovered.main_contents,
            buckets: recovered.buckets,
            owners: DocumentBuckets::default(),
            lists: Default::default(),
            journal: recovered.journal,
            next_log: recovered.next_log,
            worker: Worker::without_thread(),
            synced: Instant::now(),
            tuning,
            rebuilt: 0,
            remark: None,
            texts: None,
            broken: None,
        };
        store.fill_owners();
        store
    }

    /// The folder for texts.
    fn texts_folder(&self) -> PathBuf {
        self.folder.join("texts")
    }

    /// The texts, if there are any or they are to be kept from now on.
    fn open_texts(&mut self, make: bool) -> Result<Option<&mut TextFiles>, StoreError> {
        let folder = self.texts_folder();
        if self.texts.is_none() && (make || folder.is_dir()) {
            let texts = match self.journal.is_some() {
                true => {
                    let mut texts = TextFiles::open(&folder)?;
                    // A crash may have come between forgetting a bucket and deleting its file.
                    let live: Vec<i64> = self.buckets.keys().copied().collect();
                    texts.keep_buckets(&live);
                    texts
                }
                false => TextFiles::open_to_read(&folder)?,
            };
            self.texts = Some(texts);
        }
        Ok(self.texts.as_mut())
    }

    /// The journal, unless the store was opened to be read.
    fn journal(&mut self) -> Result<&mut Journal, StoreError> {
        self.journal.as_mut().ok_or_else(|| {
            let root = self.root.display();
            StoreError::Failed(format!("the store {root} was opened to be read, not changed"))
        })
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

    /// The bucket of a document, and its index there.
    fn locate(&self, seq: Seq) -> Option<(&Bucket, usize)> {
        locate(&self.buckets, &self.owners, seq)
    }

    /// The answers to probes, on several threads if there are many; none if something cannot be read
    /// and has to be repaired or reported first.
    fn answers(&self, probes: &[Probe]) -> Option<Vec<Found>> {
        let buckets = &self.buckets;
        let answers = |(probes, lists): (&[Probe], &Mutex<ListCache>)| -> Option<Vec<Found>> {
            let mut lists = lists.lock().unwrap_or_else(PoisonError::into_inner);
            lists.trim();
            let found = |probe| find::find(probe, &mut lists, buckets.values()).ok();
            probes.iter().map(found).collect()
        };
        let busy = usize::from(self.worker.pending() > 0);
        let allowed = rayon::current_num_threads().saturating_sub(busy);
        let threads = allowed.clamp(1, LOOK_UP_THREADS);
        if probes.len() < FEW || threads == 1 {
            return answers((probes, &self.lists[0]));
        }
        let mut parts = probes.chunks(probes.len().div_ceil(threads)).zip(&self.lists);
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

    /// The end of each log.
    fn ends(&self) -> BTreeMap<u64, u64> {
        let logs = self.buckets.values().map(|bucket| &bucket.log).chain([&self.main]);
        logs.map(|log| (log.id, log.end)).collect()
    }

    /// Refuses to go on after a failure.
    fn check_usable(&self) -> Result<(), StoreError> {
        match &self.broken {
            None => Ok(()),
            Some(reason) => Err(StoreError::Failed(format!(
                "the store {} stopped after a failure ({reason}); fix the cause and open it again: \
                 everything that was acknowledged is there",
                self.root.display()
            ))),
        }
    }
}

/// The bucket of a document, and its index there.
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
        self.check_usable()?;
        self.install_finished()?;
        let buckets = self.buckets.values().map(|bucket| bucket.sum).collect();
        Ok(Head { next: self.state.next, clock: self.state.clock, buckets })
    }

    fn find(&mut self, probes: &[Probe]) -> Result<Vec<Found>, StoreError> {
        self.check_usable()?;
        if let Some(found) = self.answers(probes) {
            return Ok(found);
        }
        let mut lists = ListCache::default();
        probes.iter().map(|probe| self.answer(probe, &mut lists)).collect()
    }

    fn load(&mut self, documents: &[Seq]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.check_usable()?;
        let (buckets, owners) = (&self.buckets, &self.owners);
        let load = |&seq: &Seq| match locate(buckets, owners, seq) {
            Some((bucket, local)) => bucket.payload(local).map(Some),
            None => Ok(None),
        };
        parallel_map(documents, load).into_iter().collect()
    }

    fn value(&mut self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.check_usable()?;
        Ok(self.main_contents.values.get(name).cloned())
    }

    fn commit(&mut self, changes: Changes) -> Result<(), StoreError> {
        self.check_usable()?;
        self.journal()?;
        self.write_round(&changes)
    }

    fn abandon(&mut self) {}

    fn scan(&mut self, from: Seq, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.check_usable()?;
        let range = self.owners.range();
        let numbers = from.max(range.start)..range.end;
        let there = numbers.filter_map(|seq| self.locate(seq)).take(most);
        let stored = there.map(|(bucket, local)| {
            let document = bucket.documents[local];
            let payload = bucket.payload(local)?;
            Ok(Stored {
                seq: document.seq,
                bucket: bucket.sum.number,
                time: document.time,
                payload,
            })
        });
        stored.collect()
    }
}

impl ManagedStore for Embedded {
    fn settings(&mut self) -> Result<StoredSettings, StoreError> {
        Ok(self.description.settings.clone())
    }

    fn set_settings(&mut self, settings: &StoredSettings) -> Result<(), StoreError> {
        self.check_usable()?;
        self.journal()?;
        let description = Description { settings: settings.clone(), ..self.description.clone() };
        description.write(&self.disk, &self.root)?;
        self.description = description;
        Ok(())
    }

    fn info(&mut self) -> Result<Vec<(String, Fact)>, StoreError> {
        self.information()
    }

    fn texts(&mut self, make: bool) -> Result<Option<&mut dyn TextShelf>, StoreError> {
        self.check_usable()?;
        if make {
            self.journal()?;
        }
        Ok(self.open_texts(make)?.map(|texts| texts as &mut dyn TextShelf))
    }

    fn verify(&mut self) -> Result<Verified, StoreError> {
        self.check_usable()?;
        self.verify_all()
    }

    fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        self.check_usable()?;
        self.journal()?;
        self.free_space()
    }

    fn backup(&mut self, to: &Path) -> Result<(), StoreError> {
        self.check_usable()?;
        self.copy_to(to)
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        self.disk.reach(CrashPoint::InShutdown);
        // Before the lock is released: whoever opens the store next must find no thread at work.
        self.disk.close();
        self.worker.end();
        let _ = self.journal.as_ref().map(Journal::sync);
    }
}
