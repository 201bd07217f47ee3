//! Results as JSON, one object a line. These names are a promise to other programs.

use super::Material;
use crate::descriptions::{Description, Descriptions};
use crate::findings::{DropReason, Findings, PairList};
use firsthand_input::calendar::rfc3339;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct PairLine<'a> {
    a: &'a str,
    b: &'a str,
    score: f64,
    exact: bool,
}

#[derive(Serialize)]
struct ClusterLine<'a> {
    cluster: usize,
    original: &'a str,
    size: usize,
    members: Vec<MemberPart>,
}

#[derive(Serialize)]
struct MemberPart {
    id: String,
    score: f64,
    /// Whether it has the text of the original, or of `via`; null for the original itself.
    exact: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<String>,
    /// Whether a person put it there, and no pair.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    decided: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(flatten)]
    description: Description,
}

#[derive(Serialize)]
struct DroppedLine<'a> {
    id: &'a str,
    original: &'a str,
    score: f64,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'a str>,
    reason: String,
}

/// One line a pair.
pub(super) fn pairs(out: &mut impl Write, findings: &Findings, list: PairList) -> io::Result<()> {
    for listed in findings.listed(list)? {
        let (a, b, found) = listed?;
        let line = PairLine { a: &a.id, b: &b.id, score: found.score, exact: found.exact };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// One line a cluster, its original the first of the members.
pub(super) fn clusters(
    out: &mut impl Write,
    findings: &Findings,
    descriptions: &Descriptions,
) -> io::Result<()> {
    for (number, cluster) in findings.clusters()?.enumerate() {
        let cluster = cluster?;
        let members = cluster.members.iter().map(|member| {
            let document = findings.document(member.document)?;
            let via = member.via.map(|via| findings.document(via));
            Ok(MemberPart {
                score: member.score,
                exact: (member.document != cluster.original).then_some(member.exact),
                via: via.transpose()?.map(|via| via.into_owned().id),
                decided: member.decided,
                time: document.time.map(rfc3339),
                description: descriptions.get(member.document)?,
                id: document.into_owned().id,
            })
        });
        let line = ClusterLine {
            cluster: number + 1,
            original: &findings.document(cluster.original)?.id,
            size: cluster.members.len(),
            members: members.collect::<io::Result<_>>()?,
        };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A dropped document, with its record where it came from JSONL.
pub(super) fn dropped(
    id: &str,
    fate: &DropReason<'_>,
    record: Option<&[u8]>,
    from: &Material<'_>,
) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&DroppedLine {
        id,
        original: &fate.original.id,
        score: fate.member.score,
        exact: fate.member.exact,
        via: fate.via.as_deref().map(|via| &*via.id),
        reason: fate.reason(from.threshold),
    })?;
    if let Some(record) = record {
        // The record was read as JSON, so it is put in as it is; broken bytes are mended.
        line.pop();
        line.extend_from_slice(b",\"record\":");
        line.extend_from_slice(String::from_utf8_lossy(record).trim().as_bytes());
        line.push(b'}');
    }
    Ok(line)
}
