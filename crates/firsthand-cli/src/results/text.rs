//! Results for a person to read; this may change from version to version.

use crate::{numbers, visible::visible};
use firsthand_input::calendar::Date;
use firsthand_jobs::PairList;
use firsthand_jobs::findings::Findings;
use firsthand_jobs::results::Material;
use std::io::{self, Write};

/// A heading for each cluster, then its documents, the most similar first.
pub(crate) fn clusters(out: &mut impl Write, findings: &Findings, colour: bool) -> io::Result<()> {
    let (bold, dim, plain) = if colour { ("\x1b[1m", "\x1b[2m", "\x1b[0m") } else { ("", "", "") };
    for (number, cluster) in findings.clusters()?.enumerate() {
        let cluster = cluster?;
        let size = numbers::counted(cluster.members.len() as u64, "document");
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{bold}Cluster {}: {size}{plain}", number + 1)?;
        let mut dated = false;
        for member in &cluster.members {
            dated |= findings.document(member.document)?.time.is_some();
        }
        for member in &cluster.members {
            let document = findings.document(member.document)?;
            let place = match (member.document == cluster.original, member.exact) {
                (true, _) => "original".to_owned(),
                (_, true) => "exact".to_owned(),
                _ => numbers::score(member.score),
            };
            let day = match (dated, document.time) {
                (false, _) => String::new(),
                (true, time) => {
                    let day = time.map(|time| Date::of_time(time).to_string());
                    format!("{dim}{:<10}{plain}  ", day.unwrap_or_default())
                }
            };
            let id = visible(&document.id);
            write!(out, "  {place:<8}  {day}{id}")?;
            if let Some(via) = member.via {
                write!(out, "  {dim}(to {}){plain}", visible(&findings.document(via)?.id))?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Score and both ids, with tabs between them.
pub(crate) fn pairs(out: &mut impl Write, findings: &Findings, list: PairList) -> io::Result<()> {
    for listed in findings.listed(list)? {
        let (a, b, found) = listed?;
        let score = if found.exact { "exact".to_owned() } else { numbers::score(found.score) };
        writeln!(out, "{score}\t{}\t{}", visible(&a.id), visible(&b.id))?;
    }
    Ok(())
}

/// Id, original and reason of each dropped document, with tabs between them.
pub(crate) fn dropped(out: &mut impl Write, from: &Material<'_>) -> io::Result<()> {
    let findings = from.findings;
    for (at, document) in findings.new_documents().enumerate() {
        let document = document?;
        if let Some(fate) = findings.fate(findings.first() + at)? {
            let (id, original) = (visible(&document.id), visible(&fate.original.id));
            writeln!(out, "{id}\t{original}\t{}", visible(&fate.reason(from.threshold)))?;
        }
    }
    Ok(())
}
