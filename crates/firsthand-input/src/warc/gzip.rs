//! gzip headers, and whether a member begins with a record.

use flate2::{Decompress, FlushDecompress, Status};

use super::ArchiveFormat;

/// The start of every member: magic number and method.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// The most bytes of a header with its name and comment.
pub(super) const LONGEST: usize = 128 << 10;
/// The compressed bytes inspected to see whether a member begins with a record; bounded, since any
/// data may contain the magic number.
pub(super) const GLANCE: usize = 2 << 10;

/// The result of looking for a header.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GzipHeader {
    /// A header of this length.
    Whole(usize),
    /// There are too few bytes.
    Short,
    /// Not a header.
    Wrong,
}

/// Reads a header.
pub(super) fn header(bytes: &[u8]) -> GzipHeader {
    let shared = bytes.len().min(MAGIC.len());
    if bytes[..shared] != MAGIC[..shared] {
        return GzipHeader::Wrong;
    }
    let Some(&flags) = bytes.get(3) else { return GzipHeader::Short };
    if flags & 0xe0 != 0 {
        return GzipHeader::Wrong;
    }
    let mut end = 10;
    if flags & 4 != 0 {
        let Some(&[low, high]) = bytes.get(end..end + 2) else { return GzipHeader::Short };
        end += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let Some(rest) = bytes.get(end..) else { return GzipHeader::Short };
            let Some(name) = memchr::memchr(0, rest) else { return GzipHeader::Short };
            end += name + 1;
        }
    }
    if flags & 2 != 0 {
        end += 2;
    }
    if end <= bytes.len() { GzipHeader::Whole(end) } else { GzipHeader::Short }
}

/// Whether a member that begins with a record starts here.
pub(super) fn begins_record(bytes: &[u8], inflate: &mut Decompress, format: ArchiveFormat) -> bool {
    let glance = &bytes[..bytes.len().min(GLANCE)];
    let GzipHeader::Whole(length) = header(glance) else { return false };
    // Longer than the start of any record.
    let (mut input, mut start, mut known) = (&glance[length..], [0; 16], 0);
    inflate.reset(false);
    loop {
        let (taken, given) = (inflate.total_in(), inflate.total_out());
        let status = inflate.decompress(input, &mut start[known..], FlushDecompress::None);
        let taken = (inflate.total_in() - taken) as usize;
        let given = (inflate.total_out() - given) as usize;
        known += given;
        input = &input[taken..];
        if let Some(begins) = format.begins(&start[..known]) {
            return begins;
        }
        let stuck = taken == 0 && given == 0;
        if stuck || !matches!(status, Ok(Status::Ok)) {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let plain = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
        assert_eq!(header(&plain), GzipHeader::Whole(10));
        for length in 0..10 {
            assert_eq!(header(&plain[..length]), GzipHeader::Short, "{length}");
        }
        assert_eq!(header(b"\x1f\x8b\x07"), GzipHeader::Wrong);
        assert_eq!(header(b"WARC/1.0"), GzipHeader::Wrong);
        let mut all = plain.to_vec();
        all[3] = 0x1f;
        all.extend(b"\x03\x00abcname\0comment\0\x12\x34");
        assert_eq!(header(&all), GzipHeader::Whole(all.len()));
        assert_eq!(header(&all[..all.len() - 1]), GzipHeader::Short);
        all[3] = 0x20;
        assert_eq!(header(&all), GzipHeader::Wrong);
    }
}
