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
    /// The names of all kinds, as a user types them, in the order of the kinds.
    pub const NAMES: [(&str, Kind); 13] = [
        ("html", Kind::Html),
        ("text", Kind::Text),
        ("mail", Kind::Mail),
        ("jsonl", Kind::Jsonl),
        ("json", Kind::Json),
        ("csv", Kind::Csv),
        ("tsv", Kind::Tsv),
        ("parquet", Kind::Parquet),
        ("warc", Kind::Warc),
        ("mbox", Kind::Mbox),
        ("feed", Kind::Feed),
        ("zip", Kind::Zip),
        ("tar", Kind::Tar),
    ];

    /// The kind's name, as a user types it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_kinds() {
        for (name, kind) in Kind::NAMES {
            assert_eq!((kind.name(), Kind::from_name(name)), (name, Some(kind)));
        }
    }
}
