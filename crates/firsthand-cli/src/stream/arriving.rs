//! From lines to arrivals: one thread cuts lines, another has them read and signed by all threads, a
//! little ahead of what is being stored.

use super::queue::{Ending, Queue};
use crate::clock::rfc3339;
use anyhow::{Context, Result};
use firsthand::Detector;
use firsthand::online::{Answer, Arrival};
use firsthand::settings::ClockSource;
use firsthand_input::{Item, Line, LineStream, ReadOptions};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// So many lines are read and signed at a time.
const TOGETHER: usize = 256;

/// And so many bytes of them.
const BYTES_TOGETHER: usize = 1 << 20;

/// So many bytes wait to be signed, and of what was signed to be stored.
const AHEAD: usize = 16 << 20;

/// A document that is ready to be judged, or the answer to a line that holds none.
pub(crate) type Prepared = Result<Arrival, Box<Answer>>;

/// What arrives, in order.
pub(crate) struct Arriving {
    pub(crate) queue: Arc<Queue<Prepared>>,
    blank: Arc<AtomicU64>,
}

/// What a document is read and signed with.
#[derive(Clone, Debug)]
pub(crate) struct LineSigner {
    pub(crate) detector: Detector,
    pub(crate) reading: ReadOptions,
}

impl Arriving {
    /// Starts to read.
    pub(crate) fn start(inputs: &[PathBuf], line_signer: LineSigner) -> Result<Self> {
        let lines = Arc::new(Queue::new(AHEAD));
        let (queue, blank) = (Arc::new(Queue::new(AHEAD)), Arc::new(AtomicU64::new(0)));
        let arriving = Self { queue: Arc::clone(&queue), blank: Arc::clone(&blank) };
        let (inputs, settings, cut) =
            (inputs.to_vec(), line_signer.reading.clone(), Arc::clone(&lines));
        spawn("reader", move || {
            let _ending = Ending(&*cut);
            for input in &inputs {
                if !read(input, &settings, &cut, &blank) {
                    break;
                }
            }
        })?;
        spawn("signer", move || {
            let _ending = Ending(&*queue);
            while let Some(together) = lines.take(TOGETHER, BYTES_TOGETHER) {
                let prepare = |line: Waiting| (line_signer.line(&line), line.size());
                let ready: Vec<_> = together.into_par_iter().map(prepare).collect();
                if !ready.into_iter().all(|(prepared, size)| queue.push(prepared, size)) {
                    lines.close();
                    break;
                }
            }
        })?;
        Ok(arriving)
    }

    /// How many blank lines were passed over.
    pub(crate) fn blank(&self) -> u64 {
        self.blank.load(Ordering::Relaxed)
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).context("cannot start a thread")
}

/// A line, or the answer to an input that has none.
enum Waiting {
    Line(Line),
    Answer(Box<Answer>),
}

impl Waiting {
    fn size(&self) -> usize {
        match self {
            Waiting::Line(line) => line.size(),
            Waiting::Answer(_) => size_of::<Answer>(),
        }
    }
}

/// Reads one input; false if nobody wants more.
fn read(path: &Path, settings: &ReadOptions, lines: &Queue<Waiting>, blank: &AtomicU64) -> bool {
    let live = match path.as_os_str() == "-" {
        true => LineStream::stdin(settings),
        false => LineStream::file(path, settings),
    };
    let mut live = match live {
        Ok(live) => live,
        Err(error) => {
            let answer = Box::new(Answer::error(None, error.to_string()));
            return lines.push(Waiting::Answer(answer), size_of::<Answer>());
        }
    };
    let before = blank.load(Ordering::Relaxed);
    while let Some(arrived) = live.next() {
        for line in arrived {
            let size = line.size();
            if !lines.push(Waiting::Line(line), size) {
                return false;
            }
        }
        blank.store(before + live.blank(), Ordering::Relaxed);
    }
    blank.store(before + live.blank(), Ordering::Relaxed);
    true
}

impl LineSigner {
    fn line(&self, waiting: &Waiting) -> Prepared {
        let line = match waiting {
            Waiting::Line(line) => line,
            Waiting::Answer(answer) => return Err(answer.clone()),
        };
        match line.read(&self.reading) {
            Ok(item) => self.item(&item),
            Err(unread) => Err(Box::new(Answer::error(unread.id, unread.error.to_string()))),
        }
    }

    /// Signs a document that was read.
    pub(crate) fn item(&self, item: &Item) -> Prepared {
        let (document, now) = (&item.document, now());
        let is_event = self.detector.settings().online.clock == ClockSource::Event;
        match document.time.filter(|time| is_event && !is_sensible(*time, now)) {
            Some(time) => {
                let reason = format!(
                    "{}: its time {} is beyond anything sensible; correct it, or use --time arrival",
                    item.place,
                    rfc3339(time)
                );
                Err(Box::new(Answer::error(Some(document.id.clone()), reason)))
            }
            None => Ok(self.detector.sign(document, now)),
        }
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

const YEAR: i64 = 365 * 86_400_000;

/// From the first newspapers to what may be announced for the next hundred years.
fn is_sensible(time: i64, now: i64) -> bool {
    time > -370 * YEAR && time < now.saturating_add(100 * YEAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_year_9999_is_not_sensible() {
        let (now, at) = (now(), |text: &str| firsthand_input::parse_time(text).unwrap());
        assert!(["1650-01-01", "1970-01-01", "2030-01-01"].iter().all(|t| is_sensible(at(t), now)));
        assert!(
            ["9999-12-31", "0001-01-01", "1066-10-14"].iter().all(|t| !is_sensible(at(t), now))
        );
    }
}
