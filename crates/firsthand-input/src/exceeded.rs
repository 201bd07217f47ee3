//! An exceeded limit, and its message.

use std::fmt;

use firsthand::settings::{Limit, Limits};

/// A limit that was exceeded.
///
/// Displayed as a clause such as `larger than the limit of 64 MiB`. [`Limit::key`] names the setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Exceeded {
    /// Which limit.
    pub limit: Limit,
    /// Its value.
    pub value: u64,
}

impl Exceeded {
    pub(crate) fn new(limit: Limit, limits: &Limits) -> Self {
        Self { limit, value: limits.get(limit) }
    }
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match self.limit {
            Limit::File | Limit::Document | Limit::Line | Limit::Decompressed => bytes(self.value),
            _ => self.value.to_string(),
        };
        let (before, after) = match self.limit {
            Limit::File => ("larger than the limit of", ""),
            Limit::Document => ("its text is longer than the limit of", ""),
            Limit::Line => ("the line is longer than the limit of", ""),
            Limit::JsonDepth => ("JSON nested deeper than the limit of", ""),
            Limit::HtmlDepth => {
                ("elements nested deeper than the limit of", " were not distinguished")
            }
            Limit::HtmlAttributes => ("attributes of a tag beyond the limit of", " were ignored"),
            Limit::HtmlBlocks => ("blocks of text beyond the limit of", " were not distinguished"),
            Limit::MimeParts => ("parts beyond the limit of", " were ignored"),
            Limit::MimeDepth => ("parts nested deeper than the limit of", " were ignored"),
            Limit::Members => ("members beyond the limit of", " were not read"),
            Limit::Layers => ("archives or compressions nested deeper than the limit of", ""),
            Limit::Decompressed => ("decompresses to more than the limit of", ""),
            Limit::Ratio => {
                ("decompresses to more than", " times its size, like a decompression bomb")
            }
            Limit::Seconds => ("took longer than the limit of", " s and was abandoned"),
            Limit::Records => ("records beyond the limit of", " were not read"),
            Limit::RecordsPerByte => {
                ("has more records for each of its bytes than the limit of", ", like a bomb")
            }
        };
        write!(f, "{before} {shown}{after}")
    }
}

/// A number of bytes in the largest unit that divides it.
fn bytes(count: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let fits = |(_, shift): &&(&str, u32)| count >= 1 << shift && count.is_multiple_of(1 << shift);
    match units.iter().find(fits) {
        Some((unit, shift)) => format!("{} {unit}", count >> shift),
        None => format!("{count} bytes"),
    }
}
