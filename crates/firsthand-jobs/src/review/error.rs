//! Why something cannot be reviewed.

use crate::decisions::{DecisionError, DecisionsError, NotThere};
use crate::error::JobError;
use crate::texts::Gone;
use firsthand::online::{DecideError, StoreError};
use std::io;
use std::path::PathBuf;

/// Why something cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The folder is not there.
    #[error("there is no folder {}: name the folder that `firsthand dedup INPUT -o FOLDER` wrote", .0.display())]
    NoFolder(PathBuf),
    /// The folder holds no results.
    #[error("{} holds no results of dedup: name the folder that `firsthand dedup INPUT -o FOLDER` wrote", .folder.display())]
    NoResults {
        /// The folder.
        folder: PathBuf,
        /// Why, unless there is just no report.
        source: Option<io::Error>,
    },
    /// The report is not one of this version.
    #[error("{} is no report of this version of firsthand: run dedup again", .path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The clusters cannot be read.
    #[error("cannot read {}", .path.display())]
    Clusters {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A cluster that is not there.
    #[error("there is no cluster {0}")]
    NoCluster(u32),
    /// A document that is not in the cluster.
    #[error("the cluster has no such document")]
    NoDocument,
    /// An action without what it needs.
    #[error("{0}")]
    Senseless(&'static str),
    /// Something was undone or redone already.
    #[error("line {0} was undone or redone in the meantime")]
    Meanwhile(usize),
    /// Nothing to undo or redo.
    #[error(transparent)]
    NotThere(#[from] NotThere),
    /// Decisions cannot be read or added.
    #[error(transparent)]
    Decisions(#[from] DecisionsError),
    /// A decision that makes no sense.
    #[error(transparent)]
    Refused(#[from] DecisionError),
    /// A text cannot be read again.
    #[error(transparent)]
    Gone(#[from] Gone),
    /// Two texts cannot be compared.
    #[error("the two cannot be compared: {0}")]
    Explain(String),
    /// The store of the stream cannot be asked.
    #[error("the store cannot be used now; try again")]
    NoStore,
    /// The store fails.
    #[error("the store cannot be used now; try again")]
    Store(#[from] StoreError),
    /// The store fails.
    #[error("the store cannot be used now; try again")]
    Round(#[source] Box<JobError>),
    /// The store does not take a decision down.
    #[error(transparent)]
    NotTaken(DecideError),
    /// Something cannot be written.
    #[error("cannot write")]
    Write(#[from] io::Error),
}
