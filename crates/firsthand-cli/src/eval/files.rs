//! The report as a table for spreadsheets, and the list of all errors.

use crate::visible::visible;
use firsthand::evaluate::Interval;
use firsthand_jobs::evaluate::{EvaluationReport, MethodReport, WrongPair, WrongPairs};
use firsthand_jobs::results::csv::cell;
use std::io::{self, Write};

/// `report.csv`: one row per method.
pub(super) fn csv(out: &mut impl Write, report: &EvaluationReport) -> io::Result<()> {
    let mut names = vec!["method", "threshold"];
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (number, method) in report.methods.iter().enumerate() {
        let columns = columns(method);
        if number == 0 {
            names.extend(columns.iter().map(|(name, _)| *name));
        }
        let mut row = vec![cell(&method.name), method.threshold.to_string()];
        row.extend(columns.into_iter().map(|(_, value)| value));
        rows.push(row);
    }
    write!(out, "{}\r\n", names.join(","))?;
    for row in rows {
        write!(out, "{}\r\n", row.join(","))?;
    }
    Ok(())
}

fn columns(method: &MethodReport) -> Vec<(&'static str, String)> {
    let text = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
    let some = |value: Option<f64>| value.map(text).unwrap_or_default();
    let three = |names: [&'static str; 3], interval: &Interval| {
        let values = [interval.value, interval.low, interval.high];
        names.into_iter().zip(values.map(text)).collect::<Vec<_>>()
    };
    let (direct, closure, cost) = (&method.direct, &method.closure, &method.cost);
    let clusters = method.clusters.as_ref();
    [
        three(["precision", "precision_low", "precision_high"], &direct.precision),
        three(["recall", "recall_low", "recall_high"], &direct.recall),
        three(["f1", "f1_low", "f1_high"], &direct.f1),
        vec![("stated", direct.stated.to_string()), ("hits", direct.hits.to_string())],
        three(["max_f1", "max_f1_low", "max_f1_high"], &method.best.value),
        vec![("max_f1_threshold", some(method.best.threshold))],
        three(
            ["recall_at_99", "recall_at_99_low", "recall_at_99_high"],
            &method.recall_at_99.value,
        ),
        vec![("recall_at_99_threshold", some(method.recall_at_99.threshold))],
        three(["held_out_f1", "held_out_f1_low", "held_out_f1_high"], &method.held_out.f1),
        vec![
            ("closure_precision", text(closure.precision.value)),
            ("closure_recall", text(closure.recall.value)),
        ],
        three(["closure_f1", "closure_f1_low", "closure_f1_high"], &closure.f1),
        vec![
            ("b_cubed_precision", some(clusters.map(|clusters| clusters.b_cubed_precision))),
            ("b_cubed_recall", some(clusters.map(|clusters| clusters.b_cubed_recall))),
            ("b_cubed_f1", some(clusters.map(|clusters| clusters.b_cubed_f1))),
            ("ari", some(clusters.map(|clusters| clusters.ari))),
            ("false_pairs", method.errors.false_pairs.to_string()),
            ("missed_pairs", method.errors.missed_pairs.to_string()),
            ("parse_seconds", text(cost.parse_seconds)),
            ("sign_seconds", text(cost.sign_seconds)),
            ("match_seconds", text(cost.match_seconds)),
            (
                "peak_memory_bytes",
                cost.peak_memory.map(|peak| peak.to_string()).unwrap_or_default(),
            ),
            ("signatures", cost.signatures.to_string()),
            ("verified", cost.verified.to_string()),
        ],
    ]
    .concat()
}

/// `errors.tsv`: every pair on which a method is wrong.
pub(super) fn errors<'a>(
    out: &mut impl Write,
    methods: impl Iterator<Item = (&'a str, &'a WrongPairs)>,
    ids: &[String],
) -> io::Result<()> {
    out.write_all(b"method\tkind\ta\tb\tscore\n")?;
    for (method, wrong) in methods {
        for WrongPair { a, b, stated, score } in wrong.list(ids) {
            let kind = if stated { "false" } else { "missed" };
            let (method, a, b) = (visible(method), visible(&a), visible(&b));
            writeln!(out, "{method}\t{kind}\t{a}\t{b}\t{score}")?;
        }
    }
    Ok(())
}
