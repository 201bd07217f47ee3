//! Sketches: a document reduced to a fixed number of values that tell how alike sets are.
//!
//! Each value is drawn from the set by a rule of its own, the same for all documents, so that the
//! share of values on which two sketches agree says something about their sets. None of this
//! depends on anything but the set: the same set has the same sketch everywhere.

mod banding;
mod bits;
mod lexicons;
mod margin;
mod minhash;
mod seeds;

pub use banding::Banding;
pub(crate) use banding::least_jaccard;
pub(crate) use bits::{Bits, distance};
pub(crate) use lexicons::Lexicons;
pub(crate) use margin::least_agreement;
pub(crate) use minhash::{MinHashes, grouped, grouped_key};
pub(crate) use seeds::seeds;
