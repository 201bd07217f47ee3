//! What became of a collection, and `report.json`: what was done with what, how it went, what it cost.

use crate::beyond::scratch::Scratch;
use crate::decisions::Obeyed;
use crate::descriptions::Descriptions;
use crate::findings::Findings;
use crate::input_order::{InputFate, InputOrder};
use crate::problems::{LISTED, OddDocuments, Unread, UnreadInputs};
pub use crate::process_memory::peak_memory;
use crate::reading::Reading;
use crate::results::{Contents, Material};
use crate::sources::{Loss, SiteLoss};
use firsthand::Settings;
use firsthand::matcher::Cost;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What became of a collection.
pub struct DedupOutcome {
    /// Pairs and clusters.
    pub findings: Findings,
    /// What was not read.
    pub unread: Unread,
    /// How many there are of everything.
    pub counts: DocumentCounts,
    /// Sources that lose over half of their documents.
    pub losses: Vec<Loss>,
    /// Sites that lose most of their pages to one cluster.
    pub site_losses: Vec<SiteToLookAt>,
    /// The number of files by kind.
    pub kinds: BTreeMap<&'static str, usize>,
    /// The files that were written, or would be.
    pub files: Vec<String>,
    /// The documents that an earlier run read, so that this one need not.
    pub resumed: u64,
    /// How long reading took, signing included.
    pub reading_took: Duration,
    /// How long it took in all.
    pub took: Duration,
    /// The settings.
    pub settings: Settings,
    /// If the search for pairs was stopped early: when.
    pub stopped: Option<Stopped>,
    /// How decisions were obeyed, if there are any.
    pub decisions: Option<Obeyed>,
    /// The folder for what did not fit into memory, which goes with this value.
    pub(crate) scratch: Option<Arc<Scratch>>,
    pub(crate) contents: Contents,
    pub(crate) descriptions: Descriptions,
    pub(crate) reading: Reading,
    pub(crate) order: InputOrder,
}

/// What a run wrote outside of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScratchUse {
    /// The bytes that were written in all.
    pub bytes_written: u64,
    /// The most that were on disk at a time.
    pub peak_bytes: u64,
}

impl ScratchUse {
    fn new(scratch: &Scratch) -> Self {
        let (bytes_written, peak_bytes) = scratch.bytes();
        Self { bytes_written, peak_bytes }
    }
}

impl DedupOutcome {
    /// What was written outside of memory, if anything was.
    pub fn scratch_use(&self) -> Option<ScratchUse> {
        self.scratch.as_deref().map(ScratchUse::new)
    }

    /// What results are made of.
    pub fn material(&self) -> Material<'_> {
        Material {
            findings: &self.findings,
            descriptions: &self.descriptions,
            reading: &self.reading,
            unread: &self.unread,
            threshold: self.settings.threshold,
            pairs: self.contents.pairs,
            null: self.contents.null,
        }
    }

    /// What became of each input, in order: files, records and rows alike. Documents are counted from the
    /// first of the inputs.
    pub fn input_fates(&self) -> Vec<InputFate> {
        self.order.fates(&self.unread)
    }

    /// How many pairs were found and how many of them are listed; if each near-duplicate was compared
    /// with originals only, also how many pairs of the same cluster are not listed.
    fn pair_counts(&self) -> BTreeMap<&'static str, u64> {
        let counts = [("found", self.counts.pairs), ("listed", self.listed_pairs())];
        let unlisted = self.findings.unlisted_pairs().map(|pairs| ("unlisted_in_clusters", pairs));
        counts.into_iter().chain(unlisted).collect()
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

/// A site that loses most of its pages to one cluster: its furniture may have been taken for its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SiteToLookAt {
    /// The site.
    pub site: String,
    /// The number of its pages.
    pub documents: u64,
    /// The number of them that are dropped for one original.
    pub dropped: u64,
    /// The id of that original.
    pub original: String,
    /// The ids of two documents of the cluster that were compared, the second a page of the site.
    pub look_at: [String; 2],
    /// The command that shows why these two match, if the caller has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl SiteToLookAt {
    /// With the ids of documents, and the command that the caller has for them.
    pub(crate) fn new(
        loss: SiteLoss,
        findings: &Findings,
        explain: Option<ExplainCommand<'_>>,
    ) -> io::Result<Self> {
        let SiteLoss { site, documents, dropped, last, .. } = loss;
        let page = findings.first() + last;
        let (original, via) = match findings.standing(page)? {
            Some(standing) => (standing.original, standing.member.via),
            None => (page, None),
        };
        let id = |at: usize| findings.document(at).map(|document| document.id.clone());
        let look_at = [id(via.unwrap_or(original))?, id(page)?];
        let command = explain.and_then(|explain| explain(&look_at[0], &look_at[1]));
        Ok(Self { site, documents, dropped, original: id(original)?, look_at, command })
    }
}

/// How a user of the caller has two documents of the inputs explained, by their ids.
pub type ExplainCommand<'a> = &'a dyn Fn(&str, &str) -> Option<String>;

/// When a search for pairs was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stopped {
    /// After this time.
    pub after_seconds: f64,
    /// The share of the work that was done, roughly.
    pub share: f64,
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
    counts: &'a DocumentCounts,
    /// The pairs that were found, and those of them that are listed.
    pairs: BTreeMap<&'static str, u64>,
    /// If the search for pairs was stopped early, so that some may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    /// How decisions were obeyed.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<&'a Obeyed>,
    /// Sources that lose over half of their documents.
    sources_losing_over_half: &'a [Loss],
    /// Sites that lose most of their pages to one cluster.
    sites_losing_most_to_one_cluster: &'a [SiteToLookAt],
    /// Documents without any text.
    empty: ListedIds,
    /// Documents that are too short for more than exact copies.
    short: ListedIds,
    unreadable: &'a UnreadInputs,
    skipped: &'a UnreadInputs,
    /// How the sites of documents were known: their number by what tells it.
    sites_known_by: &'a BTreeMap<&'static str, u64>,
    /// Documents that were read with something to tell about them.
    remarks: &'a OddDocuments,
    seconds: Times,
    peak_memory_bytes: Option<u64>,
    /// What was written outside of memory, if anything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    scratch: Option<ScratchUse>,
    cost: Cost,
    results: &'a [String],
}

/// How many there are of everything.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DocumentCounts {
    /// Documents of the inputs.
    pub documents: usize,
    /// Documents of the reference.
    pub reference: usize,
    /// Documents without any text, which match nothing.
    pub empty: usize,
    /// Documents with too few features, which match exact copies only.
    pub short: usize,
    /// Of these, documents of which nothing but the form of their site's pages is left: what they have
    /// beyond that is too little to judge them by.
    pub nothing_but_form: usize,
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
    /// Pages whose text was completed by passages that no other page of their site has.
    pub rescued_pages: u64,
    /// Bytes that were read.
    pub bytes: u64,
}

impl DocumentCounts {
    /// Counts everything.
    ///
    /// # Errors
    ///
    /// If documents are on disk and cannot be read.
    pub fn new(findings: &Findings, unread: &Unread, bytes: u64) -> io::Result<Self> {
        let documents = findings.len() - findings.first();
        let (mut empty, mut short, mut nothing_but_form, mut dropped) = (0, 0, 0, 0);
        for (at, document) in (findings.first()..).zip(findings.new_documents()) {
            let document = document?;
            empty += usize::from(document.length == 0);
            short += usize::from(document.short);
            nothing_but_form += usize::from(document.nothing_but_form);
            dropped += usize::from(findings.is_dropped(at)?);
        }
        let ((template_sites, template_passages), template_set_aside, rescued_pages) =
            findings.templates();
        Ok(Self {
            documents,
            reference: findings.first(),
            empty,
            short: short - empty,
            nothing_but_form,
            exact_copies: findings.exact_copies(empty),
            pairs: findings.found_count(),
            clusters: findings.cluster_count(),
            largest: findings.largest().map_or(0, |cluster| cluster.size),
            kept: documents - dropped,
            dropped,
            renamed_ids: findings.renamed(),
            unreadable: unread.unreadable.count,
            skipped: unread.skipped.count,
            template_sites,
            template_passages,
            template_set_aside,
            rescued_pages,
            bytes,
        })
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

/// Documents by their ids.
#[derive(Serialize)]
struct ListedIds {
    count: usize,
    /// The first of them, in the order of the input.
    ids: Vec<String>,
}

impl ListedIds {
    fn new(count: usize, findings: &Findings, is_empty: bool) -> io::Result<Self> {
        let most = count.min(LISTED);
        let mut ids = Vec::with_capacity(most);
        for document in findings.unmatchable() {
            if ids.len() == most {
                break;
            }
            let document = document?;
            if (document.length == 0) == is_empty {
                ids.push(document.into_owned().id);
            }
        }
        Ok(Self { count, ids })
    }
}

/// Writes a report for people and programs alike. The names are a promise to other programs.
pub(crate) fn write(
    out: &mut impl Write,
    (inputs, against): (&[PathBuf], &[PathBuf]),
    outcome: &DedupOutcome,
    seconds: Times,
) -> io::Result<()> {
    let names = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
    let DedupOutcome { findings, unread, counts, .. } = outcome;
    let report = Report {
        firsthand: env!("CARGO_PKG_VERSION"),
        inputs: names(inputs),
        against: names(against),
        files: &outcome.kinds,
        settings: &outcome.settings,
        threads: rayon::current_num_threads(),
        counts,
        pairs: outcome.pair_counts(),
        stopped: outcome.stopped,
        decisions: outcome.decisions.as_ref(),
        sources_losing_over_half: &outcome.losses,
        sites_losing_most_to_one_cluster: &outcome.site_losses,
        empty: ListedIds::new(counts.empty, findings, true)?,
        short: ListedIds::new(counts.short, findings, false)?,
        unreadable: &unread.unreadable,
        skipped: &unread.skipped,
        sites_known_by: &unread.sites,
        remarks: &unread.odd,
        seconds,
        peak_memory_bytes: peak_memory(),
        scratch: outcome.scratch.as_ref().map(|scratch| ScratchUse::new(scratch)),
        cost: findings.cost,
        results: &outcome.files,
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    out.write_all(b"\n")
}
