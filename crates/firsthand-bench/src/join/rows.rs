//! The rows: what is timed, and what is told about each.

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use anyhow::Result;
use firsthand::matcher::{self, Scope, Sets};
use firsthand::{Measure, Rule, Threshold};
use serde::Serialize;

use super::Task;
use super::found::Found;
use super::matcher::Parts;
use super::partitions::Partitions;
use super::ranked::Ranked;
use super::{matcher as spotsigs, memory};

/// A way to find the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Row {
    /// The join of firsthand.
    Exact,
    /// SpotSigs' Algorithm 1, corrected.
    Algorithm1,
    /// The same with a single partition.
    NoPart,
    /// The same with a single partition and without pruning.
    NoPrune,
}

impl Row {
    /// All rows with their names.
    pub(crate) const ALL: [(&'static str, Self); 4] = [
        ("exact", Self::Exact),
        ("algorithm-1", Self::Algorithm1),
        ("no-part", Self::NoPart),
        ("no-prune", Self::NoPrune),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, row)| *row == self).map_or("", |(name, _)| name)
    }
}

/// A name that no row has.
#[derive(Debug)]
pub(crate) struct NoRow;

impl fmt::Display for NoRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Row::ALL.iter().map(|(name, _)| *name).collect();
        write!(f, "there is no such row; use some of {}", names.join(","))
    }
}

impl std::error::Error for NoRow {}

impl FromStr for Row {
    type Err = NoRow;

    fn from_str(name: &str) -> Result<Self, NoRow> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, row)| *row).ok_or(NoRow)
    }
}

/// The figures of a row.
#[derive(Debug, Serialize)]
pub(crate) struct Measured {
    row: &'static str,
    threshold: f64,
    /// Sorting features and building lists, or hashing; none where it cannot be told apart.
    prepare_seconds: Option<f64>,
    /// Finding and verifying pairs.
    match_seconds: Option<f64>,
    total_seconds: f64,
    /// The share of the matching that was done before the time was up; less than 1 makes the
    /// times estimates, and leaves pairs out.
    done: f64,
    /// Pairs of documents.
    pairs: u64,
    /// Pairs that were compared in full.
    compared: Option<u64>,
    /// Bytes of vectors and lists or hashes, as the SpotSigs paper counts them.
    structures: Option<u64>,
    /// The peak of resident memory, with the signed collection in it.
    peak_memory: Option<u64>,
    /// The share of the pairs of the exact join that were found.
    recall: Option<f64>,
}

/// Measures all rows at one threshold.
pub(crate) fn measure(sets: &Sets, threshold: Threshold, task: &Task) -> Result<Vec<Measured>> {
    let mut measured = Vec::new();
    let mut exact: Option<Found> = None;
    for &row in &task.rows {
        memory::reset_peak();
        let (mut figures, found) = match row {
            Row::Exact => join(sets, threshold)?,
            Row::Algorithm1 => {
                algorithm_1(sets, threshold, Parts { partitions: true, pruning: true }, task)
            }
            Row::NoPart => {
                algorithm_1(sets, threshold, Parts { partitions: false, pruning: true }, task)
            }
            Row::NoPrune => {
                algorithm_1(sets, threshold, Parts { partitions: false, pruning: false }, task)
            }
        };
        figures.row = row.name();
        if figures.done == 1.0 {
            figures.recall = exact.as_ref().map(|exact| found.recall_of(exact));
        }
        if row == Row::Exact {
            exact = Some(found);
        }
        measured.push(figures);
    }
    Ok(measured)
}

fn join(sets: &Sets, threshold: Threshold) -> Result<(Measured, Found)> {
    let rule = Rule { measure: Measure::Jaccard, threshold };
    let start = Instant::now();
    let matches = matcher::join(sets, rule, Scope::Within)?;
    let total_seconds = start.elapsed().as_secs_f64();
    let peak_memory = memory::peak();
    let pairs = matches.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    let found = Found::new(sets.len(), &matches.identical, pairs);
    let measured = Measured {
        row: "",
        threshold: threshold.value(),
        prepare_seconds: None,
        match_seconds: None,
        total_seconds,
        done: 1.0,
        pairs: found.count(),
        compared: Some(matches.cost.verified),
        structures: None,
        peak_memory,
        recall: None,
    };
    Ok((measured, found))
}

fn algorithm_1(sets: &Sets, threshold: Threshold, parts: Parts, task: &Task) -> (Measured, Found) {
    let start = Instant::now();
    let ranked = Ranked::new(sets);
    let partitions = match parts.partitions {
        true => Partitions::by_length(&ranked, threshold),
        false => Partitions::single(&ranked),
    };
    let prepare_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let outcome = spotsigs::pairs(&ranked, &partitions, threshold, parts, task.limit);
    let match_seconds = start.elapsed().as_secs_f64() / outcome.share.max(f64::MIN_POSITIVE);
    let peak_memory = memory::peak();
    let found = Found::new(sets.len(), &[], outcome.pairs);
    let measured = Measured {
        row: "",
        threshold: threshold.value(),
        prepare_seconds: Some(prepare_seconds),
        match_seconds: Some(match_seconds),
        total_seconds: prepare_seconds + match_seconds,
        done: outcome.share,
        pairs: found.count(),
        compared: Some(outcome.compared),
        structures: Some((ranked.bytes() + partitions.bytes()) as u64),
        peak_memory,
        recall: None,
    };
    (measured, found)
}
