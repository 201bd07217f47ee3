//! What the caller decides about reading, with every default written here once.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::html::Extract;
use crate::kind::Kind;
use crate::limits::Limits;

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// How much of a page is its text.
    pub extract: Extract,
    /// Where a JSON record keeps what.
    pub fields: Fields,
    /// Whether symbolic links inside folders are followed. Links that are named are always
    /// followed.
    pub follow: bool,
    /// Read every file as this kind, whatever its name; `-` too. Archives stay folders.
    pub kind: Option<Kind>,
    /// Treat plain texts of records and files as mail: quotes, signatures and the like are set
    /// apart. Mail itself is always treated so.
    pub mail: bool,
    /// What is set apart of mail stays in the text, and is keep_quotes:
    /// [`Document::quoted_lines`](firsthand::Document).
    pub keep_quotes: bool,
    /// What is refused or cut short.
    pub limits: Limits,
    /// Whether every document comes with its blocks and why each was kept or left out.
    pub blocks: bool,
    /// About how many bytes one [`Batch`](crate::Batch) holds.
    pub batch_bytes: usize,
    /// The file that standard input was copied to (see [`Spool`](crate::Spool)); `-` is read from
    /// there.
    pub stdin: Option<PathBuf>,
    /// A folder, by its canonical path, that is not read when it lies in another: the one that
    /// results are written to.
    pub except: Option<PathBuf>,
}

/// Names of the fields of a JSON record. Several names are tried in the order given, and the
/// first that is there and not null counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    /// The id; a record without one is called `FILE:LINE`.
    pub id: Vec<String>,
    /// Plain text.
    pub text: Vec<String>,
    /// A page, used when the plain text is missing or blank.
    pub html: Vec<String>,
    /// The title or subject.
    pub title: Vec<String>,
    /// The URL.
    pub url: Vec<String>,
    /// The host, where it is not to be taken from the URL.
    pub host: Vec<String>,
    /// The channel or archive.
    pub source: Vec<String>,
    /// The time of publication: RFC 3339, RFC 2822 or seconds or milliseconds since 1970.
    pub time: Vec<String>,
    /// The label of the true cluster.
    pub cluster: Vec<String>,
    /// Whether the label was looked for; `false` leaves the document out of an evaluation.
    pub labelled: Vec<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            extract: Extract::Main,
            fields: Fields::default(),
            follow: false,
            kind: None,
            mail: false,
            keep_quotes: false,
            limits: Limits::default(),
            blocks: false,
            batch_bytes: 1 << 20,
            stdin: None,
            except: None,
        }
    }
}

impl Default for Fields {
    fn default() -> Self {
        let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        Self {
            id: names(&["id", "_id", "doc_id", "uuid"]),
            text: names(&["text", "content", "body"]),
            html: names(&["html"]),
            title: names(&["title", "headline", "subject"]),
            url: names(&["url", "link"]),
            host: names(&["host", "domain"]),
            source: names(&["source", "site", "publisher"]),
            time: names(&["time", "date", "published", "timestamp", "created_at"]),
            cluster: names(&["cluster", "label"]),
            labelled: names(&["labelled", "labeled"]),
        }
    }
}
