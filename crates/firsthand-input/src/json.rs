//! JSON files: the elements of an array one by one, or one value after another, cut out of a stream
//! that may be far larger than memory.
//!
//! Nothing is parsed here: brackets and quotes tell where an element ends, and whoever makes the
//! document says what is wrong with it.

mod cutter;
mod element;

pub(crate) use self::cutter::{JsonCut, JsonCutter};

#[cfg(test)]
mod tests;
