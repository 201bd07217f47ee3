//! The answers of a stream: where they go, and how many there are of each verdict.

use crate::error::OutputError;
use firsthand::online::{Answer, Verdict};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Receives the answers of a stream. A job hands them over round by round, in the order of the
/// documents, once everything that was kept of the round is durable.
pub trait AnswerSink {
    /// Receives the answers of one round.
    ///
    /// # Errors
    ///
    /// An error ends the job. The documents of the round stay in the store, and get the same answers
    /// when they are sent again.
    fn write(&mut self, answers: &[Answer]) -> io::Result<()>;

    /// Makes all answers so far durable, where the sink can. [`watch`](crate::watch) asks for it
    /// before it notes files as finished.
    ///
    /// # Errors
    ///
    /// An error ends the job, and the files are read again in the next run.
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Collects all answers.
impl AnswerSink for Vec<Answer> {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        self.extend_from_slice(answers);
        Ok(())
    }
}

/// Writes answers as JSON lines.
impl<W: Write> AnswerSink for BufWriter<W> {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        write_lines(self, answers)
    }
}

/// A file that answers are appended to as JSON lines.
#[derive(Debug)]
pub struct AppendedFile {
    path: PathBuf,
    file: Arc<Mutex<BufWriter<File>>>,
}

impl AppendedFile {
    /// Opens the file, or makes it, outside of a folder that is watched.
    ///
    /// # Errors
    ///
    /// If it lies in that folder or cannot be written to.
    pub fn open(path: &Path, watched: Option<&Path>) -> Result<Self, OutputError> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let path = path.to_path_buf();
        if let Some(Ok(watched)) = watched.map(Path::canonicalize)
            && let Ok(folder) = folder.canonicalize()
            && folder.starts_with(watched)
        {
            return Err(OutputError::InWatchedFolder(path));
        }
        let file = Arc::new(Mutex::new(appended(&path)?));
        Ok(Self { path, file })
    }

    /// What opens the file anew by its name, or makes it: whole answers before are in the file that had
    /// the name then, and all others in the one that has it now. For logs that are rotated.
    pub fn reopening(&self) -> impl Fn() -> Result<(), OutputError> + Send + 'static {
        let (path, file) = (self.path.clone(), Arc::clone(&self.file));
        move || {
            // Answers are flushed round by round: nothing waits to be written.
            *file.lock().unwrap_or_else(PoisonError::into_inner) = appended(&path)?;
            Ok(())
        }
    }

    fn named(&self, error: &io::Error) -> io::Error {
        let words = format!("cannot append to {}: {error}", self.path.display());
        io::Error::new(error.kind(), words)
    }
}

impl AnswerSink for AppendedFile {
    fn write(&mut self, answers: &[Answer]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_lines(&mut *file, answers).map_err(|error| self.named(&error))
    }

    fn sync(&mut self) -> io::Result<()> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.get_ref().sync_data().map_err(|error| self.named(&error))
    }
}

fn appended(path: &Path) -> Result<BufWriter<File>, OutputError> {
    match File::options().append(true).create(true).open(path) {
        Ok(file) => Ok(BufWriter::new(file)),
        Err(source) => {
            let path = path.to_path_buf();
            Err(OutputError::Io { doing: "append to", path, source })
        }
    }
}

/// Writes answers as JSON, one per line, and flushes them.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write_lines(out: &mut dyn Write, answers: &[Answer]) -> io::Result<()> {
    for answer in answers {
        serde_json::to_writer(&mut *out, answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// The number of answers by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    /// Originals.
    pub originals: u64,
    /// Duplicates, exact ones included.
    pub duplicates: u64,
    /// Duplicates with exactly the features of an earlier document.
    pub exact: u64,
    /// Updates.
    pub updates: u64,
    /// Documents that are too short to be compared.
    pub too_short: u64,
    /// Lines and files that hold no document.
    pub errors: u64,
    /// Documents that arrived before and got the stored answer again. They are counted under their
    /// verdict, too.
    pub repeated: u64,
    /// Documents dated before the window. They are counted under their verdict, too.
    pub outside_window: u64,
}

impl AnswerCounts {
    /// Counts some more answers.
    pub fn add(&mut self, answers: &[Answer]) {
        for answer in answers {
            let count = match answer.verdict {
                Verdict::Original => &mut self.originals,
                Verdict::Duplicate => &mut self.duplicates,
                Verdict::Update => &mut self.updates,
                Verdict::TooShort => &mut self.too_short,
                Verdict::Error => &mut self.errors,
            };
            *count += 1;
            self.exact += u64::from(answer.verdict == Verdict::Duplicate && answer.exact);
            self.repeated += u64::from(answer.repeated);
            self.outside_window += u64::from(answer.outside_window);
        }
    }

    /// Documents that got a verdict other than error.
    pub fn documents(&self) -> u64 {
        self.originals + self.duplicates + self.updates + self.too_short
    }
}
