//! The report on a stream as one self-contained page for a browser: tables only, without scripts.

use super::table::{PAPER, best};
use crate::eval::table::{share, threshold};
use crate::markup::escape;
use crate::{numbers, plot};
use firsthand::evaluate::online::Spread;
use firsthand_jobs::evaluate::stream::{GridRow, StreamEvaluation, StreamMethodReport};

const STYLE: &str = include_str!("../page/page.css");

/// Writes the page.
pub(super) fn write(report: &StreamEvaluation) -> String {
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    let inputs = escape(&report.labels.inputs.join(", "));
    [
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
        "<meta name=\"referrer\" content=\"no-referrer\">\n",
        &format!("<title>Verdicts on a stream of {inputs}</title>\n"),
        &format!("<style>\n{}{STYLE}</style></head>\n<body>\n", plot::STYLE),
        &head(report, &inputs),
        "<main>\n",
        &quality(report),
        &guard(report),
        &grid(report),
        &errors(report),
        "</main>\n</body></html>\n",
    ]
    .concat()
}

fn head(report: &StreamEvaluation, inputs: &str) -> String {
    format!(
        "<header><p class=\"kicker\">firsthand eval --online</p>\n<h1>Verdicts on a stream of \
         <span dir=\"auto\">{inputs}</span></h1>\n<p>{} of {} in {} of two or more. {}</p>\n\
         <p class=\"soft\">Labels: {}. Made {} on {}, {}, by firsthand {}.</p></header>\n",
        numbers::counted(report.orders as u64, "random order"),
        numbers::counted(report.labels.documents as u64, "document"),
        numbers::counted(report.labels.clusters as u64, "cluster"),
        escape(report.scoring),
        escape(&report.labels.rule),
        escape(&report.made),
        escape(&report.machine),
        numbers::counted(report.threads as u64, "thread"),
        escape(report.version),
    )
}

/// A table; its cells are markup.
fn table(title: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
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

fn spread(spread: &Spread) -> String {
    let (low, high) = (share(spread.low), share(spread.high));
    format!("{}<small>{low}–{high}</small>", share(spread.mean))
}

fn quality(report: &StreamEvaluation) -> String {
    let heads = [
        "method",
        "threshold",
        "precision",
        "over clusters",
        "recall",
        "over clusters",
        "F1",
        "strict recall",
        "strict F1",
        "originals lost per 10,000",
        "in time: precision",
        "recall",
        "F1",
    ];
    let row = |method: &StreamMethodReport| {
        let random = &method.random.figures;
        let clusters = |spread: &Spread| {
            format!("{}–{}", share(spread.over_clusters.low), share(spread.over_clusters.high))
        };
        let mut cells = vec![
            escape(&method.name),
            threshold(method.threshold),
            spread(&random.precision),
            clusters(&random.precision),
            spread(&random.recall),
            clusters(&random.recall),
            spread(&random.f1),
            spread(&random.strict_recall),
            spread(&random.strict_f1),
            format!("{:.1}", random.suppressed_of_10_000.mean),
        ];
        let time = method.time.map(|time| time.figures);
        let time = time.map(|time| [time.precision, time.recall, time.f1].map(share));
        cells.extend(time.unwrap_or_else(|| ["–", "–", "–"].map(str::to_owned)));
        cells
    };
    let rows: Vec<_> = report.methods.iter().map(row).collect();
    table("Quality of verdicts: means, and 95 % intervals of the mean", &heads, &rows)
}

fn guard(report: &StreamEvaluation) -> String {
    let heads = [
        "method",
        "one figure changed",
        "called updates",
        "share",
        "other page furniture",
        "called updates",
        "share",
    ];
    let optional = |value: Option<f64>| value.map_or("–".to_owned(), share);
    let guards = report.methods.iter().filter_map(|method| Some((method, method.guard.as_ref()?)));
    let rows: Vec<_> = guards
        .map(|(method, guard)| {
            vec![
                escape(&method.name),
                numbers::grouped(guard.changed),
                numbers::grouped(guard.caught),
                optional(guard.recall),
                numbers::grouped(guard.furniture),
                numbers::grouped(guard.false_updates),
                optional(guard.false_rate),
            ]
        })
        .collect();
    table("The number guard", &heads, &rows)
}

fn grid(report: &StreamEvaluation) -> String {
    let heads = ["n", "f", "r", "precision", "recall", "F1", "the paper, on its documents"];
    let best = best(&report.grid);
    let row = |(at, row): (usize, &GridRow)| {
        let cell = |column: usize, value: &Spread| match best[column] == Some(at) {
            true => format!("<b>{}</b>", spread(value)),
            false => spread(value),
        };
        let known = PAPER.iter().find(|(n, f, r, _)| (*n, *f, *r) == (row.n, row.f, row.r));
        vec![
            row.n.to_string(),
            share(row.f),
            share(row.r),
            cell(0, &row.precision),
            cell(1, &row.recall),
            cell(2, &row.f1),
            known.map_or(String::new(), |paper| paper.3.map(share).join(" / ")),
        ]
    };
    let rows: Vec<_> = report.grid.iter().enumerate().map(row).collect();
    table("nrc by its parameters", &heads, &rows)
}

/// The most errors of each method on the page; errors.tsv lists all.
const SHOWN: usize = 20;

fn errors(report: &StreamEvaluation) -> String {
    let heads = ["document", "method", "error", "partner", "similarity", "orders"];
    let all = report.methods.iter().flat_map(|method| {
        method.errors.iter().take(SHOWN).map(|wrong| {
            vec![
                escape(&wrong.id),
                escape(&method.name),
                wrong.kind.to_owned(),
                escape(&wrong.partner),
                share(wrong.score),
                wrong.orders.to_string(),
            ]
        })
    });
    table("Wrong verdicts", &heads, &all.collect::<Vec<_>>())
}
