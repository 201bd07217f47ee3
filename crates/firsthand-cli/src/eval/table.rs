//! The report as two tables for a terminal: quality and cost.

use crate::{numbers, visible::visible};
use firsthand::evaluate::Interval;
use firsthand_jobs::evaluate::{EvaluationReport, MethodReport, best_method};
use std::time::Duration;

/// The quality of each method.
pub(super) fn quality(report: &EvaluationReport, colour: bool) -> String {
    let heads = [
        "method",
        "at",
        "prec.",
        "recall",
        "F1",
        "(95 %)",
        "max F1",
        "at",
        "R at P.99",
        "held-out",
        "(95 %)",
        "closure",
        "B3",
        "ARI",
    ];
    let row = |method: &MethodReport| {
        let clusters = method.clusters.as_ref();
        vec![
            visible(&method.name).into_owned(),
            threshold(method.threshold),
            share(method.direct.precision.value),
            share(method.direct.recall.value),
            share(method.direct.f1.value),
            range(&method.direct.f1),
            share(method.best.value.value),
            method.best.threshold.map_or("-".to_owned(), threshold),
            share(method.recall_at_99.value.value),
            share(method.held_out.f1.value),
            range(&method.held_out.f1),
            share(method.closure.f1.value),
            clusters.map_or("-".to_owned(), |clusters| share(clusters.b_cubed_f1)),
            clusters.map_or("-".to_owned(), |clusters| share(clusters.ari)),
        ]
    };
    let bold = best_method(&report.methods).filter(|_| colour && report.methods.len() > 1);
    aligned(&heads, report.methods.iter().map(row).collect(), bold)
}

/// The cost of each method.
pub(super) fn cost(report: &EvaluationReport) -> String {
    let heads = [
        "method",
        "parse",
        "sign",
        "match",
        "memory",
        "signatures",
        "compared",
        "stated",
        "false",
        "missed",
    ];
    let row = |method: &MethodReport| {
        let cost = &method.cost;
        let time = |seconds: f64| numbers::duration(Duration::from_secs_f64(seconds.max(0.0)));
        vec![
            visible(&method.name).into_owned(),
            time(cost.parse_seconds),
            time(cost.sign_seconds),
            time(cost.match_seconds),
            cost.peak_memory.map_or("-".to_owned(), numbers::bytes),
            numbers::grouped(cost.signatures),
            numbers::grouped(cost.verified),
            numbers::grouped(method.direct.stated),
            numbers::grouped(method.errors.false_pairs),
            numbers::grouped(method.errors.missed_pairs),
        ]
    };
    aligned(&heads, report.methods.iter().map(row).collect(), None)
}

/// `.985`; `1.00` for exactly 1, and `-` for NaN.
pub(super) fn share(value: f64) -> String {
    let text = format!("{:.3}", if value < 1.0 { value.min(0.999) } else { value });
    match text.strip_prefix("0.") {
        _ if value.is_nan() => "-".to_owned(),
        Some(decimals) => format!(".{decimals}"),
        None => format!("{value:.2}"),
    }
}

/// A threshold, cut rather than rounded: a pair at the true threshold also reaches the one shown.
pub(super) fn threshold(value: f64) -> String {
    share((value * 1000.0 + 1e-6).floor() / 1000.0)
}

/// `.960-.998`.
pub(super) fn range(interval: &Interval) -> String {
    if interval.value.is_nan() {
        return "-".to_owned();
    }
    format!("{}-{}", share(interval.low), share(interval.high))
}

/// Columns as wide as their widest cell: names left-aligned, figures right-aligned.
pub(super) fn aligned(heads: &[&str], rows: Vec<Vec<String>>, bold: Option<usize>) -> String {
    let width = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = heads.iter().map(|head| width(head)).collect();
    for row in &rows {
        for (known, cell) in widths.iter_mut().zip(row) {
            *known = (*known).max(width(cell));
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut line = String::new();
        for (at, (cell, &wide)) in cells.zip(&widths).enumerate() {
            let room = " ".repeat(wide.saturating_sub(width(cell)));
            match at {
                0 => line += &format!("{cell}{room}"),
                _ => line += &format!("  {room}{cell}"),
            }
        }
        line.trim_end().to_owned()
    };
    let mut text = line(&mut heads.iter().copied()) + "\n";
    for (at, row) in rows.iter().enumerate() {
        let line = line(&mut row.iter().map(String::as_str));
        text += &match bold == Some(at) {
            true => format!("\x1b[1m{line}\x1b[0m\n"),
            false => line + "\n",
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_as_papers_print_them() {
        let values = [0.0, 0.98549, 0.9999, 1.0, f64::NAN, -0.02];
        assert_eq!(values.map(share), [".000", ".985", ".999", "1.00", "-", "-0.02"]);
        assert_eq!([0.4609, 0.44, 1.0].map(threshold), [".460", ".440", "1.00"]);
        let interval = Interval { value: 0.9, low: 0.85, high: 1.0 };
        assert_eq!(range(&interval), ".850-1.00");
    }

    #[test]
    fn columns_are_aligned() {
        let rows =
            vec![vec!["a".to_owned(), "10".to_owned()], vec!["longer".to_owned(), "1".to_owned()]];
        assert_eq!(aligned(&["name", "n"], rows, None), "name     n\na       10\nlonger   1\n");
    }
}
