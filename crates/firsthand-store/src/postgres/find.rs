//! Which documents lie under the keys of a round's probes: one question for all of them, and a second
//! for the keys that have more documents than are wanted.

use super::{
    session::Session,
    state::{Place, State, signed},
};
use firsthand::online::{Bucket, Found, Hit, Probe, StoreError};
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
    let mut found = vec![Found::default(); probes.len()];
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
    let enough = |probe: &Probe| (probe.most > 0).then(|| count(probe.most).saturating_add(1));
    let limits: Vec<Option<i64>> = probes.iter().map(enough).collect();
    let lists = ask(session, SOME, &asked, &place, probes, &[&limits])?;

    let mut shared: Vec<Vec<i64>> = vec![Vec::new(); probes.len()];
    let mut capped: Vec<(i64, i32)> = Vec::new();
    for (key, at, seqs) in lists {
        let index = index(at);
        let most = probes[index].most;
        match most > 0 && seqs.len() > most {
            true => {
                capped.push((key, at));
                found[index].capped += 1;
            }
            false => shared[index].extend(seqs),
        }
    }
    if !capped.is_empty() {
        let later = |probe: &Probe| probe.most / 2;
        let first: Vec<i64> = probes.iter().map(|p| count(p.most - later(p))).collect();
        let last: Vec<i64> = probes.iter().map(|p| count(later(p))).collect();
        for (_, at, seqs) in ask(session, ENDS, &capped, &place, probes, &[&first, &last])? {
            shared[index(at)].extend(seqs);
        }
    }
    for ((probe, found), shared) in probes.iter().zip(&mut found).zip(&mut shared) {
        found.hits = hits(shared, probe.least);
    }
    Ok(found)
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

/// Documents by how often they were met, those that were met often enough.
fn hits(shared: &mut [i64], least: u32) -> Vec<Hit> {
    shared.sort_unstable();
    let runs = shared.chunk_by(|a, b| a == b);
    let hits = runs.map(|run| Hit {
        seq: run[0].unsigned_abs(),
        common: u32::try_from(run.len()).unwrap_or(u32::MAX),
    });
    hits.filter(|hit| hit.common >= least).collect()
}
