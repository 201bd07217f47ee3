//! Finding the documents under the keys of a round's probes: one query for all of them, and a second
//! for keys with more documents than the cap.

use super::{
    session::Session,
    state::{RowRange, TableState, signed},
};
use firsthand::online::{Bucket, Cap, Found, List, Probe, StoreError};
use std::collections::HashMap;
use tokio_postgres::types::ToSql;

/// The documents under each key, up to one more than the cap.
const SOME: &str = "
    SELECT k.key, k.at, x.seqs
    FROM unnest($1::int8[], $2::int4[]) AS k (key, at)
    CROSS JOIN LATERAL (
        SELECT array_agg(s.seq) AS seqs FROM (
            SELECT p.seq FROM postings p
            WHERE p.key = k.key AND p.part BETWEEN $3 AND $4 AND p.slot <> ALL ($5::int4[])
              AND p.time BETWEEN ($6::int8[])[k.at] AND ($7::int8[])[k.at]
            LIMIT ($8::int8[])[k.at]
        ) s
    ) x
    WHERE x.seqs IS NOT NULL";

/// The first and the last documents under each key.
const ENDS: &str = "
    SELECT k.key, k.at, ARRAY(
        SELECT p.seq FROM postings p
        WHERE p.key = k.key AND p.part BETWEEN $3 AND $4 AND p.slot <> ALL ($5::int4[])
          AND p.time BETWEEN ($6::int8[])[k.at] AND ($7::int8[])[k.at]
        ORDER BY p.seq LIMIT ($8::int8[])[k.at]
    ) || ARRAY(
        SELECT p.seq FROM postings p
        WHERE p.key = k.key AND p.part BETWEEN $3 AND $4 AND p.slot <> ALL ($5::int4[])
          AND p.time BETWEEN ($6::int8[])[k.at] AND ($7::int8[])[k.at]
        ORDER BY p.seq DESC LIMIT ($9::int8[])[k.at]
    )
    FROM unnest($1::int8[], $2::int4[]) AS k (key, at)";

/// Answers probes.
pub(super) fn find(
    session: &mut Session,
    state: &TableState,
    probes: &[Probe],
) -> Result<Vec<Found>, StoreError> {
    let is_near =
        |probe: &Probe, bucket: &Bucket| probe.from <= bucket.last && probe.to >= bucket.first;
    let place = state.place(|kept| probes.iter().any(|probe| is_near(probe, &kept.bucket)));
    let equivalents = equivalents(state, probes);
    let mut lists: HashMap<(i64, i32), List> = HashMap::new();
    let mut asked: Vec<(i64, i32)> = Vec::new();
    for (probe, at) in probes.iter().zip(&equivalents) {
        asked.extend(probe.keys.iter().map(|key| (signed(*key), *at)));
    }
    // In the order of the index, neighbours are on the same page.
    asked.sort_unstable();
    asked.dedup();
    if let Some(place) = place.filter(|_| !asked.is_empty()) {
        let limits: Vec<i64> = probes.iter().map(|p| count(p.cap.most).saturating_add(1)).collect();
        let mut crowded: Vec<(i64, i32)> = Vec::new();
        for (key, at, seqs) in ask(session, SOME, &asked, &place, probes, &[&limits])? {
            match probes.get(index(at)).is_some_and(|probe| seqs.len() > probe.cap.most) {
                true => crowded.push((key, at)),
                false => _ = lists.insert((key, at), list(seqs, false)),
            }
        }
        if !crowded.is_empty() {
            let ends = probes.iter().map(|probe| probe.cap.ends(usize::MAX));
            let (first, last): (Vec<i64>, Vec<i64>) =
                ends.map(|(f, l)| (count(f), count(l))).unzip();
            for (key, at, seqs) in ask(session, ENDS, &crowded, &place, probes, &[&first, &last])? {
                lists.insert((key, at), list(seqs, true));
            }
        }
    }
    let found = probes.iter().zip(&equivalents).map(|(probe, at)| {
        let under = |key: &u64| lists.get(&(signed(*key), *at)).cloned().unwrap_or_default();
        Found { lists: probe.keys.iter().map(under).collect() }
    });
    Ok(found.collect())
}

/// For each probe the position, from 1, of the first probe with an equivalent time range. All ranges
/// that include every bucket are equivalent, so that keys shared by a whole round are looked up once.
fn equivalents(state: &TableState, probes: &[Probe]) -> Vec<i32> {
    let buckets = || state.buckets.values().map(|kept| &kept.bucket);
    let first = buckets().map(|bucket| bucket.first).min().unwrap_or(i64::MAX);
    let last = buckets().map(|bucket| bucket.last).max().unwrap_or(i64::MIN);
    let mut wide: HashMap<Cap, i32> = HashMap::new();
    let equivalent = |(at, probe): (i32, &Probe)| match probe.from <= first && last <= probe.to {
        true => *wide.entry(probe.cap).or_insert(at),
        false => at,
    };
    (1..).zip(probes).map(equivalent).collect()
}

fn list(mut seqs: Vec<i64>, crowded: bool) -> List {
    seqs.sort_unstable();
    List { seqs: seqs.into_iter().map(i64::unsigned_abs).collect(), crowded }
}

/// The documents under keys, each with the position of its probe, from 1.
fn ask(
    session: &mut Session,
    sql: &'static str,
    asked: &[(i64, i32)],
    place: &RowRange,
    probes: &[Probe],
    limits: &[&(dyn ToSql + Sync)],
) -> Result<Vec<(i64, i32, Vec<i64>)>, StoreError> {
    let (keys, at): (Vec<i64>, Vec<i32>) = asked.iter().copied().unzip();
    let from: Vec<i64> = probes.iter().map(|probe| probe.from).collect();
    let to: Vec<i64> = probes.iter().map(|probe| probe.to).collect();
    let mut parameters: Vec<&(dyn ToSql + Sync)> =
        vec![&keys, &at, &place.first, &place.last, &place.without, &from, &to];
    parameters.extend(limits);
    let rows = session.rows("looking up keys", sql, &parameters)?;
    let list = |row| Ok((session.get(row, 0)?, session.get(row, 1)?, session.get(row, 2)?));
    rows.iter().map(list).collect()
}

/// Converts a position that the server counts from 1.
fn index(at: i32) -> usize {
    usize::try_from(at - 1).unwrap_or(0)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
