//! Unique ids without holding them: only those that occur more than once are looked at.

use super::record_sorter::RecordSorter;
use super::row::array;
use super::scratch::Scratch;
use super::table::DocumentTable;
use firsthand::collections::Ids;
use std::collections::{BTreeSet, HashSet};
use std::io;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// The documents whose ids have to be changed, each with the number that is appended to its id.
///
/// Ids are made unique in the order of the input, separately in a reference. Which number is free depends
/// on ids that occur once as well (`a#2`), so the documents that are looked at grow until no number that
/// was tried is the id of another document.
pub(crate) fn renamed(
    scratch: &Arc<Scratch>,
    table: &DocumentTable,
    memory: usize,
) -> io::Result<Vec<(u32, u32)>> {
    let side = |at: u32| u8::from(table.split().is_none_or(|split| at as usize >= split));
    let mut sorter = RecordSorter::new(scratch, "ids", memory);
    let hash = |id: String| xxh3_128(id.as_bytes()).to_be_bytes();
    let hashes = |first, batch: &_| Ok(table.ids(first, batch)?.into_iter().map(hash));
    table.each_batch(
        |first, batch| hashes(first, batch).map(Iterator::collect::<Vec<_>>),
        |(first, _), hashes| {
            (first..).zip(hashes).try_for_each(|(at, hash)| {
                let mut record = [0; 21];
                record[0] = side(at);
                record[1..17].copy_from_slice(&hash);
                record[17..].copy_from_slice(&at.to_be_bytes());
                sorter.push(&record)
            })
        },
    )?;
    let mut involved: BTreeSet<u32> = BTreeSet::new();
    let mut sorted = sorter.finish()?;
    let (mut record, mut last) = (Vec::new(), Vec::new());
    while sorted.next(&mut record)? {
        if last.get(..17) == Some(&record[..17]) {
            let at = |record: &[u8]| u32::from_be_bytes(array(&record[17..21]));
            involved.extend([at(&last), at(&record)]);
        }
        std::mem::swap(&mut record, &mut last);
    }
    drop(sorted);
    loop {
        let (renamed, tried) = claim(table, &involved, side)?;
        if tried.is_empty() {
            return Ok(renamed);
        }
        let before = involved.len();
        for (first, batch) in table.batches() {
            for (at, id) in (first..).zip(table.ids(first, batch)?) {
                if tried.contains(&(side(at), xxh3_128(id.as_bytes()))) {
                    involved.insert(at);
                }
            }
        }
        if involved.len() == before {
            return Ok(renamed);
        }
    }
}

type Tried = HashSet<(u8, u128)>;

/// Makes the ids of some documents unique; also returns the names that were tried.
fn claim(
    table: &DocumentTable,
    involved: &BTreeSet<u32>,
    side: impl Fn(u32) -> u8,
) -> io::Result<(Vec<(u32, u32)>, Tried)> {
    let (mut ids, mut of_side) = (Ids::default(), 0);
    let (mut renamed, mut tried) = (Vec::new(), Tried::new());
    for &at in involved {
        if side(at) != of_side {
            (ids, of_side) = (Ids::default(), side(at));
        }
        let raw = table.raw_id(at)?;
        let mut id = raw.clone();
        if ids.claim(&mut id) {
            let number: u32 = id[raw.len() + 1..].parse().map_err(io::Error::other)?;
            renamed.push((at, number));
            // Those before were tried for an earlier document, or are tried now.
            let mut earlier = number;
            while tried.insert((of_side, xxh3_128(format!("{raw}#{earlier}").as_bytes())))
                && earlier > 2
            {
                earlier -= 1;
            }
        }
    }
    Ok((renamed, tried))
}
