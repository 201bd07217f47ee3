//! The texts of documents, in a table that is there only if texts were ever kept: partitioned as the
//! documents are, so that a text is forgotten with the bucket of its document.

use super::{
    Postgres, RoundPhase,
    session::Session,
    state::{RowRange, TableState, checksum, signed},
};
use crate::text_shelf::{NewText, TextShelf, compress, decompress};
use firsthand::online::StoreError;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// The table.
pub(super) const CREATE_TABLE: &str = include_str!("texts.sql");

/// Whether there is a table for texts.
pub(super) fn is_there(session: &mut Session) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'texts' \
               AND relnamespace = current_schema()::regnamespace)";
    let row = session.one("looking for texts", sql, &[])?;
    session.get(&row, 0)
}

/// The parts that have a partition for texts.
pub(super) fn parts(session: &mut Session) -> Result<BTreeSet<i32>, StoreError> {
    let rows = session.rows(
        "looking for texts",
        "SELECT substr(relname::text, 7)::int4 FROM pg_class WHERE relname ~ '^texts_[0-9]+$' \
         AND relispartition AND relkind = 'r' AND relnamespace = current_schema()::regnamespace",
        &[],
    )?;
    rows.iter().map(|row| session.get(row, 0)).collect()
}

/// Deletes the texts of forgotten buckets.
pub(super) fn clear(session: &mut Session, forgotten: &[i32]) -> Result<(), StoreError> {
    if !is_there(session)? {
        return Ok(());
    }
    let sql = "DELETE FROM texts WHERE slot = ANY ($1)";
    session.change("deleting forgotten texts", sql, &[&forgotten]).map(drop)
}

/// The key of an id: ids may be longer than an index takes.
fn key(id: &str) -> i64 {
    signed(xxh3_64(id.as_bytes()))
}

/// A row of the table.
struct TextRow<'a> {
    part: i32,
    slot: i32,
    key: i64,
    seq: i64,
    sum: i64,
    id: &'a [u8],
    text: Vec<u8>,
}

/// The rows of texts, one for each id; those of buckets that are gone are left out.
fn rows<'a>(state: &TableState, texts: &[NewText<'a>]) -> Result<Vec<TextRow<'a>>, StoreError> {
    let mut rows = BTreeMap::new();
    for NewText { bucket, seq, id, text } in texts {
        let Some(kept) = state.buckets.get(bucket) else { continue };
        let (key, seq, text) = (key(id), signed(*seq), compress(text)?);
        let (part, slot, sum) = (kept.part, kept.slot, checksum(seq, key, &text));
        rows.insert(key, TextRow { part, slot, key, seq, sum, id: id.as_bytes(), text });
    }
    Ok(rows.into_values().collect())
}

fn put(session: &mut Session, state: &TableState, texts: &[NewText<'_>]) -> Result<(), StoreError> {
    let rows = rows(state, texts)?;
    let there = parts(session)?;
    let needed: BTreeSet<i32> = rows.iter().map(|row| row.part).collect();
    for part in needed.difference(&there) {
        super::parts::make_one(session, "texts", *part)?;
    }
    let RowRange { without, .. } = state.place(|_| true).unwrap_or_default();
    for rows in super::write::batches(rows, |row| row.text.len()) {
        let key: Vec<i64> = rows.iter().map(|row| row.key).collect();
        let seq: Vec<i64> = rows.iter().map(|row| row.seq).collect();
        session.change(
            "replacing texts",
            "DELETE FROM texts t USING unnest($1::int8[], $2::int8[]) AS n (key, seq) \
             WHERE t.key = n.key AND t.seq <= n.seq",
            &[&key, &seq],
        )?;
        let part: Vec<i32> = rows.iter().map(|row| row.part).collect();
        let slot: Vec<i32> = rows.iter().map(|row| row.slot).collect();
        let sum: Vec<i64> = rows.iter().map(|row| row.sum).collect();
        let id: Vec<&[u8]> = rows.iter().map(|row| row.id).collect();
        let text: Vec<&[u8]> = rows.iter().map(|row| &*row.text).collect();
        session.change(
            "storing texts",
            "INSERT INTO texts (part, slot, key, seq, checksum, id, text) \
             SELECT n.* FROM unnest($1::int4[], $2::int4[], $3::int8[], $4::int8[], $5::int8[], \
             $6::bytea[], $7::bytea[]) AS n (part, slot, key, seq, checksum, id, text) \
             WHERE NOT EXISTS (SELECT FROM texts t WHERE t.key = n.key AND t.slot <> ALL ($8::int4[]))",
            &[&part, &slot, &key, &seq, &sum, &id, &text, &without],
        )?;
    }
    Ok(())
}

impl Postgres {
    /// Whether there are texts; with `make` there are from now on.
    pub(super) fn open_texts(&mut self, make: bool) -> Result<bool, StoreError> {
        if !self.has_texts {
            self.has_texts = self.read(|session, _| is_there(session))?;
        }
        if !self.has_texts && make {
            self.exclusive()?;
            self.change(|session, state| {
                if !is_there(session)? {
                    session.run("creating the table of texts", CREATE_TABLE)?;
                }
                Ok(state.clone())
            })?;
            self.has_texts = true;
        }
        Ok(self.has_texts)
    }
}

impl TextShelf for Postgres {
    fn put(&mut self, texts: &[NewText<'_>]) -> Result<(), StoreError> {
        if self.phase == RoundPhase::Outside {
            self.exclusive()?;
        }
        self.change(|session, state| {
            put(session, state, texts)?;
            Ok(state.clone())
        })
    }

    fn lacking<'a>(&mut self, ids: &[&'a str]) -> Result<Vec<&'a str>, StoreError> {
        self.read(|session, state| {
            let Some(place) = state.place(|_| true) else { return Ok(ids.to_vec()) };
            let keys: Vec<i64> = ids.iter().map(|id| key(id)).collect();
            let rows = session.rows(
                "looking for texts",
                "SELECT key FROM texts WHERE key = ANY ($1) AND part BETWEEN $2 AND $3 \
                 AND slot <> ALL ($4::int4[])",
                &[&keys, &place.first, &place.last, &place.without],
            )?;
            let there = rows.iter().map(|row| session.get(row, 0));
            let there = there.collect::<Result<BTreeSet<i64>, _>>()?;
            Ok(ids.iter().copied().filter(|id| !there.contains(&key(id))).collect())
        })
    }

    fn get(&mut self, id: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let shown = self.address.to_string();
        self.read(|session, state| {
            let Some(place) = state.place(|_| true) else { return Ok(None) };
            let key = key(id);
            let rows = session.rows(
                "reading a text",
                "SELECT seq, checksum, id, text FROM texts WHERE key = $1 \
                 AND part BETWEEN $2 AND $3 AND slot <> ALL ($4::int4[]) ORDER BY seq DESC LIMIT 1",
                &[&key, &place.first, &place.last, &place.without],
            )?;
            let Some(row) = rows.first() else { return Ok(None) };
            if session.get::<&[u8]>(row, 2)? != id.as_bytes() {
                return Ok(None);
            }
            let (seq, text): (i64, &[u8]) = (session.get(row, 0)?, session.get(row, 3)?);
            let is_sound = checksum(seq, key, text) == session.get::<i64>(row, 1)?;
            let text = Some(text).filter(|_| is_sound).and_then(decompress);
            text.map(Some).ok_or_else(|| {
                StoreError::Damaged(format!(
                    "{shown}: the text of document number {seq} cannot be read as it was written"
                ))
            })
        })
    }

    fn erase(&mut self, ids: &[&str]) -> Result<(), StoreError> {
        self.exclusive()?;
        self.change(|session, state| {
            let keys: Vec<i64> = ids.iter().map(|id| key(id)).collect();
            let sql = "DELETE FROM texts WHERE key = ANY ($1)";
            session.change("erasing texts", sql, &[&keys])?;
            Ok(state.clone())
        })
    }
}
