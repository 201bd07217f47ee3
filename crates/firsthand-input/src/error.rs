//! What could not be read: where, and why, in plain words.

use std::fmt;
use std::io;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::kind::Compression;

/// One input, file or line that gave no document.
///
/// Shown as `news.jsonl, line 17: not valid JSON: ...`; serialised as an object with `path`,
/// `line`, `reason`, `label` and `skipped`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: Reason,
}

/// A file, or a line in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file as the user would name it; `stdin` for standard input.
    pub path: String,
    /// The line, counted from 1.
    pub line: Option<u64>,
}

/// Why something gave no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// A named input that is not there.
    #[error("there is no such file or folder")]
    NotFound,
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(String),
    /// Broken or cut-off compressed data.
    #[error("damaged or cut-off {} data: {detail}", .compression.name())]
    Damaged {
        /// What it claims to be.
        compression: Compression,
        /// What the decoder said.
        detail: String,
    },
    /// A line that is not JSON.
    #[error("not valid JSON: {0}")]
    BadJson(String),
    /// A line that is JSON but not an object.
    #[error("a JSON {0} where an object with fields was expected")]
    NotAnObject(&'static str),
    /// A record that has neither a text nor a page.
    #[error("no text: none of the fields {0} is there; name the right one with a flag")]
    NoText(String),
    /// A line longer than the limit.
    #[error("the line is longer than the limit of {limit} bytes")]
    LineTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// A page or text larger than the limit.
    #[error("the file is larger than the limit of {limit} bytes")]
    FileTooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// A page that the parser refused.
    #[error("the page cannot be parsed: {0}")]
    BadPage(String),
    /// A named file whose name does not tell its kind.
    #[error("its name does not tell what it holds; say html, text or jsonl as the kind")]
    UnknownKind,
    /// A named device, pipe or socket.
    #[error("{0}, not a file or folder; pipe it into `-` instead")]
    NotAFile(&'static str),
    /// A file in a folder with an extension that is not read.
    #[error("files with the extension {0:?} are not read")]
    OtherExtension(String),
    /// A file in a folder without an extension.
    #[error("its name has no extension to tell its kind")]
    NoExtension,
    /// A link in a folder.
    #[error("a symbolic link, and links are not followed unless asked to")]
    Link,
    /// A file or folder whose name starts with a dot.
    #[error("hidden: its name starts with a dot")]
    Hidden,
    /// A device, pipe or socket in a folder.
    #[error("{0}, not a file")]
    Special(&'static str),
    /// A folder or file that is reached a second time, by a link or because it was named twice.
    #[error("already read under another name or argument")]
    Again,
    /// The folder that the caller excepted.
    #[error("the folder that results are written to")]
    Excepted,
}

impl ReadError {
    pub(crate) fn file(path: impl Into<String>, reason: Reason) -> Self {
        Self { place: Place { path: path.into(), line: None }, reason }
    }

    pub(crate) fn line(path: impl Into<String>, line: u64, reason: Reason) -> Self {
        Self { place: Place { path: path.into(), line: Some(line) }, reason }
    }

    /// Whether this was passed over by rule (a link, a picture, a pipe) rather than unreadable.
    pub fn is_skip(&self) -> bool {
        self.reason.is_skip()
    }
}

impl Reason {
    /// Whether this is a rule that passes over a file, not a failure to read one.
    pub fn is_skip(&self) -> bool {
        match self {
            Reason::OtherExtension(_)
            | Reason::NoExtension
            | Reason::Link
            | Reason::Hidden
            | Reason::Special(_)
            | Reason::Again
            | Reason::Excepted => true,
            Reason::NotFound
            | Reason::Io(_)
            | Reason::Damaged { .. }
            | Reason::BadJson(_)
            | Reason::NotAnObject(_)
            | Reason::NoText(_)
            | Reason::LineTooLong { .. }
            | Reason::FileTooLarge { .. }
            | Reason::BadPage(_)
            | Reason::UnknownKind
            | Reason::NotAFile(_) => false,
        }
    }

    /// A few words without particulars, to count by.
    pub fn label(&self) -> &'static str {
        match self {
            Reason::NotFound => "not found",
            Reason::Io(_) => "cannot be read",
            Reason::Damaged { .. } => "damaged compressed data",
            Reason::BadJson(_) => "not valid JSON",
            Reason::NotAnObject(_) => "not a JSON object",
            Reason::NoText(_) => "no text",
            Reason::LineTooLong { .. } => "line too long",
            Reason::FileTooLarge { .. } => "file too large",
            Reason::BadPage(_) => "page cannot be parsed",
            Reason::UnknownKind => "unknown kind",
            Reason::NotAFile(_) | Reason::Special(_) => "device, pipe or socket",
            Reason::OtherExtension(_) => "other extension",
            Reason::NoExtension => "no extension",
            Reason::Link => "symbolic link",
            Reason::Hidden => "hidden",
            Reason::Again => "already read",
            Reason::Excepted => "folder of results",
        }
    }

    pub(crate) fn from_io(error: &io::Error, compression: Compression) -> Self {
        // What does not come from the operating system comes from the decoder.
        if error.raw_os_error().is_none() && compression != Compression::None {
            return Reason::Damaged { compression, detail: error.to_string() };
        }
        match error.kind() {
            io::ErrorKind::NotFound => Reason::NotFound,
            _ => Reason::Io(error.to_string()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        match self.line {
            Some(line) => write!(f, ", line {line}"),
            None => Ok(()),
        }
    }
}

impl Serialize for ReadError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("ReadError", 5)?;
        object.serialize_field("path", &self.place.path)?;
        object.serialize_field("line", &self.place.line)?;
        object.serialize_field("reason", &self.reason.to_string())?;
        object.serialize_field("label", self.reason.label())?;
        object.serialize_field("skipped", &self.is_skip())?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_place_and_reason() {
        let error = ReadError::line("news.jsonl", 17, Reason::BadJson("cut off".into()));
        assert_eq!(error.to_string(), "news.jsonl, line 17: not valid JSON: cut off");
        let json = serde_json::to_value(&error).unwrap();
        assert_eq!(json["line"], 17);
        assert_eq!(json["skipped"], false);
        assert_eq!(json["reason"], "not valid JSON: cut off");
        assert_eq!(json["label"], "not valid JSON");
    }

    #[test]
    fn passing_over_a_link_is_no_failure() {
        assert!(ReadError::file("a", Reason::Link).is_skip());
        assert!(!ReadError::file("a", Reason::UnknownKind).is_skip());
    }
}
