//! Cuts JSON files into the elements of an array, or into consecutive values, in bounded memory.
//!
//! Nothing is parsed here: brackets and quotes show where an element ends. Errors inside an element
//! are found when the document is built.

mod cutter;
mod element;

pub(crate) use self::cutter::{JsonCut, JsonCutter};

#[cfg(test)]
mod tests;
