//! A watched folder: files that other programs put into it are judged as they arrive.
//!
//! The folder is listed once; from then on the system notifies the job of changes. The whole folder is
//! listed again from time to time, because notifications can get lost. A file is finished when its
//! answers are out, and the store keeps a list of finished files.
//!
//! Apart from the thread that calls [`run`] there is the thread of the notifications, and one that
//! reads files while some are due; documents are parsed and signed by the thread pool.

mod finished_files;
mod folder_watcher;
mod judge_files;
mod settling_files;
mod state;

use crate::answers::AnswerSink;
use crate::error::{InputError, JobError};
use crate::observer::{Notice, Observer};
use crate::store::OpenStore;
use crate::stream::{LineSigner, StreamSession, StreamSummary};
use folder_watcher::FolderWatcher;
use state::WatchState;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// How often the whole folder is listed while notifications work, and while they should but do not.
const NOTIFIED_INTERVAL: Duration = Duration::from_secs(60);
const UNNOTIFIED_INTERVAL: Duration = Duration::from_secs(2);

/// Listing the folder takes at most one part in 20 of the time: after a listing that took a second,
/// the next one is at least this many seconds later.
const LISTING_SHARE: u32 = 20;

/// A folder to watch and the store that its files are compared with.
#[derive(Debug)]
pub struct WatchJob {
    /// The store, and how files are read and signed for it. It may lie inside the folder.
    pub store: OpenStore,
    /// The folder.
    pub folder: PathBuf,
    /// Whether to end once all files that are there now are finished.
    pub once: bool,
    /// List the folder at this interval instead of asking the system for notifications.
    pub poll: Option<Duration>,
    /// How long the size and the time of a file must stay the same before it is read.
    pub settle: Duration,
}

/// Judges all documents in the files of a folder, until the job is cancelled. Then the files whose
/// answers are all out are noted as finished, and the others are read in the next run.
///
/// # Errors
///
/// If there is no such folder, the store fails and waiting does not help, or the sink does not take
/// the answers. A file that cannot be read is an answer with an error.
pub fn run(
    job: WatchJob,
    sink: &mut dyn AnswerSink,
    observer: &dyn Observer,
) -> Result<StreamSummary, JobError> {
    let WatchJob { mut store, folder, once, poll, settle } = job;
    if !folder.is_dir() {
        return Err(InputError::NoFolder(folder).into());
    }
    let started = Instant::now();
    // A store inside the folder is not an input.
    store.reading.except = Path::new(&store.address).canonicalize().ok();
    let line_signer = LineSigner::new(&store, observer);
    let session = StreamSession::new(store, true, observer);
    let named = folder;
    let folder = without_current_folder(&named);
    // Before the first listing, so that no file is missed in between.
    let follow = line_signer.options.reading.follow;
    let watcher = FolderWatcher::new(&folder, follow, poll.is_none() && !once, observer);
    let mut state = WatchState::new(folder, settle, line_signer, session, observer)?;
    state.list_all();
    if !once {
        observer.notice(Notice::Watching { folder: &named });
    }
    loop {
        let cancelled = state.judge_settled(sink)?;
        let until_settled = state.until_settled();
        if cancelled || (once && until_settled.is_none()) {
            break;
        }
        let interval = poll.unwrap_or(match watcher.is_notified() {
            true => NOTIFIED_INTERVAL,
            false => UNNOTIFIED_INTERVAL,
        });
        let interval = interval.max(state.listing_time * LISTING_SHARE);
        let until_listing = interval.saturating_sub(state.listed.elapsed());
        let wait = until_settled.map_or(until_listing, |time| time.min(until_listing));
        if state.handle(watcher.wait(wait)) {
            break;
        }
        if state.listed.elapsed() >= interval {
            state.list_all();
        }
    }
    Ok(state.finish(started.elapsed()))
}

/// The folder as the paths of its files begin: empty for the current folder.
fn without_current_folder(folder: &Path) -> PathBuf {
    folder.components().filter(|part| *part != Component::CurDir).collect()
}

/// The folder as the system can open it.
fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

#[cfg(test)]
mod tests;
