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

/// The same order as bytes, for documents that are not all in one place: of two documents the one with the
/// lesser bytes is preferred, or else the one with the lesser id. `order` is the place in the input.
pub(crate) fn rank_bytes(
    original: Original,
    time: Option<i64>,
    length: u32,
    order: &[u8],
) -> Vec<u8> {
    // With the sign bit turned, the bytes of signed numbers are in their order.
    let ascending = |time: i64| (time as u64 ^ 1 << 63).to_be_bytes();
    let earliest = ascending(time.unwrap_or(i64::MAX));
    let latest = ascending(time.unwrap_or(i64::MIN)).map(|byte| !byte);
    let longest = (!length).to_be_bytes();
    match original {
        Original::Earliest => [&earliest[..], &longest].concat(),
        Original::Latest => [&latest[..], &longest].concat(),
        Original::Longest => [&longest[..], &earliest].concat(),
        Original::First => order.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_are_in_the_order_of_the_ranks(
            documents in prop::collection::vec(
                (prop::option::of(prop_oneof![-2i64..3, any::<i64>()]), 0u32..4, "[ab]{0,2}"), 1..12),
        ) {
            let documents: Vec<Summary> = (0..).zip(documents).map(|(at, (time, length, id))| Summary {
                id: format!("{id}{at}"), time, length, features: 0, short: false,
                nothing_but_form: false, text: Some(at),
            }).collect();
            for original in [Original::Earliest, Original::Latest, Original::Longest, Original::First] {
                let ranks = ranks(&documents, 0..documents.len() as u32, original);
                let bytes = |at: usize| {
                    let Summary { time, length, id, .. } = &documents[at];
                    (rank_bytes(original, *time, *length, &(at as u64).to_be_bytes()), id)
                };
                for a in 0..documents.len() {
                    for b in 0..documents.len() {
                        prop_assert_eq!(ranks[a].cmp(&ranks[b]), bytes(a).cmp(&bytes(b)));
                    }
                }
            }
        }
    }
}
