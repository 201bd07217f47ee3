//! The report of an evaluation: a page with tables, pictures and the worst errors, and tables as text.

mod curves;
mod errors;
mod figures;
mod forest;
mod recall;
mod sizes;
mod suppressed;
mod tables;
mod words;

use crate::markup::{escape, fill};
use crate::page::Page;
use crate::plot;
use crate::table::{columns, json, text as table};
use firsthand_jobs::evaluate::{EvaluationReport, ExplainedError, MethodReport, best_method};
use firsthand_jobs::numbers::{counted, grouped, score};

pub(crate) use words::labels;

/// The report as tables and sentences for a terminal; the best method is in bold if there are colours.
pub fn text(report: &EvaluationReport, colour: bool) -> String {
    let rows: Vec<_> = report.methods.iter().map(json).collect();
    let bold = best_method(&report.methods).filter(|_| colour && rows.len() > 1);
    let tables = [
        Some(table(columns(include_str!("columns/quality.txt")), &rows, bold)),
        Some(table(columns(include_str!("columns/cost.txt")), &rows, None)),
        suppressed::text(report),
        Some(words::about(report)),
    ];
    tables.into_iter().flatten().collect::<Vec<_>>().join("\n") + "\n"
}

/// The report as one self-contained page for a browser. Examples are shown by method, in the order
/// given.
pub fn page(report: &EvaluationReport, examples: &[ExplainedError]) -> String {
    let series: String =
        (0..report.methods.len()).map(|number| plot::series(number) + &toggle(number)).collect();
    let inputs = report.labels.inputs.join(", ");
    let sections = [
        tables::quality(report),
        tables::differences(report),
        suppressed::section(report),
        pictures(report),
        tables::cost(report),
        errors::write(report, examples),
        tables::settings(report),
    ];
    let body = body(report, &inputs, sections.concat());
    let title = format!("Evaluation of {inputs}");
    Page { title: &title, style: &series, sortable: true, body: &body }.html()
}

/// A click on the name of a method hides its lines, and hovering highlights them, without a script.
fn toggle(number: usize) -> String {
    format!(
        "body:has(#show{number}:not(:checked)) .plots .m{number}{{display:none}}\
         body:has([for=show{number}]:hover) .plots .series:not(.m{number}){{opacity:.12}}\n"
    )
}

fn body(report: &EvaluationReport, inputs: &str, sections: String) -> String {
    let labels = &report.labels;
    let best = best_method(&report.methods).map(|at| &report.methods[at]);
    let best = best.filter(|best| best.held_out.f1.value.is_finite());
    let lead = best.map_or_else(String::new, |best| {
        let f1 = &best.held_out.f1;
        format!(
            "<p class=\"lead\">Best on held-out documents: <b>{}</b>, F1 <b>{}</b> \
             <span class=\"soft\">({} to {})</span>.</p>\n",
            escape(&best.name),
            score(f1.value),
            score(f1.low),
            score(f1.high)
        )
    });
    let facts = [
        ("documents", labels.documents as u64),
        ("of them counted", labels.counted as u64),
        ("clusters", labels.clusters as u64),
        ("positive pairs", labels.positive_pairs),
        ("ignored pairs", labels.ignored_pairs),
    ]
    .map(|(name, count)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", grouped(count)));
    let runs = report.methods.iter().map(|method| method.held_out.runs.len()).max().unwrap_or(0);
    let values = [
        ("methods", counted(report.methods.len() as u64, "method")),
        ("inputs", escape(inputs)),
        ("lead", lead),
        ("facts", facts.concat()),
        ("rule", escape(&sentence(&labels.rule))),
        ("documents", counted(labels.documents as u64, "document")),
        ("pairs", counted(labels.positive_pairs, "positive pair")),
        ("made", escape(&report.made)),
        ("machine", escape(&report.machine)),
        ("threads", counted(report.threads as u64, "thread")),
        ("version", escape(report.version)),
        ("sections", sections),
        ("runs", counted(runs as u64, "time")),
    ];
    fill(include_str!("html/evaluation.html"), &values)
}

/// The text with a capital at its start and a full stop at its end.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut rest = text.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    let stop = if text.ends_with(['.', '!', '?']) || text.is_empty() { "" } else { "." };
    format!("{first}{}{stop}", rest.as_str())
}

fn pictures(report: &EvaluationReport) -> String {
    if report.methods.is_empty() {
        return String::new();
    }
    let chips: String = (report.methods.iter().enumerate())
        .map(|(number, method)| {
            format!(
                "<span class=\"chip m{number}\"><input type=\"checkbox\" id=\"show{number}\" checked>\
                 <label for=\"show{number}\" title=\"{}\"><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\">\
                 <path class=\"line\" d=\"M0 5H26\"/></svg>{}</label></span>\n",
                escape(&method.about),
                escape(&short_name(method))
            )
        })
        .collect();
    let figures = [
        curves::f1(report),
        recall::draw(report),
        forest::draw(report),
        curves::time(report),
        sizes::draw(report),
    ];
    format!(
        "<section class=\"plots\"><h2>Pictures</h2>\n<div class=\"legend\" role=\"group\" \
         aria-label=\"Methods shown\">{chips}</div>\n<div class=\"figures\">{}</div></section>\n",
        figures.concat()
    )
}

/// A name that fits beside a line; of a path, its end.
fn short_name(method: &MethodReport) -> String {
    const MOST: usize = 18;
    let name = &method.name;
    let name = name.rsplit_once(['/', '\\']).map_or(name.as_str(), |(_, file)| file);
    match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
