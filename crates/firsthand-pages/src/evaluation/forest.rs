//! F1 of all methods with its intervals, one below the other, to show which differences are certain.

use super::figures::{figure, shares};
use super::short_name;
use crate::plot::{Anchor, Axis, Chart, Scale, Shape, Size};
use firsthand_jobs::evaluate::{EvaluationReport, MethodReport};
use firsthand_jobs::numbers::score;
use std::cmp::Ordering;

/// The height of a row.
const ROW: f64 = 24.0;

pub(super) fn draw(report: &EvaluationReport) -> String {
    let mut rows: Vec<(usize, &MethodReport)> = report.methods.iter().enumerate().collect();
    // Methods without a held-out F1 come last.
    let rank = |method: &MethodReport| Some(method.held_out.f1.value).filter(|f1| f1.is_finite());
    rows.sort_by(|a, b| rank(b.1).partial_cmp(&rank(a.1)).unwrap_or(Ordering::Equal));
    let lows = report
        .methods
        .iter()
        .flat_map(|method| [method.direct.f1.low, method.held_out.f1.low, method.direct.f1.value]);
    let low = lows.filter(|low| low.is_finite()).fold(0.9, f64::min);
    let x = shares("F1", ((low - 0.01) * 10.0).floor().clamp(0.0, 8.0) / 10.0);
    let size = Size {
        width: 600.0,
        height: 20.0 + 44.0 + ROW * rows.len() as f64,
        left: 168.0,
        right: 24.0,
        top: 20.0,
        bottom: 44.0,
    };
    let y = Axis { name: "", scale: Scale::linear(0.0, rows.len() as f64), ticks: Vec::new() };
    let said: Vec<String> = rows.iter().map(|(_, method)| said(method)).collect();
    let mut chart =
        Chart::new("forest", &format!("F1 with intervals. {}", said.join("; ")), size, &x, &y);
    for (tick, _) in &x.ticks {
        let at = chart.x(*tick);
        chart.stroke("grid", (at, size.top), (at, size.height - size.bottom));
    }
    let rows_shown = rows.len() as f64;
    for (row, ((number, method), title)) in rows.into_iter().zip(&said).enumerate() {
        let value = rows_shown - row as f64 - 0.5;
        let middle = chart.y(value);
        // NaN is not drawn.
        let held = |share: f64| if share < x.scale.low() { x.scale.low() } else { share };
        chart.group(&format!("series m{number}"), title, |chart| {
            let name = (size.left - 12.0, middle + 4.0);
            chart.words("label", name, Anchor::End, &short_name(method));
            let f1 = &method.direct.f1;
            let (low, high) = (chart.x(held(f1.low)), chart.x(held(f1.high)));
            chart.stroke("whisker", (low, middle), (high, middle));
            let best = chart.x(held(method.best.value.value));
            chart.stroke("whisker", (best, middle - 6.0), (best, middle + 6.0));
            chart.point(Shape::Dot, (held(f1.value), value), title);
            chart.point(Shape::Ring, (held(method.held_out.f1.value), value), title);
        });
    }
    figure(
        "F1 and how sure it is",
        "Dot and line: F1 at the method's own threshold with its interval. Ring: F1 held out. \
         Upright: Max F1. Best held out first.",
        &chart.finish(),
    )
}

fn said(method: &MethodReport) -> String {
    let f1 = &method.direct.f1;
    format!(
        "{}: F1 {} ({} to {}), held out {}, Max F1 {}",
        method.name,
        score(f1.value),
        score(f1.low),
        score(f1.high),
        score(method.held_out.f1.value),
        score(method.best.value.value)
    )
}
