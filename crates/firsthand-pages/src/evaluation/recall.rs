//! Precision over recall, with faint lines of equal F1.

use super::figures::{self, figure, shares};
use crate::plot::{Anchor, Chart, Shape};
use firsthand_jobs::evaluate::{CurvePoint, EvaluationReport, MethodReport};
use firsthand_jobs::numbers::score;

pub(super) fn draw(report: &EvaluationReport) -> String {
    let shown: Vec<Vec<(f64, f64)>> = report.methods.iter().map(line).collect();
    let own = |method: &MethodReport| (method.direct.recall.value, method.direct.precision.value);
    let least = |pick: fn((f64, f64)) -> f64| {
        let all = report.methods.iter().map(own).map(pick).filter(|value| value.is_finite());
        // Good methods crowd in the corner, so the axes start a little below the worst one.
        let low = all.chain([0.8]).fold(1.0, f64::min);
        (((low - 0.05) * 10.0).floor() / 10.0).clamp(0.0, 0.7)
    };
    let (low_recall, low_precision) = (least(|(recall, _)| recall), least(|(_, p)| p));
    let said: Vec<String> = report
        .methods
        .iter()
        .map(|method| {
            let (recall, precision) = own(method);
            format!("{}: precision {}, recall {}", method.name, score(precision), score(recall))
        })
        .collect();
    let label =
        format!("Precision over recall. At the methods' own thresholds: {}", said.join("; "));
    let (x, y) = (shares("recall", low_recall), shares("precision", low_precision));
    let size = crate::plot::Size { right: 34.0, ..figures::SIZE };
    let mut chart = Chart::new("recall", &label, size, &x, &y);
    for tenths in 1..=9 {
        level(&mut chart, f64::from(tenths) / 10.0, (low_recall, low_precision));
    }
    level(&mut chart, 0.95, (low_recall, low_precision));
    for (number, (line, said)) in shown.iter().zip(&said).enumerate() {
        chart.group(&format!("series m{number}"), said, |chart| chart.line(line));
    }
    // Dots are drawn above all lines.
    for (number, method) in report.methods.iter().enumerate() {
        chart.group(&format!("series m{number}"), "", |chart| {
            let at = score(method.threshold);
            let title = format!("{}\nat its threshold {at}", said[number]);
            chart.point(Shape::Dot, own(method), &title);
        });
    }
    figure(
        "Precision over recall",
        "The dot is the threshold that a method comes with. Dotted lines join points of equal F1.",
        &chart.finish(),
    )
}

/// The curve from the highest threshold to the lowest, along which recall grows.
fn line(method: &MethodReport) -> Vec<(f64, f64)> {
    // If nothing is stated, precision is undefined.
    let stated = |point: &&CurvePoint| point.recall > 0.0;
    method.curve.iter().rev().filter(stated).map(|at| (at.recall, at.precision)).collect()
}

/// The line of equal F1, labelled at the right edge.
fn level(chart: &mut Chart, f1: f64, (low_recall, low_precision): (f64, f64)) {
    // 1/p + 1/r = 2/f1
    let precision = |recall: f64| recall * f1 / (2.0 * recall - f1);
    let end = precision(1.0);
    if end <= low_precision {
        return;
    }
    let from = (f1 / (2.0 - f1)).max(low_recall);
    let points: Vec<_> = (0..=60)
        .map(|step| from + (1.0 - from) * f64::from(step) / 60.0)
        .map(|recall| (recall, precision(recall)))
        .filter(|(_, precision)| (0.0..=1.000_001).contains(precision))
        .collect();
    chart.level(&points);
    let place = (chart.x(1.0) + 4.0, chart.y(end) + 4.0);
    chart.words("tick", place, Anchor::Start, &format!("{f1}"));
}
