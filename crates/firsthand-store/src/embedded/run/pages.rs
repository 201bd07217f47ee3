//! Pages: the units of a run, each with a checksum that also covers its position.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;

/// Bytes of its content.
pub(super) const CONTENT: usize = PAGE - 8;

/// Adds the checksum to a page that has its content.
pub(super) fn seal(page: &mut [u8], salt: u64, number: u64) {
    let (content, check) = page.split_at_mut(CONTENT);
    check.copy_from_slice(&checksum(content, salt, number).to_le_bytes());
}

/// The content of a page, if it is intact.
pub(super) fn content(page: &[u8], salt: u64, number: u64) -> Option<&[u8]> {
    let (content, check) = page.split_at_checked(CONTENT)?;
    (check == checksum(content, salt, number).to_le_bytes()).then_some(content)
}

fn checksum(content: &[u8], salt: u64, number: u64) -> u64 {
    xxh3_64_with_seed(content, salt ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Number of pages for this number of entries.
pub(super) fn pages(entries: u64, per_page: u64) -> u64 {
    entries.div_ceil(per_page)
}
