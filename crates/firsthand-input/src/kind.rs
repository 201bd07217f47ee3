//! What a file is, told by its name: a closed list of kinds, and how it is compressed.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// What the bytes of an input hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One page a file.
    Html,
    /// One plain text a file.
    Text,
    /// One JSON object a line, each a document.
    Jsonl,
}

/// How the bytes of an input are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard, one frame or several.
    Zstd,
}

impl Kind {
    /// Every kind, for help texts.
    pub const ALL: [Kind; 3] = [Kind::Html, Kind::Text, Kind::Jsonl];

    /// The kind's name, as a user types it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Text => "text",
            Kind::Jsonl => "jsonl",
        }
    }

    /// The kind that a file extension (without the dot, in any case) stands for.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let kind = match extension.to_ascii_lowercase().as_str() {
            "html" | "htm" | "xhtml" => Kind::Html,
            "txt" | "text" | "md" | "markdown" => Kind::Text,
            "jsonl" | "ndjson" => Kind::Jsonl,
            _ => return None,
        };
        Some(kind)
    }
}

impl Compression {
    fn from_extension(extension: &str) -> Self {
        match extension.to_ascii_lowercase().as_str() {
            "gz" => Compression::Gzip,
            "zst" | "zstd" => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// The compression that the first bytes of a stream show.
    pub fn from_magic(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "plain",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }
}

/// Kind and compression by name: `news.jsonl.gz` is gzipped JSONL. The kind is `None` when the
/// extension says nothing we know.
pub fn kind_of(path: &Path) -> (Option<Kind>, Compression) {
    let Some(outer) = extension(path) else { return (None, Compression::None) };
    let compression = Compression::from_extension(&outer);
    if compression == Compression::None {
        return (Kind::from_extension(&outer), compression);
    }
    let inner = path.file_stem().map(Path::new).and_then(extension);
    (inner.and_then(|inner| Kind::from_extension(&inner)), compression)
}

/// The part of a file's name after the last dot. An extension that is not UTF-8 is none we know.
pub(crate) fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_name() {
        use Compression::{Gzip, None as Plain, Zstd};
        let cases = [
            ("a.html", Some(Kind::Html), Plain),
            ("a.HTM", Some(Kind::Html), Plain),
            ("dir.jsonl/a.txt", Some(Kind::Text), Plain),
            ("README.md", Some(Kind::Text), Plain),
            ("a.jsonl", Some(Kind::Jsonl), Plain),
            ("a.ndjson", Some(Kind::Jsonl), Plain),
            ("a.b.jsonl.gz", Some(Kind::Jsonl), Gzip),
            ("a.JSONL.ZST", Some(Kind::Jsonl), Zstd),
            ("a.html.gz", Some(Kind::Html), Gzip),
            ("a.gz", None, Gzip),
            ("a.tar.gz", None, Gzip),
            ("a.png", None, Plain),
            ("jsonl", None, Plain),
            (".html", None, Plain),
            ("", None, Plain),
        ];
        for (name, kind, compression) in cases {
            assert_eq!(kind_of(Path::new(name)), (kind, compression), "{name:?}");
        }
    }

    #[test]
    fn compression_by_first_bytes() {
        assert_eq!(Compression::from_magic(&[0x1f, 0x8b, 8]), Compression::Gzip);
        assert_eq!(Compression::from_magic(&[0x28, 0xb5, 0x2f, 0xfd]), Compression::Zstd);
        assert_eq!(Compression::from_magic(b"{}"), Compression::None);
        assert_eq!(Compression::from_magic(b""), Compression::None);
    }
}
