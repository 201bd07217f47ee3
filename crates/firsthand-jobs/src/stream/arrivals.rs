//! From lines to signed documents: one thread cuts lines, another has them parsed and signed by the
//! thread pool, a bounded number of bytes ahead of what is being stored.

use super::LineInput;
use super::queue::{EndOnDrop, Queue};
use crate::error::JobError;
use crate::kept_text::KeptText;
use crate::observer::Observer;
use crate::store::OpenStore;
use firsthand::Document;
use firsthand::online::{Answer, Arrival, StreamDetector};
use firsthand::settings::ClockSource;
use firsthand_input::calendar::rfc3339;
use firsthand_input::{Item, Line, LineError, LineStream, ReadError, ReadOptions};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// The most lines that are signed at a time.
const SIGN_LINES: usize = 256;

/// The most bytes of lines that are signed at a time.
const SIGN_BYTES: usize = 1 << 20;

/// The most bytes that wait to be signed, and the same again of what waits to be stored.
const QUEUE_BYTES: usize = 16 << 20;

/// A document that is ready to be judged, or the answer to a line that holds none.
pub(crate) type Prepared = Result<SignedDocument, Box<Answer>>;

/// A signed document, and its text if that is kept.
#[derive(Debug)]
pub(crate) struct SignedDocument {
    pub(crate) arrival: Arrival,
    pub(crate) text: Option<KeptText>,
}

/// What arrives, in order. Both threads end soon after it is dropped; one that waits for input ends
/// once there is some.
pub(crate) struct Arrivals {
    pub(crate) queue: Arc<Queue<Prepared>>,
    blank_lines: Arc<AtomicU64>,
}

impl Arrivals {
    /// Starts the line reader and the signer.
    pub(crate) fn start(inputs: Vec<LineInput>, line_signer: LineSigner) -> Result<Self, JobError> {
        let lines = Arc::new(Queue::new(QUEUE_BYTES));
        let (queue, blank_lines) = (Arc::new(Queue::new(QUEUE_BYTES)), Arc::default());
        let arrivals = Self { queue: Arc::clone(&queue), blank_lines: Arc::clone(&blank_lines) };
        let (reader, unsigned) = (line_signer.clone(), Arc::clone(&lines));
        spawn("line reader", move || {
            let _end = EndOnDrop(&*unsigned);
            for input in inputs {
                if !read(input, &reader, &unsigned, &blank_lines) {
                    break;
                }
            }
        })?;
        spawn("signer", move || {
            let _end = EndOnDrop(&*queue);
            while let Some(taken) = lines.take(SIGN_LINES, SIGN_BYTES) {
                let prepare = |line: QueuedLine| (line_signer.sign_line(&line), line.size());
                let signed: Vec<_> = taken.into_par_iter().map(prepare).collect();
                if !signed.into_iter().all(|(prepared, size)| queue.push(prepared, size)) {
                    lines.close();
                    break;
                }
            }
        })?;
        Ok(arrivals)
    }

    /// The number of blank lines so far.
    pub(crate) fn blank_lines(&self) -> u64 {
        self.blank_lines.load(Ordering::Relaxed)
    }
}

impl Drop for Arrivals {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), JobError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(JobError::Thread)
}

/// A line that waits to be signed, or the answer to an input that cannot be opened.
enum QueuedLine {
    Line(Line),
    Answer(Box<Answer>),
}

impl QueuedLine {
    fn size(&self) -> usize {
        match self {
            QueuedLine::Line(line) => line.size(),
            QueuedLine::Answer(_) => size_of::<Answer>(),
        }
    }
}

fn open(input: LineInput, options: &ReadOptions) -> Result<LineStream, ReadError> {
    match input {
        LineInput::Stdin => LineStream::reader("stdin", std::io::stdin(), options),
        LineInput::File(path) => LineStream::file(&path, options),
        LineInput::Reader { name, reader } => LineStream::reader(&name, reader, options),
    }
}

/// Reads one input; false if nobody wants more.
fn read(
    input: LineInput,
    line_signer: &LineSigner,
    lines: &Queue<QueuedLine>,
    blank_lines: &AtomicU64,
) -> bool {
    let mut stream = match open(input, &line_signer.options) {
        Ok(stream) => stream,
        Err(error) => {
            let answer = Box::new(line_signer.unread(None, &error));
            return lines.push(QueuedLine::Answer(answer), size_of::<Answer>());
        }
    };
    let before = blank_lines.load(Ordering::Relaxed);
    while let Some(arrived) = stream.next() {
        for line in arrived {
            let size = line.size();
            if !lines.push(QueuedLine::Line(line), size) {
                return false;
            }
        }
        blank_lines.store(before + stream.blank(), Ordering::Relaxed);
    }
    blank_lines.store(before + stream.blank(), Ordering::Relaxed);
    true
}

/// Why a line cannot be judged.
#[derive(Debug)]
pub enum LineRefusal {
    /// It holds no document.
    Unread(LineError),
    /// The time of its document would move the window of the stream to where nothing is.
    Implausible {
        /// The id of the document.
        id: String,
        /// Why, in a sentence.
        reason: String,
    },
}

/// Parses and signs the documents of a stream.
#[derive(Clone, Debug)]
pub struct LineSigner {
    pub(crate) detector: StreamDetector,
    pub(crate) options: ReadOptions,
    /// How it is said why something was not read.
    wording: fn(&ReadError) -> String,
    /// Whether texts are kept.
    keep_text: bool,
}

impl LineSigner {
    /// As the documents of a store are read and signed.
    pub fn new(store: &OpenStore, observer: &dyn Observer) -> Self {
        let (detector, options) = (store.detector.clone(), store.reading.clone());
        Self { detector, options, wording: observer.wording(), keep_text: false }
    }

    /// From now on texts are kept.
    pub(crate) fn keep_texts(&mut self) {
        self.keep_text = true;
    }

    /// The answer to something that could not be read.
    pub(crate) fn unread(&self, id: Option<String>, error: &ReadError) -> Answer {
        Answer::error(id, (self.wording)(error))
    }

    fn sign_line(&self, line: &QueuedLine) -> Prepared {
        let line = match line {
            QueuedLine::Line(line) => line,
            QueuedLine::Answer(answer) => return Err(answer.clone()),
        };
        match line.read(&self.options) {
            Ok(item) => self.sign(&item),
            Err(unread) => Err(Box::new(self.unread(unread.id, &unread.error))),
        }
    }

    /// Reads and signs the document of a line; the document itself is there for who wants to keep its
    /// text.
    ///
    /// # Errors
    ///
    /// If the line holds no document, or one whose time is not plausible.
    pub fn read_and_sign(
        &self,
        line: &Line,
        options: &ReadOptions,
    ) -> Result<(Document, Arrival), LineRefusal> {
        let item = line.read(options).map_err(LineRefusal::Unread)?;
        let arrival = self.signed(&item)?;
        Ok((item.document, arrival))
    }

    /// Signs a document.
    pub(crate) fn sign(&self, item: &Item) -> Prepared {
        let arrival = self.signed(item).map_err(|refusal| match refusal {
            LineRefusal::Unread(unread) => Box::new(self.unread(unread.id, &unread.error)),
            LineRefusal::Implausible { id, reason } => Box::new(Answer::error(Some(id), reason)),
        })?;
        let text = self.keep_text.then(|| KeptText::new(&item.document));
        Ok(SignedDocument { arrival, text })
    }

    fn signed(&self, item: &Item) -> Result<Arrival, LineRefusal> {
        let (document, now) = (&item.document, now());
        let is_event = self.detector.settings().stream.clock == ClockSource::Event;
        match document.time.filter(|time| is_event && !is_plausible(*time, now)) {
            Some(time) => {
                let reason = format!(
                    "{}: its time {} is not plausible; correct it, or have the time of arrival \
                     count",
                    item.place,
                    rfc3339(time)
                );
                Err(LineRefusal::Implausible { id: document.id.clone(), reason })
            }
            None => Ok(self.detector.sign(document, now)),
        }
    }

    /// How documents are read.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// How they are signed.
    pub fn detector(&self) -> &StreamDetector {
        &self.detector
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

const YEAR: i64 = 365 * 86_400_000;

/// From the first newspapers to what may be announced for the next hundred years. A time outside
/// would move the window of the stream, and everything in it would be forgotten.
fn is_plausible(time: i64, now: i64) -> bool {
    time > -370 * YEAR && time < now.saturating_add(100 * YEAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_year_9999_is_not_plausible() {
        let (now, at) = (now(), |text: &str| firsthand_input::parse_time(text).unwrap());
        let plausible = ["1650-01-01", "1970-01-01", "2030-01-01"];
        assert!(plausible.iter().all(|text| is_plausible(at(text), now)));
        let implausible = ["9999-12-31", "0001-01-01", "1066-10-14"];
        assert!(implausible.iter().all(|text| !is_plausible(at(text), now)));
    }
}
