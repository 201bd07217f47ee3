//! Reads at any position of a file that several threads share.

use std::fs::File;
use std::io;
use std::ops::Range;

/// Reads `length` bytes at a position, all of which must exist.
pub(super) fn read(file: &File, from: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    exactly(file, &mut bytes, from)?;
    Ok(bytes)
}

/// Bytes in memory at a time.
const PIECE: u64 = 1 << 18;

/// Hands on the bytes of a range, piece by piece, as far as they can be read.
pub(super) fn each_piece(file: &File, range: Range<u64>, mut take: impl FnMut(&[u8])) {
    let mut from = range.start;
    while from < range.end {
        let length = PIECE.min(range.end - from);
        let Ok(bytes) = read(file, from, length as usize) else { return };
        take(&bytes);
        from += length;
    }
}

#[cfg(unix)]
fn exactly(file: &File, bytes: &mut [u8], from: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, from)
}

#[cfg(windows)]
fn exactly(file: &File, mut bytes: &mut [u8], mut from: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, from) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                bytes = &mut bytes[length..];
                from += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
