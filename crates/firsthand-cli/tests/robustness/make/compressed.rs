//! Compressed streams, and ones that grow out of all proportion.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::Write;

const MEGABYTE: usize = 1_000_000;

/// A gzip member.
pub(crate) fn gzip(content: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// A gzip member that holds `megabytes` of zeros in a thousandth of the space.
pub(crate) fn gzip_of_zeros(megabytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    zeros(&mut encoder, megabytes);
    encoder.finish().unwrap()
}

/// The same as zip archives have it.
pub(crate) fn deflate_of_zeros(megabytes: usize) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    zeros(&mut encoder, megabytes);
    encoder.finish().unwrap()
}

fn zeros(out: &mut impl Write, megabytes: usize) {
    let block = vec![0; MEGABYTE];
    for _ in 0..megabytes {
        out.write_all(&block).unwrap();
    }
}

/// A Zstandard frame of bytes as they are.
pub(crate) fn zstd(content: &[u8]) -> Vec<u8> {
    let blocks = content.chunks(100_000).map(|chunk| (0, chunk.len(), chunk.to_vec()));
    zstd_frame(blocks)
}

/// A Zstandard frame of zeros: a block is one byte and how often it is repeated.
pub(crate) fn zstd_of_zeros(megabytes: usize) -> Vec<u8> {
    const BLOCK: usize = 125_000;
    zstd_frame((0..megabytes * MEGABYTE / BLOCK).map(|_| (1, BLOCK, vec![0])))
}

/// Blocks of a type (0 as it is, 1 repeated) and length.
fn zstd_frame(blocks: impl Iterator<Item = (u32, usize, Vec<u8>)>) -> Vec<u8> {
    // The magic, no checksum and no size, a window of 256 KiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x40];
    for (kind, length, content) in blocks {
        let header = (length as u32) << 3 | kind << 1;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(content);
    }
    // An empty last block.
    frame.extend([1, 0, 0]);
    frame
}

/// A bzip2 stream that holds 45 MB of zeros.
pub(crate) const BZIP2_OF_ZEROS: &[u8] = &[
    0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0xc9, 0x01, 0xb6, 0xc8, 0x01, 0x58,
    0xab, 0x40, 0x20, 0xc0, 0x00, 0x10, 0x00, 0x00, 0x08, 0x20, 0x00, 0x30, 0xcc, 0x05, 0x29, 0xa6,
    0x52, 0x48, 0x52, 0x6c, 0x54, 0x92, 0x14, 0x9e, 0x2e, 0xe4, 0x8a, 0x70, 0xa1, 0x21, 0x92, 0x03,
    0x6d, 0x90,
];
