//! Why a file cannot be read as a model.

use firsthand::model::{ModelError, VERSION};
use firsthand_input::json_words;
use serde_json::Value;
use std::io;
use std::path::PathBuf;

/// Why a file cannot be read as a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// It is not there.
    #[error("there is no model {}: `firsthand learn` makes one from labelled documents", .0.display())]
    NotFound(PathBuf),
    /// It is a folder.
    #[error("the model {} is a folder: name the file that `firsthand learn` wrote", .0.display())]
    Folder(PathBuf),
    /// The system refuses it.
    #[error("cannot read the model {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// It is larger than any model.
    #[error("{} is not a model: it is larger than any model can be", .0.display())]
    TooLarge(PathBuf),
    /// It ends in the middle.
    #[error("the model {} is cut off ({}): copy it anew, or learn it again", .0.display(), json_words(.1))]
    CutOff(PathBuf, serde_json::Error),
    /// It is not JSON.
    #[error("{} is not a model of `firsthand learn`: it is not JSON ({})", .0.display(), json_words(.1))]
    NotJson(PathBuf, serde_json::Error),
    /// It is JSON of something else.
    #[error(
        "{} is not a model of `firsthand learn`: it is JSON, but has neither version nor fingerprint",
        .0.display()
    )]
    NoModel(PathBuf),
    /// It is of another version.
    #[error(
        "the model {} is of version {}, and this firsthand knows version {VERSION}: learn it again",
        .0.display(), .1
    )]
    Version(PathBuf, Value),
    /// It is not what was written.
    #[error("the model {} was damaged or changed: copy it anew, or learn it again", .0.display())]
    Damaged(PathBuf, #[source] serde_json::Error),
    /// It does not make sense.
    #[error("the model {} cannot be used", .0.display())]
    Unusable(PathBuf, #[source] ModelError),
}
