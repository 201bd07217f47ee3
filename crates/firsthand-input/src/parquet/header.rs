//! Parses page headers.

use std::fs::File;

use parquet::basic::{Encoding, PageType};
use parquet::column::page::Page;

use super::disk;
use super::thrift::{Thrift, kind};

/// Bytes first read for a header; headers with statistics may be longer.
const FIRST: u64 = 512;
const LONGEST: u64 = 16 << 20;

/// The header of a page.
#[derive(Debug)]
pub(super) struct PageHeader {
    pub(super) kind: PageType,
    /// Its size in the file, and after decompression.
    pub(super) packed: u64,
    pub(super) plain: u64,
    pub(super) values: u64,
    pub(super) encoding: Encoding,
    /// The number of leading bytes that are never compressed, and whether the others are.
    pub(super) level_bytes: u64,
    pub(super) is_compressed: bool,
    /// The numbers specific to the kind of page.
    own: [Option<i64>; 8],
}

/// Reads a header and its length.
pub(super) fn read(file: &File, from: u64, end: u64) -> Option<(PageHeader, usize)> {
    let mut length = FIRST;
    loop {
        let there = length.min(end - from);
        let bytes = disk::read(file, from, usize::try_from(there).ok()?).ok()?;
        if let Some(found) = parse(&bytes) {
            return Some(found);
        }
        if there < length || length >= LONGEST {
            return None;
        }
        length *= 8;
    }
}

fn parse(bytes: &[u8]) -> Option<(PageHeader, usize)> {
    let mut thrift = Thrift::new(bytes);
    let (mut page, mut packed, mut plain, mut own, mut last) = (None, None, None, None, 0);
    while let Some((number, kind)) = thrift.field(last)? {
        last = number;
        match (number, kind) {
            (1, kind::I16..=kind::I64) => page = Some(thrift.integer()?),
            (2, kind::I16..=kind::I64) => plain = u64::try_from(thrift.integer()?).ok(),
            (3, kind::I16..=kind::I64) => packed = u64::try_from(thrift.integer()?).ok(),
            (5 | 7 | 8, kind::STRUCT) => own = Some((number, thrift.numbers::<8>()?)),
            _ => thrift.skip(kind)?,
        }
    }
    let (packed, plain) = (packed?, plain?);
    let numbers = own.map_or([None; 8], |(_, numbers)| numbers);
    let number = |at: usize| u64::try_from(numbers[at].unwrap_or(0)).ok();
    let (kind, encoding, level_bytes) = match (page?, own.map(|(number, _)| number)) {
        (0, Some(5)) => (PageType::DATA_PAGE, encoding(numbers[2]?)?, 0),
        (1, _) => (PageType::INDEX_PAGE, Encoding::PLAIN, 0),
        (2, Some(7)) => (PageType::DICTIONARY_PAGE, encoding(numbers[2]?)?, 0),
        (3, Some(8)) => {
            let levels = number(5)?.checked_add(number(6)?)?;
            (PageType::DATA_PAGE_V2, encoding(numbers[4]?)?, levels)
        }
        _ => return None,
    };
    let is_compressed = kind != PageType::DATA_PAGE_V2 || numbers[7] != Some(0);
    let values = number(1)?;
    let own = numbers;
    let header =
        PageHeader { kind, packed, plain, values, encoding, level_bytes, is_compressed, own };
    Some((header, thrift.at))
}

impl PageHeader {
    /// The page with this header and these bytes, decompressed.
    pub(super) fn page(&self, plain: Vec<u8>) -> Option<Page> {
        let number = |at: usize| u32::try_from(self.own[at].unwrap_or(0)).ok();
        let (num_values, encoding) = (number(1)?, self.encoding);
        Some(match self.kind {
            PageType::DATA_PAGE => Page::DataPage {
                buf: plain.into(),
                num_values,
                encoding,
                def_level_encoding: self::encoding(self.own[3]?)?,
                rep_level_encoding: self::encoding(self.own[4]?)?,
                statistics: None,
            },
            PageType::DATA_PAGE_V2 => Page::DataPageV2 {
                buf: plain.into(),
                num_values,
                encoding,
                num_nulls: number(2)?,
                num_rows: number(3)?,
                def_levels_byte_len: number(5)?,
                rep_levels_byte_len: number(6)?,
                is_compressed: self.is_compressed,
                statistics: None,
            },
            PageType::DICTIONARY_PAGE => {
                let is_sorted = self.own[3] == Some(1);
                Page::DictionaryPage { buf: plain.into(), num_values, encoding, is_sorted }
            }
            PageType::INDEX_PAGE => return None,
        })
    }
}

fn encoding(number: i64) -> Option<Encoding> {
    #[allow(deprecated)]
    let encoding = match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    };
    Some(encoding)
}
