//! The figures of all methods in tables that can be sorted.

use crate::markup::{escape, fill};
use crate::table::{Cell, Column, columns, json};
use firsthand::evaluate::Interval;
use firsthand_jobs::evaluate::EvaluationReport;
use firsthand_jobs::numbers::score;

/// The quality of the methods.
pub(super) fn quality(report: &EvaluationReport) -> String {
    let note = "Small figures are 95 % intervals. The best of a column is bold; click a heading to \
                sort.";
    let columns = columns(include_str!("../columns/quality-page.txt"));
    section("Quality", "quality", note, &columns, report)
}

/// The cost of the methods.
pub(super) fn cost(report: &EvaluationReport) -> String {
    let columns = columns(include_str!("../columns/cost-page.txt"));
    section("Cost", "cost", "Times are of one run on the machine named above.", &columns, report)
}

fn section(
    heading: &str,
    id: &str,
    note: &str,
    columns: &[Column],
    report: &EvaluationReport,
) -> String {
    let heads: String = columns
        .iter()
        .map(|column| {
            let first = if column.better == "low" { "ascending" } else { "descending" };
            let (name, hint) = (escape(column.head), escape(column.hint));
            format!("<th scope=\"col\" data-first=\"{first}\" title=\"{hint}\">{name}</th>")
        })
        .collect();
    let cells: Vec<Vec<Cell>> = report
        .methods
        .iter()
        .map(|method| {
            let row = json(method);
            columns.iter().map(|column| column.cell(&row)).collect()
        })
        .collect();
    let best: Vec<Option<f64>> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let values = || cells.iter().filter_map(|row| row[at].value);
            let (least, most) = (values().min_by(f64::total_cmp), values().max_by(f64::total_cmp));
            match column.better {
                // If all are equal, none is best.
                _ if least == most => None,
                "high" => most,
                "low" => least,
                _ => None,
            }
        })
        .collect();
    let rows: String = (report.methods.iter().zip(&cells).enumerate())
        .map(|(number, (method, cells))| {
            let cells: String =
                cells.iter().zip(&best).map(|(cell, best)| write(cell, *best)).collect();
            format!(
                "<tr><th scope=\"row\" class=\"m{number}\" title=\"{}\">{}</th>{cells}</tr>\n",
                escape(&method.about),
                escape(&method.name)
            )
        })
        .collect();
    format!(
        "<section><h2>{heading}</h2>\n<div class=\"scroll\"><table class=\"sortable\" id=\"{id}\">\
         <thead><tr><th scope=\"col\" data-first=\"ascending\">method</th>{heads}</tr></thead>\n\
         <tbody>{rows}</tbody></table></div>\n<p class=\"soft\">{note}</p></section>\n"
    )
}

fn write(cell: &Cell, best: Option<f64>) -> String {
    let value = cell.value.map_or_else(String::new, |value| format!(" data-value=\"{value}\""));
    let class = if cell.value.is_some() && cell.value == best { " class=\"best\"" } else { "" };
    let shown = if cell.shown == "-" { "–" } else { &cell.shown };
    format!("<td{value}{class}>{shown}</td>")
}

/// Whether the best method is clearly better than the others.
pub(super) fn differences(report: &EvaluationReport) -> String {
    let Some(first) = report.differences.first() else { return String::new() };
    let signed =
        |value: f64| format!("{}{}", if value < 0.0 { "−" } else { "+" }, score(value.abs()));
    let cell = |interval: &Interval| {
        let Interval { value, low, high } = *interval;
        let clear = low > 0.0 || high < 0.0;
        let (class, word) = if clear { ("clear", "clear") } else { ("tie", "may be chance") };
        format!(
            "<td data-value=\"{value}\">{}<small>{} to {}</small></td><td class=\"{class}\">{word}</td>",
            signed(value),
            signed(low),
            signed(high)
        )
    };
    let rows: String = report
        .differences
        .iter()
        .map(|difference| {
            format!(
                "<tr><th scope=\"row\">{}</th>{}{}</tr>\n",
                escape(&difference.other),
                cell(&difference.f1),
                cell(&difference.max_f1)
            )
        })
        .collect();
    let values = [("best", escape(&first.best)), ("rows", rows)];
    fill(include_str!("../html/differences.html"), &values)
}

/// All settings of each method.
pub(super) fn settings(report: &EvaluationReport) -> String {
    let each: String = report
        .methods
        .iter()
        .map(|method| {
            let lines: Vec<String> = method.config.lines().map(escape).collect();
            format!(
                "<details><summary><b>{}</b> {}</summary><pre>{}</pre></details>\n",
                escape(&method.name),
                escape(&method.about),
                lines.join("\n")
            )
        })
        .collect();
    format!("<section><h2>Settings</h2>\n{each}</section>\n")
}
