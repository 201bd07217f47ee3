//! File access for the store: it counts bytes, limits the number of open files, and lets tests inject
//! failures and crashes.

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
    /// A round is written but not synced.
    BeforeSync,
    /// A round is synced but not acknowledged.
    AfterSync,
    /// A round that forgets a bucket is durable, but the files of the bucket still exist.
    InExpiry,
    /// Some of the keys of a new run are written.
    InFlush,
    /// Some of the keys of a merged run are written.
    InMerge,
    /// The description is being written under its temporary name.
    InDescription,
    /// The store is being closed.
    InShutdown,
}

/// All crash points, by name.
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

/// Faults that tests inject.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Abort the process the nth time it reaches a point, counted from 1.
    pub crash: Option<(CrashPoint, u64)>,
    /// Number of writes and syncs after which all others fail, as on a full disk.
    pub fail_after: Option<u64>,
}

// The most files that are open at once: a store may have thousands of buckets.
const OPEN_FILES: usize = 200;

/// The file system under a store.
#[derive(Debug, Default)]
pub(super) struct Disk {
    /// Whether files are opened for reading only.
    reads_only: bool,
    faults: Faults,
    reached: AtomicU64,
    operations: AtomicU64,
    written: AtomicU64,
    open: Mutex<VecDeque<Weak<Handle>>>,
    /// Whether background work has to stop.
    closing: AtomicBool,
}

impl Disk {
    pub(super) fn new(faults: Faults) -> Arc<Self> {
        Arc::new(Self { faults, ..Self::default() })
    }

    /// A file system on which nothing is changed.
    pub(super) fn reading() -> Arc<Self> {
        Arc::new(Self { reads_only: true, ..Self::default() })
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Relaxed)
    }

    /// Makes background work stop as soon as possible.
    pub(super) fn close(&self) {
        self.closing.store(true, Relaxed);
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Relaxed)
    }

    /// Aborts the process if a test asked for a crash at this point.
    pub(super) fn reach(&self, point: CrashPoint) {
        if let Some((wanted, number)) = self.faults.crash
            && wanted == point
            && self.reached.fetch_add(1, Relaxed) + 1 == number
        {
            std::process::abort();
        }
    }

    /// Whether a test asked for a crash at this point.
    pub(super) fn may_crash(&self, point: CrashPoint) -> bool {
        self.faults.crash.is_some_and(|(wanted, _)| wanted == point)
    }

    /// Counts an operation, and fails if a test asked for that.
    fn operate(&self) -> io::Result<()> {
        let number = self.operations.fetch_add(1, Relaxed);
        match self.faults.fail_after {
            Some(after) if number >= after => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    /// Syncs the names in a folder.
    pub(super) fn sync_folder(&self, folder: &Path) -> Result<(), StoreError> {
        let sync = || {
            self.operate()?;
            // Windows cannot open a folder as a file, and does not need to.
            if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
        };
        sync().map_err(|e| failed(folder, "sync", &e))
    }

    /// Replaces a file so that after a crash it has either the old contents or the new.
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

    /// Renames a file, durably.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> Result<(), StoreError> {
        self.operate()
            .and_then(|()| fs::rename(from, to))
            .map_err(|e| failed(to, "rename a file to", &e))?;
        match to.parent() {
            Some(folder) => self.sync_folder(folder),
            None => Ok(()),
        }
    }

    fn open_handles(&self) -> MutexGuard<'_, VecDeque<Weak<Handle>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a file while it is being written.
pub(super) fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// A file that is opened when it is needed and may be closed in between.
#[derive(Debug)]
pub(super) struct Handle {
    path: PathBuf,
    disk: Arc<Disk>,
    file: Mutex<Option<Arc<File>>>,
}

impl Handle {
    /// An existing file.
    pub(super) fn new(disk: &Arc<Disk>, path: &Path) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), disk: Arc::clone(disk), file: Mutex::new(None) })
    }

    /// A new file.
    pub(super) fn create(disk: &Arc<Disk>, path: &Path) -> Result<Arc<Self>, StoreError> {
        let create = || {
            disk.operate()?;
            OpenOptions::new().read(true).write(true).create_new(true).open(path)
        };
        create().map_err(|e| failed(path, "create", &e))?;
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
            .write(!self.disk.reads_only)
            .open(&self.path)
            .map(Arc::new)
            .map_err(|e| failed(&self.path, "open", &e))?;
        *self.slot() = Some(Arc::clone(&file));
        let mut open = self.disk.open_handles();
        open.push_back(Arc::downgrade(self));
        let oldest = if open.len() > OPEN_FILES { open.pop_front() } else { None };
        drop(open);
        if let Some(oldest) = oldest.and_then(|weak| weak.upgrade()) {
            *oldest.slot() = None;
        }
        Ok(file)
    }

    /// Its length in bytes.
    pub(super) fn length(self: &Arc<Self>) -> Result<u64, StoreError> {
        let metadata = self.file()?.metadata();
        Ok(metadata.map_err(|e| failed(&self.path, "read", &e))?.len())
    }

    /// Fills the buffer from an offset on; false if the file ends before that.
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

    /// Writes at an offset.
    pub(super) fn write(self: &Arc<Self>, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        let file = self.file()?;
        let write = || {
            if let Err(e) = self.disk.operate() {
                // Half of it, as on a disk that fills up.
                let _ = write_all_at(&file, &bytes[..bytes.len() / 2], offset);
                return Err(e);
            }
            write_all_at(&file, bytes, offset)
        };
        write().map_err(|e| failed(&self.path, "write to", &e))?;
        self.disk.written.fetch_add(bytes.len() as u64, Relaxed);
        Ok(())
    }

    /// Waits until everything written is on the disk.
    pub(super) fn sync(self: &Arc<Self>) -> Result<(), StoreError> {
        let file = self.file()?;
        let sync = || {
            self.disk.operate()?;
            file.sync_data()
        };
        sync().map_err(|e| failed(&self.path, "sync", &e))
    }

    /// Truncates the file, durably.
    pub(super) fn cut(self: &Arc<Self>, length: u64) -> Result<(), StoreError> {
        let file = self.file()?;
        file.set_len(length)
            .and_then(|()| file.sync_all())
            .map_err(|e| failed(&self.path, "truncate", &e))
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
