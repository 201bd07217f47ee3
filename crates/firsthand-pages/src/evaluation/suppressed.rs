//! Suppressed originals beside the quality of pairs, by kind of page and by site.

use crate::markup::escape;
use crate::table::{Column, columns, json, text as table};
use firsthand_jobs::evaluate::{EvaluationReport, GroupQuality, MethodReport, best_method};
use firsthand_jobs::numbers::{counted, grouped};
use firsthand_jobs::visible::visible;
use serde::Serialize;
use serde_json::Value;

/// The most sites in a terminal, and those of each method on the page.
const SHOWN: usize = 8;
const ON_PAGE: usize = 20;

/// The best method by kind of page and by site, for a terminal.
pub(super) fn text(report: &EvaluationReport) -> Option<String> {
    let method = &report.methods[best_method(&report.methods)?];
    let suppressed = &method.suppressed;
    let mut text = format!("{} by kind of page:\n", visible(&method.name));
    text += &table(heads("kind of page"), &rows(&suppressed.by_kind), None);
    if !suppressed.by_site.is_empty() {
        let sites = &suppressed.by_site[..suppressed.by_site.len().min(SHOWN)];
        text += &format!("\nThe sites on which it is wrong, {}:\n", losing(method));
        text += &table(heads("site"), &rows(sites), None);
    }
    Some(text)
}

/// What the figures mean.
pub(super) const MEANING: &str = "Lost are originals of which nothing is kept if each cluster keeps its original only: every copy of \
     them is dropped for a document that is labelled different; lost/10k is their number per 10,000 \
     documents, and with 95 % confidence it is no more than what stands under \"at most\". The kind of \
     a page is told by its lines: a list has most of its words in short lines or in links, a form has \
     half of them in lines that pages of its site share but for some words, and a short page has fewer \
     than thirty.";

/// All methods, for the page.
pub(super) fn section(report: &EvaluationReport) -> String {
    let best = best_method(&report.methods);
    let part = |(number, method): (usize, &MethodReport)| {
        let suppressed = &method.suppressed;
        let lost = counted(suppressed.all.originals, "original");
        let of = counted(suppressed.all.documents, "document");
        let sites = &suppressed.by_site[..suppressed.by_site.len().min(ON_PAGE)];
        let by_site = match sites {
            [] => String::new(),
            sites => html("site", sites),
        };
        let open = if best == Some(number) { " open" } else { "" };
        format!(
            "<details class=\"method\"{open}><summary><b>{}</b> <span class=\"soft\">loses {lost} of \
             {of}, {}</span></summary>\n{}{by_site}</details>\n",
            escape(&method.name),
            escape(&losing(method)),
            html("kind of page", &suppressed.by_kind),
        )
    };
    let parts: String = report.methods.iter().enumerate().map(part).collect();
    format!(
        "<section id=\"suppressed\"><h2>Suppressed originals</h2>\n<p class=\"soft\">{}</p>\n\
         {parts}</section>\n",
        escape(MEANING)
    )
}

/// `2 of 104 sites lose originals`.
fn losing(method: &MethodReport) -> String {
    let sites = method.suppressed.sites;
    let (losing, all) = (grouped(sites.losing as u64), counted(sites.all as u64, "site"));
    let lose = if sites.losing == 1 { "loses" } else { "lose" };
    format!("{losing} of {all} {lose} originals")
}

fn heads(first: &'static str) -> Vec<Column> {
    let mut columns = columns(include_str!("../columns/groups.txt"));
    columns[0].head = first;
    columns
}

fn rows<N: Serialize>(groups: &[GroupQuality<N>]) -> Vec<Value> {
    groups.iter().map(json).collect()
}

fn html<N: Serialize>(first: &'static str, groups: &[GroupQuality<N>]) -> String {
    let columns = heads(first);
    let heads: String = columns
        .iter()
        .map(|column| format!("<th scope=\"col\">{}</th>", escape(column.head)))
        .collect();
    let row = |row: &Value| {
        let cells = columns.iter().enumerate().map(|(at, column)| {
            let shown = escape(&column.cell(row).shown);
            match at {
                0 => format!("<th scope=\"row\" dir=\"auto\">{shown}</th>"),
                _ => format!("<td>{shown}</td>"),
            }
        });
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows(groups).iter().map(row).collect();
    format!(
        "<div class=\"scroll\"><table><thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>\
         </div>\n"
    )
}
