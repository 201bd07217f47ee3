//! Files that may still be written: one is complete once it has stayed the same for a while, or if it
//! was renamed into place.

use super::finished_files::FileVersion;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Files that were noticed and have not been read.
#[derive(Debug, Default)]
pub(super) struct SettlingFiles {
    files: BTreeMap<PathBuf, SettlingFile>,
}

#[derive(Clone, Copy, Debug)]
struct SettlingFile {
    version: FileVersion,
    /// Since when it has been the same.
    since: Instant,
    /// Whether it was complete when it was noticed.
    complete: bool,
    /// Whether a program has written to it and not closed it yet.
    open: bool,
}

/// A file that a program keeps open must stay the same for this many times as long as others.
const OPEN_FACTOR: u32 = 20;

impl SettlingFile {
    /// How long it must stay the same.
    fn settling_time(&self, settle: Duration) -> Duration {
        match (self.complete, self.open) {
            (true, _) => Duration::ZERO,
            (false, false) => settle,
            (false, true) => settle * OPEN_FACTOR,
        }
    }
}

impl SettlingFiles {
    /// A file was noticed in this version. It is `complete` if it was renamed into place, or has not
    /// been written to for long.
    pub(super) fn notice(
        &mut self,
        path: PathBuf,
        version: FileVersion,
        complete: bool,
        now: Instant,
    ) {
        let new = SettlingFile { version, since: now, complete, open: false };
        let file = self.files.entry(path).or_insert(new);
        if file.version != version {
            *file = SettlingFile { open: file.open, ..new };
        }
        file.complete |= complete;
    }

    /// A program has opened a file for writing, or closed it.
    pub(super) fn set_open(&mut self, path: &Path, open: bool) {
        if let Some(file) = self.files.get_mut(path) {
            file.open = open;
        }
    }

    /// Takes out the files that have settled, in the order of their paths.
    pub(super) fn take_settled(
        &mut self,
        settle: Duration,
        now: Instant,
    ) -> Vec<(PathBuf, FileVersion)> {
        let is_settled =
            |file: &SettlingFile| now.duration_since(file.since) >= file.settling_time(settle);
        let settled = self.files.extract_if(.., |_, file| is_settled(file));
        settled.map(|(path, file)| (path, file.version)).collect()
    }

    /// How long until the next file may have settled; none if there is no file.
    pub(super) fn until_next(&self, settle: Duration, now: Instant) -> Option<Duration> {
        let left = |file: &SettlingFile| {
            file.settling_time(settle).saturating_sub(now.duration_since(file.since))
        };
        self.files.values().map(left).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_file_has_not_settled() {
        let (settle, start) = (Duration::from_millis(500), Instant::now());
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let version = |size: u64| FileVersion { size, time: 0 };
        let (slow, moved) = (PathBuf::from("slow"), PathBuf::from("moved"));
        let mut settling = SettlingFiles::default();
        settling.notice(slow.clone(), version(1), false, at(0));
        assert_eq!(settling.take_settled(settle, at(400)), []);
        settling.notice(slow.clone(), version(2), false, at(400));
        settling.notice(moved.clone(), version(9), true, at(400));
        assert_eq!(settling.take_settled(settle, at(600)), [(moved, version(9))]);
        assert_eq!(settling.until_next(settle, at(600)), Some(Duration::from_millis(300)));
        settling.notice(slow.clone(), version(2), false, at(700));
        assert_eq!(settling.take_settled(settle, at(900)), [(slow, version(2))]);
        assert_eq!(settling.until_next(settle, at(900)), None);
    }

    #[test]
    fn an_open_file_takes_longer_to_settle() {
        let (settle, start) = (Duration::from_millis(500), Instant::now());
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let (path, version) = (PathBuf::from("open"), FileVersion { size: 1, time: 0 });
        let mut settling = SettlingFiles::default();
        settling.notice(path.clone(), version, false, at(0));
        settling.set_open(&path, true);
        assert_eq!(settling.take_settled(settle, at(5000)), []);
        settling.set_open(&path, false);
        assert_eq!(settling.take_settled(settle, at(5000)), [(path.clone(), version)]);
        settling.notice(path.clone(), version, false, at(0));
        settling.set_open(&path, true);
        assert_eq!(settling.take_settled(settle, at(10_000)), [(path, version)]);
    }
}
