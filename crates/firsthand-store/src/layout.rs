//! The version of everything that a store keeps: files, tables, records and settings.

use firsthand::online::StoreError;
use std::fmt::Display;

/// The layout that this version reads and writes. It goes up by one with every change to what is
/// stored, in a folder or in PostgreSQL; stores of other layouts are refused, not converted.
pub(crate) const LAYOUT: u32 = 7;

/// Refuses a store of another layout. `elsewhere` says where a new store can be made.
pub(crate) fn check(store: impl Display, found: u32, elsewhere: &str) -> Result<(), StoreError> {
    let (written_by, remedy) = match found.cmp(&LAYOUT) {
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Less => (
            "an earlier version of firsthand",
            format!(
                "use the version that wrote it, or make a new store in {elsewhere} and add the \
                 documents again"
            ),
        ),
        std::cmp::Ordering::Greater => {
            ("a later version of firsthand", format!("use that version, or {elsewhere}"))
        }
    };
    Err(StoreError::Unfit(format!(
        "{store}: this store has layout {found}, which {written_by} wrote; this version only reads \
         layout {LAYOUT}; {remedy}"
    )))
}
