//! `report.json`: what was done with what, how it went, and what it cost.

use crate::problems::{Kind, Odd, Unread};
use crate::sources::Loss;
use crate::{args::DedupArgs, findings::Findings, settings::RunSettings};
use anyhow::Result;
use firsthand::matcher::Cost;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Serialize)]
pub(crate) struct Report<'a> {
    firsthand: &'static str,
    inputs: Vec<String>,
    against: Vec<String>,
    /// How many files were to be read, by kind.
    files: BTreeMap<&'static str, usize>,
    settings: serde_json::Value,
    threads: usize,
    counts: Counts,
    /// Sources that lose over half of their documents.
    sources_losing_over_half: &'a [Loss],
    unreadable: &'a Kind,
    skipped: &'a Kind,
    /// Documents that were read with something to tell about them.
    remarks: &'a Odd,
    seconds: Times,
    peak_memory_bytes: Option<u64>,
    cost: Cost,
    results: Vec<String>,
}

/// How many there are of everything.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Counts {
    /// Documents of the inputs.
    pub(crate) documents: usize,
    /// Documents of the reference.
    pub(crate) reference: usize,
    /// Documents without any text, which match nothing.
    pub(crate) empty: usize,
    /// Documents with too few features, which match exact copies only.
    pub(crate) short: usize,
    /// Documents whose text occurs before: in the inputs, or else in the reference.
    pub(crate) exact_copies: usize,
    pub(crate) pairs: u64,
    pub(crate) clusters: usize,
    /// The size of the largest cluster.
    pub(crate) largest: usize,
    pub(crate) kept: usize,
    pub(crate) dropped: usize,
    /// Ids that occurred more than once and were numbered.
    pub(crate) renamed_ids: usize,
    pub(crate) unreadable: usize,
    pub(crate) skipped: usize,
    /// Sites with page furniture.
    pub(crate) template_sites: usize,
    /// Passages that are furniture, and how often they were set aside.
    pub(crate) template_passages: usize,
    pub(crate) template_set_aside: u64,
    pub(crate) bytes: u64,
}

impl Counts {
    pub(crate) fn new(findings: &Findings, unread: &Unread, bytes: u64) -> Self {
        let documents = findings.new_documents();
        let empty = documents.iter().filter(|document| document.length == 0).count();
        let short = documents.iter().filter(|document| document.short).count() - empty;
        let dropped = findings.drops().filter(|dropped| *dropped).count();
        let exact_copies = if findings.first() == 0 {
            documents.len() - empty - findings.collection.texts()
        } else {
            let members = findings.clusters.iter().flat_map(|cluster| &cluster.members[1..]);
            members.filter(|member| member.exact).count()
        };
        let (template_sites, template_passages) = findings.collection.templates().size();
        Self {
            documents: documents.len(),
            reference: findings.first(),
            empty,
            short,
            exact_copies,
            pairs: findings.pairs.count(),
            clusters: findings.clusters.len(),
            largest: findings.largest().map_or(0, |cluster| cluster.members.len()),
            kept: documents.len() - dropped,
            dropped,
            renamed_ids: findings.collection.renamed(),
            unreadable: unread.unreadable.count,
            skipped: unread.skipped.count,
            template_sites,
            template_passages,
            template_set_aside: findings.collection.furniture(),
            bytes,
        }
    }
}

/// The seconds that each phase took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Times {
    pub(crate) reading: f64,
    pub(crate) preparing: f64,
    pub(crate) matching: f64,
    pub(crate) grouping: f64,
    pub(crate) writing: f64,
    pub(crate) total: f64,
}

/// Splits the time into laps.
pub(crate) struct Stopwatch {
    started: Instant,
    lap: Instant,
}

impl Stopwatch {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { started: now, lap: now }
    }

    /// The seconds since the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        let before = std::mem::replace(&mut self.lap, Instant::now());
        (self.lap - before).as_secs_f64()
    }

    /// The time since the start.
    pub(crate) fn total(&self) -> Duration {
        self.started.elapsed()
    }
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        args: &DedupArgs,
        settings: &RunSettings,
        (counts, cost, seconds): (Counts, Cost, Times),
        unread: &'a Unread,
        losses: &'a [Loss],
        results: Vec<String>,
    ) -> Result<Self> {
        let names = |paths: &[PathBuf]| {
            paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        Ok(Self {
            firsthand: env!("CARGO_PKG_VERSION"),
            inputs: names(&args.inputs),
            against: names(&args.against),
            files: BTreeMap::new(),
            settings: serde_json::to_value(settings.table()?)?,
            threads: rayon::current_num_threads(),
            counts,
            sources_losing_over_half: losses,
            unreadable: &unread.unreadable,
            skipped: &unread.skipped,
            remarks: &unread.odd,
            seconds,
            peak_memory_bytes: peak_memory(),
            cost,
            results,
        })
    }

    /// With what the inputs came to.
    pub(crate) fn with_files(self, files: BTreeMap<&'static str, usize>) -> Self {
        Self { files, ..self }
    }

    /// Writes it for people and programs alike.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }
}

/// The most memory this process has held, where the system says so.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
