//! Errors of reading: where, and why.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, PoisonError};

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::compression::Compression;
use crate::exceeded::Exceeded;
use crate::place::Place;
use firsthand::settings::{Limit, Limits};

/// The most column names that a message lists.
const NAMED: usize = 20;

/// An input, file or record that could not be read or was skipped.
///
/// Displayed as `news.jsonl, line 17: not valid JSON: ...`; serialised as an object with `path`,
/// `line` (null if there are no lines), other positions (such as `record` and `byte`), `reason`,
/// `label`, `skipped`, and `setting` if changing one would help.
///
/// ```
/// use firsthand_input::{ReadOptions, Reason, read_bytes};
///
/// let error = read_bytes("news.jsonl", b"broken", &ReadOptions::default()).next().unwrap();
/// let error = error.unwrap_err();
/// assert_eq!(error.place.line_number(), Some(1));
/// assert!(matches!(error.reason, Reason::BadJson(_)) && !error.is_skip());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReadError {
    /// Where it happened.
    pub place: Place,
    /// Why it could not be read.
    pub reason: Reason,
    /// The number of inputs lost: more than one if the rows after the named one are lost too.
    pub inputs: usize,
}

/// Why an input could not be read or was skipped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// A named input does not exist.
    #[error("there is no such file or folder")]
    NotFound,
    /// An error of the operating system.
    #[error("cannot be read: {0}")]
    Io(String),
    /// Broken or cut-off compressed data.
    #[error(
        "damaged or cut-off {} data: {detail}{}",
        .compression.name(),
        if *.is_end { "; nothing after it in this file is read" } else { "" }
    )]
    Damaged {
        /// The format of the data.
        compression: Compression,
        /// The message of the decoder.
        detail: String,
        /// Whether records of the file were read before it, and none is after it.
        is_end: bool,
    },
    /// A file that is no longer as it was when it was read.
    #[error("it changed after it was read first; nothing of it is copied from there on: run again")]
    Changed,
    /// A line that is not JSON.
    #[error("not valid JSON: {0}")]
    BadJson(String),
    /// A line that is valid JSON but not an object.
    #[error("a JSON {0} where an object with fields was expected")]
    NotAnObject(&'static str),
    /// A record that has neither a text nor a page.
    #[error("no text: none of the fields {wanted} is present{}", there(.fields))]
    NoText {
        /// The names that were looked for.
        wanted: String,
        /// The names of the fields that it has.
        fields: Box<[String]>,
    },
    /// A record whose text is null, an array or an object.
    #[error("no text: the field {field} holds {found}")]
    NotAText {
        /// The name of the field.
        field: String,
        /// The type of its value.
        found: &'static str,
    },
    /// A record whose id holds half of a character.
    #[error("its id holds half of a surrogate pair, which is not a character")]
    BrokenId,
    /// A record of a stream that has no id.
    #[error("no id: none of the fields {0} is present")]
    NoId(String),
    /// A record of a stream whose id is null or blank.
    #[error("no id: the field {field} holds {found}")]
    NotAnId {
        /// The name of the field.
        field: String,
        /// What it holds.
        found: &'static str,
    },
    /// A record of a stream whose id is too long: its length and the maximum.
    #[error("its id has {0} bytes; the maximum is {1}")]
    LongId(usize, usize),
    /// A field of a stream's record that holds a value of the wrong type.
    #[error("the {field} field holds {found}, not a string")]
    WrongType {
        /// What the field is for.
        field: &'static str,
        /// The type of its value.
        found: &'static str,
    },
    /// A time in a stream's record that cannot be parsed.
    #[error("its time {0:?} cannot be understood; write it as 2024-05-31T18:00:00Z")]
    BadTime(String),
    /// A line of a stream that is not valid UTF-8.
    #[error("not valid UTF-8 from byte {0} on")]
    NotUtf8(usize),
    /// A kind of file that this build does not read, as a feature was left out of it.
    #[error("this build has no Parquet: build it with the feature `{0}`, which is on by default")]
    LeftOut(&'static str),
    /// A limit was exceeded.
    #[error(transparent)]
    Beyond(Exceeded),
    /// A table without a column for the text.
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
    /// A record that violates its format.
    #[error("not a valid {format}: {detail}")]
    BadRecord {
        /// The format, such as `WARC record`.
        format: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// A table whose text column does not hold text.
    #[error(
        "not a valid table of documents: its column {0:?} holds structures or numbers, not text"
    )]
    UnfitColumn(String),
    /// A record that has a column of a name that is to be added.
    #[error("it has a column {0:?} already, which is to be added")]
    ColumnTaken(String),
    /// A file of a kind to whose records no column can be added.
    #[error("{0} has no columns, so none can be added")]
    NoColumns(&'static str),
    /// A page that could not be parsed.
    #[error("the page cannot be parsed: {0}")]
    BadPage(String),
    /// A named file whose kind cannot be determined.
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
    /// A response of a crawl with a status other than success.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// A record saying that a page had not changed, although the page itself was not read.
    #[error("a revisit of {0}, which was not read before")]
    Revisit(String),
    /// A member of an archive whose name leads out of it.
    #[error("its name leads out of the archive")]
    Outside,
    /// A hard link in an archive: another name of an earlier member.
    #[error("a hard link to {0:?}, another member of the archive")]
    HardLink(String),
    /// A folder of results that an earlier run wrote.
    #[error("results of an earlier run")]
    EarlierResults,
    /// A table beside labelled documents that holds no documents: graded pairs, errors.
    #[error("a table about other documents, such as graded pairs")]
    Companion,
    /// A symbolic link in a folder.
    #[error("a symbolic link; links are not followed by default")]
    Link,
    /// A file or folder whose name starts with a dot.
    #[error("hidden: its name starts with a dot")]
    Hidden,
    /// A device, pipe or socket in a folder.
    #[error("{0}, not a file")]
    Special(&'static str),
    /// A file or folder that was already read, through a link or another argument.
    #[error("already read under another name or argument")]
    Again,
    /// The folder in which a Maildir keeps messages that are being delivered.
    #[error("messages that are still being delivered")]
    Undelivered,
    /// The folder that the caller excluded.
    #[error("the folder that results are written to")]
    Excepted,
    /// What an earlier reading said of it, in its words.
    #[error("{}", .0.text)]
    Noted(Box<NotedReason>),
}

/// Why an earlier reading could not read an input: all that is said of a [`Reason`], to be kept with what
/// was read.
///
/// ```
/// use firsthand_input::{NotedReason, ReadOptions, Reason, read_bytes};
///
/// let error = read_bytes("news.jsonl", b"broken", &ReadOptions::default()).next().unwrap();
/// let reason = error.unwrap_err().reason;
/// let noted = Reason::from(NotedReason::of(&reason));
/// assert_eq!((noted.to_string(), noted.label()), (reason.to_string(), reason.label()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NotedReason {
    text: String,
    label: String,
    skip: bool,
    setting: Option<String>,
}

impl NotedReason {
    /// What is said of a reason.
    pub fn of(reason: &Reason) -> Self {
        Self {
            text: reason.to_string(),
            label: reason.label().to_owned(),
            skip: reason.is_skip(),
            setting: reason.setting(),
        }
    }
}

impl From<NotedReason> for Reason {
    fn from(noted: NotedReason) -> Self {
        Self::Noted(Box::new(noted))
    }
}

/// A label that lives as long as the program. There are few of them.
pub fn known_label(label: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.get(label) {
        return known;
    }
    let label: &'static str = Box::leak(label.to_owned().into_boxed_str());
    known.insert(label);
    label
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

    /// Whether this was skipped by rule (a link, a picture, a pipe) rather than unreadable.
    pub fn is_skip(&self) -> bool {
        self.reason.is_skip()
    }
}

impl Reason {
    /// Whether columns cannot be added to the records of a file, which was asked for.
    pub fn forbids_columns(&self) -> bool {
        matches!(self, Reason::ColumnTaken(_) | Reason::NoColumns(_))
    }

    /// Whether this is a rule for skipping files, not a failure to read one.
    pub fn is_skip(&self) -> bool {
        if let Reason::Noted(noted) = self {
            return noted.skip;
        }
        matches!(
            self,
            Reason::OtherExtension(_)
                | Reason::NotText(_)
                | Reason::Status(_)
                | Reason::Revisit(_)
                | Reason::Outside
                | Reason::HardLink(_)
                | Reason::EarlierResults
                | Reason::Companion
                | Reason::Link
                | Reason::Hidden
                | Reason::Special(_)
                | Reason::Again
                | Reason::Undelivered
                | Reason::Excepted
        )
    }

    /// The dotted key of the setting that would make this readable, if there is one.
    pub fn setting(&self) -> Option<String> {
        let key = match self {
            Reason::Beyond(exceeded) => {
                return Some(format!("reading.limits.{}", exceeded.limit.key()));
            }
            Reason::NoText { .. }
            | Reason::NotAText { .. }
            | Reason::NoTextColumn { .. }
            | Reason::UnfitColumn(_) => "reading.fields.text",
            Reason::NoId(_) | Reason::NotAnId { .. } => "reading.fields.id",
            Reason::UnknownKind => "reading.kind",
            Reason::Link => "reading.follow",
            Reason::Noted(noted) => return noted.setting.clone(),
            _ => return None,
        };
        Some(key.to_owned())
    }

    /// A short label without details, for counting.
    pub fn label(&self) -> &'static str {
        match self {
            Reason::NotFound => "not found",
            Reason::Io(_) => "cannot be read",
            Reason::Damaged { .. } => "damaged compressed data",
            Reason::Changed => "changed while it was read",
            Reason::BadJson(_) => "not valid JSON",
            Reason::NotAnObject(_) => "not a JSON object",
            Reason::NoText { .. } | Reason::NotAText { .. } => "no text",
            Reason::BrokenId => "broken id",
            Reason::NoId(_) | Reason::NotAnId { .. } => "no id",
            Reason::LongId(..) => "id too long",
            Reason::WrongType { .. } => "wrong field type",
            Reason::BadTime(_) => "time not understood",
            Reason::NotUtf8(_) => "not valid UTF-8",
            Reason::LeftOut(_) => "not read by this build",
            Reason::Beyond(exceeded) => exceeded.limit.label(),
            Reason::NoTextColumn { .. } | Reason::UnfitColumn(_) | Reason::BadRecord { .. } => {
                "bad record"
            }
            Reason::ColumnTaken(_) => "column name taken",
            Reason::NoColumns(_) => "no columns",
            Reason::BadPage(_) => "page cannot be parsed",
            Reason::UnknownKind => "unknown kind",
            Reason::NotAFile(_) | Reason::Special(_) => "device, pipe or socket",
            Reason::OtherExtension(_) => "other extension",
            Reason::NotText(_) => "not text",
            Reason::Status(_) => "page not found or moved",
            Reason::Revisit(_) => "revisit without its original",
            Reason::Outside => "name leads out of the archive",
            Reason::Link => "symbolic link",
            Reason::HardLink(_) => "hard link",
            Reason::EarlierResults => "folder of earlier results",
            Reason::Companion => "table about documents",
            Reason::Hidden => "hidden",
            Reason::Again => "already read",
            Reason::Undelivered => "not yet delivered",
            Reason::Excepted => "folder of results",
            Reason::Noted(noted) => known_label(&noted.label),
        }
    }

    /// A limit was exceeded.
    pub(crate) fn beyond(limit: Limit, limits: &Limits) -> Self {
        Reason::Beyond(Exceeded::new(limit, limits))
    }

    /// The reason for records that come no more, since their file ends in an error.
    pub(crate) fn ending(error: &io::Error, compression: Compression) -> Self {
        match Self::from_io(error, compression) {
            Reason::Damaged { compression, detail, .. } => {
                Reason::Damaged { compression, detail, is_end: true }
            }
            other => other,
        }
    }

    pub(crate) fn from_io(error: &io::Error, compression: Compression) -> Self {
        if let Some(inner) = error.get_ref()
            && let Some(exceeded) = inner.downcast_ref::<Exceeded>()
        {
            return Reason::Beyond(*exceeded);
        }
        // An error that is not from the operating system is from the decoder.
        if error.raw_os_error().is_none() && compression != Compression::None {
            return Reason::Damaged { compression, detail: error.to_string(), is_end: false };
        }
        match error.kind() {
            io::ErrorKind::NotFound => Reason::NotFound,
            _ => Reason::Io(error.to_string()),
        }
    }
}

/// The fields that there are, if any.
fn there(fields: &[String]) -> String {
    match fields.len() {
        0 => String::new(),
        _ => format!("; there are {}", listed(fields)),
    }
}

/// At most [`NAMED`] names, and the number of the others.
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
        if let Some(setting) = self.reason.setting() {
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
