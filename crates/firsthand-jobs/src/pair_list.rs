//! Which pairs of a collection are listed.

use serde::{Deserialize, Serialize};

/// Which pairs are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairList {
    /// Every verified pair of texts with at most [`LARGE_CLASS`](firsthand::collections::LARGE_CLASS) equal copies. Of a text with more,
    /// each further copy is listed only with the first, so that the list stays linear in them.
    #[default]
    Capped,
    /// Every verified pair: a text that occurs 100,000 times makes five thousand million of them.
    All,
    /// Each near-duplicate with its original, or with the member of the cluster it is near to: as many
    /// as there are near-duplicates.
    Star,
    /// No pair.
    None,
}
