//! Upkeep apart from rounds: listing documents, information, freeing space.

use super::{check_payload, parts, session::Session, state::TableState, texts};
use crate::Fact;
use crate::layout::LAYOUT;
use firsthand::online::{Seq, StoreError, Stored};

/// Documents in ascending order of their numbers.
pub(super) fn scan(
    session: &mut Session,
    state: &TableState,
    address: &str,
    from: Seq,
    most: usize,
) -> Result<Vec<Stored>, StoreError> {
    let (Ok(from), Some(place)) = (i64::try_from(from), state.place(|_| true)) else {
        return Ok(Vec::new());
    };
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = session.rows(
        "reading documents",
        "SELECT seq, slot, time, checksum, payload FROM documents \
         WHERE seq >= $1 AND part BETWEEN $2 AND $3 AND slot <> ALL ($4::int4[]) \
         ORDER BY seq LIMIT $5",
        &[&from, &place.first, &place.last, &place.without, &most],
    )?;
    let mut stored = Vec::with_capacity(rows.len());
    for row in &rows {
        let (seq, time) = (session.get::<i64>(row, 0)?, session.get(row, 2)?);
        let payload: &[u8] = session.get(row, 4)?;
        check_payload(address, seq, time, session.get(row, 3)?, payload)?;
        let slot: i32 = session.get(row, 1)?;
        let Some(kept) = state.of_slot(slot) else {
            return Err(StoreError::Damaged(format!(
                "{address}: document number {seq} lies in a bucket that there is not; restore a backup"
            )));
        };
        let (bucket, payload) = (kept.bucket.number, payload.to_vec());
        stored.push(Stored { seq: seq.unsigned_abs(), bucket, time, payload });
    }
    Ok(stored)
}

/// Information about the server and the tables, for people.
pub(super) fn info(
    session: &mut Session,
    state: &TableState,
    address: &str,
) -> Result<Vec<(String, Fact)>, StoreError> {
    let row = session.one(
        "asking for information",
        "SELECT current_setting('server_version'), current_setting('fsync'), \
         current_setting('full_page_writes'), current_setting('data_checksums'), current_database()::text, \
         pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8",
        &[],
    )?;
    let text = |column| session.get::<String>(&row, column);
    let (version, fsync, pages) = (text(0)?, text(1)?, text(2)?);
    let (checksums, database) = (text(3)?, text(4)?);
    let log: i64 = session.get(&row, 5)?;
    let durable = match (fsync.as_str(), pages.as_str()) {
        ("on", "on") => "yes".to_owned(),
        _ => format!("no: the server runs with fsync {fsync} and full_page_writes {pages}"),
    };
    let former = former(session)?.iter().filter(|table| table.ends_with("_documents")).count();
    let bytes = size(session)?;
    let slots: usize = state.parts.values().map(Vec::len).sum();
    let info = [
        ("kind", Fact::Text("PostgreSQL".to_owned())),
        ("layout", Fact::Count(LAYOUT.into())),
        ("address", address.to_owned().into()),
        ("database", database.into()),
        ("server", version.into()),
        ("durable", durable.into()),
        ("page checksums", checksums.into()),
        ("on the server", Fact::Bytes(bytes)),
        ("written to the server's log", Fact::Bytes(log.unsigned_abs())),
        ("partitions", Fact::count(state.parts.len())),
        ("texts", if texts::is_there(session)? { "kept" } else { "not kept" }.to_owned().into()),
        ("forgotten, not yet dropped", Fact::count(slots.saturating_sub(state.buckets.len()))),
        ("rounds", Fact::Count(state.round.unsigned_abs())),
        ("generation", Fact::Count(state.generation.unsigned_abs().into())),
        ("former generations", Fact::count(former)),
    ];
    Ok(info.map(|(label, value)| (label.to_owned(), value)).to_vec())
}

/// The size in bytes of all tables and indexes.
pub(super) fn size(session: &mut Session) -> Result<u64, StoreError> {
    let row = session.one(
        "asking for the size",
        "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::int8 FROM pg_class \
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'",
        &[],
    )?;
    Ok(session.get::<i64>(&row, 0)?.unsigned_abs())
}

/// Drops former generations and unused partitions, and deletes the rows of forgotten buckets.
pub(super) fn clear(session: &mut Session, before: &TableState) -> Result<TableState, StoreError> {
    for table in former(session)? {
        session.run("dropping a former generation", &format!("DROP TABLE {table}"))?;
    }
    let mut state = before.clone();
    parts::drop_idle(session, &mut state)?;
    if let Some(place) = state.place(|_| true)
        && !place.without.is_empty()
    {
        for sql in [
            "DELETE FROM documents WHERE slot = ANY ($1)",
            "DELETE FROM postings WHERE slot = ANY ($1)",
        ] {
            session.change("deleting forgotten documents", sql, &[&place.without])?;
        }
        texts::clear(session, &place.without)?;
        for slots in state.parts.values_mut() {
            slots.retain(|slot| !place.without.contains(slot));
        }
    }
    state.round += 1;
    parts::keep(session, before, &mut state)?;
    Ok(state)
}

/// Writes all tables anew, so that nothing is left of rows that were deleted or replaced. It cannot run in
/// a transaction.
pub(super) fn vacuum(session: &mut Session) -> Result<(), StoreError> {
    let rows = session.rows(
        "looking for tables",
        "SELECT relname::text FROM pg_class \
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'",
        &[],
    )?;
    for row in &rows {
        let table: String = session.get(row, 0)?;
        session.run("compacting", &format!("VACUUM (FULL, ANALYZE) {table}"))?;
    }
    Ok(())
}

/// The tables of former generations.
fn former(session: &mut Session) -> Result<Vec<String>, StoreError> {
    let rows = session.rows(
        "looking for former generations",
        "SELECT relname::text FROM pg_class WHERE relname LIKE 'former\\_%' \
         AND relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') \
         AND NOT relispartition",
        &[],
    )?;
    rows.iter().map(|row| session.get(row, 0)).collect()
}
