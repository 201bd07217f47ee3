//! Why a document that was named cannot be shown.

/// Why a document that was named cannot be shown. `name` is what the user wrote.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Standard input instead of a file.
    #[error(
        "`-` is not a file: name a collection on standard input with `in` -, and two of its ids"
    )]
    StandardInput,
    /// A folder instead of a file.
    #[error("{name:?} is a folder: name two files, or two ids of documents in it with `in` {name}")]
    Folder {
        /// The name.
        name: String,
    },
    /// A file that is not there.
    #[error(
        "there is no file {name:?}: if it is the id of a document, name its collection with `in`"
    )]
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
    #[error("{name:?} holds many documents: name two of them by their ids, with `in` {name}")]
    Several {
        /// The name.
        name: String,
    },
    /// A file that is not in the collection.
    #[error("the file {name:?} is not part of `in`: add it with `in` {name}")]
    NotInCollection {
        /// The name.
        name: String,
    },
    /// What is to be compared with a document of the store is not a file with one document.
    #[error(
        "{name:?} {found}: with `store`, name the id of a stored document, then a file with one document"
    )]
    NotOneFile {
        /// The name.
        name: String,
        /// What it is instead.
        found: &'static str,
    },
    /// An id that no document of the store has.
    #[error("no document of `store` has the id {name:?}")]
    NotInStore {
        /// The id.
        name: String,
    },
    /// An id that no document of the collection has.
    #[error("no document of `in` has the id {name:?}{}", about_ids(.example.as_deref()))]
    NoDocument {
        /// The id.
        name: String,
        /// The id of the first document, if there is one.
        example: Option<String>,
    },
}

fn about_ids(example: Option<&str>) -> String {
    match example {
        Some(example) => format!("; ids there look like {example:?}"),
        None => ": it holds no documents at all".to_owned(),
    }
}
