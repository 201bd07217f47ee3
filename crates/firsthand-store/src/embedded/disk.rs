//! The file system as the store uses it: what is written is counted, few files are open at once, and
//! tests make it fail or stop dead.

use super::errors::failed;
use firsthand::online::StoreError;
use std::{
    collections::VecDeque,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

/// A point in the code at which a test kills the process.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// Half of a round is written.
    InAppend,
    /// A round is written, and not yet synced.
    BeforeSync,
    /// A round is synced, and nobody was told.
    AfterSync,
    /// A round that forgets is durable, and the files are there still.
    InExpiry,
    /// LogRound of the keys are written to a run.
    InFlush,
    /// LogRound of several runs are written to one.
    InMerge,
    /// The description of the store is written under its temporary name.
    InDescription,
    /// The store is being closed.
    InShutdown,
}

/// Every point, by name.
#[doc(hidden)]
pub const POINTS: &[(&str, CrashPoint)] = &[
    ("in-append", CrashPoint::InAppend),
    ("before-sync", CrashPoint::BeforeSync),
    ("after-sync", CrashPoint::AfterSync),
    ("in-expiry", CrashPoint::InExpiry),
    ("in-flush", CrashPoint::InFlush),
    ("in-merge", CrashPoint::InMerge),
    ("in-description", CrashPoint::InDescription),
    ("in-shutdown", CrashPoint::InShutdown),
];

/// What tests make go wrong.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// The process dies when it comes to this point for the so-manieth time, counted from 1.
    pub crash: Option<(CrashPoint, u64)>,
    /// After so many writes and syncs all others fail, as on a full disk.
    pub fail_after: Option<u64>,
}

// Stores with thousands of buckets must not run out of file handles.
const OPEN: usize = 200;

/// The file system below a store.
#[derive(Debug, Default)]
pub(super) struct Disk {
    faults: Faults,
    reached: AtomicU64,
    operations: AtomicU64,
    written: AtomicU64,
    open: Mutex<VecDeque<Weak<Handle>>>,
    /// Whether what is done in the background is to end.
    closing: AtomicBool,
}

impl Disk {
    pub(super) fn new(faults: Faults) -> Arc<Self> {
        Arc::new(Self { faults, ..Self::default() })
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Relaxed)
    }

    /// LogEnds what is done in the background as soon as can be.
    pub(super) fn close(&self) {
        self.closing.store(true, Relaxed);
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Relaxed)
    }

    /// The process dies here if a test wants it to.
    pub(super) fn reach(&self, point: CrashPoint) {
        if let Some((wanted, number)) = self.faults.crash
            && wanted == point
            && self.reached.fetch_add(1, Relaxed) + 1 == number
        {
            std::process::abort();
        }
    }

    /// Whether the process may die at a point.
    pub(super) fn may_crash(&self, point: CrashPoint) -> bool {
        self.faults.crash.is_some_and(|(wanted, _)| wanted == point)
    }

    /// Counts an operation, and fails it if a test wants that.
    fn operate(&self) -> io::Result<()> {
        let number = self.operations.fetch_add(1, Relaxed);
        match self.faults.fail_after {
            Some(after) if number >= after => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    /// Makes the names in a folder durable.
    pub(super) fn sync_folder(&self, folder: &Path) -> Result<(), StoreError> {
        let sync = || {
            self.operate()?;
            // Windows cannot open a folder like a file, and has no need to.
            if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
        };
        sync().map_err(|e| failed(folder, "make durable", &e))
    }

    /// Writes a whole file so that either the old content or the new one is there.
    pub(super) fn replace(
        self: &Arc<Self>,
        path: &Path,
        bytes: &[u8],
        point: Option<CrashPoint>,
    ) -> Result<(), StoreError> {
        let temporary = temporary(path);
        let _ = fs::remove_file(&temporary);
        let handle = Handle::create(self, &temporary)?;
        let half = bytes.len() / 2;
        handle.write(0, &bytes[..half])?;
        if let Some(point) = point {
            self.reach(point);
        }
        handle.write(half as u64, &bytes[half..])?;
        handle.sync()?;
        drop(handle);
        self.rename(&temporary, path)
    }

    /// Gives a file its final name, durably.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> Result<(), StoreError> {
        self.operate()
            .and_then(|()| fs::rename(from, to))
            .map_err(|e| failed(to, "give its name to", &e))?;
        match to.parent() {
            Some(folder) => self.sync_folder(folder),
            None => Ok(()),
        }
    }

    fn open_handles(&self) -> MutexGuard<'_, VecDeque<Weak<Handle>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a file that is not finished.
pub(super) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// A file that is opened when it is needed, and may be closed in between.
#[derive(Debug)]
pub(super) struct Handle {
    path: PathBuf,
    disk: Arc<Disk>,
    file: Mutex<Option<Arc<File>>>,
}

impl Handle {
    /// A file that is there.
    pub(super) fn new(disk: &Arc<Disk>, path: &Path) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), disk: Arc::clone(disk), file: Mutex::new(None) })
    }

    /// A new file.
    pub(super) fn create(disk: &Arc<Disk>, path: &Path) -> Result<Arc<Self>, StoreError> {
        let create = || {
            disk.operate()?;
            OpenOptions::new().read(true).write(true).create_new(true).open(path)
        };
        create().map_err(|e| failed(path, "make", &e))?;
        Ok(Self::new(disk, path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn slot(&self) -> MutexGuard<'_, Option<Arc<File>>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(self: &Arc<Self>) -> Result<Arc<File>, StoreError> {
        if let Some(file) = &*self.slot() {
            return Ok(Arc::clone(file));
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&self.path)
            .map(Arc::new)
            .map_err(|e| failed(&self.path, "open", &e))?;
        *self.slot() = Some(Arc::clone(&file));
        let mut open = self.disk.open_handles();
        open.push_back(Arc::downgrade(self));
        let oldest = if open.len() > OPEN { open.pop_front() } else { None };
        drop(open);
        if let Some(oldest) = oldest.and_then(|weak| weak.upgrade()) {
            *oldest.slot() = None;
        }
        Ok(file)
    }

    /// How long it is.
    pub(super) fn length(self: &Arc<Self>) -> Result<u64, StoreError> {
        let metadata = self.file()?.metadata();
        Ok(metadata.map_err(|e| failed(&self.path, "read", &e))?.len())
    }

    /// Fills the buffer from a place on; false if the file ends before.
    pub(super) fn read(
        self: &Arc<Self>,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<bool, StoreError> {
        match read_exact_at(&*self.file()?, buffer, offset) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(failed(&self.path, "read", &e)),
        }
    }

    /// Writes at a place.
    pub(super) fn write(self: &Arc<Self>, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        let file = self.file()?;
        let write = || {
            if let Err(e) = self.disk.operate() {
                // As much as there was room for, as a full disk does.
                let _ = write_all_at(&file, &bytes[..bytes.len() / 2], offset);
                return Err(e);
            }
            write_all_at(&file, bytes, offset)
        };
        write().map_err(|e| failed(&self.path, "write to", &e))?;
        self.disk.written.fetch_add(bytes.len() as u64, Relaxed);
        Ok(())
    }

    /// Waits until what was written is on the disk.
    pub(super) fn sync(self: &Arc<Self>) -> Result<(), StoreError> {
        let file = self.file()?;
        let sync = || {
            self.disk.operate()?;
            file.sync_data()
        };
        sync().map_err(|e| failed(&self.path, "make durable", &e))
    }

    /// Cuts off what comes after a place, durably.
    pub(super) fn cut(self: &Arc<Self>, length: u64) -> Result<(), StoreError> {
        let file = self.file()?;
        file.set_len(length)
            .and_then(|()| file.sync_all())
            .map_err(|e| failed(&self.path, "shorten", &e))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}
