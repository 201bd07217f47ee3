//! The inputs cut into batches in a fixed order, with progress.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::batch::Batch;
use crate::compression::Compression;
use crate::error::ReadError;
use crate::feeder::{self, Sink};
use crate::memory::{MemoryFeed, MemoryPieces};
use crate::noted_part::NotedPart;
use crate::options::ReadOptions;
use crate::part::BatchPart;
use crate::walk::{self, Input, ListedInput};
use firsthand::settings::Kind;

/// The most batches that wait in the queue.
const QUEUE: usize = 4;
/// The batches that a small collection is divided into, and the least bytes of each.
const DIVIDED_INTO: u64 = 256;
const LEAST_DIVIDED: usize = 256 << 10;

/// An iterator over [`Batch`]es of input in a fixed order, made by [`open`].
///
/// A background thread reads a few batches ahead and then waits, so memory stays bounded. Worker
/// threads turn batches into documents by [`Batch::documents`].
pub struct Batches {
    entries: Arc<[ListedInput]>,
    options: Arc<ReadOptions>,
    copying: bool,
    total: Option<u64>,
    consumed: Arc<AtomicU64>,
    /// What the first reading noted of its parts, with [`ReadOptions::checksums`].
    pub(crate) noted: Arc<Mutex<Vec<NotedPart>>>,
    /// The input that reading starts with, and the number of the first batch.
    start: (usize, usize),
    /// The queue of the background thread, once started.
    queue: Option<Receiver<Batch>>,
    /// The table that is read instead of files, and the number of its batches so far.
    memory: Option<(MemoryFeed, usize)>,
}

/// Lists the files of `inputs` and prepares to read them; `-` is standard input.
///
/// # Errors
/// If a named input does not exist.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::fs::write(folder.path().join("note.txt"), "Ferry late")?;
/// use firsthand_input::{ReadOptions, open};
///
/// let options = ReadOptions::default();
/// for batch in open(&[folder.path().to_path_buf()], &options)? {
///     // Any thread may do this part.
///     for item in batch.into_documents(&options) {
///         assert_eq!(item?.document.text, "Ferry late");
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(inputs: &[PathBuf], options: &ReadOptions) -> Result<Batches, ReadError> {
    let entries = walk::list(inputs, options)?;
    Ok(Batches::new(entries.into(), Arc::new(options.clone()), false))
}

/// As [`open`], for bytes in memory that are treated as a file called `name`.
pub fn open_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Batches {
    let entries = [walk::entry_of(name, bytes, options)];
    Batches::new(entries.into(), Arc::new(options.clone()), false)
}

/// As [`open`], for a table in memory; `bytes` is its size, where that is known.
pub fn open_memory(pieces: MemoryPieces, bytes: Option<u64>, options: &ReadOptions) -> Batches {
    let batches = Batches::new([].into(), Arc::new(options.clone()), false);
    let memory = Some((MemoryFeed::new(pieces, options), 0));
    Batches { total: bytes, memory, ..batches }
}

impl Batches {
    pub(crate) fn new(
        entries: Arc<[ListedInput]>,
        options: Arc<ReadOptions>,
        copying: bool,
    ) -> Self {
        let size = |entry: &ListedInput| entry.as_ref().map_or(Some(0), |input| input.size);
        let total = entries.iter().map(size).sum();
        let (consumed, noted) = (Arc::default(), Arc::default());
        let start = (0, 0);
        let (queue, memory) = (None, None);
        Self { entries, options, copying, total, consumed, noted, start, queue, memory }
    }

    /// The same batches from the start, for copying records. Folders are not listed again, so files
    /// created in the meantime do not appear.
    pub fn again(&self) -> Self {
        let again = Self::new(Arc::clone(&self.entries), Arc::clone(&self.options), true);
        Self { noted: Arc::clone(&self.noted), ..again }
    }

    /// Has a small collection read in smaller batches: less memory is filled with what waits to be read, and threads
    /// come to the end at about the same time. Only before the first batch.
    pub fn divide(&mut self) {
        let Some(total) = self.total else { return };
        let share = usize::try_from(total / DIVIDED_INTO).unwrap_or(usize::MAX);
        let options = Arc::make_mut(&mut self.options);
        options.batch_bytes = options.batch_bytes.min(share.max(LEAST_DIVIDED));
    }

    /// Starts with a later input, since those before it were read by an earlier run, and numbers batches
    /// from `batch` on. `parts` are the [parts](Batch::noted_parts) that the earlier run noted of the
    /// inputs before, and `left` the bytes that it [read late](Batch::bytes_left_to_read). Only before
    /// the first batch.
    pub fn resume(
        &mut self,
        (input, batch): (usize, usize),
        left: u64,
        parts: impl Iterator<Item = [u64; 5]>,
    ) {
        self.start = (input, batch);
        let size = |entry: &ListedInput| match entry {
            // Counted when their documents are built.
            Ok(input) if input.kind.is_single() || input.kind == Kind::Parquet => 0,
            Ok(input) => input.size.unwrap_or(0),
            Err(_) => 0,
        };
        let early: u64 = self.entries[..input].iter().map(size).sum();
        self.consumed.store(early + left, Ordering::Relaxed);
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.extend(parts.map(NotedPart::from_numbers));
    }

    /// Whether the records of one input depend on those before it, so that reading cannot start later:
    /// a crawl refers to pages that it has met before.
    pub fn is_chained(&self) -> bool {
        self.entries
            .iter()
            .flatten()
            .any(|input| input.kind == Kind::Warc || input.kind.is_archive())
    }

    /// The number of files to read, by kind.
    pub fn files(&self) -> BTreeMap<&'static str, usize> {
        let mut files = BTreeMap::new();
        for input in self.entries.iter().flatten() {
            *files.entry(input.kind.name()).or_default() += 1;
        }
        files
    }

    /// The name of an input, by its number.
    pub(crate) fn input_name(&self, input: usize) -> String {
        match self.entries.get(input) {
            Some(Ok(input)) => input.name(),
            Some(Err(error)) => error.place.path.clone(),
            None => String::new(),
        }
    }

    /// The path of an input, by its number; none if it is standard input or could not be listed.
    pub(crate) fn input_path(&self, input: usize) -> Option<&Path> {
        self.entries.get(input)?.as_ref().ok()?.path()
    }

    /// The files that will be read: the path, which standard input does not have, what each is taken
    /// for, and how it is compressed by its name.
    pub fn listed(&self) -> impl Iterator<Item = (Option<&Path>, Kind, Compression)> {
        let inputs = self.entries.iter().flatten();
        inputs.map(|input| (input.path(), input.kind, input.compression))
    }

    /// The size of all files on disk; `None` if one of them is a stream.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }

    /// The same without pages, texts and messages that are larger than the limit, which are not read.
    pub fn readable_bytes(&self) -> Option<u64> {
        let limit = self.options.reading.limits.file;
        let is_refused = |input: &Input| {
            let is_whole = matches!(input.kind, Kind::Html | Kind::Text | Kind::Mail);
            let is_plain = input.compression == Compression::None;
            is_whole && is_plain && input.size.is_some_and(|size| size > limit)
        };
        let refused = self.entries.iter().flatten().filter(|input| is_refused(input));
        let refused: u64 = refused.filter_map(|input| input.size).sum();
        self.total.map(|total| total.saturating_sub(refused))
    }

    /// The number of bytes read, out of [`total_bytes`](Self::total_bytes).
    pub fn consumed_bytes(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    fn start(&self) -> Receiver<Batch> {
        let (sender, receiver) = sync_channel(QUEUE);
        let (first, batch) = self.start;
        let sink = Sink::new(sender, self.options.batch_bytes).numbered_from(batch);
        let (entries, options) = (Arc::clone(&self.entries), Arc::clone(&self.options));
        let (consumed, copying) = (Arc::clone(&self.consumed), self.copying);
        // It ends when everything is read or the receiver is gone; neither is an error.
        thread::spawn(move || {
            drop(feeder::feed((&entries, first), &options, &consumed, copying, sink))
        });
        receiver
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        if let Some((feed, index)) = &mut self.memory {
            let (part, bytes) = feed.next()?;
            *index += 1;
            self.consumed.fetch_add(bytes, Ordering::Relaxed);
            return Some(Batch::new(*index - 1, vec![BatchPart::Memory(part)], vec![0], bytes));
        }
        if self.queue.is_none() {
            self.queue = Some(self.start());
        }
        let mut batch = self.queue.as_ref()?.recv().ok()?;
        self.consumed.fetch_add(batch.bytes_left_to_read(), Ordering::Relaxed);
        if self.options.checksums && !self.copying {
            batch.note_parts();
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            noted.extend(&batch.noted);
        }
        Some(batch)
    }
}
