//! Reads the pages of a column one at a time, checking each header before decompressing.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::{Compression as Codec, Encoding, PageType};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

use crate::exceeded::Exceeded;
use firsthand::settings::{Limit, Limits};

use super::header::{self, PageHeader};
use super::{ParquetTable, disk, parts};

/// The largest decompressed page.
const LARGEST: u64 = 1 << 30;
/// Output below this size is never a bomb.
const FREE: u64 = 64 << 20;
/// The most values of a dictionary or row in memory.
const MOST_VALUES: u64 = 16 << 20;
/// Bytes in memory from which rows are processed before the next page is read.
const ENOUGH: u64 = 4 << 20;

/// Old writers (parquet-mr up to 1.2.8, Impala) left the header of the dictionary out of the size of
/// a column: its last page may end this many bytes later.
const LEFT_OUT: u64 = 100;

/// The pages of one column of a row group.
pub(super) struct ColumnPages {
    table: Arc<ParquetTable>,
    column: ColumnChunkMetaData,
    limits: Limits,
    at: u64,
    end: u64,
    loaded: LoadCount,
}

/// The bytes and values loaded since rows were last requested.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadCount(Arc<[AtomicU64; 2]>);

impl LoadCount {
    pub(super) fn reset(&self) {
        self.0.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    /// Adds a page, and returns the number of values loaded.
    fn add(&self, bytes: u64, values: u64) -> u64 {
        self.0[0].fetch_add(bytes, Ordering::Relaxed);
        self.0[1].fetch_add(values, Ordering::Relaxed) + values
    }

    fn is_enough(&self) -> bool {
        self.0[0].load(Ordering::Relaxed) >= ENOUGH
    }
}

impl ColumnPages {
    pub(super) fn new(
        table: Arc<ParquetTable>,
        column: &ColumnChunkMetaData,
        limits: &Limits,
        loaded: LoadCount,
    ) -> Result<Self> {
        let (at, end) = range(column, table.length).ok_or_else(|| {
            general(format!("column {} lies outside the file", column.column_path()))
        })?;
        Ok(Self { table, column: column.clone(), limits: limits.clone(), at, end, loaded })
    }

    fn repeats(&self) -> bool {
        self.column.column_descr().max_rep_level() > 0
    }

    fn check(&self, header: &PageHeader) -> Result<()> {
        let (packed, plain) = (header.packed, header.plain);
        let exceeded = |limit, value| ParquetError::External(Box::new(Exceeded { limit, value }));
        if plain > FREE && plain > packed.saturating_mul(self.limits.ratio) {
            return Err(exceeded(Limit::Ratio, self.limits.ratio));
        }
        if plain > self.limits.decompressed {
            return Err(exceeded(Limit::Decompressed, self.limits.decompressed));
        }
        // For compressions whose output the library does not bound, the ratio limit applies.
        let bounded =
            self.column.compression() != Codec::LZ4 || packed.saturating_mul(256) <= LARGEST;
        if plain > LARGEST || !bounded {
            return Err(general(format!("a page claims {plain} bytes")));
        }
        let is_dictionary = header.kind == PageType::DICTIONARY_PAGE;
        let too_many = match (is_dictionary, self.repeats()) {
            (true, _) => header.values > plain || header.values > MOST_VALUES,
            (false, true) => header.values > MOST_VALUES,
            (false, false) => false,
        };
        if too_many {
            return Err(general(format!("a page claims {} values", header.values)));
        }
        // Values that share prefixes are longer than their page.
        let shared = header.encoding == Encoding::DELTA_BYTE_ARRAY;
        if shared && !self.column.encodings().any(|known| known == header.encoding) {
            return Err(general(
                "a page uses an encoding that its column does not allow".to_owned(),
            ));
        }
        Ok(())
    }

    /// The header of the next page, and its length.
    fn header(&mut self) -> Result<Option<(PageHeader, usize)>> {
        while self.at < self.end {
            let end = self.end.saturating_add(LEFT_OUT).min(self.table.pages_end).max(self.end);
            let (header, length) = header::read(&self.table.file, self.at, end)
                .ok_or_else(|| general("the header of a page is damaged".to_owned()))?;
            let size = (length as u64).saturating_add(header.packed);
            if size > end - self.at {
                return Err(general("a page goes beyond its column".to_owned()));
            }
            if header.kind != PageType::INDEX_PAGE {
                return Ok(Some((header, length)));
            }
            self.at += size;
        }
        Ok(None)
    }

    /// The next page.
    fn page(&mut self) -> Result<Option<Page>> {
        let Some((header, length)) = self.header()? else { return Ok(None) };
        self.check(&header)?;
        // A dictionary stays in memory anyway.
        if header.kind != PageType::DICTIONARY_PAGE {
            let values = self.loaded.add(header.plain, header.values);
            if self.repeats() && values > 2 * MOST_VALUES {
                return Err(general("a row holds too many values".to_owned()));
            }
        }
        let size = length + usize::try_from(header.packed).unwrap_or(usize::MAX - length);
        let raw = disk::read(&self.table.file, self.at, size)?;
        self.at += size as u64;
        let body = &raw[length..];
        let page = match self.column.compression() {
            Codec::GZIP(_) => inflated(flate2::read::MultiGzDecoder::new, &header, body)?,
            Codec::BROTLI(_) => {
                let brotli = |body| brotli_decompressor::Decompressor::new(body, 64 << 10);
                inflated(brotli, &header, body)?
            }
            _ => decoded(Page::buffer, raw, &self.column)?,
        };
        if !parts::is_sound(&page, self.column.column_descr()) {
            return Err(general("the parts of a page are longer than the page".to_owned()));
        }
        Ok(Some(page))
    }
}

/// The range of a column's pages, if it is inside the file.
pub(super) fn range(column: &ColumnChunkMetaData, length: u64) -> Option<(u64, u64)> {
    let start = match column.dictionary_page_offset() {
        // Some writers store zero if there is no dictionary.
        Some(offset) if offset > 0 => offset.min(column.data_page_offset()),
        _ => column.data_page_offset(),
    };
    let start = u64::try_from(start).ok()?;
    let end = start.checked_add(u64::try_from(column.compressed_size()).ok()?)?;
    (end <= length).then_some((start, end))
}

/// The error of a damaged page.
pub(super) fn general(words: String) -> ParquetError {
    ParquetError::General(words)
}

/// Decodes a page with the library, from a copy of its bytes. The first argument names the
/// library's type for bytes.
fn decoded<B>(_: fn(&Page) -> &B, raw: Vec<u8>, column: &ColumnChunkMetaData) -> Result<Page>
where
    B: ChunkReader + From<Vec<u8>> + 'static,
{
    let only = ColumnChunkMetaData::builder(column.column_descr_ptr())
        .set_compression(column.compression())
        .set_data_page_offset(0)
        .set_total_compressed_size(raw.len() as i64)
        .build()?;
    let mut reader = SerializedPageReader::new(Arc::new(B::from(raw)), &only, 0, None)?;
    reader.get_next_page()?.ok_or_else(|| general("a page holds nothing".to_owned()))
}

/// Decompresses a page here, because the library would not stop at the size that the page claims.
pub(super) fn inflated<'r, R: Read>(
    decoder: impl FnOnce(&'r [u8]) -> R,
    header: &PageHeader,
    body: &'r [u8],
) -> Result<Page> {
    let levels = usize::try_from(header.level_bytes).unwrap_or(usize::MAX);
    let wrong = || general("the size of a page is not what it claims".to_owned());
    if header.level_bytes > header.plain {
        return Err(wrong());
    }
    let mut plain = body.get(..levels).ok_or_else(wrong)?.to_vec();
    let values = &body[levels..];
    let left = header.plain - header.level_bytes;
    if !header.is_compressed {
        plain.extend_from_slice(values);
    } else if left > 0 {
        decoder(values).take(left + 1).read_to_end(&mut plain)?;
    }
    if plain.len() as u64 != header.plain {
        return Err(wrong());
    }
    header.page(plain).ok_or_else(wrong)
}

impl Iterator for ColumnPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for ColumnPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        // Only rows with lists may continue in the next page.
        if !self.repeats() && self.loaded.is_enough() {
            return Ok(None);
        }
        self.page()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let Some((header, _)) = self.header()? else { return Ok(None) };
        let values = usize::try_from(header.values).ok();
        let is_dict = header.kind == PageType::DICTIONARY_PAGE;
        let rows = if self.repeats() { None } else { values };
        Ok(Some(PageMetadata { num_rows: rows, num_levels: values, is_dict }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        if let Some((header, length)) = self.header()? {
            self.at += length as u64 + header.packed;
        }
        Ok(())
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        // Rows may continue in the next page, although newer versions of the format forbid it.
        Ok(self.at >= self.end)
    }
}
