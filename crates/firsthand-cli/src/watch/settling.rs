//! When a file is whole: once it has stayed the same for a while, or was renamed into place.

use super::seen::Version;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Files that were met and are not done.
#[derive(Debug, Default)]
pub(crate) struct Settling {
    files: BTreeMap<PathBuf, Met>,
}

#[derive(Clone, Copy, Debug)]
struct Met {
    version: Version,
    /// Since when it has been the same.
    since: Instant,
    /// Whether it came whole.
    whole: bool,
    /// Whether somebody was seen writing to it and not yet closing it.
    written: bool,
}

/// Someone who keeps a file open without writing to it is not waited for longer than this many times
/// the usual.
const PATIENCE: u32 = 20;

impl Met {
    /// How long it must stay the same.
    fn needs(&self, settle: Duration) -> Duration {
        match (self.whole, self.written) {
            (true, _) => Duration::ZERO,
            (false, false) => settle,
            (false, true) => settle * PATIENCE,
        }
    }
}

impl Settling {
    /// A file was met in this version. `whole` says that it was renamed into place, or has not been
    /// written to for long.
    pub(crate) fn meet(&mut self, path: PathBuf, version: Version, whole: bool, now: Instant) {
        let met =
            self.files.entry(path).or_insert(Met { version, since: now, whole, written: false });
        if met.version != version {
            *met = Met { version, since: now, whole, written: met.written };
        }
        met.whole |= whole;
    }

    /// Somebody writes to a file, or has closed it.
    pub(crate) fn write(&mut self, path: &Path, written: bool) {
        if let Some(met) = self.files.get_mut(path) {
            met.written = written;
        }
    }

    /// Files whose time has come to be looked at again, in the order of their paths; the others stay.
    pub(crate) fn due(&mut self, settle: Duration, now: Instant) -> Vec<(PathBuf, Version)> {
        let is_due = |met: &Met| now.duration_since(met.since) >= met.needs(settle);
        let due: Vec<_> = self
            .files
            .iter()
            .filter(|(_, met)| is_due(met))
            .map(|(path, met)| (path.clone(), met.version))
            .collect();
        for (path, _) in &due {
            self.files.remove(path);
        }
        due
    }

    /// How long until the next file may be due; none if none is waiting.
    pub(crate) fn next(&self, settle: Duration, now: Instant) -> Option<Duration> {
        let left = |met: &Met| met.needs(settle).saturating_sub(now.duration_since(met.since));
        self.files.values().map(left).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_is_waited_for() {
        let (settle, start) = (Duration::from_millis(500), Instant::now());
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let version = |size: u64| Version { size, time: 0 };
        let (slow, moved) = (PathBuf::from("slow"), PathBuf::from("moved"));
        let mut settling = Settling::default();
        settling.meet(slow.clone(), version(1), false, at(0));
        assert_eq!(settling.due(settle, at(400)), []);
        settling.meet(slow.clone(), version(2), false, at(400));
        settling.meet(moved.clone(), version(9), true, at(400));
        assert_eq!(settling.due(settle, at(600)), [(moved, version(9))]);
        assert_eq!(settling.next(settle, at(600)), Some(Duration::from_millis(300)));
        settling.meet(slow.clone(), version(2), false, at(700));
        assert_eq!(settling.due(settle, at(900)), [(slow, version(2))]);
        assert_eq!(settling.next(settle, at(900)), None);
    }

    #[test]
    fn a_file_that_is_still_open_is_waited_for_longer() {
        let (settle, start) = (Duration::from_millis(500), Instant::now());
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let (path, version) = (PathBuf::from("open"), Version { size: 1, time: 0 });
        let mut settling = Settling::default();
        settling.meet(path.clone(), version, false, at(0));
        settling.write(&path, true);
        assert_eq!(settling.due(settle, at(5000)), []);
        settling.write(&path, false);
        assert_eq!(settling.due(settle, at(5000)), [(path.clone(), version)]);
        settling.meet(path.clone(), version, false, at(0));
        settling.write(&path, true);
        assert_eq!(settling.due(settle, at(10_000)), [(path, version)]);
    }
}
