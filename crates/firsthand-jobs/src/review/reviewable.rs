//! What stands behind a review: results in a folder, or whatever else has clusters, texts and a place for
//! decisions.

use super::error::ReviewError;
use super::evidence::ShownText;
use super::index::{ClusterRow, Index};
use super::labelling::LabelPair;
use super::record::{ClusterRecord, MemberRecord};
use crate::decisions::Decision;
use firsthand::Settings;
use firsthand::collections::Collection;
use std::sync::Arc;

/// What people review. It is shared by all threads of a service.
pub trait Reviewable: Send + Sync {
    /// The settings that the clusters were found with.
    fn settings(&self) -> &Settings;

    /// Whether clusters and decisions can still be reached.
    fn is_there(&self) -> bool;

    /// The clusters as they were found. Results never change; where documents still arrive, this hands
    /// out a newer index from time to time, in which a cluster keeps its number.
    fn index(&self) -> Arc<Index>;

    /// A cluster of the index.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn cluster(&self, row: &ClusterRow) -> Result<ClusterRecord, ReviewError>;

    /// Why a document is the original of its cluster, in words, where nobody has chosen it.
    fn why_original(&self) -> &'static str;

    /// The text of a member.
    ///
    /// # Errors
    ///
    /// If it is gone.
    fn text(&self, member: &MemberRecord) -> Result<ShownText, ReviewError>;

    /// All documents as they were compared, if that can be had: what is page furniture depends on them.
    fn whole(&self) -> Option<&Collection>;

    /// At most `most` pairs to label, above and below the threshold, if such can be found.
    fn pairs_to_label(&self, most: usize) -> Option<Vec<LabelPair>>;

    /// Whether texts can be shown at all.
    fn keeps_texts(&self) -> bool {
        true
    }

    /// Whether pages may be there as they were, and not only their texts.
    fn keeps_pages(&self) -> bool {
        true
    }

    /// A number that is another one once documents have come or gone.
    fn changes(&self) -> u64 {
        0
    }

    /// A number that is another one once somebody has decided something, here or by another way.
    fn revision(&self) -> u64 {
        0
    }

    /// All decisions so far, each at the place that its number less one says.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn decisions(&self) -> Result<Vec<Option<Decision>>, ReviewError>;

    /// Adds a decision, which is durable when this returns. Calls come one at a time.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn append(&self, decision: &Decision) -> Result<(), ReviewError>;
}
