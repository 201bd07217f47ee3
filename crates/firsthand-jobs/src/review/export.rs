//! Clusters as they stand now, with decisions, settings and version, for other programs; labels for
//! `tune` and `learn`.

use super::Review;
use super::error::ReviewError;
use super::standing::State;
use super::view::{ClusterView, GroupView, MemberView};
use crate::decisions::{Active, Decision, Grade};
use crate::results::csv::{cell, defused};
use firsthand_input::CellType::{Integer, Real, Text, Time, Truth};
use firsthand_input::{CellType, ParquetRows};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// One JSON object a line; the first is about the export itself.
    Jsonl,
    /// For spreadsheets; settings and version are in the first row.
    Csv,
    /// For programs that read columns; settings and version are in the first row.
    Parquet,
}

/// What an export says of itself.
#[derive(Serialize)]
struct Head<'a> {
    firsthand: &'static str,
    settings: &'a firsthand::Settings,
    clusters: usize,
    reviewed: usize,
    skipped: usize,
    decisions: usize,
}

/// A document of an export.
#[derive(Serialize)]
struct Row<'a> {
    cluster: u32,
    id: &'a str,
    original: &'a str,
    kept: bool,
    score: Option<f64>,
    exact: bool,
    via: Option<&'a str>,
    state: State,
    why: Option<&'a str>,
    tags: &'a [String],
    notes: Vec<&'a str>,
    time: Option<&'a str>,
    title: Option<&'a str>,
    url: Option<&'a str>,
    source: Option<&'a str>,
    sender: Option<&'a str>,
}

const COLUMNS: [(&str, CellType); 18] = [
    ("cluster", Integer),
    ("id", Text),
    ("original", Text),
    ("kept", Truth),
    ("score", Real),
    ("exact", Truth),
    ("via", Text),
    ("state", Text),
    ("why", Text),
    ("tags", Text),
    ("notes", Text),
    ("time", Time),
    ("title", Text),
    ("url", Text),
    ("source", Text),
    ("sender", Text),
    ("firsthand", Text),
    ("settings", Text),
];

impl Review {
    /// Writes all clusters as they stand now, a document a row.
    ///
    /// # Errors
    ///
    /// If `out` fails or the results cannot be read.
    pub fn export(
        &self,
        format: ExportFormat,
        out: &mut (impl Write + Send),
    ) -> Result<(), ReviewError> {
        let (reviewed, skipped) = self.with_standing(|standing, _| standing.progress());
        let decisions = self.with_lines(|lines| Active::new(lines).lines().len());
        let (clusters, settings) = (self.index().len(), self.settings());
        let firsthand = env!("CARGO_PKG_VERSION");
        let head = Head { firsthand, settings, clusters, reviewed, skipped, decisions };
        let settings = serde_json::to_string(settings).map_err(io::Error::from)?;
        match format {
            ExportFormat::Jsonl => {
                #[derive(Serialize)]
                struct Line<'a> {
                    export: Head<'a>,
                }
                json_line(out, &Line { export: head })?;
                self.each_row(&mut |row| json_line(out, &row))
            }
            ExportFormat::Csv => {
                let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
                write!(out, "{}\r\n", names.join(","))?;
                let mut head = Some([firsthand, &settings]);
                self.each_row(&mut |row| {
                    let [version, settings] = head.take().unwrap_or_default();
                    csv(out, &row, version, settings)
                })
            }
            ExportFormat::Parquet => {
                let mut rows = ParquetRows::new(&mut *out, &COLUMNS)?;
                let mut head = Some([firsthand, &settings]);
                self.each_row(&mut |row| {
                    let own = head.take();
                    rows.push([
                        i64::from(row.cluster).into(),
                        row.id.into(),
                        row.original.into(),
                        row.kept.into(),
                        row.score.into(),
                        row.exact.into(),
                        row.via.into(),
                        state(row.state).into(),
                        row.why.into(),
                        row.tags.join("; ").into(),
                        row.notes.join("; ").into(),
                        row.time.and_then(firsthand_input::parse_time).into(),
                        row.title.into(),
                        row.url.into(),
                        row.source.into(),
                        row.sender.into(),
                        own.map(|[version, _]| version).into(),
                        own.map(|[_, settings]| settings).into(),
                    ])
                })?;
                rows.finish().map(drop)?;
                Ok(())
            }
        }
    }

    /// Hands on each document of each cluster once.
    fn each_row(&self, take: &mut dyn FnMut(Row<'_>) -> io::Result<()>) -> Result<(), ReviewError> {
        let mut done: BTreeSet<u32> = BTreeSet::new();
        for row in &self.index().rows {
            if done.contains(&row.number) {
                continue;
            }
            let view = self.view(row.number)?;
            done.extend(view.clusters.iter().filter(|number| **number > row.number));
            for group in &view.groups {
                for member in &group.members {
                    take(exported(&view, group, member))?;
                }
            }
        }
        Ok(())
    }
}

fn exported<'a>(view: &'a ClusterView, group: &'a GroupView, member: &'a MemberView) -> Row<'a> {
    let record = &member.record;
    let original = group.original().map_or(&*record.id, |original| &*original.record.id);
    let kept = original == record.id;
    Row {
        cluster: member.cluster,
        id: &record.id,
        original,
        kept,
        score: member.score.filter(|_| !kept),
        exact: member.exact,
        via: member.via.as_deref(),
        state: view.state,
        why: kept.then_some(&*group.why),
        tags: &member.tags,
        notes: member.notes.iter().map(|remark| &*remark.note).collect(),
        time: record.time.as_deref(),
        title: record.title.as_deref(),
        url: record.url.as_deref(),
        source: record.source.as_deref(),
        sender: record.sender.as_deref(),
    }
}

fn csv(out: &mut impl Write, row: &Row<'_>, version: &str, settings: &str) -> io::Result<()> {
    let text = |text: Option<&str>| cell(text.unwrap_or_default());
    let score = row.score.map(|score| score.to_string()).unwrap_or_default();
    let cells = [
        row.cluster.to_string(),
        cell(row.id),
        cell(row.original),
        row.kept.to_string(),
        score,
        row.exact.to_string(),
        text(row.via),
        state(row.state).to_owned(),
        text(row.why),
        cell(&row.tags.join("; ")),
        cell(&row.notes.join("; ")),
        text(row.time),
        text(row.title),
        text(row.url),
        text(row.source),
        text(row.sender),
        version.to_owned(),
        cell(settings),
    ];
    write!(out, "{}\r\n", cells.join(","))
}

fn state(state: State) -> &'static str {
    match state {
        State::Open => "open",
        State::Reviewed => "reviewed",
        State::Skipped => "skipped",
    }
}

fn json_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Writes labels as graded pairs, for `tune` and `learn`: id, id, grade, separated by tabs.
///
/// # Errors
///
/// If `out` fails.
pub fn write_labels(out: &mut impl Write, lines: &[Option<Decision>]) -> io::Result<()> {
    out.write_all(b"a\tb\tgrade\n")?;
    let mut last = std::collections::BTreeMap::new();
    for (_, line) in Active::new(lines).lines() {
        if let ([a, b], Some(grade)) = (line.documents.as_slice(), line.grade) {
            last.insert((&a.id, &b.id), grade);
        }
    }
    for ((a, b), grade) in last {
        let grade = match grade {
            Grade::Yes => "y",
            Grade::No => "n",
            Grade::Unsure => "gray",
        };
        writeln!(out, "{}\t{}\t{grade}", defused(a), defused(b))?;
    }
    Ok(())
}

/// Writes the tags of documents, one JSON object a line.
///
/// # Errors
///
/// If `out` fails.
pub fn write_tags(out: &mut impl Write, lines: &[Option<Decision>]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Tagged<'a> {
        id: &'a str,
        tags: &'a BTreeSet<&'a str>,
    }
    let tags: std::collections::BTreeMap<_, _> = Active::new(lines).tags().into_iter().collect();
    for (id, tags) in &tags {
        serde_json::to_writer(&mut *out, &Tagged { id, tags })?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

impl Review {
    /// Writes labels as graded pairs.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn labels(&self, out: &mut impl Write) -> io::Result<()> {
        self.with_lines(|lines| write_labels(out, lines))
    }
}
