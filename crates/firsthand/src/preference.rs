//! Which documents are preferred as originals.

use crate::{settings::Original, summary::Summary};
use std::cmp::Reverse;

/// The rank of each of some documents in the order of preference; 0 for the others.
pub(crate) fn ranks(
    documents: &[Summary],
    some: impl Iterator<Item = u32>,
    original: Original,
) -> Vec<u32> {
    let mut order: Vec<u32> = some.collect();
    let document = |at: u32| &documents[at as usize];
    let earliest = |at: u32| document(at).time.unwrap_or(i64::MAX);
    let latest = |at: u32| Reverse(document(at).time.unwrap_or(i64::MIN));
    let longest = |at: u32| Reverse(document(at).length);
    let id = |at: u32| document(at).id.as_str();
    order.sort_by(|&a, &b| match original {
        Original::Earliest => {
            (earliest(a), longest(a), id(a)).cmp(&(earliest(b), longest(b), id(b)))
        }
        Original::Latest => (latest(a), longest(a), id(a)).cmp(&(latest(b), longest(b), id(b))),
        Original::Longest => {
            (longest(a), earliest(a), id(a)).cmp(&(longest(b), earliest(b), id(b)))
        }
        Original::First => a.cmp(&b),
    });
    let mut ranks = vec![0; documents.len()];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at as usize] = rank as u32;
    }
    ranks
}
