//! The parts that all pictures of the page share: sizes, axes and the names at the ends of lines.

use super::short_name;
use crate::markup::escape;
use crate::plot::{Anchor, Axis, Chart, Scale, Size, spread};
use firsthand_jobs::evaluate::EvaluationReport;

/// The size of a picture; two fit side by side.
pub(super) const SIZE: Size =
    Size { width: 600.0, height: 380.0, left: 46.0, right: 16.0, top: 34.0, bottom: 44.0 };

/// The width of the names at the right.
const NAMES: f64 = 150.0;

/// The size with room for names.
pub(super) fn with_names() -> Size {
    Size { right: NAMES, ..SIZE }
}

/// A picture with its heading and a caption that says what to look for.
pub(super) fn figure(heading: &str, caption: &str, svg: &str) -> String {
    format!(
        "<figure><h3>{}</h3><div class=\"scroll\">{svg}</div><figcaption>{}</figcaption></figure>\n",
        escape(heading),
        escape(caption)
    )
}

/// An axis of shares, from a low end to 1.
pub(super) fn shares(name: &str, low: f64) -> Axis<'_> {
    let scale = Scale::linear(low, 1.0);
    let ticks = scale.ticks(6);
    let tenths = ticks.iter().all(|tick| (tick * 10.0 - (tick * 10.0).round()).abs() < 1e-6);
    let decimals = if tenths { 1 } else { 2 };
    let ticks = ticks.into_iter().map(|tick| (tick, format!("{tick:.decimals$}"))).collect();
    Axis { name, scale, ticks }
}

/// The lowest threshold that was measured for any method, rounded down.
pub(super) fn floor(report: &EvaluationReport) -> f64 {
    let floors = report.methods.iter().map(|method| method.floor);
    let low = floors.chain([1.0]).filter(|floor| floor.is_finite()).fold(1.0, f64::min);
    ((low * 20.0).floor() / 20.0).clamp(0.0, 0.9)
}

/// Names beside the last points of lines, moved apart, each with a leader to its line.
pub(super) fn name_lines(
    chart: &mut Chart,
    report: &EvaluationReport,
    ends: &[Option<(f64, f64)>],
) {
    let size = chart.size();
    let known: Vec<(usize, (f64, f64))> =
        ends.iter().enumerate().filter_map(|(number, end)| Some((number, (*end)?))).collect();
    let (low, high) = (size.top, size.height - size.bottom);
    let place = |chart: &Chart, y: f64| chart.y(y).clamp(low, high);
    let wanted: Vec<f64> = known.iter().map(|(_, (_, y))| place(chart, *y)).collect();
    let places = spread(&wanted, 14.0, low, high + 8.0);
    let right = size.width - size.right;
    for (((number, (x, y)), at), wanted) in known.into_iter().zip(places).zip(wanted) {
        let name = short_name(&report.methods[number]);
        let from = chart.x(x).clamp(size.left, right);
        chart.group(&format!("series m{number}"), "", |chart| {
            if chart.y(y) == wanted {
                chart.stroke("lead", (from, wanted), (right + 8.0, wanted));
            }
            chart.stroke("lead", (right + 8.0, wanted), (right + 20.0, at));
            chart.words("label", (right + 23.0, at + 4.0), Anchor::Start, &name);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_ticks_say_the_same() {
        for tenths in 0..=9 {
            let axis = shares("", f64::from(tenths) / 10.0);
            let names: std::collections::HashSet<_> =
                axis.ticks.iter().map(|(_, name)| name).collect();
            assert!(names.len() == axis.ticks.len() && names.len() >= 3, "{:?}", axis.ticks);
        }
    }
}
