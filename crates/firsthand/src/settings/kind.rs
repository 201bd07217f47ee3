//! The kinds of input.

use serde::{Deserialize, Serialize};

/// What the bytes of an input hold.
///
/// ```
/// use firsthand::settings::Kind;
///
/// assert_eq!(Kind::from_name("warc"), Some(Kind::Warc));
/// assert!(Kind::Zip.is_archive() && Kind::Html.is_single());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One page per file.
    Html,
    /// One plain text per file.
    Text,
    /// One e-mail message per file.
    Mail,
    /// One JSON object per line, each a document.
    Jsonl,
    /// A JSON array of objects, each a document, or one object after another.
    Json,
    /// A table with commas (or semicolons) between cells and column names in its first row.
    Csv,
    /// The same with tabs between cells.
    Tsv,
    /// A Parquet table.
    Parquet,
    /// A web archive.
    Warc,
    /// A mailbox: messages one after another.
    Mbox,
    /// An RSS or Atom feed.
    Feed,
    /// A zip archive, read like a folder.
    Zip,
    /// A tar archive, read like a folder.
    Tar,
}

impl Kind {
    /// Every kind, for help texts.
    pub const ALL: [Kind; 13] = [
        Kind::Html,
        Kind::Text,
        Kind::Mail,
        Kind::Jsonl,
        Kind::Json,
        Kind::Csv,
        Kind::Tsv,
        Kind::Parquet,
        Kind::Warc,
        Kind::Mbox,
        Kind::Feed,
        Kind::Zip,
        Kind::Tar,
    ];

    /// The kind's name, as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Text => "text",
            Kind::Mail => "mail",
            Kind::Jsonl => "jsonl",
            Kind::Json => "json",
            Kind::Csv => "csv",
            Kind::Tsv => "tsv",
            Kind::Parquet => "parquet",
            Kind::Warc => "warc",
            Kind::Mbox => "mbox",
            Kind::Feed => "feed",
            Kind::Zip => "zip",
            Kind::Tar => "tar",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a file of this kind is one document.
    pub fn is_single(self) -> bool {
        matches!(self, Kind::Html | Kind::Text | Kind::Mail)
    }

    /// Whether it is read like a folder.
    pub fn is_archive(self) -> bool {
        matches!(self, Kind::Zip | Kind::Tar)
    }
}
