//! The rows: what is timed, and the figures of each.

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use anyhow::Result;
use firsthand::matcher::{self, Matches, Scope, Sets, TooManyPairs};
use firsthand::settings::{Banding, Measure, Rule, Threshold};
use serde::Serialize;

use super::JoinTask;
use super::found_pairs::FoundPairs;
use super::matcher::EnabledParts;
use super::partitions::Partitions;
use super::ranked::Ranked;
use super::{fingerprints, matcher as spotsigs, memory};

/// The bands of the SpotSigs paper: l = 32 tables of k = 6 min-hashes.
const PAPERS: Banding = Banding { bands: 32, rows: 6 };

/// A row that takes more seconds is run only once.
const LONG: f64 = 15.0;

/// A way to find the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JoinRow {
    /// The join of firsthand.
    Exact,
    /// SpotSigs' Algorithm 1, corrected.
    Algorithm1,
    /// The same with a single partition.
    NoPart,
    /// The same with a single partition and without pruning.
    NoPrune,
    /// Bands of min-hashes with the paper's k and l, verified.
    LshS,
    /// One fingerprint of the features in the paper's range of IDF; has no threshold.
    IMatchS,
}

impl JoinRow {
    /// All rows with their names.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("exact", Self::Exact),
        ("algorithm-1", Self::Algorithm1),
        ("no-part", Self::NoPart),
        ("no-prune", Self::NoPrune),
        ("lsh-s", Self::LshS),
        ("i-match-s", Self::IMatchS),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, row)| *row == self).map_or("", |(name, _)| name)
    }
}

/// A name that no row has.
#[derive(Debug)]
pub(crate) struct NoJoinRow;

impl fmt::Display for NoJoinRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = JoinRow::ALL.iter().map(|(name, _)| *name).collect();
        write!(f, "there is no such row; use some of {}", names.join(","))
    }
}

impl std::error::Error for NoJoinRow {}

impl FromStr for JoinRow {
    type Err = NoJoinRow;

    fn from_str(name: &str) -> Result<Self, NoJoinRow> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, row)| *row).ok_or(NoJoinRow)
    }
}

/// The figures of a row.
#[derive(Debug, Serialize)]
pub(crate) struct MeasuredRow {
    row: &'static str,
    threshold: Option<f64>,
    /// Sorting features and building lists, or hashing; `None` where it is not separate.
    prepare_seconds: Option<f64>,
    /// Finding and verifying pairs.
    match_seconds: Option<f64>,
    total_seconds: f64,
    /// The share of the matching done before time was up; below 1, times are estimates and pairs
    /// incomplete.
    done: f64,
    /// Pairs of documents.
    pairs: u64,
    /// Pairs compared in full.
    compared: Option<u64>,
    /// Bytes of vectors and lists or hashes, as the SpotSigs paper counts them.
    structures: Option<u64>,
    /// The peak of resident memory, including the signed collection.
    peak_memory: Option<u64>,
    /// The share of the pairs of the exact join that were found.
    recall: Option<f64>,
    /// The share of the pairs of I-Match-S that were found, the paper's relative recall.
    recall_of_i_match: Option<f64>,
}

impl Default for MeasuredRow {
    fn default() -> Self {
        Self {
            row: "",
            threshold: None,
            prepare_seconds: None,
            match_seconds: None,
            total_seconds: 0.0,
            done: 1.0,
            pairs: 0,
            compared: None,
            structures: None,
            peak_memory: None,
            recall: None,
            recall_of_i_match: None,
        }
    }
}

/// Measures I-Match-S, if asked for, and then the other rows at each threshold.
pub(crate) fn measure(
    sets: &Sets,
    task: &JoinTask,
    mut tell: impl FnMut(&MeasuredRow) -> Result<()>,
) -> Result<()> {
    let mut base = None;
    if task.rows.contains(&JoinRow::IMatchS) {
        memory::reset_peak();
        let (mut figures, found) = i_match_s(sets, task.config.min_features);
        figures.row = JoinRow::IMatchS.name();
        tell(&figures)?;
        base = Some(found);
    }
    for &threshold in &task.thresholds {
        let mut exact: Option<FoundPairs> = None;
        for (row, (mut figures, found)) in fastest(sets, threshold, task)? {
            figures.row = row.name();
            figures.threshold = Some(threshold.value());
            if figures.done == 1.0 {
                figures.recall = exact.as_ref().map(|exact| found.recall_of(exact));
                figures.recall_of_i_match = base.as_ref().map(|base| found.recall_of(base));
            }
            tell(&figures)?;
            if row == JoinRow::Exact {
                exact = Some(found);
            }
        }
    }
    Ok(())
}

/// The fastest run of each row. Rows take turns, so that a busy period of the machine does not
/// affect only one.
fn fastest(
    sets: &Sets,
    threshold: Threshold,
    task: &JoinTask,
) -> Result<Vec<(JoinRow, (MeasuredRow, FoundPairs))>> {
    let mut best: Vec<(JoinRow, (MeasuredRow, FoundPairs))> = Vec::new();
    for &row in task.rows.iter().filter(|&&row| row != JoinRow::IMatchS) {
        memory::reset_peak();
        best.push((row, at(row, sets, threshold, task)?));
    }
    for _ in 1..task.rounds {
        for (row, known) in &mut best {
            if known.0.total_seconds > LONG || known.0.done < 1.0 {
                continue;
            }
            memory::reset_peak();
            let next = at(*row, sets, threshold, task)?;
            if next.0.total_seconds < known.0.total_seconds {
                *known = next;
            }
        }
    }
    Ok(best)
}

fn at(
    row: JoinRow,
    sets: &Sets,
    threshold: Threshold,
    task: &JoinTask,
) -> Result<(MeasuredRow, FoundPairs)> {
    let rule = Rule { measure: Measure::Jaccard, threshold };
    let spotsigs = |partitions, pruning| {
        algorithm_1(sets, threshold, EnabledParts { partitions, pruning }, task)
    };
    Ok(match row {
        JoinRow::Exact | JoinRow::IMatchS => {
            core(sets, || matcher::join(sets, rule, Scope::Within))?
        }
        JoinRow::LshS => core(sets, || matcher::join_bands(sets, rule, PAPERS, Scope::Within))?,
        JoinRow::Algorithm1 => spotsigs(true, true),
        JoinRow::NoPart => spotsigs(false, true),
        JoinRow::NoPrune => spotsigs(false, false),
    })
}

fn core(
    sets: &Sets,
    join: impl Fn() -> Result<Matches, TooManyPairs>,
) -> Result<(MeasuredRow, FoundPairs)> {
    let start = Instant::now();
    let matches = join()?;
    let total_seconds = start.elapsed().as_secs_f64();
    let peak_memory = memory::peak();
    let compared = Some(matches.cost.verified);
    let pairs = matches.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    let found = FoundPairs::new(sets.len(), &matches.identical, pairs);
    let pairs = found.count();
    Ok((
        MeasuredRow { total_seconds, pairs, compared, peak_memory, ..MeasuredRow::default() },
        found,
    ))
}

fn algorithm_1(
    sets: &Sets,
    threshold: Threshold,
    parts: EnabledParts,
    task: &JoinTask,
) -> (MeasuredRow, FoundPairs) {
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
    let found = FoundPairs::new(sets.len(), &[], outcome.pairs);
    let measured = MeasuredRow {
        prepare_seconds: Some(prepare_seconds),
        match_seconds: Some(match_seconds),
        total_seconds: prepare_seconds + match_seconds,
        done: outcome.share,
        pairs: found.count(),
        compared: Some(outcome.compared),
        structures: Some((ranked.bytes() + partitions.bytes()) as u64),
        peak_memory,
        ..MeasuredRow::default()
    };
    (measured, found)
}

fn i_match_s(sets: &Sets, least: usize) -> (MeasuredRow, FoundPairs) {
    let start = Instant::now();
    let fingerprints = fingerprints::fingerprints(sets, least);
    let prepare_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let structures = Some(fingerprints.len() as u64 * 12);
    let groups = fingerprints::groups(fingerprints);
    let match_seconds = start.elapsed().as_secs_f64();
    let peak_memory = memory::peak();
    let found = FoundPairs::new(sets.len(), &groups, Vec::new());
    let measured = MeasuredRow {
        prepare_seconds: Some(prepare_seconds),
        match_seconds: Some(match_seconds),
        total_seconds: prepare_seconds + match_seconds,
        pairs: found.count(),
        structures,
        peak_memory,
        ..MeasuredRow::default()
    };
    (measured, found)
}
