//! The kind and compression of a file, from its name.

pub(crate) use firsthand::settings::Kind;
use std::path::Path;

/// How the bytes of an input are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, one member or several.
    Gzip,
    /// Zstandard, one frame or several.
    Zstd,
    /// bzip2, one stream or several.
    Bzip2,
}

impl Compression {
    fn from_extension(extension: &str) -> Self {
        match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Compression::Gzip,
            "zst" | "zstd" => Compression::Zstd,
            "bz2" | "bzip2" => Compression::Bzip2,
            _ => Compression::None,
        }
    }

    /// The compression that the first bytes of a stream show.
    pub fn from_magic(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, 8, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            // The level, then the magic of a block or of an empty stream.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Compression::Bzip2
            }
            _ => Compression::None,
        }
    }

    /// As many bytes tell the compression of a stream.
    pub(crate) const MAGIC: usize = 10;

    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Compression::None => "plain",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Bzip2 => "bzip2",
        }
    }
}

/// Kind and compression by name: `news.jsonl.gz` is gzipped JSONL. The kind is `None` when the
/// extension says nothing we know.
pub fn kind_of(path: &Path) -> (Option<Kind>, Compression) {
    let Some(outer) = extension(path) else { return (None, Compression::None) };
    let compression = Compression::from_extension(&outer);
    match outer.to_ascii_lowercase().as_str() {
        "tgz" => return (Some(Kind::Tar), Compression::Gzip),
        "tbz" | "tbz2" => return (Some(Kind::Tar), Compression::Bzip2),
        "tzst" => return (Some(Kind::Tar), Compression::Zstd),
        _ => {}
    }
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
        use Compression::{Bzip2, Gzip, None as Plain, Zstd};
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
            ("a.tar.gz", Some(Kind::Tar), Gzip),
            ("a.TGZ", Some(Kind::Tar), Gzip),
            ("a.warc.gz", Some(Kind::Warc), Gzip),
            ("a.csv.bz2", Some(Kind::Csv), Bzip2),
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
        assert_eq!(Compression::from_magic(b"BZh91AY&SY"), Compression::Bzip2);
        assert_eq!(Compression::from_magic(b"BZh9 is a text"), Compression::None);
        assert_eq!(Compression::from_magic(b"{}"), Compression::None);
        assert_eq!(Compression::from_magic(b""), Compression::None);
    }
}
