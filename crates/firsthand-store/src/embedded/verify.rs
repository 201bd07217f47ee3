//! Reads everything and compares the keys in runs and in memory with those in the logs.

use super::{
    Embedded,
    bucket::Bucket,
    errors::damaged,
    log::{LogEvent, LogReader},
    record::LogHeader,
    run::{Run, RunError},
};
use crate::Verified;
use firsthand::online::StoreError;
use std::sync::Arc;

/// A sum over keys and their documents that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PostingSum {
    count: u64,
    sum: u64,
}

impl PostingSum {
    fn add(&mut self, key: u64, local: u32) {
        self.count += 1;
        let mixed = (key ^ u64::from(local).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.sum = self.sum.wrapping_add((mixed ^ (mixed >> 29)).wrapping_mul(key | 1));
    }
}

impl Embedded {
    /// Checks everything. Damaged runs are reported and rebuilt, unless the store is only read.
    pub(super) fn verify_all(&mut self) -> Result<Verified, StoreError> {
        self.wait_for_worker()?;
        let mut verified = Verified::default();
        let mut broken_runs = Vec::new();
        let main = LogHeader { log: self.main.id, ..self.header };
        if let Err(error) = read_main(&self.main, main) {
            note(&mut verified, error)?;
        }
        for bucket in self.buckets.values() {
            let header = LogHeader { log: bucket.log.id, ..self.header };
            if let Err(error) = check_bucket(bucket, header, &mut verified, &mut broken_runs) {
                note(&mut verified, error)?;
            }
        }
        for run in broken_runs {
            let path = run.handle.path().display().to_string();
            let is_reader = self.journal.is_none();
            let text = match self.repair(run.footer.header.log, run.footer.from, run.footer.to) {
                Ok(()) if is_reader => format!(
                    "{path} does not hold the keys of its log; it is rebuilt when a stream meets the damage"
                ),
                Ok(()) => format!("{path} did not hold the keys of its log and was rebuilt"),
                Err(error) => format!("{path} does not hold the keys of its log: {error}"),
            };
            verified.problems.push(text);
        }
        Ok(verified)
    }
}

/// Collects damage; any other failure ends the check.
fn note(verified: &mut Verified, error: StoreError) -> Result<(), StoreError> {
    match error {
        StoreError::Damaged(text) => {
            verified.problems.push(text);
            Ok(())
        }
        other => Err(other),
    }
}

fn read_main(log: &super::log::Log, header: LogHeader) -> Result<(), StoreError> {
    let mut reader = LogReader::new(&log.handle, header.log, 0)?;
    let is_headed = reader.is_headed(header)?;
    while is_headed && reader.at() < log.end && reader.round()?.is_some() {}
    match is_headed && reader.at() == log.end {
        true => Ok(()),
        false => Err(damaged(log.handle.path(), reader.at(), "a committed round cannot be read")),
    }
}

fn check_bucket(
    bucket: &Bucket,
    header: LogHeader,
    verified: &mut Verified,
    broken_runs: &mut Vec<Arc<Run>>,
) -> Result<(), StoreError> {
    let path = bucket.log.handle.path();
    let mut reader = LogReader::new(&bucket.log.handle, header.log, 0)?;
    if !reader.is_headed(header)? {
        return Err(damaged(path, 0, "its header cannot be read"));
    }
    let mut places: Vec<u64> = Vec::with_capacity(bucket.documents.len());
    let mut read_to = |end: u64, verified: &mut Verified| {
        let mut tally = PostingSum::default();
        while reader.at() < end {
            let part = reader.round()?;
            let at = reader.at();
            let wrong = |what| damaged(path, at, what);
            let part = part.ok_or_else(|| wrong("a committed round cannot be read"))?;
            for event in part.events {
                let local =
                    |seq| bucket.local(seq).ok_or_else(|| wrong("it names an unknown document"));
                match event {
                    LogEvent::Document { place, .. } => places.push(place),
                    LogEvent::Payload { seq, place, .. } => {
                        let local = local(seq)?;
                        *places
                            .get_mut(local)
                            .ok_or_else(|| wrong("a payload comes before its document"))? = place;
                    }
                    LogEvent::Keys { seq, keys } => {
                        let local = local(seq)? as u32;
                        verified.keys += keys.len() as u64;
                        keys.into_iter().for_each(|key| tally.add(key, local));
                    }
                    _ => return Err(wrong("a record that belongs in the main log")),
                }
            }
        }
        Ok(tally)
    };
    for run in &bucket.runs {
        let wanted = read_to(run.footer.to, verified)?;
        match posting_sum(run) {
            Ok(found) if found == wanted => {}
            Err(RunError::Failed(error)) => return Err(error),
            Ok(_) | Err(RunError::Damaged { .. }) => broken_runs.push(Arc::clone(run)),
        }
    }
    let wanted = read_to(bucket.log.end, verified)?;
    let mut found = PostingSum::default();
    for postings in bucket.in_memory() {
        postings.each(|key, local| found.add(key, local));
    }
    if found != wanted {
        return Err(damaged(path, 0, "its keys are not those in memory"));
    }
    let known = bucket.documents.iter().map(|document| document.place);
    if !known.eq(places.iter().copied()) {
        return Err(damaged(path, 0, "its documents are not where the table in memory says"));
    }
    verified.documents += places.len() as u64;
    Ok(())
}

fn posting_sum(run: &Arc<Run>) -> Result<PostingSum, RunError> {
    run.documents()?;
    let mut tally = PostingSum::default();
    let mut cursor = run.cursor();
    while let Some((key, local)) = cursor.next()? {
        tally.add(key, local);
    }
    Ok(tally)
}
