//! The worst errors: both texts, their differences, and the command that explains each.

use super::sides::{self, BRIEF, FULL};
use super::tables::share;
use crate::markup::escape;
use crate::numbers;
use crate::visible::shell_word;
use firsthand::explain::ExplainedDocument;
use firsthand::settings::METHODS;
use firsthand_jobs::evaluate::{EvaluationReport, ExplainedError, MethodReport};

/// A title or an id longer than this is cut.
const NAME: usize = 200;

pub(super) fn write(report: &EvaluationReport, examples: &[ExplainedError]) -> String {
    let mut methods: Vec<&str> = Vec::new();
    for example in examples {
        if !methods.contains(&&*example.method) {
            methods.push(&example.method);
        }
    }
    let several = methods.len() > 1;
    let parts: String = methods
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let own: Vec<&ExplainedError> = examples.iter().filter(|one| one.method == *name).collect();
            let method = report.methods.iter().find(|method| method.name == *name);
            let articles: String = own.iter().map(|one| article(report, one)).collect();
            let heading = format!("<b>{}</b> {}", escape(name), sum(method));
            let open = if number == 0 { " open" } else { "" };
            match several {
                true => format!(
                    "<details class=\"method\"{open}><summary>{heading}</summary>\n{articles}</details>\n"
                ),
                false => format!("<p>{heading}</p>\n{articles}"),
            }
        })
        .collect();
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
            share(method.threshold)
        )
    })
}

fn article(report: &EvaluationReport, example: &ExplainedError) -> String {
    let ExplainedError { wrong, explanation, .. } = example;
    let (class, kind, why) = match wrong.stated {
        true => ("false", "False pair", "stated, but labelled different"),
        false => ("missed", "Missed pair", "labelled near-duplicates, but not stated"),
    };
    let (brief, short) = sides::rows(&explanation.passages, BRIEF);
    let more = match short {
        true => format!(
            "<details><summary>More of both texts</summary>\n<div class=\"rows\">{}</div></details>\n",
            sides::rows(&explanation.passages, FULL).0
        ),
        false => String::new(),
    };
    format!(
        "<article class=\"{class}\"><h3><span class=\"kind\">{kind}</span> score {} \
         <span class=\"soft\">{why}</span></h3>\n<p>{}</p>\n\
         <div class=\"row head\"><div>{}</div><div>{}</div></div>\n\
         <div class=\"rows\">{brief}</div>\n{more}\
         <p class=\"soft\">To look further: <code>{}</code></p></article>\n",
        share(wrong.score),
        escape(cut(&explanation.reason, 2 * NAME)),
        side("a", &explanation.a),
        side("b", &explanation.b),
        escape(&command(report, example))
    )
}

fn side(letter: &str, side: &ExplainedDocument) -> String {
    let title = side.title.as_deref().unwrap_or_default();
    let aside = match side.aside.len() {
        0 => String::new(),
        some => format!(", {} set aside", numbers::counted(some as u64, "passage")),
    };
    format!(
        "<b>{letter}</b> <code dir=\"auto\">{}</code><br><span dir=\"auto\">{}</span> \
         <span class=\"soft\">{}{aside}</span>",
        escape(cut(&side.id, NAME)),
        escape(cut(title, NAME)),
        numbers::counted(side.words as u64, "word")
    )
}

fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
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
    let ids = [&example.wrong.a, &example.wrong.b];
    let (a, b) = (shell_word(ids[0]), shell_word(ids[1]));
    // An id that looks like a flag must come after all flags.
    match ids.iter().any(|id| id.starts_with('-')) {
        true => format!("firsthand explain{inputs} {settings} -- {a} {b}"),
        false => format!("firsthand explain {a} {b}{inputs} {settings}"),
    }
}
