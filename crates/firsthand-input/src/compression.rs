//! Compression formats, detected by extension or first bytes.

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
    pub(crate) fn from_extension(extension: &str) -> Self {
        match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Compression::Gzip,
            "zst" | "zstd" => Compression::Zstd,
            "bz2" | "bzip2" => Compression::Bzip2,
            _ => Compression::None,
        }
    }

    /// The compression by the first bytes of a stream.
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

    /// The extension of a file that is compressed in this way, with its dot; empty if it is not.
    pub fn extension(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Gzip => ".gz",
            Compression::Zstd => ".zst",
            Compression::Bzip2 => ".bz2",
        }
    }

    /// The number of bytes needed to detect a compression.
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
