//! The report as one self-contained page for a browser: tables, pictures and the worst errors. Texts of
//! documents appear only as text, and the content policy of the page forbids everything else.

mod curves;
mod errors;
mod figures;
mod forest;
mod recall;
mod sides;
mod sizes;
mod tables;

#[cfg(test)]
mod tests;

use crate::markup::escape;
use crate::{numbers, plot};
use firsthand_jobs::evaluate::{EvaluationReport, ExplainedError, MethodReport};

const STYLE: &str = include_str!("page/page.css");

const SCRIPT: &str = include_str!("page/page.js");

/// The SHA-256 of the only script that may run: `openssl dgst -sha256 -binary page.js | base64`. The
/// browser test fails if script and hash do not agree.
const SCRIPT_HASH: &str = "DY4KrMkItxwVaajGOSGTuhhddShi//2kcX1pTvRqg04=";

/// Writes the page. Examples are shown by method, in the order given.
pub(crate) fn write(report: &EvaluationReport, examples: &[ExplainedError]) -> String {
    let series: String =
        (0..report.methods.len()).map(|number| plot::series(number) + &toggle(number)).collect();
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{SCRIPT_HASH}'; \
         base-uri 'none'; form-action 'none'"
    );
    let title = format!("Evaluation of {}", inputs(report));
    [
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
        "<meta name=\"referrer\" content=\"no-referrer\">\n",
        &format!("<title>{}</title>\n", escape(&title)),
        &format!("<style>\n{}{STYLE}{series}</style></head>\n<body>\n", plot::STYLE),
        &head(report),
        "<main>\n",
        &tables::quality(report),
        &tables::differences(report),
        &pictures(report),
        &tables::cost(report),
        &errors::write(report, examples),
        &tables::settings(report),
        "</main>\n",
        &foot(report),
        &format!("<script>{SCRIPT}</script>\n</body></html>\n"),
    ]
    .concat()
}

/// A click on the name of a method hides its lines, and hovering highlights them, without a script.
fn toggle(number: usize) -> String {
    format!(
        "body:has(#show{number}:not(:checked)) .plots .m{number}{{display:none}}\
         body:has([for=show{number}]:hover) .plots .series:not(.m{number}){{opacity:.12}}\n"
    )
}

fn inputs(report: &EvaluationReport) -> String {
    report.labels.inputs.join(", ")
}

fn head(report: &EvaluationReport) -> String {
    let labels = &report.labels;
    let methods = numbers::counted(report.methods.len() as u64, "method");
    let documents = numbers::counted(labels.documents as u64, "document");
    let known = report.methods.iter().filter(|method| method.held_out.f1.value.is_finite());
    let best =
        known.reduce(
            |best, method| {
                if method.held_out.f1.value > best.held_out.f1.value { method } else { best }
            },
        );
    let lead = best.map_or_else(String::new, |best| {
        let f1 = &best.held_out.f1;
        format!(
            "<p class=\"lead\">Best on held-out documents: <b>{}</b>, F1 <b>{}</b> \
             <span class=\"soft\">({} to {})</span>.</p>\n",
            escape(&best.name),
            tables::share(f1.value),
            tables::share(f1.low),
            tables::share(f1.high)
        )
    });
    let facts = [
        ("documents", numbers::grouped(labels.documents as u64)),
        ("of them counted", numbers::grouped(labels.counted as u64)),
        ("clusters", numbers::grouped(labels.clusters as u64)),
        ("positive pairs", numbers::grouped(labels.positive_pairs)),
        ("ignored pairs", numbers::grouped(labels.ignored_pairs)),
    ];
    let facts: String = facts
        .iter()
        .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"))
        .collect();
    format!(
        "<header><p class=\"kicker\">firsthand eval</p>\n<h1>{methods} on <span dir=\"auto\">{}</span></h1>\n\
         {lead}<dl class=\"facts\">{facts}</dl>\n\
         <p><b>How labels are read.</b> {} <b>Their bias:</b> labels that were found with one measure \
         of overlap lack the pairs that this measure misses, and favour methods that resemble it. \
         With {documents} and {} positive pairs, look at the intervals before the figures.</p>\n\
         <p class=\"soft\">Made {} on {}, {}, by firsthand {}.</p></header>\n",
        escape(&inputs(report)),
        escape(&sentence(&labels.rule)),
        numbers::grouped(labels.positive_pairs),
        escape(&report.made),
        escape(&report.machine),
        numbers::counted(report.threads as u64, "thread"),
        escape(report.version),
    )
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

fn foot(report: &EvaluationReport) -> String {
    format!(
        "<footer><p>Intervals: 95 %, by bootstrap over clusters. Held out: the threshold is chosen \
         on half of the clusters and scored on the other half, {} times. Max F1 uses the threshold \
         that suits the scored labels best, so it is optimistic. A pair is stated <i>directly</i> if \
         it was verified; the <i>closure</i> joins stated pairs into whole groups.</p></footer>\n",
        report.methods.iter().map(|method| method.held_out.runs.len()).max().unwrap_or(0)
    )
}
