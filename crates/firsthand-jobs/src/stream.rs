//! A stream: one answer per line, in the order of the lines, and durable before it is handed over.
//!
//! The job starts two threads. The *line reader* cuts the inputs into lines. The *signer* takes the
//! lines that have arrived and has them parsed and signed by the thread pool, whose size the front
//! end sets. The thread that calls [`run`] stores and answers. The queues between them are bounded in
//! bytes. A round takes whatever is ready: under load up to 256 documents share a commit, and a line
//! that arrives alone is answered at once.

mod arrivals;
mod complete;
mod import;
mod keep_texts;
mod queue;
mod session;

pub(crate) use arrivals::Prepared;
pub use arrivals::{LineRefusal, LineSigner};
pub use session::StreamSession;

use crate::answers::{AnswerCounts, AnswerSink};
use crate::decisions::Decision;
use crate::error::{InputError, JobError, OutputError};
use crate::observer::{Notice, Observer, Phase};
use crate::reading;
use crate::store::OpenStore;
use arrivals::Arrivals;
use firsthand::online::{Holdings, LeftOut, StoreError};
use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most documents that share a commit.
pub const ROUND_DOCUMENTS: usize = 256;

/// The most bytes of lines that share a commit; a single longer line is a round of its own.
pub const ROUND_BYTES: usize = 8 << 20;

/// A stream of JSON lines and the store that they are compared with.
#[derive(Debug)]
pub struct StreamJob {
    /// The store, and how documents are read and signed for it.
    pub store: OpenStore,
    /// The inputs, read one after another.
    pub inputs: Vec<LineInput>,
    /// Whether documents are kept. If not, each is judged as if it were the next to arrive.
    pub keep: bool,
    /// Whether the texts of documents that are kept are kept, too.
    pub keep_text: bool,
    /// Decisions of people that the store takes over before anything is judged.
    pub decisions: Vec<Option<Decision>>,
}

/// An input of JSON lines.
pub enum LineInput {
    /// Standard input, compressed or not.
    Stdin,
    /// A file, compressed or not.
    File(PathBuf),
    /// Any other source, with the name that errors mention.
    Reader {
        /// The name.
        name: String,
        /// The bytes.
        reader: Box<dyn Read + Send>,
    },
}

/// What a stream has done.
#[derive(Debug)]
pub struct StreamSummary {
    /// The number of answers by verdict.
    pub counts: AnswerCounts,
    /// Blank lines, which get no answer.
    pub blank_lines: u64,
    /// What the window has left out in this run.
    pub left_out: LeftOut,
    /// How long it took.
    pub elapsed: Duration,
    /// What the store holds now. A store that fails only here has lost no answer.
    pub holdings: Result<Holdings, StoreError>,
}

impl LineInput {
    /// Inputs by their paths, where `-` is standard input; no path at all is standard input, too.
    ///
    /// # Errors
    ///
    /// If a path does not exist or is a folder, or standard input is named twice.
    pub fn from_paths(paths: &[PathBuf]) -> Result<Vec<Self>, InputError> {
        reading::check(paths)?;
        if let Some(folder) = paths.iter().find(|path| path.is_dir()) {
            return Err(InputError::IsFolder(folder.clone()));
        }
        reading::names_standard_input(paths)?;
        if paths.is_empty() {
            return Ok(vec![Self::Stdin]);
        }
        let input = |path: &PathBuf| match path.as_os_str() == "-" {
            true => Self::Stdin,
            false => Self::File(path.clone()),
        };
        Ok(paths.iter().map(input).collect())
    }
}

/// Answers all lines of the inputs, until they end or the job is cancelled. When it is cancelled, the
/// round under way is finished, and lines that have no answer yet are not stored.
///
/// # Errors
///
/// If the store fails and waiting does not help, or the sink does not take the answers. A line or an
/// input that cannot be read is an answer with an error, and the stream goes on.
pub fn run(
    job: StreamJob,
    sink: &mut dyn AnswerSink,
    observer: &dyn Observer,
) -> Result<StreamSummary, JobError> {
    let StreamJob { store, inputs, keep, keep_text, decisions } = job;
    if inputs.iter().any(|input| matches!(input, LineInput::Stdin)) {
        observer.notice(Notice::StandardInput);
    }
    let started = Instant::now();
    let mut line_signer = LineSigner::new(&store, observer);
    let mut session = StreamSession::new(store, keep, observer);
    if keep && keep_text {
        session.keep_texts()?;
        line_signer.keep_texts();
    }
    if keep && !decisions.is_empty() {
        session.import_decisions(&decisions)?;
    }
    let arrivals = Arrivals::start(inputs, line_signer)?;
    let queue = Arc::clone(&arrivals.queue);
    observer.cancel().on_cancel(move || queue.close());
    observer.phase(Phase::Reading { bytes: None });
    let mut counts = AnswerCounts::default();
    while let Some(round) = arrivals.queue.take(ROUND_DOCUMENTS, ROUND_BYTES) {
        let answers = session.judge(round)?;
        observer.documents(answers.len() as u64);
        counts.add(&answers);
        sink.write(&answers).map_err(OutputError::Stream)?;
    }
    Ok(StreamSummary {
        counts,
        blank_lines: arrivals.blank_lines(),
        left_out: session.left_out(),
        elapsed: started.elapsed(),
        holdings: session.holdings(),
    })
}

impl fmt::Debug for LineInput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => out.write_str("Stdin"),
            Self::File(path) => out.debug_tuple("File").field(path).finish(),
            Self::Reader { name, .. } => out.debug_tuple("Reader").field(name).finish(),
        }
    }
}

#[cfg(test)]
mod tests;
