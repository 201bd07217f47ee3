//! Which documents lie under the keys of a probe.

use super::{bucket::Bucket, postings::Local, run::Unread};
use firsthand::online::{Found, Hit, Probe, Seq};

/// Probes of more keys that want every document are answered by counting.
const MANY: usize = 64;

/// Whether a probe is answered by counting.
pub(super) fn counts(probe: &Probe) -> bool {
    probe.most == 0 && probe.keys.len() > MANY
}

/// Answers a probe from the buckets that may have documents of its times.
pub(super) fn find<'a>(
    probe: &Probe,
    buckets: impl Iterator<Item = &'a Bucket>,
) -> Result<Found, Unread> {
    let near: Vec<&Bucket> = buckets
        .filter(|bucket| {
            let sum = bucket.sum();
            sum.first <= probe.to && sum.last >= probe.from
        })
        .collect();
    if counts(probe) {
        return count(probe, &near);
    }
    let mut found = Found::default();
    let mut shared: Vec<Seq> = Vec::new();
    let (mut list, mut scratch): (Vec<Seq>, Vec<Local>) = (Vec::new(), Vec::new());
    for &key in &probe.keys {
        list.clear();
        let mut total = 0;
        for bucket in &near {
            total += bucket.list(key, probe, &mut scratch, &mut list)?;
        }
        if probe.most > 0 && total > probe.most {
            found.capped += 1;
            list.sort_unstable();
            let late = probe.most / 2;
            shared.extend_from_slice(&list[..probe.most - late]);
            shared.extend_from_slice(&list[list.len() - late..]);
        } else {
            shared.extend_from_slice(&list);
        }
    }
    shared.sort_unstable();
    let runs = shared.chunk_by(|a, b| a == b);
    let hits = runs.map(|run| Hit { seq: run[0], common: run.len() as u32 });
    found.hits = hits.filter(|hit| hit.common >= probe.least).collect();
    Ok(found)
}

/// Counts, in each bucket, how many of the keys each of its documents has.
fn count(probe: &Probe, near: &[&Bucket]) -> Result<Found, Unread> {
    let mut found = Found::default();
    let mut counts = Vec::new();
    for bucket in near {
        counts.clear();
        counts.resize(bucket.documents.len(), 0);
        bucket.count_keys(&probe.keys, &mut counts)?;
        for (document, &common) in bucket.documents.iter().zip(&counts) {
            if common >= probe.least.max(1)
                && probe.from <= document.time
                && document.time <= probe.to
            {
                found.hits.push(Hit { seq: document.seq, common });
            }
        }
    }
    found.hits.sort_unstable();
    Ok(found)
}

/// Takes as much of an ascending list as can matter: all, or the first and the last of the most that
/// are looked at.
pub(super) fn ends<T: Copy>(list: &[T], most: usize) -> (&[T], &[T]) {
    if most == 0 || list.len() <= most {
        return (list, &[]);
    }
    let late = most / 2;
    (&list[..most - late], &list[list.len() - late..])
}
