//! Why a document that was named cannot be shown.

/// Why a document that was named cannot be shown. `name` is what the user wrote.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Standard input instead of a file.
    #[error("`-` is not a file")]
    StandardInput,
    /// A folder instead of a file.
    #[error("{name:?} is a folder")]
    Folder {
        /// The name.
        name: String,
    },
    /// A file that is not there.
    #[error("there is no file {name:?}")]
    NoFile {
        /// The name.
        name: String,
    },
    /// A file without a document.
    #[error("{name:?} holds no document")]
    Empty {
        /// The name.
        name: String,
    },
    /// A file with several documents.
    #[error("{name:?} holds many documents")]
    Several {
        /// The name.
        name: String,
    },
    /// A file that is not in the collection.
    #[error("the file {name:?} is not part of the collection")]
    NotInCollection {
        /// The name.
        name: String,
    },
    /// An id that no document of the collection has.
    #[error("no document of the collection has the id {name:?}")]
    NoDocument {
        /// The id.
        name: String,
        /// The id of the first document, if there is one.
        example: Option<String>,
    },
}
