//! Why a job ended without a result. Each error is one sentence; settings and options in it are named
//! by their keys in backticks, which a front end may turn into flags or fields.

mod beyond;
mod documents;
mod labels;
#[cfg(feature = "learn")]
mod model_file;
mod sample;

pub use beyond::MemoryError;
pub use documents::DocumentError;
pub use labels::LabelError;
#[cfg(feature = "learn")]
pub use model_file::ModelFileError;
pub use sample::SampleError;

use crate::decisions::DecisionsError;
use crate::numbers::{grouped, reasons};
use crate::settings::LayersError;
use firsthand::SettingsError;
use firsthand::evaluate::online::StreamError;
use firsthand::matcher::TooManyPairs;
use firsthand::online::StoreError;
use firsthand::settings::ThresholdError;
use firsthand_input::{ReadError, Reason};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Why a job ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] LayersError),
    /// The inputs cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The results cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A model cannot be read.
    #[cfg(feature = "learn")]
    #[error(transparent)]
    Model(#[from] ModelFileError),
    /// The memory that is given does not do, or the disk.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// More pairs than can be held.
    #[error(transparent)]
    TooManyPairs(#[from] TooManyPairs),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A document that was named cannot be shown.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// Two documents that are not both in the collection.
    #[error(transparent)]
    Explain(#[from] firsthand::explain::NotInCollection),
    /// Decisions cannot be read or added.
    #[error(transparent)]
    Decisions(#[from] DecisionsError),
    /// The labels cannot be used.
    #[error(transparent)]
    Labels(#[from] LabelError),
    /// There is nothing to sample.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// Nothing could be learned.
    #[cfg(feature = "learn")]
    #[error(transparent)]
    Learn(#[from] firsthand::learn::LearnError),
    /// A threshold that cannot be used.
    #[error(transparent)]
    Threshold(#[from] ThresholdError),
    /// Too many pairs reach the threshold of a method that is measured.
    #[error("{method} states too many pairs to be measured")]
    MethodTooLoose {
        /// The name of the method.
        method: String,
        /// The threshold and the limit.
        source: TooManyPairs,
    },
    /// Too many pairs reach every threshold of a method that is measured.
    #[error("{method} states too many pairs at every threshold to be measured")]
    MethodAlwaysTooLoose {
        /// The name of the method.
        method: String,
    },
    /// No method could be measured.
    #[error("no method could be measured")]
    NothingMeasured,
    /// A store cannot be used for a job.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store failed during a stream, and waiting does not help.
    #[error("nothing more is stored or answered")]
    Round(#[source] StoreError),
    /// A thread cannot be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// The observer asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<SettingsError> for JobError {
    fn from(error: SettingsError) -> Self {
        Self::Settings(error.into())
    }
}

impl From<StreamError> for JobError {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Settings(error) => error.into(),
            StreamError::Store(error) => error.into(),
        }
    }
}

impl From<ReadError> for JobError {
    fn from(error: ReadError) -> Self {
        Self::Input(error.into())
    }
}

/// Why inputs cannot be read at all. An input among others that cannot be read is no error but a
/// [problem](crate::Observer::problem).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A named input that is not there.
    #[error("{}: there is no such file or folder", .0.display())]
    NotFound(PathBuf),
    /// A named input that the system refuses.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The input.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder of results.
    #[error(
        "{}: these are results of an earlier run, not documents: name what they were made from, or a \
         single file among them",
        .0.display()
    )]
    Results(PathBuf),
    /// A folder where files of JSON lines should be.
    #[error("{} is a folder: name files of JSON lines, or use `firsthand watch`", .0.display())]
    IsFolder(PathBuf),
    /// A folder to watch that does not exist.
    #[error("{}: there is no such folder to watch", .0.display())]
    NoFolder(PathBuf),
    /// A model among the documents.
    #[error(
        "{} is a model, not a document: name documents, and the model with `model`", .0.display()
    )]
    Model(PathBuf),
    /// A named input that cannot be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file to whose rows columns cannot be added, because it has one of their names or no columns.
    #[error("{}", without_columns(.0))]
    Columns(Box<ReadError>),
    /// Standard input is named more than once.
    #[error("`-` is named {times} times, but standard input can be read only once")]
    StandardInput {
        /// How often.
        times: usize,
    },
    /// No room for a copy of standard input.
    #[error("cannot keep a copy of standard input in {}", .folder.display())]
    Spool {
        /// Where the copy should be.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Folders in which there is nothing to read.
    #[error(
        "nothing to read in {}: there is no page, text, mail, table, web archive or feed{}; `kind` \
         reads files whatever their names", shown(.inputs), also_skipped(.skipped)
    )]
    Nothing {
        /// The folders.
        inputs: Vec<PathBuf>,
        /// What was skipped there, by reason.
        skipped: BTreeMap<&'static str, usize>,
    },
    /// Inputs that hold no document that can be read.
    #[error("no document could be read from {}: {}", shown(.inputs), why_nothing(.unread, .skipped))]
    NoDocument {
        /// The inputs.
        inputs: Vec<PathBuf>,
        /// What could not be read, by reason.
        unread: BTreeMap<&'static str, usize>,
        /// What was skipped, by reason.
        skipped: BTreeMap<&'static str, usize>,
    },
    /// No room for the titles of documents.
    #[error("cannot keep the titles of documents in a temporary file")]
    Descriptions(#[source] io::Error),
    /// A table of which no row can be read; the error of the first.
    #[error("no row could be read: {0}")]
    NoRow(Box<ReadError>),
    /// A table that can be read only once, and has been.
    #[error(
        "these documents came one after another and are gone: hand over a table or a list instead"
    )]
    ReadBefore,
    /// The second reading of the inputs differs from the first.
    #[error("the inputs changed while they were read: run again")]
    Changed,
}

fn shown(paths: &[PathBuf]) -> String {
    let shown = paths.iter().map(|path| match path.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn without_columns(error: &ReadError) -> String {
    let advice = match error.reason {
        Reason::ColumnTaken(_) => "`annotate-names` gives new columns other names",
        _ => "leave it out of the inputs, or ask for `kept` and `dropped` instead",
    };
    format!("{error}; {advice}")
}

fn why_nothing(
    unread: &BTreeMap<&'static str, usize>,
    skipped: &BTreeMap<&'static str, usize>,
) -> String {
    match unread.is_empty() {
        true => format!("there is nothing in it{}", also_skipped(skipped)),
        false => format!("{}{}", reasons(unread), also_skipped(skipped)),
    }
}

fn also_skipped(skipped: &BTreeMap<&'static str, usize>) -> String {
    match skipped.is_empty() {
        true => String::new(),
        false => format!(" (skipped: {})", reasons(skipped)),
    }
}

/// Why a store cannot be used for a job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The store is not one that can keep texts.
    #[error(
        "a store in memory keeps no texts; leave `keep-text` out, or use a folder or a database"
    )]
    NoTexts,
    /// The address is empty.
    #[error("`store` is empty: name a folder, or postgres://..., or memory:")]
    NoAddress,
    /// The address of a database without its server.
    #[error(
        "`store` names no database after `postgres:`; write postgres://user@host:port/database"
    )]
    NoServer,
    /// A store in memory, where one is needed that exists.
    #[error("a store in memory is gone with its process: name a folder or a database")]
    InMemory,
    /// A new generation of a store that may not be changed.
    #[error("`new-generation` changes the store, but nothing is to be stored: leave it out")]
    GenerationWithoutStoring,
    /// The store cannot be opened.
    #[error("the store cannot be opened")]
    Store(#[source] StoreError),
    /// The store was made with other settings. A new generation would set its documents aside.
    #[error("{0} (`new-generation` does that)")]
    OtherSettings(StoreError),
    /// The store was made by another version, whose settings this one does not know.
    #[error(
        "the store was made by another version of firsthand: use that version, or create a new \
         store and send the documents again"
    )]
    OtherVersion(#[source] StoreError),
}

/// Why the names of columns that are to be added cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationError {
    /// A part without a name.
    #[error("{0:?} gives a column no name: write COLUMN=NAME, such as kept=dedup_kept")]
    NoName(String),
    /// A column that is not added.
    #[error("there is no column {0:?} to be added, only cluster, original, score, kept, reason")]
    Unknown(String),
    /// Two columns of the same name.
    #[error("two columns would be called {0:?}: give one of them another name")]
    Twice(String),
}

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file or folder that the system refuses.
    #[error("cannot {doing} {}", .path.display())]
    Io {
        /// What was to be done with it, such as `write`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A stream that cannot be written to.
    #[error(transparent)]
    Stream(io::Error),
    /// Results that are there already.
    #[error("{}", already_there(.file, .folder.as_deref()))]
    Exists {
        /// The first of them.
        file: PathBuf,
        /// The folder of results that it belongs to, if it is not a file by itself.
        folder: Option<PathBuf>,
    },
    /// A folder where a file should go.
    #[error("{} is a folder: name a file", .0.display())]
    IsFolder(PathBuf),
    /// A folder with the name of a file of results.
    #[error("{} is a folder: choose another with `output`", .0.display())]
    InTheWay(PathBuf),
    /// A file where a folder should be.
    #[error("`output` {} is a file: results go to a folder, name another", .0.display())]
    IsFile(PathBuf),
    /// A folder that is not there, for a file.
    #[error("there is no folder {} for {}: make it first", .folder.display(), .file.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// An input that the results would replace.
    #[error("{}", is_input(.input, .output))]
    IsInput {
        /// The input.
        input: PathBuf,
        /// Where results go: the same as the input, or the folder it lies in.
        output: PathBuf,
    },
    /// A file for answers in the folder that is watched.
    #[error(
        "{} lies in the folder that is watched: choose another place with `out`", .0.display()
    )]
    InWatchedFolder(PathBuf),
    /// A folder of an earlier run in which something else lies.
    #[error(
        "{} is not of the earlier results, which would be replaced with all that is in {}: move it \
         elsewhere, or choose another folder with `output`", .file.display(), .folder.display()
    )]
    Foreign {
        /// What lies there.
        file: PathBuf,
        /// The folder of rows.
        folder: PathBuf,
    },
    /// More pairs than are listed.
    #[error(
        "there are at least {} pairs to list, because many texts are equal, and the limit is {}: list \
         each near-duplicate with its original (`pairs` star), or raise `max-pairs`",
        grouped(*.pairs),
        grouped(*.limit)
    )]
    TooManyPairs {
        /// The least number of them.
        pairs: u64,
        /// The limit.
        limit: u64,
    },
}

impl OutputError {
    /// A file that cannot be written.
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Io { doing: "write", path: path.to_path_buf(), source }
    }
}

fn already_there(file: &Path, folder: Option<&Path>) -> String {
    let file = file.display();
    match folder.map(Path::display) {
        None => format!("{file} is there already: `force` replaces it, or name another file"),
        Some(folder) => format!(
            "{file} is there already: `force` replaces the results in {folder}, or choose another folder"
        ),
    }
}

fn is_input(input: &Path, output: &Path) -> String {
    let (file, folder) = (input.display(), output.display());
    match (input.is_dir(), output.is_dir()) {
        (true, _) => format!(
            "{folder} is both an input and the folder for results: choose another with `output`"
        ),
        (false, true) => format!(
            "{file} is an input, and results of that name go to {folder}: choose another folder with \
             `output`"
        ),
        (false, false) => format!("{folder} is an input: name another file"),
    }
}
