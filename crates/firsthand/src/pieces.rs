//! A collection piece by piece, for a caller that keeps it outside of memory.
//!
//! Whatever [`Collection`](crate::collections::Collection) does with all documents at once is done here with a
//! part of them: one document is signed, one site learned, one block of sets searched, one component of
//! pairs grouped. A caller that takes every piece once, and remembers what comes out, has the pairs and
//! clusters of the collection.
//!
//! 1. [`PieceSigner`] makes a [`Piece`] of each document, which has a form as bytes. Where shingles of words are all
//!    that texts are compared by, [`BatchCoder`] keeps their words instead, for less time and room.
//! 2. Pages are settled by the template of their site ([`Piece::settle`]); all others are as they are.
//! 3. [`SingleFeatures`] counts features, and tells which texts have no partner.
//! 4. [`Block::search`] finds the pairs among some texts. Whoever has every two texts that may reach the
//!    threshold in one block at some time, has all pairs.
//! 5. [`group_component`] forms the clusters of documents that pairs connect.

mod block;
mod coded_batch;
mod component;
mod encoding;
mod piece;
mod single_features;

pub use block::{Block, BlockPairs};
pub use coded_batch::{BatchCoder, CodedBatch, CodedPiece, TextDecoder};
pub use component::{Component, ComponentText, group_component};
pub use piece::{Piece, PieceSigner, PieceText};
pub use single_features::{FeatureCounter, FeatureCounters, SingleFeatures, SinglesAsked};

use crate::settings::{Matcher, Settings};

/// Whether a collection can be taken piece by piece: each two documents are compared by what they have
/// themselves. Otherwise, what needs all documents at once.
///
/// ```
/// use firsthand::{Settings, pieces};
///
/// assert_eq!(pieces::needs_all(&Settings::profile("corpus")?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn needs_all(settings: &Settings) -> Option<&'static str> {
    if settings.model.is_some() {
        return Some("a learned model");
    }
    if settings.needs_collection().is_some() {
        return Some("a method with weights or limits by document frequency");
    }
    match settings.collection_matcher() {
        Matcher::Collisions(_) => Some("the matcher `collisions`"),
        _ => None,
    }
}
