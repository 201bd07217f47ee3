//! What wakes the watch: notifications from the system, the clock, or a request to stop.

use super::or_current;
use crate::observer::{Notice, Observer};
use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Something happened in the folder.
#[derive(Debug)]
pub(super) enum FolderEvent {
    /// A file was created or changed.
    Changed(PathBuf),
    /// A file was written to; an event will follow when it is closed.
    Written(PathBuf),
    /// A file that was open for writing was closed.
    Closed(PathBuf),
    /// A file was renamed to this path, and so is complete.
    Renamed(PathBuf),
    /// The system dropped events: the whole folder has to be listed.
    Overflow,
    /// The job was cancelled.
    Cancelled,
}

/// Receives the events of a folder.
pub(super) struct FolderWatcher {
    events: Receiver<FolderEvent>,
    /// Held so that the channel stays open without notifications.
    _sender: Sender<FolderEvent>,
    watcher: Option<RecommendedWatcher>,
}

impl FolderWatcher {
    /// Asks the system to notify us of changes in a folder, if that is wanted.
    pub(super) fn new(folder: &Path, follow: bool, notify: bool, observer: &dyn Observer) -> Self {
        let (sender, events) = channel();
        let on_cancel = sender.clone();
        observer.cancel().on_cancel(move || drop(on_cancel.send(FolderEvent::Cancelled)));
        let watcher = match notify {
            true => watch(folder, follow, sender.clone())
                .map_err(|error| observer.notice(Notice::NotNotified { folder, error: &error }))
                .ok(),
            false => None,
        };
        Self { events, _sender: sender, watcher }
    }

    /// Whether the system notifies us of changes.
    pub(super) fn is_notified(&self) -> bool {
        self.watcher.is_some()
    }

    /// All events so far; waits at most this long for the first.
    pub(super) fn wait(&self, time: Duration) -> Vec<FolderEvent> {
        let first = match self.events.recv_timeout(time) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Vec::new(),
        };
        std::iter::once(first).chain(self.events.try_iter()).collect()
    }
}

fn watch(
    folder: &Path,
    follow: bool,
    sender: Sender<FolderEvent>,
) -> notify::Result<RecommendedWatcher> {
    // The system reports absolute paths; ours begin with the folder as it was named.
    let here = or_current(folder);
    let (real, named) = (here.canonicalize()?, folder.to_path_buf());
    let base = std::env::current_dir()?.join(here);
    let as_named = move |path: PathBuf| {
        let rest = path.strip_prefix(&base).or_else(|_| path.strip_prefix(&real));
        rest.map(|rest| named.join(rest)).unwrap_or(path.clone())
    };
    let on_event = move |event: notify::Result<notify::Event>| {
        let send = |event: FolderEvent| drop(sender.send(event));
        let Ok(event) = event else { return send(FolderEvent::Overflow) };
        if event.need_rescan() {
            send(FolderEvent::Overflow);
        }
        let mut paths = event.paths.into_iter().map(&as_named);
        match event.kind {
            EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => {
                paths.next_back().into_iter().for_each(|path| send(FolderEvent::Renamed(path)));
            }
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
                paths.for_each(|path| send(FolderEvent::Closed(path)));
            }
            // Only Linux reports that a file was closed.
            EventKind::Modify(ModifyKind::Data(_)) if cfg!(target_os = "linux") => {
                paths.for_each(|path| send(FolderEvent::Written(path)));
            }
            EventKind::Create(_) | EventKind::Modify(_) | EventKind::Any => {
                paths.for_each(|path| send(FolderEvent::Changed(path)));
            }
            EventKind::Access(_) | EventKind::Remove(_) | EventKind::Other => {}
        }
    };
    let config = notify::Config::default().with_follow_symlinks(follow);
    let mut watcher = RecommendedWatcher::new(on_event, config)?;
    watcher.watch(here, RecursiveMode::Recursive)?;
    Ok(watcher)
}
