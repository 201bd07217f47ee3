//! The exact index: documents that reach the threshold share some of their rarest features.
//!
//! Take the features of two documents in one order. If they have at least `a` features in common, then
//! the first `l` of those lie among the first `x - a + l` of the one and the first `y - a + l` of the
//! other. So it is enough to keep these, and to look at documents that share `l`. Any order will do;
//! with the rarest features first, few others share that many. The order is frozen once there are
//! enough documents to tell what is rare, because all documents of a store must be in the same one.

use super::{
    bytes::{Reader, Writer},
    keys::{NearKeys, of_feature},
};
use crate::{hashed::BuildHashed, measure::Rule};
use std::collections::HashMap;

/// So many documents tell what is rare. Until then, documents are compared with all others.
pub(super) const ENOUGH: u64 = 512;

/// One common feature in so many is asked for, beyond the least that a prefix must have.
const MORE: u64 = 20;

/// How common features are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Order {
    /// The number of documents for features that several have.
    frequencies: HashMap<u64, u32, BuildHashed>,
}

impl Order {
    /// The order by the frequencies in some documents.
    pub(super) fn new<'a>(sets: impl Iterator<Item = &'a [u64]>) -> Self {
        let mut frequencies: HashMap<u64, u32, BuildHashed> = HashMap::default();
        for &feature in sets.flatten() {
            *frequencies.entry(feature).or_default() += 1;
        }
        frequencies.retain(|_, count| *count > 1);
        Self { frequencies }
    }

    /// The keys of a set that is not empty.
    pub(super) fn keys(&self, rule: Rule, set: &[u64]) -> NearKeys {
        let size = set.len() as u64;
        let smallest = rule.smallest_partner(size).max(1);
        let overlap = rule.least_overlap(size, smallest).clamp(1, size);
        let more = |size: u64| (size / MORE).max(1);
        let prefix = (size - overlap + more(size)).min(size) as usize;
        let mut ranked: Vec<(u32, u64)> = set
            .iter()
            .map(|feature| (self.frequencies.get(feature).copied().unwrap_or(0), *feature))
            .collect();
        if prefix < ranked.len() {
            ranked.select_nth_unstable(prefix);
            ranked.truncate(prefix);
        }
        let keys = ranked.iter().map(|&(_, feature)| of_feature(feature)).collect();
        // A partner may be smaller, and then fewer of its features are kept. Nor may more be asked
        // for than the two have in common.
        let least = more(smallest).min(overlap) as u32;
        NearKeys { keys, least }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut sorted: Vec<_> = self.frequencies.iter().collect();
        sorted.sort_unstable();
        let mut out = Writer::default();
        out.number(sorted.len() as u64);
        for (feature, count) in sorted {
            out.fixed(*feature);
            out.number(u64::from(*count));
        }
        out.finish()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let count = from.number()?;
        let pair = |_| Some((from.fixed()?, u32::try_from(from.number()?).ok()?));
        let frequencies = (0..count).map(pair).collect::<Option<_>>()?;
        Some(Self { frequencies })
    }
}
