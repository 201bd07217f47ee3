//! The kind and compression of a file by its name.

use std::path::Path;

use crate::compression::Compression;
use firsthand::settings::Kind;

/// Kind and compression by name: `news.jsonl.gz` is gzipped JSONL. The kind is `None` if the
/// extension is unknown.
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
        return (kind_of_extension(&outer), compression);
    }
    let inner = path.file_stem().map(Path::new).and_then(extension);
    (inner.and_then(|inner| kind_of_extension(&inner)), compression)
}

/// The part of a file's name after the last dot; `None` if it is not UTF-8.
pub(crate) fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().into_owned())
}

/// The kind for a file extension, without the dot and in any case.
pub(crate) fn kind_of_extension(extension: &str) -> Option<Kind> {
    let kind = match extension.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" | "xht" | "shtml" => Kind::Html,
        "txt" | "text" | "md" | "markdown" => Kind::Text,
        "eml" => Kind::Mail,
        "jsonl" | "ndjson" => Kind::Jsonl,
        "json" => Kind::Json,
        "csv" => Kind::Csv,
        "tsv" | "tab" => Kind::Tsv,
        "parquet" | "pq" => Kind::Parquet,
        "warc" | "wet" | "wat" | "arc" => Kind::Warc,
        "mbox" | "mbx" => Kind::Mbox,
        "rss" | "atom" => Kind::Feed,
        "zip" => Kind::Zip,
        "tar" => Kind::Tar,
        _ => return None,
    };
    Some(kind)
}

/// The extension before that of the compression, unless it is a number or hash, as in names of
/// messages.
pub(crate) fn telling_extension(path: &Path) -> Option<String> {
    let mut last = extension(path)?;
    if kind_of(path).1 != Compression::None {
        last = extension(Path::new(path.file_stem()?))?;
    }
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit());
    let is_hash = last.len() >= 8 && last.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!is_number && !is_hash).then_some(last)
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

    #[test]
    fn what_an_extension_tells() {
        let cases = [
            ("notes", None),
            ("notes.gz", None),
            ("1.", None),
            ("comp.lang.c.12345", None),
            ("00001.7c53336b37003a9286aba55d2945844c", None),
            ("photo.png", Some("png")),
            ("photo.png.gz", Some("png")),
            ("1049.M1P2.host:2,S", Some("host:2,S")),
            ("face.cafe", Some("cafe")),
        ];
        for (name, extension) in cases {
            assert_eq!(telling_extension(Path::new(name)).as_deref(), extension, "{name}");
        }
    }
}
