//! Partitions: created when a bucket needs one, dropped when all of their buckets are forgotten.

use super::{session::Session, state::TableState};
use firsthand::online::StoreError;

/// Creates a partition of each large table that every store has.
pub(super) fn make(session: &mut Session, part: i32) -> Result<(), StoreError> {
    make_one(session, "documents", part)?;
    make_one(session, "postings", part)
}

/// Creates a partition of a table. Attaching it afterwards does not block readers.
pub(super) fn make_one(session: &mut Session, table: &str, part: i32) -> Result<(), StoreError> {
    // Keys are only added, so there is nothing to vacuum; plans do not depend on statistics.
    let with = if table == "postings" { "WITH (autovacuum_enabled = off)" } else { "" };
    let sql = format!(
        "CREATE TABLE {table}_{part} (LIKE {table} INCLUDING ALL) {with};
         ALTER TABLE {table} ATTACH PARTITION {table}_{part} FOR VALUES IN ({part});"
    );
    session.run("creating a partition", &sql)
}

/// Writes the small tables, and drops the partitions that are no longer needed.
pub(super) fn keep(
    session: &mut Session,
    before: &TableState,
    state: &mut TableState,
) -> Result<(), StoreError> {
    let gone: Vec<i64> = before
        .buckets
        .keys()
        .filter(|number| !state.buckets.contains_key(number))
        .copied()
        .collect();
    if !gone.is_empty() {
        session.change("forgetting", "DELETE FROM buckets WHERE number = ANY ($1)", &[&gone])?;
    }
    for (number, kept) in &state.buckets {
        if before.buckets.get(number) == Some(kept) {
            continue;
        }
        let bucket = &kept.bucket;
        let numbers =
            [bucket.documents, bucket.bytes].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        session.change(
            "storing the sums of a bucket",
            "INSERT INTO buckets (number, slot, part, documents, bytes, first, last, low, high, keys, sum) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
             ON CONFLICT (number) DO UPDATE SET slot = excluded.slot, part = excluded.part, \
             documents = excluded.documents, bytes = excluded.bytes, first = excluded.first, \
             last = excluded.last, low = excluded.low, high = excluded.high, keys = excluded.keys, \
             sum = excluded.sum",
            &[
                number, &kept.slot, &kept.part, &numbers[0], &numbers[1], &bucket.first, &bucket.last,
                &kept.low, &kept.high, &kept.keys, &kept.sum,
            ],
        )?;
    }
    let has_changed = before.parts != state.parts || before.buckets.len() != state.buckets.len();
    if has_changed || !gone.is_empty() {
        drop_idle(session, state)?;
    }
    for (part, slots) in &state.parts {
        if before.parts.get(part) != Some(slots) {
            session.change(
                "storing a partition",
                "INSERT INTO parts (number, slots) VALUES ($1, $2) \
                 ON CONFLICT (number) DO UPDATE SET slots = excluded.slots",
                &[part, slots],
            )?;
        }
    }
    session.change(
        "storing the head",
        "UPDATE head SET round = $1, next = $2, clock = $3, part = $4, slot = $5",
        &[&state.round, &state.next, &state.clock, &state.part, &state.slot],
    )?;
    Ok(())
}

/// Drops the partitions whose buckets are all forgotten. One that is being read is left for later: its
/// slots are ignored.
pub(super) fn drop_idle(session: &mut Session, state: &mut TableState) -> Result<(), StoreError> {
    for part in state.idle_parts() {
        session.run("forgetting", "SAVEPOINT forgetting; SET LOCAL lock_timeout = '200ms'")?;
        // There are texts only where they were asked for.
        let sql = format!(
            "DROP TABLE documents_{part}, postings_{part}; DROP TABLE IF EXISTS texts_{part}"
        );
        match session.attempt(&sql) {
            Ok(()) => {
                state.parts.remove(&part);
                session.change("forgetting", "DELETE FROM parts WHERE number = $1", &[&part])?;
            }
            Err(e) if e.code() == Some(&tokio_postgres::error::SqlState::LOCK_NOT_AVAILABLE) => {
                session.run("forgetting", "ROLLBACK TO forgetting")?;
            }
            Err(e) => return Err(session.failed("forgetting", &e)),
        }
        session.run("forgetting", "RELEASE forgetting; SET LOCAL lock_timeout = '60s'")?;
    }
    Ok(())
}
