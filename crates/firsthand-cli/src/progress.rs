//! How far we are: one line on a terminal, rewritten a few times a second.

use crate::{console::Console, numbers};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const BETWEEN: Duration = Duration::from_millis(200);

/// A phase that takes longer is announced, with how long it may take.
const LONG: Duration = Duration::from_secs(20);

/// Counters that threads add to, and a thread that shows them.
pub(crate) struct Progress {
    state: Arc<State>,
    painter: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(Debug)]
struct State {
    started: Instant,
    documents: AtomicU64,
    /// Those of them that an earlier run read.
    earlier: AtomicU64,
    bytes: AtomicU64,
    /// How much of the phase is done, in millionths.
    share: AtomicU64,
    /// Whether it was announced that the phase takes long.
    announced: AtomicBool,
    doing: Mutex<Doing>,
}

/// What is done now.
#[derive(Clone, Debug)]
enum Doing {
    /// Reading, of this many bytes where that is known.
    Reading(Option<u64>),
    /// What follows reading, and since when.
    Phase(&'static str, Instant),
    /// What is said in place of all else.
    Other(String),
}

impl Progress {
    /// Starts to show progress, if the console can.
    pub(crate) fn new(console: &Arc<Console>) -> Self {
        let state = Arc::new(State::new());
        let painter = console.live().then(|| {
            let (stop, stopped) = channel();
            let (state, console) = (Arc::clone(&state), Arc::clone(console));
            let paint = move || {
                while stopped.recv_timeout(BETWEEN) == Err(RecvTimeoutError::Timeout) {
                    console.show(&state.line());
                }
                console.show("");
            };
            (stop, std::thread::spawn(paint))
        });
        Self { state, painter }
    }

    /// Counts, and shows nothing.
    pub(crate) fn hidden() -> Self {
        Self { state: Arc::new(State::new()), painter: None }
    }

    /// Starts to read this many bytes, where that is known.
    pub(crate) fn reading(&self, total: Option<u64>) {
        self.state.documents.store(0, Ordering::Relaxed);
        self.state.earlier.store(0, Ordering::Relaxed);
        self.state.bytes.store(0, Ordering::Relaxed);
        self.state.set(Doing::Reading(total));
    }

    /// States how many bytes have been read.
    pub(crate) fn set_bytes(&self, bytes: u64) {
        self.state.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Shows this line until something else is done.
    pub(crate) fn say(&self, line: String) {
        self.state.set(Doing::Other(line));
    }

    /// Adds documents that have been read.
    pub(crate) fn add(&self, documents: usize) {
        self.state.documents.fetch_add(documents as u64, Ordering::Relaxed);
    }

    /// States how many of the documents need not be read, and tell nothing of the speed.
    pub(crate) fn not_read(&self, documents: u64) {
        self.state.earlier.store(documents, Ordering::Relaxed);
    }

    /// States how much of the phase is done. Once it has taken long, returns a line that says so.
    pub(crate) fn matched(&self, share: f64) -> Option<String> {
        self.state.share.fetch_max((share * 1e6) as u64, Ordering::Relaxed);
        let Doing::Phase(_, since) =
            *self.state.doing.lock().unwrap_or_else(PoisonError::into_inner)
        else {
            return None;
        };
        let is_first =
            since.elapsed() > LONG && !self.state.announced.swap(true, Ordering::Relaxed);
        is_first.then(|| self.state.line())
    }

    /// Names what is done now.
    pub(crate) fn phase(&self, name: &'static str) {
        self.state.share.store(0, Ordering::Relaxed);
        self.state.set(Doing::Phase(name, Instant::now()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, painter)) = self.painter.take() {
            drop(stop);
            let _ = painter.join();
        }
    }
}

impl State {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            documents: AtomicU64::new(0),
            earlier: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            share: AtomicU64::new(0),
            announced: AtomicBool::new(false),
            doing: Mutex::new(Doing::Reading(None)),
        }
    }

    fn set(&self, doing: Doing) {
        *self.doing.lock().unwrap_or_else(PoisonError::into_inner) = doing;
    }

    fn line(&self) -> String {
        let documents = self.documents.load(Ordering::Relaxed);
        match self.doing.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            Doing::Other(line) => line,
            Doing::Phase(name, since) => {
                let share = self.share.load(Ordering::Relaxed) as f64 / 1e6;
                phase(name, documents, since.elapsed(), share)
            }
            Doing::Reading(total) => {
                let bytes = self.bytes.load(Ordering::Relaxed);
                let earlier = self.earlier.load(Ordering::Relaxed);
                reading((documents, earlier), bytes, total.unwrap_or(0), self.started.elapsed())
            }
        }
    }
}

/// `matching: 12,345 documents, 12 s, 30 % done, about 28 s left`.
fn phase(name: &str, documents: u64, elapsed: Duration, share: f64) -> String {
    let documents = numbers::counted(documents, "document");
    let mut line = format!("{name}: {documents}, {}", numbers::duration(elapsed));
    if share > 0.0 && elapsed > Duration::from_secs(2) {
        let left = numbers::duration(elapsed.mul_f64((1.0 - share) / share));
        line += &format!(", {:.0} % done, about {left} left", share * 100.0);
    }
    line
}

/// `reading: 12,345 documents, 34.5 MB of 60.0 MB, 45,000 a second, 3 s left`.
fn reading((documents, earlier): (u64, u64), bytes: u64, total: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(0.001);
    let rate = numbers::grouped((documents.saturating_sub(earlier) as f64 / seconds) as u64);
    let mut line = format!("reading: {}", numbers::counted(documents, "document"));
    // The bytes of a pipe are not counted.
    if bytes > 0 || total > 0 {
        line += &format!(", {}", numbers::bytes(bytes));
    }
    if total > 0 {
        line += &format!(" of {}", numbers::bytes(total));
    }
    line += &format!(", {rate} a second");
    if total > 0 && bytes > 0 && elapsed > Duration::from_secs(1) {
        let left = seconds * total.saturating_sub(bytes) as f64 / bytes as f64;
        let left = match left.ceil() as u64 {
            few @ 0..10 => format!("{few} s"),
            many => numbers::duration(Duration::from_secs(many)),
        };
        line += &format!(", {left} left");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_long_it_will_take() {
        let line = reading((31_000, 1_000), 20_000_000, 60_000_000, Duration::from_secs(10));
        assert_eq!(
            line,
            "reading: 31,000 documents, 20.0 MB of 60.0 MB, 3,000 a second, 20 s left"
        );
        let matching = phase("matching", 1_000, Duration::from_secs(30), 0.25);
        assert_eq!(matching, "matching: 1,000 documents, 30 s, 25 % done, about 90 s left");
        let stream = reading((3, 0), 20, 0, Duration::from_secs(1));
        assert_eq!(stream, "reading: 3 documents, 20 bytes, 3 a second");
        let pipe = reading((3, 0), 0, 0, Duration::from_secs(1));
        assert_eq!(pipe, "reading: 3 documents, 3 a second");
    }

    #[test]
    fn a_long_search_is_announced_once() {
        let progress = Progress::hidden();
        progress.add(1_000);
        progress.phase("matching");
        assert_eq!(progress.matched(0.1), None);
        let since = Instant::now().checked_sub(LONG + Duration::from_secs(10)).unwrap();
        progress.state.set(Doing::Phase("matching", since));
        let line = progress.matched(0.25).unwrap();
        assert!(line.starts_with("matching: 1,000 documents, "), "{line}");
        assert!(line.contains(", 25 % done, about ") && line.ends_with(" left"), "{line}");
        assert_eq!(progress.matched(0.5), None);
    }
}
