//! Lines over the threshold: F1, and the time that matching takes.

use super::figures::{self, figure, name_lines, shares};
use crate::plot::{Axis, Chart, Scale, Shape};
use crate::table::seconds as time_shown;
use firsthand_jobs::evaluate::{EvaluationReport, MethodReport};
use firsthand_jobs::numbers::{self, score};

/// F1 over the threshold, each method's own threshold marked.
pub(super) fn f1(report: &EvaluationReport) -> String {
    let floor = figures::floor(report);
    let said: Vec<String> = report.methods.iter().map(best).collect();
    let label = format!("F1 over the threshold. {}", said.join("; "));
    let (x, y) = (shares("threshold", floor), shares("F1", lowest(report)));
    let mut chart = Chart::new("f1", &label, figures::with_names(), &x, &y);
    // Drawn first, beneath the lines, so that hovering reaches the lines.
    let steps = (0..20).map(|step| f64::from(step) / 20.0).filter(|from| *from >= floor - 1e-9);
    for from in steps {
        chart.area((from, from + 0.05), &at_threshold(report, from + 0.025));
    }
    let mut ends = Vec::new();
    for (number, method) in report.methods.iter().enumerate() {
        let points: Vec<_> = method.curve.iter().map(|at| (at.threshold, at.f1)).collect();
        ends.push(points.last().copied());
        let own = (method.threshold, method.direct.f1.value);
        chart.group(&format!("series m{number}"), &best(method), |chart| {
            chart.line(&points);
            let title = format!(
                "{}: F1 {} at its threshold {}",
                method.name,
                score(own.1),
                score(method.threshold)
            );
            chart.point(Shape::Dot, own, &title);
        });
    }
    name_lines(&mut chart, report, &ends);
    figure(
        "F1 over the threshold",
        "The dot marks the threshold of a method's settings. Where the curve is broad, a threshold \
         that is a little off costs little.",
        &chart.finish(),
    )
}

/// The start of the axis of F1: low enough for all dots, but not much lower.
fn lowest(report: &EvaluationReport) -> f64 {
    let own = report.methods.iter().map(|method| method.direct.f1.value);
    let low = own.filter(|f1| f1.is_finite()).fold(0.8, f64::min);
    (((low - 0.15) * 10.0).floor() / 10.0).max(0.0)
}

fn best(method: &MethodReport) -> String {
    let at = method.best.threshold.map_or_else(String::new, |at| format!(" at {}", score(at)));
    format!("{}: highest F1 {}{at}", method.name, score(method.best.value.value))
}

/// The F1 of every method at a threshold, the best first.
fn at_threshold(report: &EvaluationReport, threshold: f64) -> String {
    let mut reached: Vec<(f64, &str)> = Vec::new();
    for method in &report.methods {
        // The pairs stated at a threshold are those of the next higher point.
        if let Some(point) = method.curve.iter().find(|point| point.threshold >= threshold) {
            reached.push((point.f1, &method.name));
        }
    }
    reached.sort_by(|a, b| b.0.total_cmp(&a.0));
    let lines: Vec<String> =
        reached.iter().map(|(f1, name)| format!("{}  {name}", score(*f1))).collect();
    format!("threshold {}\n{}", score(threshold), lines.join("\n"))
}

/// The time for matching over the threshold.
pub(super) fn time(report: &EvaluationReport) -> String {
    let seconds = || {
        let all = report.methods.iter().flat_map(|method| &method.cost.match_over_threshold);
        all.map(|(_, seconds)| *seconds).filter(|seconds| seconds.is_finite())
    };
    if seconds().next().is_none() {
        return String::new();
    }
    // Times below a tenth of a millisecond are not reliable.
    let held = |seconds: f64| seconds.max(1e-4);
    let scale = Scale::ratios(
        held(seconds().fold(f64::MAX, f64::min)),
        held(seconds().fold(0.0, f64::max)),
    );
    let ticks = scale.ticks(8).into_iter().map(|tick| (tick, rounded(tick))).collect();
    let thresholds = report.methods.iter().flat_map(|method| &method.cost.match_over_threshold);
    let low = thresholds.map(|(threshold, _)| *threshold).fold(1.0, f64::min);
    let x = shares("threshold", ((low * 20.0).floor() / 20.0).clamp(0.0, 0.9));
    let y = Axis { name: "matching time, log scale", scale, ticks };
    let label = "Time for matching over the threshold, a line for each method; the figures at the \
                 methods' own thresholds are in the table of costs";
    let size = crate::plot::Size { left: 58.0, ..figures::with_names() };
    let mut chart = Chart::new("time", label, size, &x, &y);
    let mut ends = Vec::new();
    for (number, method) in report.methods.iter().enumerate() {
        let points: Vec<_> =
            method.cost.match_over_threshold.iter().map(|(t, s)| (*t, held(*s))).collect();
        ends.push(points.last().copied());
        chart.group(&format!("series m{number}"), &method.name, |chart| {
            chart.line(&points);
            for &(threshold, seconds) in &method.cost.match_over_threshold {
                let shown = time_shown(seconds);
                let title = format!("{}: {shown} at {}", method.name, score(threshold));
                chart.point(Shape::Ring, (threshold, held(seconds)), &title);
            }
        });
    }
    name_lines(&mut chart, report, &ends);
    figure(
        "Time over the threshold",
        "Matching only, without reading and signing.",
        &chart.finish(),
    )
}

/// A round number of seconds.
fn rounded(seconds: f64) -> String {
    let plain = |number: f64| {
        let text = format!("{number:.1}");
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    };
    match seconds {
        ..0.9995 => format!("{} ms", plain(seconds * 1e3)),
        ..119.5 => format!("{} s", plain(seconds)),
        _ => format!("{} s", numbers::grouped(seconds.round() as u64)),
    }
}
