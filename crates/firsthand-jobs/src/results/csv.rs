//! Results for spreadsheets.

use super::Material;
use crate::descriptions::Description;
use crate::findings::{Findings, PairList};
use firsthand_input::calendar::rfc3339;
use std::borrow::Cow;
use std::io::{self, Write};

/// One row a pair.
pub(super) fn pairs(out: &mut impl Write, findings: &Findings, list: PairList) -> io::Result<()> {
    out.write_all(b"a,b,score,exact\r\n")?;
    for listed in findings.listed(list)? {
        let (a, b, found) = listed?;
        write!(out, "{},{},{},{}\r\n", cell(&a.id), cell(&b.id), found.score, found.exact)?;
    }
    Ok(())
}

/// One row a member.
pub(super) fn clusters(out: &mut impl Write, from: &Material<'_>) -> io::Result<()> {
    let findings = from.findings;
    out.write_all(b"cluster,size,id,original,score,exact,via,time,title,url,source,sender\r\n")?;
    for (number, cluster) in findings.clusters()?.enumerate() {
        let cluster = cluster?;
        let original = cell(&findings.document(cluster.original)?.id);
        for member in &cluster.members {
            let document = findings.document(member.document)?;
            let via = match member.via {
                Some(via) => cell(&findings.document(via)?.id),
                None => String::new(),
            };
            let time = document.time.map(rfc3339).unwrap_or_default();
            let (number, size, id) = (number + 1, cluster.members.len(), cell(&document.id));
            let exact = match member.document == cluster.original {
                true => String::new(),
                false => member.exact.to_string(),
            };
            let score = member.score;
            write!(out, "{number},{size},{id},{original},{score},{exact},{via},{time}")?;
            let description = from.descriptions.get(member.document)?;
            let Description { title, url, source, sender, .. } = description;
            for described in [title, url, source, sender] {
                write!(out, ",{}", cell(&described.unwrap_or_default()))?;
            }
            out.write_all(b"\r\n")?;
        }
    }
    Ok(())
}

/// One row a dropped document.
pub(super) fn dropped(out: &mut impl Write, from: &Material<'_>) -> io::Result<()> {
    out.write_all(b"id,original,score,exact,reason\r\n")?;
    let findings = from.findings;
    for (at, document) in findings.new_documents().enumerate() {
        let document = document?;
        if let Some(fate) = findings.fate(findings.first() + at)? {
            let (id, original) = (cell(&document.id), cell(&fate.original.id));
            let (score, exact) = (fate.member.score, fate.member.exact);
            let reason = cell(&fate.reason(from.threshold));
            write!(out, "{id},{original},{score},{exact},{reason}\r\n")?;
        }
    }
    Ok(())
}

/// One row a kept document.
pub(super) fn kept(out: &mut impl Write, from: &Material<'_>) -> io::Result<()> {
    out.write_all(b"id,time\r\n")?;
    for (at, document) in (from.findings.first()..).zip(from.findings.new_documents()) {
        let document = document?;
        if !from.findings.is_dropped(at)? {
            let time = document.time.map(rfc3339).unwrap_or_default();
            write!(out, "{},{time}\r\n", cell(&document.id))?;
        }
    }
    Ok(())
}

/// A cell that a spreadsheet shows and does not run, quoted where it has to be.
pub fn cell(text: &str) -> String {
    let defused = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains([',', '"', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{defused}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{defused}{text}")
    }
}

/// What a spreadsheet would run begins so.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// An id in a table with tabs: an apostrophe before what a spreadsheet would run.
pub fn defused(id: &str) -> Cow<'_, str> {
    match id.trim_start_matches('\'').starts_with(FORMULA) {
        true => Cow::Owned(format!("'{id}")),
        false => Cow::Borrowed(id),
    }
}

/// The id that was [`defused`].
pub(crate) fn fused(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(id) if id.trim_start_matches('\'').starts_with(FORMULA) => id,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_tables_are_defused_and_read_back() {
        let cases =
            [("=1+1", "'=1+1"), ("-1", "'-1"), ("'@a", "''@a"), ("a=b", "a=b"), ("'a", "'a")];
        for (id, cell) in cases {
            assert_eq!((&*defused(id), fused(cell)), (cell, id));
        }
    }

    #[test]
    fn cells_are_quoted_and_defused() {
        let cases = [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM", "'@SUM"),
            ("\ttab", "'\ttab"),
            ("two\nlines", "\"two\nlines\""),
            ("a=b", "a=b"),
        ];
        for (text, shown) in cases {
            assert_eq!(cell(text), shown);
        }
    }
}
