//! Names of time zones in mail headers and feeds.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::word_table;

/// The American zones of RFC 2822, and those most common in old mail.
static OFFSETS: LazyLock<HashMap<&str, i64>> =
    LazyLock::new(|| word_table::numbers(include_str!("zone/offsets.txt")));

/// The offset from UTC in minutes of a zone name in lower case.
pub(super) fn offset(name: &str) -> Option<i64> {
    OFFSETS.get(name).copied()
}
