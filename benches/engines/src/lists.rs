//! Lists of numbers as the value of a key: general engines are asked by key for a packed list.

use crate::engine::Item;
use std::collections::BTreeMap;

/// At most so many documents are kept under a key, as ours looks at no more.
const MOST: usize = 64;

pub fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk))
}

pub fn append(list: &mut Vec<u8>, seq: u64) {
    if list.len() < MOST * 8 {
        list.extend_from_slice(&seq.to_le_bytes());
    }
}

/// What a round changes: new lists by bucket and key, begun with what `old` finds.
pub fn changed<'a, E>(
    items: impl IntoIterator<Item = &'a Item>,
    mut old: impl FnMut(i64, u64) -> Result<Vec<u8>, E>,
) -> Result<BTreeMap<(i64, u64), Vec<u8>>, E> {
    let mut lists = BTreeMap::new();
    for item in items {
        for &key in &item.keys {
            let list = match lists.entry((item.bucket, key)) {
                std::collections::btree_map::Entry::Occupied(list) => list.into_mut(),
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(old(item.bucket, key)?)
                }
            };
            append(list, item.seq);
        }
    }
    Ok(lists)
}
