//! Which documents are preferred as originals.

use crate::{settings::Original, summary::Summary};
use std::cmp::{Ordering, Reverse};

/// The rank of each of some documents in the order of preference; 0 for the others.
pub(crate) fn ranks(
    documents: &[Summary],
    some: impl Iterator<Item = u32>,
    original: Original,
) -> Vec<u32> {
    let mut order: Vec<u32> = some.collect();
    order.sort_by(|&a, &b| compare(documents, original, a as usize, b as usize));
    let mut ranks = vec![0; documents.len()];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at as usize] = rank as u32;
    }
    ranks
}

/// Which of two documents is preferred: the lesser.
pub(crate) fn compare(documents: &[Summary], original: Original, a: usize, b: usize) -> Ordering {
    let earliest = |at: usize| documents[at].time.unwrap_or(i64::MAX);
    let latest = |at: usize| Reverse(documents[at].time.unwrap_or(i64::MIN));
    let longest = |at: usize| Reverse(documents[at].length);
    let id = |at: usize| documents[at].id.as_str();
    match original {
        Original::Earliest => {
            (earliest(a), longest(a), id(a)).cmp(&(earliest(b), longest(b), id(b)))
        }
        Original::Latest => (latest(a), longest(a), id(a)).cmp(&(latest(b), longest(b), id(b))),
        Original::Longest => {
            (longest(a), earliest(a), id(a)).cmp(&(longest(b), earliest(b), id(b)))
        }
        Original::First => a.cmp(&b),
    }
}
