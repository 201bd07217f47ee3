//! The content of a zip member, decompressed and checked against its sizes and checksum.

use std::io::{self, BufReader, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::headers::MemberSums;
use crate::error::Reason;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Why a member cannot be read, if so.
pub(crate) fn unreadable(flags: u16, method: u16) -> Option<Reason> {
    if flags & 1 != 0 {
        return Some(Reason::Io("it is encrypted; decrypt the archive first".to_owned()));
    }
    let name = match method {
        STORED | DEFLATED => return None,
        1 => "Shrink",
        2..=5 => "Reduce",
        6 => "Implode",
        9 => "Deflate64",
        12 => "BZIP2",
        14 => "LZMA",
        20 | 93 => "Zstandard",
        95 => "XZ",
        98 => "PPMd",
        99 => "AES encryption",
        _ => "something unknown",
    };
    Some(Reason::Io(format!(
        "it is packed with {name} (method {method}), and only Deflate is read; pack it anew"
    )))
}

/// The content of a readable member; nothing is checked without `sums`.
pub(crate) fn content<R: Read>(packed: R, method: u16, sums: Option<MemberSums>) -> Content<R> {
    let packed = BufReader::with_capacity(4 << 10, packed);
    let plain = match method {
        DEFLATED => Plain::Deflated(DeflateDecoder::new(packed)),
        _ => Plain::Stored(packed),
    };
    Content { plain, crc: Crc::new(), length: 0, sums }
}

/// A decompressing reader that tracks size and checksum.
pub(crate) struct Content<R> {
    plain: Plain<R>,
    crc: Crc,
    length: u64,
    sums: Option<MemberSums>,
}

enum Plain<R> {
    Stored(BufReader<R>),
    Deflated(DeflateDecoder<BufReader<R>>),
}

impl<R: Read> Content<R> {
    /// The number of compressed bytes consumed so far.
    pub(crate) fn taken(&self) -> u64 {
        match &self.plain {
            Plain::Stored(_) => self.length,
            Plain::Deflated(decoder) => decoder.total_in(),
        }
    }
}

impl<R: Read> Read for Content<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = match &mut self.plain {
            Plain::Stored(bytes) => bytes.read(buffer)?,
            Plain::Deflated(decoder) => decoder.read(buffer)?,
        };
        self.length += length as u64;
        let Some(sums) = self.sums else { return Ok(length) };
        self.crc.update(&buffer[..length]);
        if self.length > sums.size {
            return Err(damaged("it is longer than the archive says"));
        }
        if length == 0 && !buffer.is_empty() {
            if self.length < sums.size {
                return Err(damaged("it is shorter than the archive says"));
            }
            if self.crc.sum() != sums.crc {
                return Err(damaged("its checksum is not the one that the archive gives"));
            }
        }
        Ok(length)
    }
}

fn damaged(words: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words)
}
