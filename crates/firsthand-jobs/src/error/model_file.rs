//! Why a file cannot be read as a model.

use firsthand::model::{ModelError, VERSION};
use serde_json::Value;
use std::io;
use std::path::PathBuf;

/// Why a file cannot be read as a model.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct ModelFileError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub reason: ModelFileReason,
}

/// Why a file cannot be read as a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileReason {
    /// It is not there.
    #[error("there is no such model")]
    NotFound,
    /// It is a folder.
    #[error("a folder, not a model")]
    Folder,
    /// The system refuses it.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is larger than any model.
    #[error("not a model: it is larger than any model can be")]
    TooLarge,
    /// It ends in the middle.
    #[error("the model is cut off ({0})")]
    CutOff(serde_json::Error),
    /// It is not JSON.
    #[error("not a model: it is not JSON ({0})")]
    NotJson(serde_json::Error),
    /// It is JSON of something else.
    #[error("not a model: it is JSON, but has neither version nor fingerprint")]
    NoModel,
    /// It is of another version.
    #[error("the model is of version {found}, and this firsthand knows version {VERSION}")]
    Version {
        /// The version it has.
        found: Value,
    },
    /// It is not what was written.
    #[error("the model was damaged or changed")]
    Damaged(serde_json::Error),
    /// It does not make sense.
    #[error("the model cannot be used: {0}")]
    Unusable(#[from] ModelError),
}
