//! The folder for what does not fit into memory: its files are counted, the room on the disk is watched,
//! and it goes with the run unless that is killed.

use crate::temp_files::{TempFileGuard, TempFiles};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A file that is locked as long as a run uses the folder.
const LOCK: &str = "lock";
/// Room that is left to others on the disk.
const RESERVE: u64 = 32 << 20;
/// How much is written between two looks at the room.
const BETWEEN: u64 = 32 << 20;
const BUFFER: usize = 256 << 10;

/// A folder for what does not fit into memory.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Whether the folder around it was made for it.
    made_parent: bool,
    _lock: Option<File>,
    guards: Vec<TempFileGuard>,
    written: AtomicU64,
    held: AtomicU64,
    peak: AtomicU64,
    unlooked: AtomicU64,
    /// The most bytes it may hold.
    room: u64,
    is_kept: AtomicBool,
}

impl Scratch {
    /// Makes or takes over a folder.
    ///
    /// # Errors
    ///
    /// If it cannot be made, or another run uses it.
    pub(crate) fn open(path: &Path, room: u64, temp_files: &TempFiles) -> io::Result<Self> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let made_parent = parent.is_some_and(|parent| !parent.exists());
        // The folder around it is noted first, because it goes last.
        let made = parent.filter(|_| made_parent).map(|parent| temp_files.note(parent));
        let guards = made.into_iter().chain([temp_files.note_tree(path)]).collect();
        fs::create_dir_all(path)?;
        let lock =
            File::options().create(true).truncate(false).write(true).open(path.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another run uses it"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let mut scratch = Self::new(path, Some(lock), room);
        (scratch.made_parent, scratch.guards) = (made_parent, guards);
        Ok(scratch)
    }

    fn new(path: &Path, lock: Option<File>, room: u64) -> Self {
        Self {
            path: path.to_path_buf(),
            made_parent: false,
            _lock: lock,
            guards: Vec::new(),
            written: AtomicU64::new(0),
            held: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            unlooked: AtomicU64::new(0),
            room,
            is_kept: AtomicBool::new(false),
        }
    }

    #[cfg(test)]
    pub(crate) fn for_tests(path: &Path) -> Self {
        let scratch = Self::new(path, None, u64::MAX);
        scratch.keep();
        scratch
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes that were written in all, and the most that were there at a time.
    pub fn bytes(&self) -> (u64, u64) {
        (self.written.load(Relaxed), self.peak.load(Relaxed))
    }

    /// The bytes that are there.
    pub(crate) fn held(&self) -> u64 {
        self.held.load(Relaxed)
    }

    /// Takes note of a file that was there before.
    pub(crate) fn adopt(&self, bytes: u64) {
        let held = self.held.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(held, Relaxed);
    }

    /// Leaves the folder where it is, for a run that goes on from there.
    pub(crate) fn keep(&self) {
        self.is_kept.store(true, Relaxed);
    }

    /// Removes everything but the lock.
    pub(crate) fn clear(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if entry.file_name() != LOCK {
                let _ = fs::remove_file(entry.path());
            }
        }
        self.held.store(0, Relaxed);
    }

    /// Removes all files but these.
    pub(crate) fn clear_but(&self, kept: &[&str]) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name != LOCK && !kept.iter().any(|kept| name == **kept) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A new file.
    pub(crate) fn create(self: &Arc<Self>, name: &str) -> io::Result<ScratchWriter> {
        self.writer(File::create(self.file(name))?)
    }

    /// A file that is written on from its end.
    pub(crate) fn append(self: &Arc<Self>, name: &str) -> io::Result<ScratchWriter> {
        self.writer(File::options().create(true).append(true).open(self.file(name))?)
    }

    fn writer(self: &Arc<Self>, file: File) -> io::Result<ScratchWriter> {
        Ok(ScratchWriter {
            scratch: Arc::clone(self),
            out: BufWriter::with_capacity(BUFFER, file),
            waiting: 0,
        })
    }

    /// A file from its start.
    pub(crate) fn read(&self, name: &str, buffer: usize) -> io::Result<ScratchReader> {
        Ok(BufReader::with_capacity(buffer, File::open(self.file(name))?))
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.file(name);
        let bytes = fs::metadata(&path).map_or(0, |file| file.len());
        if fs::remove_file(path).is_ok() {
            let _ =
                self.held.fetch_update(Relaxed, Relaxed, |held| Some(held.saturating_sub(bytes)));
        }
    }

    /// Counts bytes before they are written. Fails while there is still room for others.
    fn count(&self, bytes: u64) -> io::Result<()> {
        let held = self.held.fetch_add(bytes, Relaxed) + bytes;
        self.written.fetch_add(bytes, Relaxed);
        self.peak.fetch_max(held, Relaxed);
        if held > self.room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if self.unlooked.fetch_add(bytes, Relaxed) > BETWEEN {
            self.unlooked.store(0, Relaxed);
            if free_space(&self.path).is_some_and(|free| free < RESERVE) {
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_kept.load(Relaxed) {
            let _ = fs::remove_dir_all(&self.path);
            if let (true, Some(parent)) = (self.made_parent, self.path.parent()) {
                // It goes only if it is empty.
                let _ = fs::remove_dir(parent);
            }
        }
        self.guards.clear();
    }
}

/// The bytes that are free on the disk of a folder, where the system says so.
pub(crate) fn free_space(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(path).ok().map(|disk| disk.f_bavail * disk.f_frsize);
    #[cfg(not(unix))]
    return {
        let _ = path;
        None
    };
}

pub(crate) type ScratchReader = BufReader<File>;

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct ScratchWriter {
    scratch: Arc<Scratch>,
    out: BufWriter<File>,
    /// Bytes that were not counted yet.
    waiting: u64,
}

impl ScratchWriter {
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting += bytes.len() as u64;
        if self.waiting >= BUFFER as u64 {
            self.scratch.count(std::mem::take(&mut self.waiting))?;
        }
        self.out.write_all(bytes)
    }

    /// Hands everything to the system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.scratch.count(std::mem::take(&mut self.waiting))?;
        self.out.flush()
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}

/// Reads from a place in a file, whatever others read from it.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, at);
    #[cfg(windows)]
    {
        use std::os::windows::fs::FileExt;
        let mut done = 0;
        while done < bytes.len() {
            match file.seek_read(&mut bytes[done..], at + done as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        return Ok(());
    }
    #[cfg(not(any(unix, windows)))]
    {
        use std::io::{Seek, SeekFrom};
        let mut file = file;
        file.seek(SeekFrom::Start(at))?;
        return file.read_exact(bytes);
    }
}

/// Writes to a place in a file.
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, at);
    #[cfg(not(unix))]
    {
        use std::io::{Seek, SeekFrom};
        let mut file = file;
        file.seek(SeekFrom::Start(at))?;
        return file.write_all(bytes);
    }
}

/// Reads exactly, or tells that the file ended.
pub(crate) fn read_or_end(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
