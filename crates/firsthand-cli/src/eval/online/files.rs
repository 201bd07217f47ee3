//! The report on a stream as a table for spreadsheets, and the list of all errors.

use crate::visible::visible;
use firsthand::evaluate::online::Spread;
use firsthand::{guard::Change, online::Verdict};
use firsthand_jobs::evaluate::stream::{StreamEvaluation, StreamMethodReport, WrongVerdict};
use firsthand_jobs::results::csv::cell;
use std::io::{self, Write};

/// `report.csv`: one row per method, then one row per combination of parameters of the grid.
pub(super) fn csv(out: &mut impl Write, report: &StreamEvaluation) -> io::Result<()> {
    let figures =
        ["precision", "recall", "f1", "strict_recall", "strict_f1", "suppressed_of_10_000"];
    let parts = ["", "_low", "_high", "_least", "_most", "_clusters_low", "_clusters_high"];
    let names = figures.iter().flat_map(|name| parts.map(|part| format!("{name}{part}")));
    let counts = ["found", "updates", "kept", "suppressed", "wrong_links", "missed", "unclear"];
    let rest =
        ["time_precision", "time_recall", "time_f1", "guard_recall", "guard_false_rate", "seconds"];
    let names: Vec<String> =
        names.chain(counts.map(str::to_owned)).chain(rest.map(str::to_owned)).collect();
    write!(out, "method,threshold,{}\r\n", names.join(","))?;
    for method in &report.methods {
        let values: Vec<String> = values(method);
        write!(out, "{},{},{}\r\n", cell(&method.name), method.threshold, values.join(","))?;
    }
    for row in &report.grid {
        let name = format!("nrc n={} f={} r={}", row.n, row.f, row.r);
        let values = [&row.precision, &row.recall, &row.f1].into_iter().flat_map(spread);
        let values: Vec<String> = values.collect();
        let empty = ",".repeat(names.len() - values.len());
        write!(out, "{},{},{}{empty}\r\n", cell(&name), row.r, values.join(","))?;
    }
    Ok(())
}

fn spread(spread: &Spread) -> impl Iterator<Item = String> {
    let clusters = &spread.over_clusters;
    let values = [spread.mean, spread.low, spread.high, spread.least, spread.most];
    values.into_iter().chain([clusters.low, clusters.high]).map(|value| value.to_string())
}

fn values(method: &StreamMethodReport) -> Vec<String> {
    let (random, counts) = (&method.random.figures, &method.random.counts);
    let spreads = [
        &random.precision,
        &random.recall,
        &random.f1,
        &random.strict_recall,
        &random.strict_f1,
        &random.suppressed_of_10_000,
    ];
    let counts = [
        counts.found,
        counts.updates,
        counts.kept,
        counts.suppressed,
        counts.wrong_links,
        counts.missed,
        counts.unclear,
    ];
    let some = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let time = method.time.map(|time| time.figures);
    let guard = method.guard.as_ref();
    let rest = [
        some(time.map(|time| time.precision)),
        some(time.map(|time| time.recall)),
        some(time.map(|time| time.f1)),
        some(guard.and_then(|guard| guard.recall)),
        some(guard.and_then(|guard| guard.false_rate)),
        method.seconds.to_string(),
    ];
    let spreads = spreads.into_iter().flat_map(spread);
    spreads.chain(counts.iter().map(u64::to_string)).chain(rest).collect()
}

/// `errors.tsv`: every document with a wrong verdict, and the number of orders in which it was wrong;
/// then the errors of the number guard, with figures in the column of the partner.
pub(super) fn errors(out: &mut impl Write, report: &StreamEvaluation) -> io::Result<()> {
    out.write_all(b"method\tkind\tid\tpartner\tscore\torders\n")?;
    for method in &report.methods {
        for WrongVerdict { id, kind, partner, score, orders } in &method.errors {
            let (name, id, partner) = (visible(&method.name), visible(id), visible(partner));
            writeln!(out, "{name}\t{kind}\t{id}\t{partner}\t{score}\t{orders}")?;
        }
        for error in method.guard.iter().flat_map(|guard| &guard.slips) {
            let kind = match (&error.made, error.verdict) {
                (Some(_), Verdict::Duplicate) => "figure-hidden",
                (None, Verdict::Update) => "false-update",
                _ => "guard-unlinked",
            };
            let shown = |change: &Change| format!("{} -> {}", change.before, change.after);
            let changes: Vec<String> = error.made.iter().chain(&error.found).map(shown).collect();
            let (name, id) = (visible(&method.name), visible(&error.id));
            writeln!(out, "{name}\t{kind}\t{id}\t{}\t\t", visible(&changes.join("; ")))?;
        }
    }
    Ok(())
}
