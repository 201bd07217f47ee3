//! tar archives: headers and contents, straight from the stream.
//!
//! Headers are parsed here because the library would read a name of any claimed length into memory
//! and stop for good at the first damaged header.

mod blocks;
mod extensions;
pub(crate) mod sparse;

pub(crate) use blocks::{Blocks, Next};
pub(crate) use extensions::Extensions;
