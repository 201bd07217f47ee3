//! Lost originals by kind of page and by site.

use crate::markup::escape;
use crate::table::{self, Column, columns};
use firsthand_jobs::evaluate::stream::{StreamEvaluation, StreamGroup, StreamMethodReport};
use firsthand_jobs::visible::visible;
use serde::Serialize;
use serde_json::Value;

/// The most sites in a table.
const SHOWN: usize = 8;

/// The method with the highest F1, the first of equals.
fn best(report: &StreamEvaluation) -> Option<&StreamMethodReport> {
    let f1 = |method: &StreamMethodReport| method.random.figures.f1.mean;
    report.methods.iter().rev().max_by(|a, b| f1(a).total_cmp(&f1(b)))
}

/// The best method by kind of page and by site, for a terminal.
pub(super) fn text(report: &StreamEvaluation) -> Option<String> {
    let method = best(report)?;
    let mut text = format!("{} by kind of page, all orders together:\n", visible(&method.name));
    text += &table::text(heads("kind of page"), &rows(&method.groups.by_kind), None);
    if !method.groups.by_site.is_empty() {
        text += "\nThe sites on which it is wrong:\n";
        text += &table::text(heads("site"), &rows(sites(method)), None);
    }
    Some(text)
}

/// A table of the page, as markup.
pub(super) struct GroupTable {
    pub(super) title: String,
    pub(super) heads: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

/// All methods by kind of page and by site, for the page.
pub(super) fn tables(report: &StreamEvaluation) -> Vec<GroupTable> {
    let of = |method: &StreamMethodReport| {
        let kinds = (format!("{} by kind of page", method.name), "kind of page");
        let by_site = (format!("{}: sites on which it is wrong", method.name), "site");
        let groups = [(kinds, rows(&method.groups.by_kind)), (by_site, rows(sites(method)))];
        groups.map(|((title, first), rows)| {
            let columns = heads(first);
            let cells = |row: &Value| {
                columns.iter().map(|column| escape(&column.cell(row).shown)).collect::<Vec<_>>()
            };
            GroupTable {
                title: escape(&title),
                heads: columns.iter().map(|column| column.head).collect(),
                rows: rows.iter().map(cells).collect(),
            }
        })
    };
    report.methods.iter().flat_map(of).collect()
}

fn sites(method: &StreamMethodReport) -> &[StreamGroup<String>] {
    let sites = &method.groups.by_site;
    &sites[..sites.len().min(SHOWN)]
}

fn heads(first: &'static str) -> Vec<Column> {
    let mut columns = columns(include_str!("../columns/stream-groups.txt"));
    columns[0].head = first;
    columns
}

/// Groups as rows, with the number of their originals.
fn rows<N: Serialize>(groups: &[StreamGroup<N>]) -> Vec<Value> {
    let row = |group: &StreamGroup<N>| {
        let mut row = table::json(group);
        row["originals"] = (group.counts.kept + group.counts.suppressed).into();
        row
    };
    groups.iter().map(row).collect()
}
