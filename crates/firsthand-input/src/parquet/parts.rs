//! Checks the lengths of the parts of a page, which the library would trust.

use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::schema::types::ColumnDescriptor;

use super::thrift::Thrift;

/// Whether the parts of a page fit into it, and delta-encoded lists do not claim more values than
/// its header.
pub(super) fn is_sound(page: &Page, column: &ColumnDescriptor) -> bool {
    let Some(mut values) = values_of(page, column) else { return false };
    let lists = match page.encoding() {
        Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => return true,
    };
    for _ in 0..lists {
        // A page of nulls may have no list.
        if values.is_empty() {
            return true;
        }
        match list(values, u64::from(page.num_values())) {
            Some(length) => values = &values[length..],
            None => return false,
        }
    }
    true
}

/// The bytes after the levels.
fn values_of<'p>(page: &'p Page, column: &ColumnDescriptor) -> Option<&'p [u8]> {
    let buffer: &[u8] = page.buffer();
    match page {
        Page::DataPage { num_values, def_level_encoding, rep_level_encoding, .. } => {
            let levels = [
                (column.max_rep_level(), rep_level_encoding),
                (column.max_def_level(), def_level_encoding),
            ];
            let mut rest = buffer;
            for (most, encoding) in levels {
                if most <= 0 {
                    continue;
                }
                #[allow(deprecated)]
                let length = if *encoding == Encoding::BIT_PACKED {
                    let width = 16 - most.leading_zeros() as usize;
                    (*num_values as usize).checked_mul(width)?.div_ceil(8)
                } else {
                    let (head, _) = rest.split_first_chunk::<4>()?;
                    4usize.checked_add(u32::from_le_bytes(*head) as usize)?
                };
                rest = rest.get(length..)?;
            }
            Some(rest)
        }
        Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
            let length = (*def_levels_byte_len as usize).checked_add(*rep_levels_byte_len as usize);
            buffer.get(length?..)
        }
        Page::DictionaryPage { .. } => Some(&[]),
    }
}

/// The length of a delta-encoded list of at most `most` numbers.
fn list(bytes: &[u8], most: u64) -> Option<usize> {
    let mut head = Thrift::new(bytes);
    let (block, parts, count) = (head.unsigned()?, head.unsigned()?, head.unsigned()?);
    head.integer()?;
    if count > most || parts == 0 || parts > 1024 || block > 1 << 20 || !block.is_multiple_of(parts)
    {
        return None;
    }
    let part = block / parts;
    if part == 0 || !part.is_multiple_of(8) {
        return None;
    }
    let mut left = count.saturating_sub(1);
    let mut at = head.at;
    while left > 0 {
        let mut head = Thrift::new(bytes.get(at..)?);
        head.integer()?;
        at += head.at;
        let widths = bytes.get(at..at.checked_add(parts as usize)?)?;
        at += widths.len();
        for width in widths {
            if left == 0 {
                break;
            }
            at = at.checked_add((part / 8 * u64::from(*width)) as usize)?;
            left = left.saturating_sub(part);
        }
    }
    (at <= bytes.len()).then_some(at)
}
