//! Which documents lie under the keys of a round's probes: one question for all of them, and a second
//! for the keys that have more documents than are wanted.

use super::{
    session::Session,
    state::{Place, State, signed},
};
use firsthand::online::{Bucket, Found, List, Probe, Seq, StoreError};
use postgres::types::ToSql;

/// Under each key, no more documents than tell that there are too many.
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

/// The first and the last documents under each key, read from both ends of its list.
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
    state: &State,
    probes: &[Probe],
) -> Result<Vec<Found>, StoreError> {
    let empty = |probe: &Probe| Found { lists: vec![List::default(); probe.keys.len()] };
    let mut found: Vec<Found> = probes.iter().map(empty).collect();
    let is_near =
        |probe: &Probe, bucket: &Bucket| probe.from <= bucket.last && probe.to >= bucket.first;
    let place = state.place(|kept| probes.iter().any(|probe| is_near(probe, &kept.bucket)));
    let Some(place) = place else { return Ok(found) };

    let mut asked: Vec<(i64, i32)> = Vec::new();
    for (at, probe) in (1..).zip(probes) {
        asked.extend(probe.keys.iter().map(|key| (signed(*key), at)));
    }
    if asked.is_empty() {
        return Ok(found);
    }
    // In the order of the index, neighbours are found on the same page.
    asked.sort_unstable();
    let limits: Vec<i64> = probes.iter().map(|p| count(p.cap.most).saturating_add(1)).collect();
    let lists = ask(session, SOME, &asked, &place, probes, &[&limits])?;

    let mut crowded: Vec<(i64, i32)> = Vec::new();
    for (key, at, mut seqs) in lists {
        match seqs.len() > probes[index(at)].cap.most {
            true => crowded.push((key, at)),
            false => {
                seqs.sort_unstable();
                put(probes, &mut found, key, at, List { seqs: numbers(seqs), crowded: false });
            }
        }
    }
    if !crowded.is_empty() {
        let ends = probes.iter().map(|probe| probe.cap.ends(usize::MAX));
        let (first, last): (Vec<i64>, Vec<i64>) = ends.map(|(f, l)| (count(f), count(l))).unzip();
        for (key, at, mut seqs) in ask(session, ENDS, &crowded, &place, probes, &[&first, &last])? {
            seqs.sort_unstable();
            put(probes, &mut found, key, at, List { seqs: numbers(seqs), crowded: true });
        }
    }
    Ok(found)
}

/// Puts a list where its key stands in its probe.
fn put(probes: &[Probe], found: &mut [Found], key: i64, at: i32, list: List) {
    let index = index(at);
    let place = probes[index].keys.iter().position(|other| signed(*other) == key);
    if let Some(place) = place.and_then(|place| found[index].lists.get_mut(place)) {
        *place = list;
    }
}

fn numbers(seqs: Vec<i64>) -> Vec<Seq> {
    seqs.into_iter().map(i64::unsigned_abs).collect()
}

/// What lies under keys, each with the place of its probe, from 1.
fn ask(
    session: &mut Session,
    sql: &'static str,
    asked: &[(i64, i32)],
    place: &Place,
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

/// The place in a list of what the server counts from 1.
fn index(at: i32) -> usize {
    usize::try_from(at - 1).unwrap_or(0)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
