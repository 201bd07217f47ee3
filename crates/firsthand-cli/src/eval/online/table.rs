//! The report as tables for a terminal.

use super::super::table::{aligned, share, threshold};
use crate::numbers;
use crate::visible::visible;
use firsthand::evaluate::online::Spread;
use firsthand_jobs::evaluate::stream::{GridRow, StreamEvaluation, StreamMethodReport};

/// The results of the paper that describes nrc, on its own documents: n, f, r, then precision, recall
/// and F1.
pub(super) const PAPER: [(usize, f64, f64, [f64; 3]); 2] =
    [(3, 0.8, 0.5, [0.991, 0.803, 0.887]), (3, 1.0, 0.2, [0.971, 0.940, 0.955])];

/// The quality of verdicts.
pub(super) fn quality(report: &StreamEvaluation) -> String {
    let is_timed = report.methods.iter().any(|method| method.time.is_some());
    let mut heads = vec![
        "method",
        "at",
        "prec.",
        "(95 %)",
        "recall",
        "(95 %)",
        "F1",
        "(95 %)",
        "strict R",
        "strict F1",
        "lost/10k",
        "updates",
    ];
    if is_timed {
        heads.extend(["in time: prec.", "recall", "F1"]);
    }
    let row = |method: &StreamMethodReport| {
        let random = &method.random.figures;
        let mut row = vec![visible(&method.name).into_owned(), threshold(method.threshold)];
        for spread in [&random.precision, &random.recall, &random.f1] {
            row.extend([share(spread.mean), range(spread)]);
        }
        row.push(share(random.strict_recall.mean));
        row.push(share(random.strict_f1.mean));
        row.push(format!("{:.1}", random.suppressed_of_10_000.mean));
        row.push(per_order(method.random.counts.updates, report.orders));
        if is_timed {
            let time = method.time.map(|time| time.figures);
            let figures = time.map(|time| [time.precision, time.recall, time.f1]);
            row.extend(figures.map_or(["-".to_owned(), "-".to_owned(), "-".to_owned()], |three| {
                three.map(share)
            }));
        }
        row
    };
    aligned(&heads, report.methods.iter().map(row).collect(), None)
}

/// `.960-.998`: the interval of the mean over orders.
pub(super) fn range(spread: &Spread) -> String {
    format!("{}-{}", share(spread.low), share(spread.high))
}

fn per_order(count: u64, orders: usize) -> String {
    format!("{:.1}", count as f64 / orders.max(1) as f64)
}

/// The errors of number guards; empty if no method has one.
pub(super) fn guard(report: &StreamEvaluation) -> String {
    let guards = report.methods.iter().filter_map(|method| Some((method, method.guard.as_ref()?)));
    let heads = [
        "guard of",
        "figure changed",
        "caught",
        "recall",
        "hidden",
        "furniture changed",
        "false updates",
        "rate",
        "unlinked",
    ];
    let optional = |value: Option<f64>| value.map_or("-".to_owned(), share);
    let rows: Vec<Vec<String>> = guards
        .map(|(method, guard)| {
            vec![
                visible(&method.name).into_owned(),
                numbers::grouped(guard.changed),
                numbers::grouped(guard.caught),
                optional(guard.recall),
                numbers::grouped(guard.hidden),
                numbers::grouped(guard.furniture),
                numbers::grouped(guard.false_updates),
                optional(guard.false_rate),
                numbers::grouped(guard.unlinked),
            ]
        })
        .collect();
    if rows.is_empty() { String::new() } else { "\n".to_owned() + &aligned(&heads, rows, None) }
}

/// nrc by its parameters; the best value of each column has a star.
pub(super) fn grid(report: &StreamEvaluation, colour: bool) -> String {
    if report.grid.is_empty() {
        return String::new();
    }
    let heads =
        ["nrc: n", "f", "r", "prec.", "recall", "F1", "(95 %)", "its paper: prec.", "recall", "F1"];
    let best = best(&report.grid);
    let row = |(at, row): (usize, &GridRow)| {
        let cell = |column: usize, value: f64| {
            let star = if best[column] == Some(at) { "*" } else { "" };
            format!("{star}{}", share(value))
        };
        let mut cells = vec![row.n.to_string(), share(row.f), share(row.r)];
        let values = [row.precision.mean, row.recall.mean, row.f1.mean];
        cells.extend(values.iter().enumerate().map(|(column, &value)| cell(column, value)));
        cells.push(range(&row.f1));
        let known = PAPER.iter().find(|(n, f, r, _)| (*n, *f, *r) == (row.n, row.f, row.r));
        cells.extend(known.iter().flat_map(|paper| paper.3.map(share)));
        cells
    };
    let rows = report.grid.iter().enumerate().map(row).collect();
    "\n".to_owned() + &aligned(&heads, rows, best[2].filter(|_| colour))
}

/// The positions of the first rows with the highest precision, recall and F1.
pub(super) fn best(grid: &[GridRow]) -> [Option<usize>; 3] {
    let figures: [fn(&GridRow) -> f64; 3] =
        [|row| row.precision.mean, |row| row.recall.mean, |row| row.f1.mean];
    figures.map(|figure| {
        (0..grid.len()).rev().max_by(|&a, &b| figure(&grid[a]).total_cmp(&figure(&grid[b])))
    })
}
