//! What could not be read: where, and why, in plain words.

use std::io;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::compression::Compression;
use crate::exceeded::Exceeded;
use crate::place::Place;
use firsthand::settings::{Limit, Limits};

/// The most column names that a message lists.
const NAMED: usize = 20;

/// One input, file or line that gave no document.
///
/// Shown as `news.jsonl, line 17: not valid JSON: ...`; serialised as an object with `path`,
/// `line` (null where there are no lines), the position otherwise (such as `record` and `byte`),
/// `reason`, `label`, `skipped`, and `setting` where one would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: Reason,
    /// How many inputs this stands for: more than one where rows are lost with the one that is
    /// named.
    pub inputs: usize,
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
    #[error("no text: none of the fields {0} is present")]
    NoText(String),
    /// A record of a stream that has no id.
    #[error("no id: none of the fields {0} is present")]
    NoId(String),
    /// A record of a stream with an id that nobody would write.
    #[error("its id has {0} bytes; the maximum is {1}")]
    LongId(usize, usize),
    /// A field of a record of a stream that holds something else.
    #[error("the {field} field holds {found}, not a string")]
    WrongType {
        /// What the field is for.
        field: &'static str,
        /// What it holds.
        found: &'static str,
    },
    /// A time in a record of a stream that is none.
    #[error("its time {0:?} cannot be understood; write it as 2024-05-31T18:00:00Z")]
    BadTime(String),
    /// A line of a stream that is not text.
    #[error("not valid UTF-8 from byte {0} on")]
    NotUtf8(usize),
    /// Something that goes beyond a limit.
    #[error(transparent)]
    Beyond(Exceeded),
    /// A table of which no column holds the text.
    #[error(
        "not a valid table of documents: no column is called {}; there are {}",
        .wanted.join(" or "), listed(.columns)
    )]
    NoTextColumn {
        /// The names that were looked for.
        wanted: Vec<String>,
        /// The names of the columns.
        columns: Vec<String>,
    },
    /// A record of a format that is not as the format wants it.
    #[error("not a valid {format}: {detail}")]
    BadRecord {
        /// The format, such as `WARC record`.
        format: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// A table whose column for the text holds something else.
    #[error(
        "not a valid table of documents: its column {0:?} holds structures or numbers, not text"
    )]
    UnfitColumn(String),
    /// A page that the parser refused.
    #[error("the page cannot be parsed: {0}")]
    BadPage(String),
    /// A named file of which neither name nor content tells its kind.
    #[error("neither its name nor its content shows what kind of file it is")]
    UnknownKind,
    /// A named device, pipe or socket.
    #[error("{0}, not a file or folder; pipe it into `-` instead")]
    NotAFile(&'static str),
    /// A file in a folder with an extension that is not read.
    #[error("files with the extension {0:?} are not read")]
    OtherExtension(String),
    /// A file or record that holds no text: a picture, a program.
    #[error("not text: {0}")]
    NotText(String),
    /// A record of a crawl that is not a page that was found.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// A record that only says that a page had not changed, when the page itself was not read.
    #[error("a revisit of {0}, which was not read before")]
    Revisit(String),
    /// A member of an archive whose name leads out of it.
    #[error("its name leads out of the archive")]
    Outside,
    /// A link in a folder.
    #[error("a symbolic link; links are not followed by default")]
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
    /// Where a Maildir keeps what is still on its way.
    #[error("messages that are still being delivered")]
    Undelivered,
    /// The folder that the caller excepted.
    #[error("the folder that results are written to")]
    Excepted,
}

impl ReadError {
    /// About a whole file.
    pub(crate) fn file(path: impl Into<String>, reason: Reason) -> Self {
        Self::at(Place::file(path), reason)
    }

    /// About something in a file.
    pub(crate) fn at(place: Place, reason: Reason) -> Self {
        Self { place, reason, inputs: 1 }
    }

    /// The limit that was exceeded, if that is the reason.
    pub fn limit(&self) -> Option<Limit> {
        self.reason.limit()
    }

    /// The dotted key of the setting by which this would be read, if there is one.
    pub fn setting(&self) -> Option<String> {
        self.reason.setting()
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
            | Reason::NotText(_)
            | Reason::Status(_)
            | Reason::Revisit(_)
            | Reason::Outside
            | Reason::Link
            | Reason::Hidden
            | Reason::Special(_)
            | Reason::Again
            | Reason::Undelivered
            | Reason::Excepted => true,
            Reason::NotFound
            | Reason::Io(_)
            | Reason::Damaged { .. }
            | Reason::BadJson(_)
            | Reason::NotAnObject(_)
            | Reason::NoText(_)
            | Reason::NoId(_)
            | Reason::LongId(..)
            | Reason::WrongType { .. }
            | Reason::BadTime(_)
            | Reason::NotUtf8(_)
            | Reason::Beyond(_)
            | Reason::NoTextColumn { .. }
            | Reason::UnfitColumn(_)
            | Reason::BadRecord { .. }
            | Reason::BadPage(_)
            | Reason::UnknownKind
            | Reason::NotAFile(_) => false,
        }
    }

    /// The limit that was exceeded, if that is the reason.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Reason::Beyond(exceeded) => Some(exceeded.limit),
            _ => None,
        }
    }

    /// The dotted key of the setting by which this would be read, if there is one.
    pub fn setting(&self) -> Option<String> {
        let key = match self {
            Reason::Beyond(exceeded) => {
                return Some(format!("reading.limits.{}", exceeded.limit.key()));
            }
            Reason::NoText(_) | Reason::NoTextColumn { .. } | Reason::UnfitColumn(_) => {
                "reading.fields.text"
            }
            Reason::NoId(_) => "reading.fields.id",
            Reason::UnknownKind => "reading.kind",
            Reason::Link => "reading.follow",
            _ => return None,
        };
        Some(key.to_owned())
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
            Reason::NoId(_) => "no id",
            Reason::LongId(..) => "id too long",
            Reason::WrongType { .. } => "wrong field type",
            Reason::BadTime(_) => "time not understood",
            Reason::NotUtf8(_) => "not valid UTF-8",
            Reason::Beyond(exceeded) => exceeded.limit.label(),
            Reason::NoTextColumn { .. } | Reason::UnfitColumn(_) => "bad record",
            Reason::BadRecord { .. } => "bad record",
            Reason::BadPage(_) => "page cannot be parsed",
            Reason::UnknownKind => "unknown kind",
            Reason::NotAFile(_) | Reason::Special(_) => "device, pipe or socket",
            Reason::OtherExtension(_) => "other extension",
            Reason::NotText(_) => "not text",
            Reason::Status(_) => "page not found or moved",
            Reason::Revisit(_) => "revisit without its original",
            Reason::Outside => "name leads out of the archive",
            Reason::Link => "symbolic link",
            Reason::Hidden => "hidden",
            Reason::Again => "already read",
            Reason::Undelivered => "not yet delivered",
            Reason::Excepted => "folder of results",
        }
    }

    /// Something that goes beyond a limit.
    pub(crate) fn beyond(limit: Limit, limits: &Limits) -> Self {
        Reason::Beyond(Exceeded::new(limit, limits))
    }

    pub(crate) fn from_io(error: &io::Error, compression: Compression) -> Self {
        if let Some(inner) = error.get_ref()
            && let Some(exceeded) = inner.downcast_ref::<Exceeded>()
        {
            return Reason::Beyond(*exceeded);
        }
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

/// At most [`NAMED`] names, and how many more there are.
fn listed(names: &[String]) -> String {
    let shorten = |name: &String| name.chars().take(60).collect();
    let shown: Vec<String> = names.iter().take(NAMED).map(shorten).collect();
    match names.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl Serialize for ReadError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        self.place.entries(&mut object)?;
        object.serialize_entry("reason", &self.reason.to_string())?;
        object.serialize_entry("label", self.reason.label())?;
        object.serialize_entry("skipped", &self.is_skip())?;
        if let Some(setting) = self.setting() {
            object.serialize_entry("setting", &setting)?;
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_place_and_reason() {
        let error = ReadError::at(Place::line("news.jsonl", 17), Reason::BadJson("cut off".into()));
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
