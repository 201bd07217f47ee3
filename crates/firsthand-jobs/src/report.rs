//! What became of a collection, and `report.json`: what was done with what, how it went, what it cost.

use crate::findings::Findings;
use crate::problems::{OddDocuments, Unread, UnreadInputs};
use crate::reading::Reading;
use crate::results::{Contents, Material};
use crate::sources::Loss;
use firsthand::Settings;
use firsthand::matcher::Cost;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What became of a collection.
pub struct Outcome {
    /// Pairs and clusters.
    pub findings: Findings,
    /// What was not read.
    pub unread: Unread,
    /// How many there are of everything.
    pub counts: Counts,
    /// Sources that lose over half of their documents.
    pub losses: Vec<Loss>,
    /// The number of files by kind.
    pub kinds: BTreeMap<&'static str, usize>,
    /// The files that were written, or would be.
    pub files: Vec<String>,
    /// How long it took.
    pub took: Duration,
    /// The settings.
    pub settings: Settings,
    pub(crate) contents: Contents,
    pub(crate) reading: Reading,
}

impl Outcome {
    /// What results are made of.
    pub fn material(&self) -> Material<'_> {
        Material {
            findings: &self.findings,
            reading: &self.reading,
            unread: &self.unread,
            threshold: self.settings.threshold,
            pairs: self.contents.pairs,
        }
    }

    /// The number of pairs that are listed.
    pub fn listed_pairs(&self) -> u64 {
        self.findings.listed_count(self.contents.pairs)
    }

    /// Whether matching had far more to do than there are documents.
    pub fn is_costly(&self) -> bool {
        let (cost, counts) = (&self.findings.cost, &self.counts);
        let documents = ((counts.documents + counts.reference) as u64).max(1000);
        cost.postings > 2000 * documents || cost.candidates > 200 * documents
    }
}

#[derive(Serialize)]
struct Report<'a> {
    firsthand: &'static str,
    inputs: Vec<String>,
    against: Vec<String>,
    /// How many files were to be read, by kind.
    files: &'a BTreeMap<&'static str, usize>,
    settings: &'a Settings,
    threads: usize,
    counts: &'a Counts,
    /// The pairs that were found, and those of them that are listed.
    pairs: BTreeMap<&'static str, u64>,
    /// Sources that lose over half of their documents.
    sources_losing_over_half: &'a [Loss],
    unreadable: &'a UnreadInputs,
    skipped: &'a UnreadInputs,
    /// Documents that were read with something to tell about them.
    remarks: &'a OddDocuments,
    seconds: Times,
    peak_memory_bytes: Option<u64>,
    cost: Cost,
    results: &'a [String],
}

/// How many there are of everything.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Counts {
    /// Documents of the inputs.
    pub documents: usize,
    /// Documents of the reference.
    pub reference: usize,
    /// Documents without any text, which match nothing.
    pub empty: usize,
    /// Documents with too few features, which match exact copies only.
    pub short: usize,
    /// Documents whose text occurs before: in the inputs, or else in the reference.
    pub exact_copies: usize,
    /// All verified pairs.
    pub pairs: u64,
    /// Clusters of near-duplicates.
    pub clusters: usize,
    /// The size of the largest cluster.
    pub largest: usize,
    /// Documents that are first-hand.
    pub kept: usize,
    /// Documents that are near-duplicates of others.
    pub dropped: usize,
    /// Ids that occurred more than once and were numbered.
    pub renamed_ids: usize,
    /// Inputs that could not be read.
    pub unreadable: usize,
    /// Inputs that are skipped by rule.
    pub skipped: usize,
    /// Sites with page furniture.
    pub template_sites: usize,
    /// Passages that are furniture.
    pub template_passages: usize,
    /// The number of times that they were set aside.
    pub template_set_aside: u64,
    /// Bytes that were read.
    pub bytes: u64,
}

impl Counts {
    /// Counts everything.
    pub fn new(findings: &Findings, unread: &Unread, bytes: u64) -> Self {
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
pub struct Times {
    /// Reading and signing.
    pub reading: f64,
    /// Preparing the collection.
    pub preparing: f64,
    /// Searching pairs.
    pub matching: f64,
    /// Forming clusters.
    pub grouping: f64,
    /// Writing results.
    pub writing: f64,
    /// All of it.
    pub total: f64,
}

/// Splits the time into laps.
#[derive(Debug)]
pub struct Stopwatch {
    started: Instant,
    lap: Instant,
}

impl Default for Stopwatch {
    fn default() -> Self {
        let now = Instant::now();
        Self { started: now, lap: now }
    }
}

impl Stopwatch {
    /// The seconds since the last lap.
    pub fn lap(&mut self) -> f64 {
        let before = std::mem::replace(&mut self.lap, Instant::now());
        (self.lap - before).as_secs_f64()
    }

    /// The time since the start.
    pub fn total(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Writes a report for people and programs alike. The names are a promise to other programs.
pub(crate) fn write(
    out: &mut impl Write,
    (inputs, against): (&[PathBuf], &[PathBuf]),
    outcome: &Outcome,
    seconds: Times,
) -> io::Result<()> {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
    let Outcome { findings, unread, counts, .. } = outcome;
    let report = Report {
        firsthand: env!("CARGO_PKG_VERSION"),
        inputs: names(inputs),
        against: names(against),
        files: &outcome.kinds,
        settings: &outcome.settings,
        threads: rayon::current_num_threads(),
        counts,
        pairs: [("found", counts.pairs), ("listed", outcome.listed_pairs())].into(),
        sources_losing_over_half: &outcome.losses,
        unreadable: &unread.unreadable,
        skipped: &unread.skipped,
        remarks: &unread.odd,
        seconds,
        peak_memory_bytes: peak_memory(),
        cost: findings.cost,
        results: &outcome.files,
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    out.write_all(b"\n")
}

/// The most memory this process has held, where the system says so.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
