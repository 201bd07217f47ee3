//! The small tables: the buckets, and where their rows are.
//!
//! The rows of a bucket carry its *slot*, a number that is never reused, so that a bucket is forgotten
//! by removing its slot. Several slots share a *part*, which is a partition of each of the large tables:
//! a look-up searches every part, so there must not be many of them.

use super::session::Session;
use firsthand::online::{Bucket, Head, Seq, StoreError};
use std::collections::{BTreeMap, HashSet};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// A part has room for one bucket in this many. A window of 24 hours has five or six partitions; without
/// a window their number grows with the logarithm of the number of buckets. Up to the same share of the
/// buckets may be forgotten and still wait for their partition to be dropped.
const SHARE: usize = 4;

/// The small tables.
#[derive(Clone, Debug, Default)]
pub(super) struct TableState {
    /// Goes up each time the settings change.
    pub(super) generation: i32,
    /// Number of rounds that were committed.
    pub(super) round: i64,
    pub(super) next: i64,
    pub(super) clock: Option<i64>,
    /// The highest numbers of parts and slots so far.
    pub(super) part: i32,
    pub(super) slot: i32,
    pub(super) buckets: BTreeMap<i64, PlacedBucket>,
    /// The slots of each part, forgotten ones included.
    pub(super) parts: BTreeMap<i32, Vec<i32>>,
}

/// A bucket and where its rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedBucket {
    pub(super) bucket: Bucket,
    pub(super) slot: i32,
    pub(super) part: i32,
    /// The first and the last number of its documents.
    pub(super) low: i64,
    pub(super) high: i64,
    /// Number of keys that lead to its documents, and the sum of their `fold`.
    pub(super) keys: i64,
    pub(super) sum: i64,
}

/// Where to look: a range of parts, without the slots that are forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RowRange {
    pub(super) first: i32,
    pub(super) last: i32,
    pub(super) without: Vec<i32>,
}

impl TableState {
    /// Reads the tables, unless `known` is still current.
    pub(super) fn read(session: &mut Session, known: Option<Self>) -> Result<Self, StoreError> {
        let what = "reading the head";
        let sql = "SELECT generation, round, next, clock, part, slot FROM head";
        let row = session.one(what, sql, &[])?;
        let (generation, round) = (session.get(&row, 0)?, session.get(&row, 1)?);
        let is_current = |state: &Self| (state.generation, state.round) == (generation, round);
        if let Some(state) = known.filter(is_current) {
            return Ok(state);
        }
        let mut state = Self {
            generation,
            round,
            next: session.get(&row, 2)?,
            clock: session.get(&row, 3)?,
            part: session.get(&row, 4)?,
            slot: session.get(&row, 5)?,
            ..Self::default()
        };
        let sql = "SELECT number, slot, part, documents, bytes, first, last, low, high, keys, sum \
                   FROM buckets";
        for row in session.rows(what, sql, &[])? {
            let at = |column| session.get::<i64>(&row, column);
            let bucket = Bucket {
                number: at(0)?,
                documents: at(3)?.unsigned_abs(),
                bytes: at(4)?.unsigned_abs(),
                first: at(5)?,
                last: at(6)?,
            };
            let kept = PlacedBucket {
                bucket,
                slot: session.get(&row, 1)?,
                part: session.get(&row, 2)?,
                low: at(7)?,
                high: at(8)?,
                keys: at(9)?,
                sum: at(10)?,
            };
            state.buckets.insert(bucket.number, kept);
        }
        for row in session.rows(what, "SELECT number, slots FROM parts", &[])? {
            state.parts.insert(session.get(&row, 0)?, session.get(&row, 1)?);
        }
        Ok(state)
    }

    pub(super) fn head(&self) -> Head {
        Head {
            next: self.next.max(1).unsigned_abs(),
            clock: self.clock,
            buckets: self.buckets.values().map(|kept| kept.bucket).collect(),
        }
    }

    /// The bucket of a new document, created if need be; and its part, if that is new.
    pub(super) fn receive(
        &mut self,
        number: i64,
        time: i64,
        seq: i64,
    ) -> (&mut PlacedBucket, Option<i32>) {
        let Self { buckets, parts, part, slot, .. } = self;
        let room = buckets.len() / SHARE + 1;
        let mut new = None;
        let kept = buckets.entry(number).or_insert_with(|| {
            *slot += 1;
            let part = match parts.last_entry() {
                Some(mut last) if last.get().len() < room => {
                    last.get_mut().push(*slot);
                    *last.key()
                }
                _ => {
                    *part += 1;
                    parts.insert(*part, vec![*slot]);
                    new = Some(*part);
                    *part
                }
            };
            let bucket = Bucket { number, documents: 0, bytes: 0, first: time, last: time };
            PlacedBucket { bucket, slot: *slot, part, low: seq, high: seq, keys: 0, sum: 0 }
        });
        (kept, new)
    }

    /// The bucket of a slot.
    pub(super) fn of_slot(&self, slot: i32) -> Option<&PlacedBucket> {
        self.buckets.values().find(|kept| kept.slot == slot)
    }

    /// The bucket of a slot, to be changed.
    pub(super) fn of_slot_mut(&mut self, slot: i32) -> Option<&mut PlacedBucket> {
        self.buckets.values_mut().find(|kept| kept.slot == slot)
    }

    /// The parts whose slots are all forgotten.
    pub(super) fn idle_parts(&self) -> Vec<i32> {
        let parts = self.parts.keys().copied();
        parts.filter(|part| !self.buckets.values().any(|kept| kept.part == *part)).collect()
    }

    /// Where the rows of some of the buckets are; none if there are none.
    pub(super) fn place(&self, wanted: impl Fn(&PlacedBucket) -> bool) -> Option<RowRange> {
        let parts = || self.buckets.values().filter(|kept| wanted(kept)).map(|kept| kept.part);
        let (first, last) = (parts().min()?, parts().max()?);
        let slots = self.parts.range(first..=last).flat_map(|(_, slots)| slots).copied();
        let kept: HashSet<i32> = self.buckets.values().map(|kept| kept.slot).collect();
        let without = slots.filter(|slot| !kept.contains(slot)).collect();
        Some(RowRange { first, last, without })
    }

    /// Where the rows of these documents may be.
    pub(super) fn place_of(&self, documents: &[Seq]) -> Option<RowRange> {
        self.place(|kept| {
            documents.iter().any(|seq| (kept.low..=kept.high).contains(&signed(*seq)))
        })
    }
}

/// Converts numbers and keys for the server, which has no unsigned integers: the bits stay the same.
pub(super) fn signed(number: u64) -> i64 {
    i64::from_ne_bytes(number.to_ne_bytes())
}

/// What a key adds to the sum of its bucket. `check` has the same expression in SQL.
pub(super) fn fold(key: i64, seq: i64, time: i64) -> i64 {
    let all = key ^ (key >> 32) ^ seq ^ (seq >> 32) ^ time ^ (time >> 32);
    all & 0xffff_ffff
}

/// The checksum of a payload. It also covers its number and its time.
pub(super) fn checksum(seq: i64, time: i64, payload: &[u8]) -> i64 {
    let seed = belonging(seq, time);
    signed(xxh3_64_with_seed(payload, seed))
}

fn belonging(seq: i64, time: i64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&seq.to_le_bytes());
    bytes[8..].copy_from_slice(&time.to_le_bytes());
    xxh3_64(&bytes)
}
