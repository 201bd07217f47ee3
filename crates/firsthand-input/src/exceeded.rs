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
        let (value, size) = (self.value, bytes(self.value));
        match self.limit {
            Limit::File => write!(f, "larger than the limit of {size}"),
            Limit::Document => write!(f, "its text is longer than the limit of {size}"),
            Limit::Line => write!(f, "the line is longer than the limit of {size}"),
            Limit::JsonDepth => write!(f, "JSON nested deeper than the limit of {value}"),
            Limit::HtmlDepth => {
                write!(f, "elements nested deeper than the limit of {value} were not distinguished")
            }
            Limit::HtmlAttributes => {
                write!(f, "attributes of a tag beyond the limit of {value} were ignored")
            }
            Limit::HtmlBlocks => {
                write!(f, "blocks of text beyond the limit of {value} were not distinguished")
            }
            Limit::MimeParts => write!(f, "parts beyond the limit of {value} were ignored"),
            Limit::MimeDepth => {
                write!(f, "parts nested deeper than the limit of {value} were ignored")
            }
            Limit::Members => write!(f, "members beyond the limit of {value} were not read"),
            Limit::Layers => {
                write!(f, "archives or compressions nested deeper than the limit of {value}")
            }
            Limit::Decompressed => write!(f, "decompresses to more than the limit of {size}"),
            Limit::Ratio => {
                write!(
                    f,
                    "decompresses to more than {value} times its size, like a decompression bomb"
                )
            }
            Limit::Seconds => {
                write!(f, "took longer than the limit of {value} s and was abandoned")
            }
        }
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
