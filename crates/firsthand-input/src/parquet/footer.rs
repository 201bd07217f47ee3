//! Reads the footer of a table, after checking it.

use std::fs::File;

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use xxhash_rust::xxh3::xxh3_64;

use crate::compression::Compression;
use crate::error::Reason;
use firsthand::settings::{Limit, Limits};

use super::disk;
use super::thrift::{Thrift, kind};

/// The size of the footer's length and the magic number after it.
const TAIL: usize = 8;
const HEAD: u64 = 4;

/// The deepest nesting of columns.
const DEEPEST: usize = 100;

/// The footer of a table.
pub(super) struct Footer {
    pub(super) metadata: ParquetMetaData,
    /// Where it starts.
    pub(super) start: u64,
    /// A checksum of its bytes.
    pub(super) sum: u64,
}

/// Reads the footer of a table of `length` bytes.
pub(super) fn read(file: &File, length: u64, limits: &Limits) -> Result<Footer, Reason> {
    let failed = |error| Reason::from_io(&error, Compression::None);
    if length < HEAD + TAIL as u64 {
        return Err(bad("it is too short".into()));
    }
    let tail = disk::read(file, length - TAIL as u64, TAIL).map_err(failed)?;
    match &tail[4..] {
        b"PAR1" => {}
        b"PARE" => return Err(encrypted()),
        _ => return Err(bad("its end is missing: was it cut off?".into())),
    }
    let size = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
    if u64::from(size) > length - HEAD - TAIL as u64 {
        return Err(bad(format!("its footer claims {size} bytes, more than the file has")));
    }
    if u64::from(size) > limits.file {
        return Err(Reason::beyond(Limit::File, limits));
    }
    let start = length - TAIL as u64 - u64::from(size);
    let footer = disk::read(file, start, size as usize).map_err(failed)?;
    look_through(&footer)?;
    let decode = || ParquetMetaDataReader::decode_metadata(&footer);
    let metadata = super::guarded(decode).map_err(|error| super::reason(error, limits))?;
    Ok(Footer { metadata, start, sum: xxh3_64(&footer) })
}

/// The error of a damaged table.
pub(crate) fn bad(detail: String) -> Reason {
    Reason::BadRecord { format: "Parquet table", detail }
}

fn encrypted() -> Reason {
    bad("it is encrypted; decrypt it first".into())
}

/// Checks that the lists of the footer are complete, that columns have no more children than there
/// are columns, and that they are not nested too deeply: the library reserves memory for what is
/// claimed, and recurses into columns.
fn look_through(footer: &[u8]) -> Result<(), Reason> {
    let damaged = || bad("its footer is damaged".into());
    let mut thrift = Thrift::new(footer);
    let mut last = 0;
    while let Some((number, kind)) = thrift.field(last).ok_or_else(damaged)? {
        last = number;
        match (number, kind) {
            (2, kind::LIST) => {
                let (depth, is_complete) = columns(&mut thrift).ok_or_else(damaged)?;
                if depth > DEEPEST {
                    return Err(bad(format!("its columns are nested deeper than {DEEPEST}")));
                }
                if !is_complete {
                    return Err(damaged());
                }
            }
            (8, kind::STRUCT) => return Err(encrypted()),
            _ => thrift.skip(kind).ok_or_else(damaged)?,
        }
    }
    Ok(())
}

/// The nesting depth of columns, each of which states the number of its children, and whether as many
/// follow.
fn columns(thrift: &mut Thrift<'_>) -> Option<(usize, bool)> {
    let (_, count) = thrift.list()?;
    let (mut open, mut deepest, mut is_complete) = (Vec::new(), 0, true);
    for left in (0..count).rev() {
        let [.., children] = thrift.numbers::<6>()?;
        let claimed = children.and_then(|children| u64::try_from(children).ok());
        is_complete &= claimed.is_none_or(|claimed| claimed <= left);
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if let Some(children) = children.filter(|children| *children > 0) {
            open.push(children);
            deepest = deepest.max(open.len());
        }
    }
    Some((deepest, is_complete))
}
