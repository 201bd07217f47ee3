//! How full the disk of a store is.

use crate::problem::{Code, Problem};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long what was seen holds.
const FRESH: Duration = Duration::from_secs(1);

/// The disk of a store in a folder.
#[derive(Debug)]
pub(crate) struct Disk {
    /// None if the store is elsewhere.
    folder: Option<PathBuf>,
    /// The least free bytes.
    least: u64,
    seen: Mutex<Option<(Instant, u64)>>,
}

impl Disk {
    pub(crate) fn new(folder: Option<PathBuf>, least: u64) -> Self {
        Self { folder, least, seen: Mutex::new(None) }
    }

    /// The free bytes, as of the last second; none if the store is elsewhere.
    pub(crate) fn free(&self) -> Option<u64> {
        let folder = self.folder.as_ref()?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, free)) = seen.filter(|(at, _)| at.elapsed() < FRESH) {
            return Some(free);
        }
        let status = rustix::fs::statvfs(folder).ok()?;
        let free = status.f_bavail.saturating_mul(status.f_frsize);
        *seen = Some((Instant::now(), free));
        Some(free)
    }

    /// Forgets what was seen.
    pub(crate) fn look_again(&self) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether nothing more should be stored.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.free().is_some_and(|free| free < self.least)
    }
}

/// The refusal of documents when the disk is nearly full.
pub(crate) fn full() -> Problem {
    Problem::new(Code::DiskFull).limit("disk").detail(
        "nothing more is stored until there is room on the disk; checking and reading go on",
    )
}
