//! What a job reads: files and folders, or a table that is in memory.

use crate::error::InputError;
use crate::observer::Observer;
use crate::reading::{Reading, StandardInput};
use firsthand_input::{MemoryPieces, Place, ReadError, ReadOptions, check_columns, open_memory};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// What a job reads.
#[derive(Clone)]
pub enum Inputs {
    /// Files and folders; `-` is standard input.
    Paths(Vec<PathBuf>),
    /// A table in memory.
    Table(Arc<dyn InputTable>),
}

/// A table in memory: pieces of rows.
pub trait InputTable: Send + Sync {
    /// The rows from the first on; `None` if they can be had only once and somebody has had them.
    fn pieces(&self) -> Option<MemoryPieces>;

    /// The size of all texts in bytes, where that is known.
    fn bytes(&self) -> Option<u64>;

    /// The names of the columns, where all rows have the same.
    fn columns(&self) -> Option<Vec<String>>;
}

impl Inputs {
    /// The files and folders; none if it is a table.
    pub fn paths(&self) -> &[PathBuf] {
        match self {
            Self::Paths(paths) => paths,
            Self::Table(_) => &[],
        }
    }

    /// Whether there is nothing to read at all.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Paths(paths) if paths.is_empty())
    }

    /// Lists files, or begins to read a table. With `stdin`, and with `-` among the inputs, a copy of it is
    /// made first.
    ///
    /// # Errors
    ///
    /// If an input is not there, standard input is named twice or cannot be copied, or a table has no
    /// column for the text or cannot be read a second time.
    pub fn open(
        &self,
        options: ReadOptions,
        stdin: Option<StandardInput<'_>>,
        observer: &dyn Observer,
    ) -> Result<Reading, InputError> {
        match self {
            Self::Paths(paths) => Reading::open(paths, options, stdin, observer),
            Self::Table(table) => {
                if let Some(columns) = table.columns() {
                    let place = Place { path: "table".to_owned(), at: None };
                    check_columns(&columns, &options.reading.fields)
                        .map_err(|reason| ReadError { place, reason, inputs: 1 })?;
                }
                let pieces = table.pieces().ok_or(InputError::ReadBefore)?;
                let batches = open_memory(pieces, table.bytes(), &options);
                Ok(Reading { inputs: Vec::new(), batches, options, stdin: None })
            }
        }
    }
}

impl Default for Inputs {
    fn default() -> Self {
        Self::Paths(Vec::new())
    }
}

impl From<Vec<PathBuf>> for Inputs {
    fn from(paths: Vec<PathBuf>) -> Self {
        Self::Paths(paths)
    }
}

impl fmt::Debug for Inputs {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paths(paths) => out.debug_tuple("Paths").field(paths).finish(),
            Self::Table(table) => out.debug_tuple("Table").field(&table.columns()).finish(),
        }
    }
}
