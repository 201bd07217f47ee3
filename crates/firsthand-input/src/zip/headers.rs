//! The headers of a zip archive: of members, and of their entries in the directory.

use std::io::{self, Read};

use super::pages::CachedFile;

/// The signature of a member's own header.
pub(crate) const LOCAL: [u8; 4] = *b"PK\x03\x04";
/// The signature of a directory entry.
pub(crate) const CENTRAL: [u8; 4] = *b"PK\x01\x02";

/// Sizes and checksum of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberSums {
    pub(crate) size: u64,
    pub(crate) crc: u32,
}

/// An entry of the directory.
#[derive(Debug)]
pub(crate) struct CentralHeader {
    pub(crate) name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) packed: u64,
    size: u64,
    crc: u32,
    /// The position of the member's own header.
    pub(crate) start: u64,
    /// The file mode, if the archive was made under Unix.
    mode: u32,
}

impl CentralHeader {
    /// Reads an entry, or describes what is wrong with it.
    pub(crate) fn read(mut stream: impl Read, shift: u64) -> Result<Self, String> {
        let mut fixed = [0; 46];
        exact(&mut stream, &mut fixed)?;
        if fixed[..4] != CENTRAL {
            return Err("its directory is damaged".to_owned());
        }
        let mut name = vec![0; usize::from(u16_at(&fixed, 28))];
        let mut extra = vec![0; usize::from(u16_at(&fixed, 30))];
        exact(&mut stream, &mut name)?;
        exact(&mut stream, &mut extra)?;
        let comment = u64::from(u16_at(&fixed, 32));
        let passed = io::copy(&mut stream.take(comment), &mut io::sink());
        passed.map_err(|error| error.to_string())?;
        // The system the archive was made on: 3 is Unix, 19 macOS.
        let is_unix = matches!(fixed[5], 3 | 19);
        let mut central = Self {
            name,
            flags: u16_at(&fixed, 8),
            method: u16_at(&fixed, 10),
            crc: u32_at(&fixed, 16),
            packed: u64::from(u32_at(&fixed, 20)),
            size: u64::from(u32_at(&fixed, 24)),
            start: u64::from(u32_at(&fixed, 42)),
            mode: if is_unix { u32_at(&fixed, 38) >> 16 } else { 0 },
        };
        let large = [&mut central.size, &mut central.packed, &mut central.start];
        large_numbers(&extra, large);
        central.start = central.start.saturating_add(shift);
        Ok(central)
    }

    /// Whether it is a symbolic link.
    pub(crate) fn is_link(&self) -> bool {
        self.mode & 0o170_000 == 0o120_000
    }

    /// The expected sizes and checksum of its content.
    pub(crate) fn sums(&self) -> MemberSums {
        MemberSums { size: self.size, crc: self.crc }
    }
}

/// A member's own header.
#[derive(Debug)]
pub(crate) struct LocalHeader {
    pub(crate) name: Vec<u8>,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) packed: u64,
    pub(crate) sums: MemberSums,
    /// The length of the header.
    pub(crate) length: u64,
}

impl LocalHeader {
    /// Reads the header at `start`; `None` if there is none.
    pub(crate) fn read(pages: &mut CachedFile, start: u64) -> io::Result<Option<Self>> {
        let mut fixed = [0; 30];
        let mut stream = pages.part(start, 30 + (2 << 16));
        match stream.read_exact(&mut fixed) {
            Ok(()) if fixed[..4] == LOCAL => {}
            Ok(()) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut name = vec![0; usize::from(u16_at(&fixed, 26))];
        let mut extra = vec![0; usize::from(u16_at(&fixed, 28))];
        stream.read_exact(&mut name)?;
        stream.read_exact(&mut extra)?;
        let length = (fixed.len() + name.len() + extra.len()) as u64;
        let mut packed = u64::from(u32_at(&fixed, 18));
        let mut size = u64::from(u32_at(&fixed, 22));
        large_numbers(&extra, [&mut size, &mut packed]);
        let (flags, method) = (u16_at(&fixed, 6), u16_at(&fixed, 8));
        let sums = MemberSums { size, crc: u32_at(&fixed, 14) };
        Ok(Some(Self { name, flags, method, packed, sums, length }))
    }

    /// Whether sizes and checksum only follow the content.
    pub(crate) fn is_open(&self) -> bool {
        self.flags & 8 != 0
    }
}

/// The position of the body of the member whose header is at `start`.
pub(crate) fn body(pages: &mut CachedFile, start: u64) -> io::Result<u64> {
    let mut fixed = [0; 30];
    pages.part(start, 30).read_exact(&mut fixed).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => missing(),
        _ => error,
    })?;
    if fixed[..4] != LOCAL {
        return Err(missing());
    }
    let names = u64::from(u16_at(&fixed, 26)) + u64::from(u16_at(&fixed, 28));
    Ok(start + 30 + names)
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is not where the directory says")
}

/// Numbers that do not fit into four bytes are in an extra field, in this order.
fn large_numbers<const N: usize>(mut extra: &[u8], numbers: [&mut u64; N]) {
    while extra.len() >= 4 {
        let (id, length) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let Some(field) = extra.get(4..4 + length) else { return };
        if id == 1 {
            let mut values = field.chunks_exact(8);
            for number in numbers {
                if *number == u64::from(u32::MAX)
                    && let Some(value) = values.next()
                {
                    *number = u64_at(value, 0);
                }
            }
            return;
        }
        extra = &extra[4 + length..];
    }
}

fn exact(stream: &mut impl Read, buffer: &mut [u8]) -> Result<(), String> {
    stream.read_exact(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => "its directory is cut off".to_owned(),
        _ => error.to_string(),
    })
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
