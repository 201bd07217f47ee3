//! From a file to plain bytes: decompression on the fly, counting what was taken from the disk.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::kind::Compression;

/// Where bytes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    File(PathBuf),
    Stdin,
}

pub(crate) type Bytes = Box<dyn Read + Send>;

/// Opens a source and says how it turned out to be compressed: by its name, else by its first
/// bytes.
pub(crate) fn open(
    source: &Source,
    named: Compression,
    taken: Arc<AtomicU64>,
) -> io::Result<(Bytes, Compression)> {
    let raw: Bytes = match source {
        Source::File(path) => Box::new(File::open(path)?),
        Source::Stdin => Box::new(io::stdin()),
    };
    let mut raw = Counting { raw, taken };
    let mut start = Vec::with_capacity(4);
    raw.by_ref().take(4).read_to_end(&mut start)?;
    let compression = match named {
        Compression::None => Compression::from_magic(&start),
        named => named,
    };
    let raw = Cursor::new(start).chain(raw);
    let plain: Bytes = match compression {
        Compression::None => Box::new(raw),
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(raw)),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(raw)?),
    };
    Ok((plain, compression))
}

struct Counting {
    raw: Bytes,
    taken: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.raw.read(buffer)?;
        self.taken.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}
