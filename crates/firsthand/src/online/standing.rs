//! Where documents stand by the decisions of people. What the stream said of them is left as it is: these
//! are other links, on top of those that the records have.

use super::{record::DocumentRecord, store::Seq};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// Where documents stand that decisions have moved.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    pub(super) places: HashMap<Seq, Place>,
    /// Clusters that must not be merged, by the hashes of their names, in both orders.
    pub(super) apart: HashSet<(u64, u64)>,
    /// Chosen originals, each with the position of its choice.
    pub(super) kept: HashMap<Seq, usize>,
    /// All documents of the clusters that decisions are about. If one of them changes, all of this is
    /// found anew.
    pub(super) affected: HashSet<Seq>,
}

/// Where a document stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The original of its cluster; itself if it is one.
    pub(super) lead: Seq,
    /// The name of its cluster.
    pub(super) cluster: Arc<str>,
}

impl Standing {
    /// The next document on the way to the original; `None` for an original.
    pub(super) fn onward(&self, seq: Seq, record: &DocumentRecord) -> Option<Seq> {
        match self.places.get(&seq) {
            Some(place) => (place.lead != seq).then_some(place.lead),
            None => record.onward(seq),
        }
    }

    /// The name of the cluster of an original.
    pub(super) fn cluster<'a>(&'a self, seq: Seq, record: &'a DocumentRecord) -> &'a str {
        self.places.get(&seq).map_or(&record.said.cluster, |place| &place.cluster)
    }

    /// Whether two clusters may be merged, by their names.
    pub(super) fn may_merge(&self, a: &str, b: &str) -> bool {
        self.apart.is_empty() || !self.apart.contains(&(hash(a), hash(b)))
    }
}

pub(super) fn hash(cluster: &str) -> u64 {
    xxh3_64(cluster.as_bytes())
}
