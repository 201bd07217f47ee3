//! What was found in a collection that is kept outside of memory.

use super::grouping::Grouped;
use super::sites::SiteCounts;
use super::table::DocumentTable;
use crate::pair_list::PairList;
use std::sync::Arc;

/// A matched and grouped collection outside of memory.
#[derive(Debug)]
pub(crate) struct OnDisk {
    pub(crate) table: Arc<DocumentTable>,
    pub(crate) grouped: Grouped,
    /// The number of different texts.
    pub(crate) texts: u64,
    pub(crate) sites: SiteCounts,
    /// Whether all pairs count, or only those of members with their originals.
    pub(crate) is_complete: bool,
}

impl OnDisk {
    /// The number of pairs of a list.
    pub(crate) fn count(&self, list: PairList) -> u64 {
        match list {
            PairList::None => 0,
            PairList::Capped => self.grouped.capped,
            PairList::All => self.grouped.pairs,
            PairList::Star => self.grouped.star,
        }
    }
}
