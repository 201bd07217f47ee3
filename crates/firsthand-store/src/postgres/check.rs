//! Reads everything and compares it with the stored checksums and sums.

use super::{
    session::Session,
    state::{PlacedBucket, TableState, checksum},
};
use crate::Verified;
use firsthand::online::StoreError;

/// Number of documents that are read at a time.
const AT_A_TIME: i64 = 1000;

/// Planner settings that read a table itself, or only its index.
const BY_TABLE: &str = "SET LOCAL enable_seqscan = on; SET LOCAL enable_hashjoin = on;
    SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off";
const BY_INDEX: &str = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on";

/// Reads the whole store.
pub(super) fn check(session: &mut Session, state: &TableState) -> Result<Verified, StoreError> {
    let mut verified = Verified::default();
    for kept in state.buckets.values() {
        documents(session, kept, &mut verified)?;
    }
    for row in &session.rows("checking values", "SELECT name, checksum, value FROM named", &[])? {
        let (name, sum) = (session.get::<String>(row, 0)?, session.get::<i64>(row, 1)?);
        if checksum(0, 0, session.get(row, 2)?) != sum {
            verified.problems.push(format!("the value {name:?} is damaged"));
        }
    }
    session.run("preparing the check", BY_TABLE)?;
    for kept in state.buckets.values() {
        keys(session, kept, &mut verified)?;
    }
    for part in state.parts.keys() {
        let by_table = index(session, BY_TABLE, *part)?;
        let by_index = index(session, BY_INDEX, *part)?;
        if by_table != by_index {
            verified.problems.push(format!(
                "the index of the table postings_{part} does not match the {} keys of the table; \
                 rebuild it with REINDEX TABLE",
                by_table.0
            ));
        }
    }
    Ok(verified)
}

/// Number of keys in a partition and a sum over them, read as the planner settings demand.
fn index(session: &mut Session, settings: &str, part: i32) -> Result<(i64, i64), StoreError> {
    let what = "checking an index";
    session.run(what, settings)?;
    let sql = format!(
        "SELECT count(*), coalesce(sum((key # (key >> 32) # seq) & 4294967295), 0)::int8 \
         FROM postings_{part}"
    );
    let row = session.once(what, &sql)?;
    Ok((session.get(&row, 0)?, session.get(&row, 1)?))
}

/// Checks the documents of a bucket: their payloads, their number and sizes.
fn documents(
    session: &mut Session,
    kept: &PlacedBucket,
    verified: &mut Verified,
) -> Result<(), StoreError> {
    let bucket = &kept.bucket;
    let (mut documents, mut bytes, mut times) = (0, 0, None);
    let mut from = i64::MIN;
    loop {
        let rows = session.rows(
            "checking documents",
            "SELECT seq, time, checksum, payload FROM documents \
             WHERE part = $1 AND slot = $2 AND seq > $3 ORDER BY seq LIMIT $4",
            &[&kept.part, &kept.slot, &from, &AT_A_TIME],
        )?;
        for row in &rows {
            let (seq, time) = (session.get::<i64>(row, 0)?, session.get::<i64>(row, 1)?);
            let payload: &[u8] = session.get(row, 3)?;
            if checksum(seq, time, payload) != session.get::<i64>(row, 2)? {
                verified.problems.push(format!("document number {seq} is damaged"));
            }
            documents += 1;
            bytes += payload.len() as u64;
            let (first, last) = times.unwrap_or((time, time));
            times = Some((time.min(first), time.max(last)));
            from = seq;
        }
        if rows.is_empty() {
            break;
        }
    }
    verified.documents += documents;
    let has = (documents, bytes, times);
    let should = (bucket.documents, bucket.bytes, Some((bucket.first, bucket.last)));
    if has != should {
        verified.problems.push(format!(
            "bucket {}: {documents} documents of {bytes} bytes were found, and {} of {} bytes expected",
            bucket.number, bucket.documents, bucket.bytes
        ));
    }
    Ok(())
}

/// Checks the keys of a bucket: their sum, and the documents that they lead to.
fn keys(
    session: &mut Session,
    kept: &PlacedBucket,
    verified: &mut Verified,
) -> Result<(), StoreError> {
    let number = kept.bucket.number;
    let row = session.one(
        "checking keys",
        "SELECT count(*), coalesce(sum((p.key # (p.key >> 32) # p.seq # (p.seq >> 32) # p.time \
         # (p.time >> 32)) & 4294967295), 0)::int8, \
         count(*) FILTER (WHERE d.seq IS NULL OR d.time <> p.time) \
         FROM postings p LEFT JOIN documents d ON d.seq = p.seq AND d.part = $1 AND d.slot = $2 \
         WHERE p.part = $1 AND p.slot = $2",
        &[&kept.part, &kept.slot],
    )?;
    let (keys, sum): (i64, i64) = (session.get(&row, 0)?, session.get(&row, 1)?);
    let astray: i64 = session.get(&row, 2)?;
    verified.keys += keys.unsigned_abs();
    if (keys, sum) != (kept.keys, kept.sum) {
        verified.problems.push(format!(
            "bucket {number}: {keys} keys were found and {} expected, or some are damaged",
            kept.keys
        ));
    }
    if astray > 0 {
        verified.problems.push(format!("bucket {number}: {astray} keys lead to no document"));
    }
    Ok(())
}
