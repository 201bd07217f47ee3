//! Writing the changes of a round in its transaction, with one statement for each table.

use super::{
    parts,
    session::Session,
    state::{PlacedBucket, TableState, checksum, fold, signed},
};
use firsthand::online::{Changes, Entry, Seq, StoreError};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of payloads that go to the server in one statement.
const BATCH_BYTES: usize = 32 << 20;

/// Where the row of a document is.
#[derive(Clone, Copy)]
struct RowLocation {
    slot: i32,
    part: i32,
    time: i64,
    bytes: u64,
}

/// Writes changes; returns the state as it will be when they are committed.
pub(super) fn write(
    session: &mut Session,
    before: &TableState,
    changes: Changes,
) -> Result<TableState, StoreError> {
    let mut state = before.clone();
    state.clock = changes.clock.or(state.clock);
    state.round += 1;
    let replace: BTreeMap<Seq, Vec<u8>> = changes.replace.into_iter().collect();
    let others = replace.keys().chain(changes.keys.iter().map(|(seq, _)| seq)).copied();
    let mut locations = locate(session, before, others.collect())?;

    let mut postings = PostingRows::default();
    for entry in &changes.insert {
        let (seq, time, bytes) = (signed(entry.seq), entry.time, entry.payload.len() as u64);
        let (kept, new) = state.receive(entry.bucket, time, seq);
        let bucket = &mut kept.bucket;
        bucket.documents += 1;
        bucket.bytes += bytes;
        bucket.first = bucket.first.min(time);
        bucket.last = bucket.last.max(time);
        kept.low = kept.low.min(seq);
        kept.high = kept.high.max(seq);
        postings.add(kept, seq, time, &entry.keys);
        locations.insert(entry.seq, RowLocation { slot: kept.slot, part: kept.part, time, bytes });
        state.next = seq.saturating_add(1);
        if let Some(part) = new {
            parts::make(session, part)?;
        }
    }
    for (seq, payload) in &replace {
        if let Some(location) = locations.get(seq)
            && let Some(kept) = state.of_slot_mut(location.slot)
        {
            let bytes = &mut kept.bucket.bytes;
            *bytes = (*bytes + payload.len() as u64).saturating_sub(location.bytes);
        }
    }
    for (seq, keys) in &changes.keys {
        if let Some(location) = locations.get(seq)
            && let Some(kept) = state.of_slot_mut(location.slot)
        {
            postings.add(kept, signed(*seq), location.time, keys);
        }
    }
    insert(session, &changes.insert, &locations)?;
    postings.insert(session)?;
    for batch in batches(replace.iter().collect(), |(_, payload)| payload.len()) {
        update(session, &batch, &locations)?;
    }
    for number in &changes.forget {
        state.buckets.remove(number);
    }
    values(session, changes.values)?;
    parts::keep(session, before, &mut state)?;
    Ok(state)
}

/// Where the rows of stored documents are; those that are gone are left out.
fn locate(
    session: &mut Session,
    state: &TableState,
    documents: BTreeSet<Seq>,
) -> Result<BTreeMap<Seq, RowLocation>, StoreError> {
    let documents: Vec<Seq> = documents.into_iter().collect();
    let Some(place) = state.place_of(&documents) else { return Ok(BTreeMap::new()) };
    let seqs: Vec<i64> = documents.iter().copied().map(signed).collect();
    let rows = session.rows(
        "looking for documents",
        "SELECT seq, slot, part, time, octet_length(payload) FROM documents \
         WHERE seq = ANY ($1) AND part BETWEEN $2 AND $3 AND slot <> ALL ($4::int4[])",
        &[&seqs, &place.first, &place.last, &place.without],
    )?;
    let locations = rows.iter().map(|row| {
        let bytes: i32 = session.get(row, 4)?;
        let location = RowLocation {
            slot: session.get(row, 1)?,
            part: session.get(row, 2)?,
            time: session.get(row, 3)?,
            bytes: u64::from(bytes.unsigned_abs()),
        };
        Ok((session.get::<i64>(row, 0)?.unsigned_abs(), location))
    });
    locations.collect()
}

fn insert(
    session: &mut Session,
    entries: &[Entry],
    locations: &BTreeMap<Seq, RowLocation>,
) -> Result<(), StoreError> {
    let placed =
        entries.iter().filter_map(|entry| Some((entry, *locations.get(&entry.seq)?))).collect();
    for batch in batches(placed, |(entry, _)| entry.payload.len()) {
        let part: Vec<i32> = batch.iter().map(|(_, location)| location.part).collect();
        let slot: Vec<i32> = batch.iter().map(|(_, location)| location.slot).collect();
        let seq: Vec<i64> = batch.iter().map(|(entry, _)| signed(entry.seq)).collect();
        let time: Vec<i64> = batch.iter().map(|(entry, _)| entry.time).collect();
        let payload: Vec<&[u8]> = batch.iter().map(|(entry, _)| &*entry.payload).collect();
        let sums = seq.iter().zip(&time).zip(&payload);
        let sum: Vec<i64> = sums.map(|((seq, time), bytes)| checksum(*seq, *time, bytes)).collect();
        session.change(
            "storing documents",
            "INSERT INTO documents (part, slot, seq, time, checksum, payload) \
             SELECT * FROM unnest($1::int4[], $2::int4[], $3::int8[], $4::int8[], $5::int8[], \
             $6::bytea[])",
            &[&part, &slot, &seq, &time, &sum, &payload],
        )?;
    }
    Ok(())
}

fn update(
    session: &mut Session,
    batch: &[(&Seq, &Vec<u8>)],
    locations: &BTreeMap<Seq, RowLocation>,
) -> Result<(), StoreError> {
    let placed =
        batch.iter().filter_map(|(seq, payload)| Some((**seq, *payload, *locations.get(seq)?)));
    let placed: Vec<(Seq, &Vec<u8>, RowLocation)> = placed.collect();
    if placed.is_empty() {
        return Ok(());
    }
    let part: Vec<i32> = placed.iter().map(|(_, _, location)| location.part).collect();
    let seq: Vec<i64> = placed.iter().map(|(seq, _, _)| signed(*seq)).collect();
    let sum = placed
        .iter()
        .map(|(seq, payload, location)| checksum(signed(*seq), location.time, payload));
    let sum: Vec<i64> = sum.collect();
    let payload: Vec<&[u8]> = placed.iter().map(|(_, payload, _)| payload.as_slice()).collect();
    session.change(
        "replacing documents",
        "UPDATE documents d SET checksum = n.checksum, payload = n.payload \
         FROM unnest($1::int4[], $2::int8[], $3::int8[], $4::bytea[]) AS n (part, seq, checksum, payload) \
         WHERE d.seq = n.seq AND d.part = n.part",
        &[&part, &seq, &sum, &payload],
    )?;
    Ok(())
}

fn values(session: &mut Session, values: Vec<(String, Vec<u8>)>) -> Result<(), StoreError> {
    for (name, value) in values {
        session.change(
            "storing a value",
            "INSERT INTO named (name, checksum, value) VALUES ($1, $2, $3) \
             ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, value = excluded.value",
            &[&name, &checksum(0, 0, &value), &value],
        )?;
    }
    Ok(())
}

/// New rows of the table `postings`.
#[derive(Default)]
struct PostingRows {
    rows: Vec<(i64, i64, i64, i32, i32)>,
}

impl PostingRows {
    fn add(&mut self, kept: &mut PlacedBucket, seq: i64, time: i64, keys: &[u64]) {
        for &key in keys {
            let key = signed(key);
            self.rows.push((key, seq, time, kept.part, kept.slot));
            kept.sum = kept.sum.wrapping_add(fold(key, seq, time));
        }
        kept.keys += i64::try_from(keys.len()).unwrap_or(i64::MAX);
    }

    fn insert(mut self, session: &mut Session) -> Result<(), StoreError> {
        // In the order of the index, neighbours are on the same page.
        self.rows.sort_unstable();
        for rows in self.rows.chunks(BATCH_BYTES / 40) {
            let key: Vec<i64> = rows.iter().map(|row| row.0).collect();
            let seq: Vec<i64> = rows.iter().map(|row| row.1).collect();
            let time: Vec<i64> = rows.iter().map(|row| row.2).collect();
            let part: Vec<i32> = rows.iter().map(|row| row.3).collect();
            let slot: Vec<i32> = rows.iter().map(|row| row.4).collect();
            session.change(
                "storing keys",
                "INSERT INTO postings (part, slot, key, seq, time) \
                 SELECT * FROM unnest($1::int4[], $2::int4[], $3::int8[], $4::int8[], $5::int8[])",
                &[&part, &slot, &key, &seq, &time],
            )?;
        }
        Ok(())
    }
}

/// Groups items into batches of at most `BATCH_BYTES`; a larger item is a batch of its own.
pub(super) fn batches<T>(items: Vec<T>, size: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let mut batches: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for item in items {
        let size = size(&item);
        match batches.last_mut() {
            Some(batch) if size <= room => {
                room -= size;
                batch.push(item);
            }
            _ => {
                room = BATCH_BYTES.saturating_sub(size);
                batches.push(vec![item]);
            }
        }
    }
    batches
}
