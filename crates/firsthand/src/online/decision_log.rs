//! The decisions of people as a store keeps them: a named value each, which is written once, and a count.

use super::{
    round::Round,
    store::{Store, StoreError},
};
use crate::{
    bytes::{Reader, Writer},
    decisions::Decision,
};
use xxhash_rust::xxh3::xxh3_64;

/// The named value that says how many there are.
const HEAD: &str = "decisions";
/// Lines that are read at a time.
const STEP: usize = 1000;

/// How many decisions there are, and how often the documents that they are about have changed since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DecisionHead {
    pub(super) lines: usize,
    pub(super) changes: u64,
}

impl DecisionHead {
    pub(super) fn load<S: Store>(round: &mut Round<'_, S>) -> Result<Self, StoreError> {
        let bytes = round.value(HEAD)?.unwrap_or_default();
        let mut from = Reader(&bytes);
        let mut next = || from.number().unwrap_or(0);
        Ok(Self { lines: usize::try_from(next()).unwrap_or(usize::MAX), changes: next() })
    }

    pub(super) fn save<S: Store>(self, round: &mut Round<'_, S>) {
        let mut out = Writer::default();
        out.number(self.lines as u64);
        out.number(self.changes);
        round.set_value(HEAD, out.finish());
    }
}

/// A number that is another one once somebody has decided something, or a document that was decided about
/// has changed. It is read without a round, so that nobody is waited for.
pub(super) fn revision<S: Store>(store: &mut S) -> Result<u64, StoreError> {
    Ok(xxh3_64(&store.value(HEAD)?.unwrap_or_default()))
}

/// The name of the value of a line, counted from 1.
fn name(line: usize) -> String {
    format!("decision {line}")
}

/// Reads the lines after the first `known`; what was erased is `None`.
pub(super) fn read<S: Store>(
    round: &mut Round<'_, S>,
    known: usize,
    lines: usize,
) -> Result<Vec<Option<Decision>>, StoreError> {
    let mut read = Vec::new();
    let numbers: Vec<usize> = (known + 1..=lines).collect();
    for part in numbers.chunks(STEP) {
        let names: Vec<String> = part.iter().map(|line| name(*line)).collect();
        for (line, bytes) in part.iter().zip(round.values(&names)?) {
            let bytes = bytes.filter(|bytes| !bytes.is_empty());
            let decision = bytes.map(|bytes| serde_json::from_slice(&bytes)).transpose();
            read.push(decision.map_err(|_| {
                StoreError::Damaged(format!("decision {line} of the store cannot be read"))
            })?);
        }
    }
    Ok(read)
}

/// Writes a line; `None` leaves nothing of it but its number.
pub(super) fn write<S: Store>(
    round: &mut Round<'_, S>,
    line: usize,
    decision: Option<&Decision>,
) -> Result<(), StoreError> {
    let bytes = decision.map(serde_json::to_vec).transpose();
    let bytes = bytes.map_err(|error| StoreError::Failed(error.to_string()))?;
    round.set_value(&name(line), bytes.unwrap_or_default());
    Ok(())
}
