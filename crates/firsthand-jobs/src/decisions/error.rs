//! Why decisions cannot be read or added.

use firsthand::decisions::LinesError;
use firsthand::online::DecideError;
use std::io;
use std::path::{Path, PathBuf};

/// Why decisions cannot be read or added.
#[derive(Debug, thiserror::Error)]
pub enum DecisionsError {
    /// The file cannot be used.
    #[error("cannot use the decisions in {}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is no decision, or one that makes no sense.
    #[error("{}, {error}", .path.display())]
    Lines {
        /// The file.
        path: PathBuf,
        /// Which line, and why.
        error: LinesError,
    },
    /// Another process adds to the file.
    #[error("{} is in use: another review of these results is running; end it first", .0.display())]
    InUse(PathBuf),
    /// A store does not take it down.
    #[error("line {line} of the decisions: {error}")]
    NotTaken {
        /// Counted from 1.
        line: usize,
        /// Why.
        error: DecideError,
    },
}

impl DecisionsError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), source }
    }
}
