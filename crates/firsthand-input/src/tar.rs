//! tar archives: headers and contents, straight from the stream.
//!
//! The headers are gone through here and not by the library, which would read a name into memory
//! however long it claims to be, and stop for good at the first header that is damaged.

mod blocks;
mod extensions;
pub(crate) mod sparse;

pub(crate) use blocks::{Blocks, Next};
pub(crate) use extensions::Extensions;
