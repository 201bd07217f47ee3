//! The report on verdicts on a stream: a page of tables without scripts, and tables as text.

mod groups;

use crate::evaluation::labels;
use crate::markup::{escape, fill};
use crate::page::Page;
use crate::table::{self, aligned, columns, range};
use firsthand::evaluate::online::Spread;
use firsthand_jobs::evaluate::stream::{
    GridRow, StreamEvaluation, StreamMethodReport, WrongVerdict,
};
use firsthand_jobs::numbers::{self, counted, score};
use firsthand_jobs::visible::visible;
use serde_json::Value;

/// The results of the paper that describes nrc, on its own documents: n, f, r, then precision, recall
/// and F1.
const PAPER: [(usize, f64, f64, [f64; 3]); 2] =
    [(3, 0.8, 0.5, [0.991, 0.803, 0.887]), (3, 1.0, 0.2, [0.971, 0.940, 0.955])];

/// The most errors of each method on the page; errors.tsv lists all.
const SHOWN: usize = 20;

/// The report as tables and sentences for a terminal, with colours or without.
pub fn text(report: &StreamEvaluation, colour: bool) -> String {
    let (rows, guards) = rows(report);
    let mut text = table::text(columns(include_str!("columns/verdicts.txt")), &rows, None);
    if let Some(groups) = groups::text(report) {
        text += "\n";
        text += &groups;
    }
    if !guards.is_empty() {
        text += "\n";
        text += &table::text(columns(include_str!("columns/guard.txt")), &guards, None);
    }
    if !report.grid.is_empty() {
        text += "\n";
        text += &grid_text(&report.grid, colour);
    }
    text + "\n" + &about(report) + "\n"
}

/// The report as one self-contained page for a browser.
pub fn page(report: &StreamEvaluation) -> String {
    let (rows, guards) = rows(report);
    let inputs = report.labels.inputs.join(", ");
    let sections = [
        figures(
            "Quality of verdicts: means, and 95 % intervals of the mean",
            include_str!("columns/verdicts-page.txt"),
            &rows,
        ),
        groups::tables(report)
            .iter()
            .map(|table| html(&table.title, &table.heads, &table.rows))
            .collect(),
        figures("The number guard", include_str!("columns/guard-page.txt"), &guards),
        grid_html(&report.grid),
        errors(report),
    ];
    let values = [
        ("inputs", escape(&inputs)),
        ("orders", counted(report.orders as u64, "random order")),
        ("documents", counted(report.labels.documents as u64, "document")),
        ("clusters", counted(report.labels.clusters as u64, "cluster")),
        ("scoring", escape(report.scoring)),
        ("rule", escape(&report.labels.rule)),
        ("made", escape(&report.made)),
        ("machine", escape(&report.machine)),
        ("threads", counted(report.threads as u64, "thread")),
        ("version", escape(report.version)),
        ("sections", sections.concat()),
    ];
    let body = fill(include_str!("html/stream.html"), &values);
    let title = format!("Verdicts on a stream of {inputs}");
    Page { title: &title, style: "", sortable: false, body: &body }.html()
}

/// The methods as rows, and those that have a number guard.
fn rows(report: &StreamEvaluation) -> (Vec<Value>, Vec<Value>) {
    let row = |method: &StreamMethodReport| {
        let mut row = table::json(method);
        let updates = method.random.counts.updates as f64 / report.orders.max(1) as f64;
        row["updates_per_order"] = updates.into();
        row
    };
    let rows: Vec<Value> = report.methods.iter().map(row).collect();
    let guards = rows.iter().filter(|row| !row["guard"].is_null()).cloned().collect();
    (rows, guards)
}

/// nrc by its parameters; the best value of each column has a star.
fn grid_text(grid: &[GridRow], colour: bool) -> String {
    let heads =
        ["nrc: n", "f", "r", "prec.", "recall", "F1", "(95 %)", "its paper: prec.", "recall", "F1"];
    let cell = |spread: &Spread, is_best: bool| {
        format!("{}{}", if is_best { "*" } else { "" }, score(spread.mean))
    };
    let rows = grid_rows(grid, cell, |row| {
        let range = range(row.f1.low, row.f1.high);
        [range].into_iter().chain(paper(row).into_iter().flatten()).collect()
    });
    aligned(&heads, rows, best(grid)[2].filter(|_| colour))
}

/// nrc by its parameters; the best value of each column is bold.
fn grid_html(grid: &[GridRow]) -> String {
    let heads = ["n", "f", "r", "precision", "recall", "F1", "the paper, on its documents"];
    let cell = |spread: &Spread, is_best: bool| {
        let [mean, low, high] = [spread.mean, spread.low, spread.high].map(score);
        let cell = format!("{mean}<small>{low}–{high}</small>");
        if is_best { format!("<b>{cell}</b>") } else { cell }
    };
    let paper = |row: &GridRow| paper(row).map_or(String::new(), |paper| paper.join(" / "));
    html("nrc by its parameters", &heads, &grid_rows(grid, cell, |row| vec![paper(row)]))
}

/// The parameters of each row, its figures, and what else is said of it.
fn grid_rows(
    grid: &[GridRow],
    cell: impl Fn(&Spread, bool) -> String,
    rest: impl Fn(&GridRow) -> Vec<String>,
) -> Vec<Vec<String>> {
    let best = best(grid);
    let row = |(at, row): (usize, &GridRow)| {
        let figures =
            three(row).into_iter().zip(best).map(|(spread, best)| cell(spread, best == Some(at)));
        let parameters = [row.n.to_string(), score(row.f), score(row.r)];
        parameters.into_iter().chain(figures).chain(rest(row)).collect()
    };
    grid.iter().enumerate().map(row).collect()
}

fn three(row: &GridRow) -> [&Spread; 3] {
    [&row.precision, &row.recall, &row.f1]
}

/// Precision, recall and F1 that the paper gives for the same parameters.
fn paper(row: &GridRow) -> Option<[String; 3]> {
    let known = PAPER.iter().find(|(n, f, r, _)| (*n, *f, *r) == (row.n, row.f, row.r));
    known.map(|paper| paper.3.map(score))
}

/// The positions of the first rows with the highest precision, recall and F1.
fn best(grid: &[GridRow]) -> [Option<usize>; 3] {
    [0, 1, 2].map(|figure| {
        let mean = |at: &usize| three(&grid[*at])[figure].mean;
        (0..grid.len()).rev().max_by(|a, b| mean(a).total_cmp(&mean(b)))
    })
}

/// A table of figures with a row for each method.
fn figures(title: &str, list: &'static str, rows: &[Value]) -> String {
    let columns = columns(list);
    let heads: Vec<&str> = columns.iter().map(|column| column.head).collect();
    let row = |row: &Value| {
        let mut cells: Vec<String> = columns.iter().map(|column| column.cell(row).shown).collect();
        cells[0] = escape(&cells[0]);
        cells.iter_mut().filter(|cell| *cell == "-").for_each(|cell| *cell = "–".to_owned());
        cells
    };
    html(title, &heads, &rows.iter().map(row).collect::<Vec<_>>())
}

/// A table; its cells are markup.
fn html(title: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let row = |cells: &Vec<String>| {
        let (first, rest) = cells.split_first().map_or(("", &[][..]), |(a, b)| (a.as_str(), b));
        let rest: String = rest.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr><th>{first}</th>{rest}</tr>\n")
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<section><h2>{title}</h2>\n<div class=\"scroll\"><table><thead><tr>{heads}</tr></thead>\n\
         <tbody>{rows}</tbody></table></div></section>\n"
    )
}

fn errors(report: &StreamEvaluation) -> String {
    let heads = ["document", "method", "error", "partner", "similarity", "orders"];
    let all = report.methods.iter().flat_map(|method| {
        method.errors.iter().take(SHOWN).map(|WrongVerdict { id, kind, partner, score, orders }| {
            let (id, name, partner) = (escape(id), escape(&method.name), escape(partner));
            vec![id, name, (*kind).to_owned(), partner, numbers::score(*score), orders.to_string()]
        })
    });
    html("Wrong verdicts", &heads, &all.collect::<Vec<_>>())
}

/// The labels, and how verdicts are scored.
fn about(report: &StreamEvaluation) -> String {
    let mut lines = vec![
        labels(&report.labels),
        report.scoring.to_owned(),
        format!(
            "Means over {} (seed {}) with the 95 % interval of the mean. lost/10k: originals \
             called copies, per 10,000 originals; updates: duplicates found as updates, per order.",
            counted(report.orders as u64, "random order"),
            report.seed
        ),
    ];
    lines.extend(report.methods.iter().map(clusters));
    let windows = report.methods.iter().filter(|method| method.time.is_some() && method.window);
    lines.extend(windows.map(|method| {
        format!(
            "{}: random orders ignore its window, but the order of time does not: copies of documents \
             older than the window count as missed there.",
            visible(&method.name)
        )
    }));
    if !report.grid.is_empty() {
        lines.push(
            "The paper measured on its own documents, so its figures cannot be compared directly; * \
             marks the best of a column."
                .to_owned(),
        );
    }
    lines.join("\n")
}

/// The intervals over clusters, and the number of each outcome.
fn clusters(method: &StreamMethodReport) -> String {
    let [precision, recall] = [&method.random.figures.precision, &method.random.figures.recall]
        .map(|spread| range(spread.over_clusters.low, spread.over_clusters.high));
    let counts = &method.random.counts;
    format!(
        "{}: by bootstrap over clusters, precision {precision}, recall {recall}; all orders together \
         {} found, {} missed, {} suppressed, {}, {} not counted.",
        visible(&method.name),
        counts.found,
        counts.missed,
        counts.suppressed,
        counted(counts.wrong_links, "wrong link"),
        counts.unclear
    )
}
