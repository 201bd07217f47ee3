//! Sketches: a document reduced to a fixed number of values from which similarity is estimated.
//!
//! Each value is drawn from the set by its own rule, the same for all documents, so the share of
//! values on which two sketches agree is an estimate of the similarity of their sets. A sketch
//! depends on nothing but the set: the same set has the same sketch everywhere.

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
