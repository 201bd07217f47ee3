//! Pairs, clusters and what is dropped or kept as Parquet tables, for programs that read columns.
//!
//! Clusters have one row a member: what is asked of them is a join by the id of documents, or a count
//! by cluster, and a list of structures would have to be taken apart for both.

use super::Material;
use crate::descriptions::Description;
use crate::findings::{Findings, PairList};
use firsthand_input::CellType::{Integer, Real, Text, Time, Truth};
use firsthand_input::{Cell, CellType, ParquetRows};
use std::io::{self, Write};

const PAIRS: [(&str, CellType); 4] = [("a", Text), ("b", Text), ("score", Real), ("exact", Truth)];

const MEMBERS: [(&str, CellType); 12] = [
    ("cluster", Integer),
    ("size", Integer),
    ("id", Text),
    ("original", Text),
    ("score", Real),
    ("exact", Truth),
    ("via", Text),
    ("time", Time),
    ("title", Text),
    ("url", Text),
    ("source", Text),
    ("sender", Text),
];

const DROPPED: [(&str, CellType); 6] = [
    ("id", Text),
    ("original", Text),
    ("score", Real),
    ("exact", Truth),
    ("via", Text),
    ("reason", Text),
];

/// One row a pair.
pub(super) fn pairs(
    out: &mut (impl Write + Send),
    findings: &Findings,
    list: PairList,
) -> io::Result<()> {
    let mut rows = ParquetRows::new(out, &PAIRS)?;
    for listed in findings.listed(list)? {
        let (a, b, found) = listed?;
        let row = [(&*a.id).into(), (&*b.id).into(), found.score.into(), found.exact.into()];
        rows.push(row)?;
    }
    rows.finish().map(drop)
}

/// One row a member, the original of each cluster the first.
pub(super) fn clusters(out: &mut (impl Write + Send), from: &Material<'_>) -> io::Result<()> {
    let findings = from.findings;
    let mut rows = ParquetRows::new(out, &MEMBERS)?;
    for (number, cluster) in findings.clusters()?.enumerate() {
        let cluster = cluster?;
        let original = findings.document(cluster.original)?;
        for member in &cluster.members {
            let document = findings.document(member.document)?;
            let via = member.via.map(|via| findings.document(via)).transpose()?;
            let description = from.descriptions.get(member.document)?;
            let Description { title, url, source, sender, .. } = description;
            let is_original = member.document == cluster.original;
            rows.push([
                (number as i64 + 1).into(),
                (cluster.members.len() as i64).into(),
                (&*document.id).into(),
                (&*original.id).into(),
                member.score.into(),
                (!is_original).then_some(member.exact).into(),
                via.as_ref().map(|via| &*via.id).into(),
                document.time.into(),
                title.into(),
                url.into(),
                source.into(),
                sender.into(),
            ])?;
        }
    }
    rows.finish().map(drop)
}

/// One row a dropped document.
pub(super) fn dropped(out: &mut (impl Write + Send), from: &Material<'_>) -> io::Result<()> {
    let findings = from.findings;
    let mut rows = ParquetRows::new(out, &DROPPED)?;
    for (at, document) in findings.new_documents().enumerate() {
        let document = document?;
        if let Some(fate) = findings.fate(findings.first() + at)? {
            rows.push([
                (&*document.id).into(),
                (&*fate.original.id).into(),
                fate.member.score.into(),
                fate.member.exact.into(),
                fate.via.as_deref().map(|via| &*via.id).into(),
                fate.reason(from.threshold).into(),
            ])?;
        }
    }
    rows.finish().map(drop)
}

/// One row a kept document.
pub(super) fn kept(out: &mut (impl Write + Send), from: &Material<'_>) -> io::Result<()> {
    let mut rows = ParquetRows::new(out, &[("id", Text), ("time", Time)])?;
    for (at, document) in (from.findings.first()..).zip(from.findings.new_documents()) {
        let document = document?;
        if !from.findings.is_dropped(at)? {
            rows.push([Cell::from(&*document.id), document.time.into()])?;
        }
    }
    rows.finish().map(drop)
}
