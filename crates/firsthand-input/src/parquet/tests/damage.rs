//! Tables that are cut off, damaged or made to do harm.

use arrow_array::Int32Array;
use parquet::basic::Encoding;
use parquet::file::metadata::ParquetMetaDataReader;

use super::*;
use crate::parquet::{header, pages};
use crate::{Exceeded, Limit, Limits, Reason};
use firsthand::settings::Reading;

fn small(codec: Codec, encoding: Option<Encoding>) -> Vec<u8> {
    let texts = strings(&[Some("a ferry"), None, Some("ran aground"), Some("a ferry")]);
    let ids: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3, 4]));
    let mut properties = properties(codec).set_max_row_group_row_count(Some(2));
    if let Some(encoding) = encoding {
        properties =
            properties.set_dictionary_enabled(false).set_column_encoding("text".into(), encoding);
    }
    table(&batch(vec![("text", texts), ("id", ids)]), properties)
}

#[test]
fn any_byte_may_be_wrong() {
    let cases = [
        (Codec::UNCOMPRESSED, None),
        (Codec::UNCOMPRESSED, Some(Encoding::DELTA_BYTE_ARRAY)),
        (Codec::UNCOMPRESSED, Some(Encoding::DELTA_LENGTH_BYTE_ARRAY)),
        (Codec::SNAPPY, None),
        (Codec::ZSTD(Default::default()), None),
        (Codec::GZIP(Default::default()), None),
    ];
    for (codec, encoding) in cases {
        let whole = small(codec, encoding);
        assert_eq!(texts(&whole, &ReadOptions::default()).len(), 4);
        for at in 0..whole.len() {
            for change in [0x01, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                let items = read(&bytes, &ReadOptions::default());
                // Each of the two row groups may end with a failure.
                assert!(items.len() <= 6, "{codec:?}, byte {at}: {items:?}");
            }
        }
    }
}

#[test]
fn a_table_that_is_cut_off_says_so() {
    let whole = small(Codec::SNAPPY, None);
    for end in 0..whole.len() {
        let said = failure(&whole[..end]);
        assert!(said.contains("too short") || said.contains("was it cut off?"), "{end}: {said}");
    }
}

#[test]
fn rows_behind_a_damaged_page_are_read() {
    let many: Vec<String> = (0..60).map(|row| format!("text number {row}")).collect();
    let texts: Vec<Option<&str>> = many.iter().map(|text| Some(text.as_str())).collect();
    let properties = properties(Codec::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .set_data_page_row_count_limit(10)
        .set_write_batch_size(10)
        .set_max_row_group_row_count(Some(30));
    let mut bytes = table(&batch(vec![("text", strings(&texts))]), properties);
    let at = bytes.windows(14).position(|window| window == b"text number 10").unwrap();
    bytes[at - 1] = 0x7F;
    let items = read(&bytes, &ReadOptions::default());
    let (good, bad): (Vec<_>, Vec<_>) = items.into_iter().partition(Result::is_ok);
    assert_eq!(bad.len(), 1);
    let error = bad[0].as_ref().unwrap_err();
    assert!(error.to_string().contains("rows from here on are lost"), "{error}");
    let first_lost = error.place.at.unwrap().number as usize;
    assert!(first_lost <= 11, "{error}");
    let numbers: Vec<usize> =
        good.iter().map(|item| item.as_ref().unwrap().place.at.unwrap().number as usize).collect();
    let expected: Vec<usize> = (1..first_lost).chain(31..=60).collect();
    assert_eq!(numbers, expected);
}

/// A table of rows that all have the same long text, which it holds once.
fn same(text: usize, rows: u32) -> Vec<u8> {
    same_as(text, rows, |said| said)
}

/// What a footer says of a column: its size, where its data starts and where its dictionary does.
struct Said {
    size: usize,
    /// The length of the header of the dictionary.
    dictionary_header: usize,
    data: usize,
    dictionary: Option<usize>,
}

/// The same with a footer that says something else.
fn same_as(text: usize, rows: u32, says: impl Fn(Said) -> Said) -> Vec<u8> {
    fn varint(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }
    let number = |number: usize| varint(2 * number as u64);
    let rows_of = |rows: u32| number(rows as usize);
    let words = [&(text as u32).to_le_bytes()[..], &vec![b'x'; text]].concat();
    // All indices are 0: one run, of one bit each.
    let indices = [&[1][..], &varint(2 * u64::from(rows)), &[0]].concat();
    let page = |kind: u8, body: &[u8], own: &[u8]| {
        let size = number(body.len());
        [&[0x15, 2 * kind, 0x15][..], &size, &[0x15], &size, own, &[0], body].concat()
    };
    let dictionary = page(2, &words, &[0x4C, 0x15, 2, 0x15, 0, 0]);
    let own = [&[0x2C, 0x15][..], &rows_of(rows), &[0x15, 16, 0x15, 6, 0x15, 6, 0]].concat();
    let pages = [dictionary.clone(), page(0, &indices, &own)].concat();
    let said = says(Said {
        size: pages.len(),
        dictionary_header: dictionary.len() - words.len(),
        data: 4 + dictionary.len(),
        dictionary: Some(4),
    });
    let (size, first) = (number(said.size), number(said.data));
    let dictionary = said.dictionary.map_or(Vec::new(), |at| [&[0x26][..], &number(at)].concat());
    let parts: [&[u8]; 20] = [
        // Version 1, a schema of a root and a text.
        &[0x15, 2, 0x19, 0x2C, 0x48, 1, b'r', 0x15, 2, 0],
        &[0x15, 12, 0x25, 0, 0x18, 4, b't', b'e', b'x', b't', 0x25, 0, 0],
        // Rows, then a row group with a column in it.
        &[0x16],
        &rows_of(rows),
        &[0x19, 0x1C, 0x19, 0x1C, 0x26, 8, 0x1C],
        &[0x15, 12, 0x19, 0x25, 0, 16, 0x19, 0x18, 4, b't', b'e', b'x', b't', 0x15, 0, 0x16],
        &rows_of(rows),
        &[0x16],
        &size,
        &[0x16],
        &size,
        &[0x26],
        &first,
        &dictionary,
        &[0, 0],
        &[0x16],
        &size,
        &[0x16],
        &rows_of(rows),
        &[0, 0],
    ];
    let footer = parts.concat();
    let length = (footer.len() as u32).to_le_bytes();
    [&b"PAR1"[..], &pages, &footer, &length, b"PAR1"].concat()
}

#[test]
fn one_text_for_many_rows_is_no_bomb() {
    assert_eq!(texts(&same(3, 5), &ReadOptions::default()), ["xxx"; 5]);
    // 20 TB, if each row had its own.
    let (text, rows) = (100_000_000, 200_000);
    let bytes = same(text, rows);
    // Too long for a row: each is refused, and none is copied.
    let options = ReadOptions::default();
    let mut refused = 0;
    for batch in open_bytes("t.parquet", &bytes, &options) {
        for item in batch.documents(&options) {
            let reason = item.unwrap_err().reason;
            assert_eq!(reason, Reason::beyond(Limit::Line, &options.reading.limits));
            refused += 1;
        }
    }
    assert_eq!(refused, rows);
    // Short enough, but more in all than the file warrants.
    let mut options = ReadOptions::default();
    options.reading.limits.ratio = 20;
    let items = read(&same(10_000_000, 1_000), &options);
    assert_eq!(items.len(), 21);
    let last = items.last().unwrap().as_ref().unwrap_err();
    assert_eq!(last.reason, Reason::Beyond(Exceeded { limit: Limit::Ratio, value: 20 }));
}

#[test]
fn rows_of_nothing_are_no_bomb() {
    let whole = small(Codec::UNCOMPRESSED, None);
    let metadata = footer(&whole);
    // The number of rows, wherever the footer has it, becomes two to the power of 42.
    let many = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02];
    let mut tried = 0;
    for at in 0..metadata.len() {
        if metadata[at..].starts_with(&[0x16, 4]) {
            let patched = [&metadata[..=at], &many, &metadata[at + 2..]].concat();
            let items = read(&with_footer(&patched), &ReadOptions::default());
            assert!(items.len() <= 6, "{items:?}");
            tried += 1;
        }
    }
    assert!(tried > 1);
}

#[test]
fn what_is_packed_must_not_outgrow_its_claim() {
    use std::io::Write;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&[0; 1 << 20]).unwrap();
    let gzip = gzip.finish().unwrap();
    // A page of 16 values in 100 bytes.
    let claim = [0x15, 0, 0x15, 200, 1, 0x15, 2, 0x2C, 0x15, 32, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&claim).unwrap();
    let (header, length) = header::read(&file, 0, claim.len() as u64).unwrap();
    assert_eq!((header.plain, header.values, length), (100, 16, claim.len()));
    let page = pages::inflated(flate2::read::MultiGzDecoder::new, &header, &gzip);
    assert!(page.unwrap_err().to_string().contains("not what it claims"));
}

#[test]
fn a_page_that_claims_too_much_is_not_read() {
    let whole = small(Codec::ZSTD(Default::default()), None);
    let limits = Limits { decompressed: 8, ..Limits::default() };
    let options =
        ReadOptions { reading: Reading { limits, ..Reading::default() }, ..ReadOptions::default() };
    for item in read(&whole, &options) {
        let reason = item.unwrap_err().reason;
        assert_eq!(reason, Reason::Beyond(Exceeded { limit: Limit::Decompressed, value: 8 }));
    }
}

#[test]
fn encrypted_tables_are_named_as_such() {
    let mut whole = small(Codec::SNAPPY, None);
    let length = whole.len();
    whole[length - 1] = b'E';
    assert!(failure(&whole).contains("it is encrypted"));
}

#[test]
fn columns_nested_without_end_are_not_followed() {
    // Optional groups called "x" with one column each.
    let element = [0x35, 2, 0x18, 1, b'x', 0x15, 2, 0];
    let count = 300_000u32;
    let list: Vec<u8> = {
        let varint =
            (0..3).map(|at| (count >> (7 * at)) as u8 & 0x7F | if at < 2 { 0x80 } else { 0 });
        [0x15, 2, 0x19, 0xFC].into_iter().chain(varint).collect()
    };
    let footer = [list, element.repeat(count as usize), vec![0]].concat();
    let said = failure(&with_footer(&footer));
    assert!(said.contains("nested deeper than 100"), "{said}");
}

/// The footer of a table.
fn footer(table: &[u8]) -> &[u8] {
    let (rest, tail) = table.split_at(table.len() - 8);
    let length = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]) as usize;
    let footer = &rest[rest.len() - length..];
    assert!(ParquetMetaDataReader::decode_metadata(footer).is_ok());
    footer
}

/// The rows of the small table with another footer.
fn with_footer(footer: &[u8]) -> Vec<u8> {
    let whole = small(Codec::UNCOMPRESSED, None);
    let length = self::footer(&whole).len();
    let mut bytes = whole[..whole.len() - 8 - length].to_vec();
    bytes.extend_from_slice(footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"PAR1");
    bytes
}

#[test]
fn footers_of_old_writers() {
    let read = |says: fn(Said) -> Said| texts(&same_as(40, 25, says), &ReadOptions::default());
    let expected = vec!["x".repeat(40); 25];
    assert_eq!(read(|said| said), expected);
    // The size of the column lacks the header of the dictionary.
    assert_eq!(read(|said| Said { size: said.size - said.dictionary_header, ..said }), expected);
    // The dictionary is said to be at the start of the file, after the data, or nowhere.
    for dictionary in [Some(0), Some(1000), None] {
        let table = same_as(40, 25, |said| Said { data: 4, dictionary, ..said });
        assert_eq!(texts(&table, &ReadOptions::default()), expected, "{dictionary:?}");
    }
}
