//! The worst errors: both texts, their differences, and the command that explains each.

use crate::command::explain_command;
use crate::explanation;
use crate::markup::{escape, fill};
use firsthand::settings::METHODS;
use firsthand_jobs::evaluate::{EvaluationReport, ExplainedError, MethodReport};
use firsthand_jobs::numbers;
use firsthand_jobs::numbers::score;
use firsthand_jobs::visible::shell_word;

pub(super) fn write(report: &EvaluationReport, examples: &[ExplainedError]) -> String {
    let by_method: Vec<_> = examples.chunk_by(|a, b| a.method == b.method).collect();
    let part = |(number, own): (usize, &&[ExplainedError])| {
        let name = &own[0].method;
        let method = report.methods.iter().find(|method| method.name == *name);
        let articles: String = own.iter().map(|one| article(report, one)).collect();
        let heading = format!("<b>{}</b> {}", escape(name), sum(method));
        let open = if number == 0 { " open" } else { "" };
        match by_method.len() {
            1 => format!("<p>{heading}</p>\n{articles}"),
            _ => format!(
                "<details class=\"method\"{open}><summary>{heading}</summary>\n{articles}</details>\n"
            ),
        }
    };
    let parts: String = by_method.iter().enumerate().map(part).collect();
    let none = if examples.is_empty() {
        "<p>No pair is wrong at the methods' own thresholds.</p>\n"
    } else {
        ""
    };
    format!(
        "<section id=\"errors\"><h2>The worst errors</h2>\n<p class=\"soft\">False pairs by \
         descending score and missed pairs by ascending score, alternating. Text that only one \
         document has is marked.</p>\n{none}{parts}</section>\n"
    )
}

/// The number of wrong pairs.
fn sum(method: Option<&MethodReport>) -> String {
    method.map_or_else(String::new, |method| {
        let errors = &method.errors;
        format!(
            "<span class=\"soft\">{}, {} at its threshold {}</span>",
            numbers::counted(errors.false_pairs, "false pair"),
            numbers::counted(errors.missed_pairs, "missed pair"),
            score(method.threshold)
        )
    })
}

fn article(report: &EvaluationReport, example: &ExplainedError) -> String {
    let ExplainedError { wrong, explanation, .. } = example;
    let (class, kind, why) = match wrong.stated {
        true => ("false", "False pair", "stated, but labelled different"),
        false => ("missed", "Missed pair", "labelled near-duplicates, but not stated"),
    };
    let values = [
        ("class", class.to_owned()),
        ("kind", kind.to_owned()),
        ("score", score(wrong.score)),
        ("why", why.to_owned()),
        ("explanation", explanation::html(explanation)),
        ("command", escape(&command(report, example))),
    ];
    fill(include_str!("../html/error.html"), &values)
}

/// The command that explains a pair as this method sees it.
fn command(report: &EvaluationReport, example: &ExplainedError) -> String {
    let name = example.method.as_str();
    let settings = match name.split_once(':') {
        Some(("profile", profile)) => format!("--profile {}", shell_word(profile)),
        _ if METHODS.iter().any(|(method, _)| *method == name) => format!("--method {name}"),
        _ => format!("--config {}", shell_word(name)),
    };
    let inputs = report.labels.inputs.iter();
    let inputs: String = inputs.map(|input| format!(" --in {}", shell_word(input))).collect();
    explain_command(&example.wrong.a, &example.wrong.b, &format!("{inputs} {settings}"))
}
