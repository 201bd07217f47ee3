//! Reading inputs, the one loop that all jobs share: batches are taken, bytes and documents counted,
//! problems noted in their order, and the loop ends when the job is cancelled.

use crate::error::{InputError, JobError};
use crate::observer::{Notice, Observer, Phase};
use crate::problems::{ProblemNote, Problems, Unread};
use crate::site_counts::SiteCounts;
use crate::temp_files::{TempFileGuard, TempFiles};
use firsthand::collections::Signed;
use firsthand::settings::Kind;
use firsthand::{Detector, Document};
use firsthand_input::{
    Batch, Batches, Compression, Fields, FoundFields, Item, Place, ReadError, ReadOptions, Reason,
    Spool, has_columns, holds_results, path_name,
};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A stream that stands for `-` among the inputs of a job that reads them more than once: it is copied
/// to a temporary file. A job that reads once takes standard input as it comes.
pub struct StandardInput<'a> {
    /// The stream.
    pub stream: &'a mut dyn Read,
    /// Where the copy goes.
    pub folder: PathBuf,
    /// What removes the copy if the run is interrupted.
    pub temp_files: &'a TempFiles,
}

/// The copy of standard input.
#[derive(Debug)]
pub struct StandardInputCopy {
    spool: Spool,
    _guard: TempFileGuard,
}

impl StandardInputCopy {
    /// Where the copy is.
    pub fn path(&self) -> &Path {
        self.spool.path()
    }
}

impl StandardInput<'_> {
    /// Copies the stream to its end.
    ///
    /// # Errors
    ///
    /// If there is no room for the copy or the stream cannot be read.
    pub fn copy(self) -> Result<StandardInputCopy, InputError> {
        let Self { stream, folder, temp_files } = self;
        let copied =
            temp_files.make(|| Spool::empty(&folder), Spool::path).and_then(|(spool, guard)| {
                spool.fill(stream)?;
                Ok(StandardInputCopy { spool, _guard: guard })
            });
        copied.map_err(|source| InputError::Spool { folder, source })
    }
}

/// Whether `-`, which is standard input, is among the inputs.
///
/// # Errors
///
/// If it is named more than once.
pub fn names_standard_input(inputs: &[PathBuf]) -> Result<bool, InputError> {
    match inputs.iter().filter(|path| path.as_os_str() == "-").count() {
        0 => Ok(false),
        1 => Ok(true),
        times => Err(InputError::StandardInput { times }),
    }
}

/// Inputs that are listed and ready to be read.
pub struct Reading {
    /// What was named.
    pub inputs: Vec<PathBuf>,
    /// What is read.
    pub batches: Batches,
    /// How.
    pub options: ReadOptions,
    /// The copy of standard input, if there is one.
    pub stdin: Option<StandardInputCopy>,
}

impl Reading {
    /// Whether it reads a table in memory, and no files.
    pub(crate) fn is_table(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Lists all inputs. With `stdin`, and with `-` among the inputs, a copy of it is made first.
    ///
    /// # Errors
    ///
    /// If an input is not there, or standard input is named twice or cannot be copied.
    pub fn open(
        inputs: &[PathBuf],
        mut options: ReadOptions,
        stdin: Option<StandardInput<'_>>,
        observer: &dyn Observer,
    ) -> Result<Self, InputError> {
        let mut copy = None;
        if names_standard_input(inputs)? {
            observer.notice(Notice::StandardInput);
            copy = stdin.map(StandardInput::copy).transpose()?;
        }
        if let Some(copy) = &copy {
            options.stdin = Some(copy.path().to_path_buf());
        }
        let batches = firsthand_input::open(inputs, &options)?;
        Ok(Self { inputs: inputs.to_vec(), batches, options, stdin: copy })
    }
}

impl Reading {
    /// Fails if columns are to be added, and a file is of a kind that has none.
    ///
    /// # Errors
    ///
    /// If there is such a file.
    pub fn check_columns(&self) -> Result<(), InputError> {
        if self.options.added_columns.is_empty() {
            return Ok(());
        }
        let mut files = self.batches.listed().filter_map(|(path, kind, _)| Some((path?, kind)));
        match files.find(|(_, kind)| !has_columns(*kind)) {
            None => Ok(()),
            Some((path, kind)) => {
                let (path, reason) = (path_name(path), Reason::NoColumns(kind.name()));
                let place = Place { path, at: None };
                Err(InputError::Columns(Box::new(ReadError { place, reason, inputs: 1 })))
            }
        }
    }
}

/// What a document takes in memory beside its text, by an estimate.
pub(crate) const PER_DOCUMENT: u64 = 150;

/// One pass over inputs, or over a reference and then the inputs.
pub struct Pass<'a> {
    observer: &'a dyn Observer,
    problems: Problems,
    sites: SiteCounts,
    /// Bytes of what was read before.
    bytes: AtomicU64,
    /// Files that are no documents, by their path.
    except: Option<&'a (dyn Fn(&str) -> bool + Sync)>,
    /// Why reading was ended: columns cannot be added.
    ended: Mutex<Option<ReadError>>,
    /// The memory that documents may take, and what they take by an estimate.
    memory: Option<u64>,
    taken: AtomicU64,
    /// The fields that records have, and how they are called.
    found: AtomicU16,
    fields: OnceLock<Fields>,
}

/// Where a batch comes from.
#[derive(Clone, Debug)]
pub(crate) struct BatchOrigin {
    /// Its number.
    pub(crate) index: usize,
    /// The first and the last input that it has parts of.
    pub(crate) inputs: (u32, u32),
    /// What a second reading knows its parts by.
    pub(crate) parts: Vec<[u64; 5]>,
    /// The bytes that are read only when its documents are built.
    pub(crate) late_bytes: u64,
}

impl<'a> Pass<'a> {
    /// Starts a pass; `bytes` is how many there are, where that is known.
    pub fn new(observer: &'a dyn Observer, bytes: Option<u64>) -> Self {
        observer.phase(Phase::Reading { bytes });
        Self {
            observer,
            problems: Problems::default(),
            sites: SiteCounts::default(),
            bytes: AtomicU64::new(0),
            except: None,
            ended: Mutex::new(None),
            memory: None,
            taken: AtomicU64::new(0),
            found: AtomicU16::new(0),
            fields: OnceLock::new(),
        }
    }

    /// The same, but reading ends when documents take more memory than this, by an estimate.
    pub(crate) fn within(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }

    /// Whether reading ended because documents take too much memory.
    pub(crate) fn is_beyond_memory(&self) -> bool {
        self.memory.is_some_and(|memory| self.taken.load(Ordering::Relaxed) > memory)
    }

    /// The same, but problems are kept for each batch, for a later run.
    pub(crate) fn noting(self) -> Self {
        Self { problems: Problems::noted(), ..self }
    }

    /// Takes note of what an earlier run noted of a batch.
    pub(crate) fn restore(
        &self,
        batch: (usize, usize),
        problems: Vec<ProblemNote>,
        (clues, documents): (&[u64], u64),
    ) {
        for note in problems {
            if let Some(error) = self.problems.restore(batch, note) {
                self.observer.problem(&error);
            }
        }
        // Nothing tells which fields those records had.
        self.found.store(u16::MAX, Ordering::Relaxed);
        clues.iter().enumerate().for_each(|(clue, count)| self.sites.add_many(clue, *count));
        self.observer.documents(documents);
        self.problems.take_notes(batch.0, batch.1);
    }

    /// Reads all batches but those that are known on all threads; `take` gets the documents of each, and
    /// then what was noted of it. It ends early when `take` says so.
    pub(crate) fn each_batch<S>(
        &self,
        reading: &mut Reading,
        side: usize,
        is_known: impl Fn(usize) -> bool + Sync,
        start: impl Fn() -> S + Sync,
        take: impl Fn(
            &mut S,
            BatchOrigin,
            &mut dyn Iterator<Item = Item>,
            &dyn Fn() -> Vec<ProblemNote>,
        ) -> bool
        + Sync,
    ) {
        let Reading { batches, options, .. } = reading;
        let options = &*options;
        let batches = Mutex::new(self.batches(batches));
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        rayon::broadcast(|_| {
            let mut state = start();
            while let Some(batch) = next() {
                let index = batch.index();
                if is_known(index) {
                    continue;
                }
                let (first, last) = batch.input_range().unwrap_or((usize::MAX, usize::MAX));
                let inputs = (first as u32, last as u32);
                let late_bytes = batch.bytes_left_to_read();
                let origin = BatchOrigin { index, inputs, parts: batch.noted_parts(), late_bytes };
                let notes = || self.problems.take_notes(side, index);
                if !take(&mut state, origin, &mut self.items(batch, options, side), &notes) {
                    break;
                }
            }
        });
    }

    /// The same, but files are left out whose path `except` says yes to.
    pub fn except(self, except: &'a (dyn Fn(&str) -> bool + Sync)) -> Self {
        Self { except: Some(except), ..self }
    }

    /// The batches one after another; it ends early when the job is cancelled.
    pub fn batches<'b>(
        &'b self,
        batches: &'b mut Batches,
    ) -> impl Iterator<Item = Batch> + Send + 'b {
        let before = self.bytes.load(Ordering::Relaxed);
        std::iter::from_fn(move || {
            let is_ended = self.observer.is_cancelled() || self.ended().is_some();
            if is_ended || self.is_beyond_memory() {
                return None;
            }
            let batch = batches.next();
            let bytes = before + batches.consumed_bytes();
            self.bytes.store(bytes, Ordering::Relaxed);
            self.observer.bytes(bytes);
            batch
        })
    }

    /// The documents of a batch, read as they are asked for; problems are noted. `side` is 0 for a
    /// reference and 1 for the inputs.
    pub fn items<'b>(
        &'b self,
        batch: Batch,
        options: &'b ReadOptions,
        side: usize,
    ) -> impl Iterator<Item = Item> + 'b {
        let index = batch.index();
        self.fields.get_or_init(|| options.reading.fields.clone());
        let is_left_out = |path: &str| self.except.is_some_and(|except| except(path));
        let mut next = 0;
        // One after another: a row group may hold more text than should be in memory at once.
        batch.into_documents(options).filter_map(move |read| match read {
            Ok(item) => {
                let number = next;
                next += 1;
                if is_left_out(&item.place.path) {
                    return None;
                }
                self.observer.documents(1);
                self.sites.add(&item.document);
                self.find(item.remarks.fields);
                if !item.remarks.is_empty() {
                    self.observer.remark(&item, &options.reading.limits);
                    self.problems.remark((side, index, number), &item, &options.reading.limits);
                }
                Some(item)
            }
            Err(error) => {
                let number = next;
                next += error.inputs;
                if error.reason.forbids_columns() {
                    self.ended().get_or_insert(error);
                } else if !is_left_out(&error.place.path) {
                    self.observer.problem(&error);
                    self.problems.add((side, index, number), error);
                }
                None
            }
        })
    }

    fn find(&self, fields: FoundFields) {
        // Most records have what others had, so that threads do not write to the same place all the time.
        if fields.bits() & !self.found.load(Ordering::Relaxed) != 0 {
            self.found.fetch_or(fields.bits(), Ordering::Relaxed);
        }
    }

    fn ended(&self) -> MutexGuard<'_, Option<ReadError>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signs all documents on all threads; `note` sees each batch before its documents are signed, and
    /// may look at every document.
    pub fn sign<F: FnMut(&Item)>(
        &self,
        reading: &mut Reading,
        side: usize,
        detector: &Detector,
        note: impl Fn(usize) -> F + Sync,
    ) -> Signed {
        let Reading { batches, options, .. } = reading;
        let options = &*options;
        let open = |batch| self.noted_documents(batch, options, side, &note);
        Signed::new(detector, self.batches(batches), open)
    }

    /// The same where only pairs are wanted, which takes less time and, for a large collection, less memory.
    pub fn sign_for_pairs<F: FnMut(&Item)>(
        &self,
        reading: &mut Reading,
        side: usize,
        detector: &Detector,
        note: impl Fn(usize) -> F + Sync,
    ) -> Signed {
        let Reading { batches, options, .. } = reading;
        let options = &*options;
        let open = |batch| self.noted_documents(batch, options, side, &note);
        let features = expected_features(batches);
        Signed::for_pairs(detector, features, self.batches(batches), open)
    }

    fn noted_documents<'b, F: FnMut(&Item)>(
        &'b self,
        batch: Batch,
        options: &'b ReadOptions,
        side: usize,
        note: &impl Fn(usize) -> F,
    ) -> impl Iterator<Item = Document> {
        let mut note = note(batch.index());
        self.items(batch, options, side).map(move |item| {
            note(&item);
            let document = item.document;
            let bytes = document.text.len() + document.rest.text.len() + document.id.len();
            self.taken.fetch_add(bytes as u64 + PER_DOCUMENT, Ordering::Relaxed);
            document
        })
    }

    /// Reads all documents on all threads; what `take` makes of each batch, in order.
    pub fn read<T: Send>(
        &self,
        reading: &mut Reading,
        take: impl Fn(&mut dyn Iterator<Item = Item>) -> T + Sync,
    ) -> Vec<T> {
        let Reading { batches, options, .. } = reading;
        let options = &*options;
        let batches = Mutex::new(self.batches(batches));
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        let parts = rayon::broadcast(|_| {
            let mut parts = Vec::new();
            while let Some(batch) = next() {
                let index = batch.index();
                parts.push((index, take(&mut self.items(batch, options, 1))));
            }
            parts
        });
        let mut parts: Vec<_> = parts.into_iter().flatten().collect();
        parts.sort_unstable_by_key(|(index, _)| *index);
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// Ends the pass: the bytes that were read, and what was not.
    ///
    /// # Errors
    ///
    /// If the job was cancelled, so that not everything was read.
    pub fn finish(self) -> Result<(u64, Unread), JobError> {
        if self.observer.is_cancelled() {
            return Err(JobError::Cancelled);
        }
        if let Some(error) = self.ended().take() {
            return Err(InputError::Columns(Box::new(error)).into());
        }
        let unread = Unread { sites: self.sites.counts(), ..self.problems.finish() };
        self.observer.read(&unread);
        let found = FoundFields::from_bits(self.found.into_inner());
        for (key, names) in self.fields.get().map_or(Vec::new(), |fields| found.missing(fields)) {
            self.observer.notice(Notice::NoField { key, names });
        }
        Ok((self.bytes.into_inner(), unread))
    }
}

/// About the number of features of all texts, where they are shingles of words; 0 if it is not known.
pub(crate) fn expected_features(batches: &Batches) -> usize {
    // Text has about a word in six bytes, and takes about a quarter of them where it is compressed.
    let is_packed = |kind, packing| kind == Kind::Parquet || packing != Compression::None;
    let packed = batches.listed().any(|(_, kind, packing)| is_packed(kind, packing));
    let bytes = batches.total_bytes().unwrap_or(0) as usize;
    bytes / 6 * if packed { 4 } else { 1 }
}

/// Fails if a named input is not there, before anything is written or standard input is read.
///
/// # Errors
///
/// If an input is not there, cannot be looked at, or is a model.
pub fn check<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), InputError> {
    for input in inputs.into_iter().filter(|path| path.as_os_str() != "-") {
        if let Err(source) = input.metadata() {
            return Err(match source.kind() {
                io::ErrorKind::NotFound => InputError::NotFound(input.clone()),
                _ => InputError::Io { path: input.clone(), source },
            });
        }
        if input.is_dir() && holds_results(input) {
            return Err(InputError::Results(input.clone()));
        }
        if is_model(input) {
            return Err(InputError::Model(input.clone()));
        }
    }
    Ok(())
}

/// Whether a file begins as models do.
fn is_model(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(64).read_to_end(&mut start));
    start.retain(|byte| !byte.is_ascii_whitespace());
    let start = String::from_utf8_lossy(&start);
    read.is_some() && start.starts_with("{\"version\":") && start.contains(",\"fingerprint\":\"")
}
