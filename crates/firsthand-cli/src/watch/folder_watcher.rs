//! What wakes the watcher: news from the system, the clock, or a signal.

use crate::console::Console;
use crate::stop;
use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Something happened in the folder.
#[derive(Debug)]
pub(crate) enum News {
    /// Something was made or changed.
    Changed(PathBuf),
    /// Something was written to by one who will be heard closing it.
    Written(PathBuf),
    /// Who wrote to it has closed it.
    Closed(PathBuf),
    /// Something was renamed to this, and so is whole.
    Renamed(PathBuf),
    /// More happened than was told: everything has to be looked at.
    Lost,
    /// A signal asks to stop.
    Stop,
}

/// What rings when there is news.
pub(crate) struct FolderWatcher {
    news: Receiver<News>,
    /// Held so that nobody hangs up.
    _sender: Sender<News>,
    watcher: Option<RecommendedWatcher>,
}

impl FolderWatcher {
    /// Asks the system for news of a folder, unless only the clock is wanted.
    pub(crate) fn new(folder: &Path, follow: bool, poll: bool, console: &Console) -> Self {
        let (sender, news) = channel();
        let stopper = sender.clone();
        stop::listen(move || drop(stopper.send(News::Stop)));
        let watcher = match poll {
            true => None,
            false => watch(folder, follow, sender.clone())
                .map_err(|error| {
                    console.warn(&format!(
                        "{}: the system does not tell of new files here ({error}); looking every few \
                         seconds instead",
                        folder.display()
                    ));
                })
                .ok(),
        };
        Self { news, _sender: sender, watcher }
    }

    /// Whether the system tells of what happens.
    pub(crate) fn is_told(&self) -> bool {
        self.watcher.is_some()
    }

    /// All news, waiting for the first for so long.
    pub(crate) fn wait(&self, time: Duration) -> Vec<News> {
        let first = match self.news.recv_timeout(time) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Vec::new(),
        };
        std::iter::once(first).chain(self.news.try_iter()).collect()
    }
}

fn watch(folder: &Path, follow: bool, sender: Sender<News>) -> notify::Result<RecommendedWatcher> {
    // The system tells of true paths; ours start as the folder was named.
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (real, named) = (here.canonicalize()?, folder.to_path_buf());
    let base = std::env::current_dir()?.join(here);
    let ours = move |path: PathBuf| {
        let rest = path.strip_prefix(&base).or_else(|_| path.strip_prefix(&real));
        rest.map(|rest| named.join(rest)).unwrap_or(path.clone())
    };
    let hear = move |event: notify::Result<notify::Event>| {
        let news = |news: News| drop(sender.send(news));
        let Ok(event) = event else { return news(News::Lost) };
        if event.need_rescan() {
            news(News::Lost);
        }
        match event.kind {
            EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) => {
                if let Some(path) = event.paths.into_iter().next_back() {
                    news(News::Renamed(ours(path)));
                }
            }
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
                event.paths.into_iter().for_each(|path| news(News::Closed(ours(path))));
            }
            // Only this system tells of closing.
            EventKind::Modify(ModifyKind::Data(_)) if cfg!(target_os = "linux") => {
                event.paths.into_iter().for_each(|path| news(News::Written(ours(path))));
            }
            EventKind::Create(_) | EventKind::Modify(_) | EventKind::Any => {
                event.paths.into_iter().for_each(|path| news(News::Changed(ours(path))));
            }
            EventKind::Access(_) | EventKind::Remove(_) | EventKind::Other => {}
        }
    };
    let config = notify::Config::default().with_follow_symlinks(follow);
    let mut watcher = RecommendedWatcher::new(hear, config)?;
    watcher.watch(here, RecursiveMode::Recursive)?;
    Ok(watcher)
}
