//! The figures of all methods in tables that can be sorted.

use super::curves::time_shown;
use crate::markup::escape;
use crate::numbers;
use firsthand::evaluate::Interval;
use firsthand_jobs::evaluate::{BestAt, EvaluationReport, MethodReport};

/// Three decimals, cut rather than rounded: only 1 is shown as 1.
pub(super) fn share(value: f64) -> String {
    if value.is_finite() { numbers::score(value) } else { "–".to_owned() }
}

/// Which values of a column are better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    High,
    Low,
    Neither,
}

struct Column {
    name: &'static str,
    hint: &'static str,
    better: Better,
    cell: fn(&MethodReport) -> Cell,
}

struct Cell {
    /// The sort key; none comes last.
    value: Option<f64>,
    shown: String,
}

impl Cell {
    fn new(value: f64, shown: String) -> Self {
        Self { value: Some(value).filter(|value| value.is_finite()), shown }
    }

    fn share(value: f64) -> Self {
        Self::new(value, share(value))
    }

    fn interval(interval: Interval) -> Self {
        let Interval { value, low, high } = interval;
        let range = format!("<small>{}–{}</small>", share(low), share(high));
        Self::new(value, format!("{}{range}", share(value)))
    }

    fn best(best: &BestAt) -> Self {
        let mut cell = Self::interval(best.value);
        if let Some(at) = best.threshold {
            cell.shown += &format!("<small>at {}</small>", share(at));
        }
        cell
    }

    fn count(count: u64) -> Self {
        Self::new(count as f64, numbers::grouped(count))
    }

    fn seconds(seconds: f64) -> Self {
        Self::new(seconds, time_shown(seconds))
    }

    fn absent() -> Self {
        Self { value: None, shown: "–".to_owned() }
    }
}

const QUALITY: [Column; 13] = {
    use Better::{High, Low, Neither};
    [
        column("threshold", "the threshold of the method's settings", Neither, |m| {
            Cell::share(m.threshold)
        }),
        column(
            "precision",
            "the share of stated pairs that are labelled near-duplicates",
            High,
            |m| Cell::interval(m.direct.precision),
        ),
        column("recall", "the share of positive pairs that are stated", High, |m| {
            Cell::interval(m.direct.recall)
        }),
        column("F1", "at the method's own threshold, pairs stated directly", High, |m| {
            Cell::interval(m.direct.f1)
        }),
        column("held-out F1", "at a threshold chosen on the other half", High, |m| {
            Cell::interval(m.held_out.f1)
        }),
        column("Max F1", "over all thresholds; optimistic", High, |m| Cell::best(&m.best)),
        column(
            "recall at P ≥ .99",
            "the highest recall at a precision of at least .99",
            High,
            |m| Cell::best(&m.recall_at_99),
        ),
        column("closure F1", "stated pairs joined into whole groups", High, |m| {
            Cell::interval(m.closure.f1)
        }),
        column("B³ F1", "B-cubed, by documents", High, |m| {
            m.clusters.map_or_else(Cell::absent, |clusters| Cell::share(clusters.b_cubed_f1))
        }),
        column("ARI", "adjusted Rand index", High, |m| {
            m.clusters.map_or_else(Cell::absent, |clusters| Cell::share(clusters.ari))
        }),
        column("stated", "stated pairs whose label is known", Neither, |m| {
            Cell::count(m.direct.stated)
        }),
        column("false", "stated pairs that are labelled different", Low, |m| {
            Cell::count(m.errors.false_pairs)
        }),
        column("missed", "positive pairs that are not stated", Low, |m| {
            Cell::count(m.errors.missed_pairs)
        }),
    ]
};

const COST: [Column; 6] = {
    use Better::{Low, Neither};
    [
        column("read", "reading and extraction, shared by all methods", Neither, |m| {
            Cell::seconds(m.cost.parse_seconds)
        }),
        column("sign", "from text to features", Low, |m| Cell::seconds(m.cost.sign_seconds)),
        column("match", "at the method's own threshold", Low, |m| {
            Cell::seconds(m.cost.match_seconds)
        }),
        column("memory", "peak of a whole dedup run, in a process of its own", Low, |m| {
            let bytes = |bytes: u64| Cell::new(bytes as f64, numbers::bytes(bytes));
            m.cost.peak_memory.map_or_else(Cell::absent, bytes)
        }),
        column("signatures", "features of all distinct texts", Low, |m| {
            Cell::count(m.cost.signatures)
        }),
        column("verified", "pairs compared in full", Low, |m| Cell::count(m.cost.verified)),
    ]
};

const fn column(
    name: &'static str,
    hint: &'static str,
    better: Better,
    cell: fn(&MethodReport) -> Cell,
) -> Column {
    Column { name, hint, better, cell }
}

/// The quality of the methods.
pub(super) fn quality(report: &EvaluationReport) -> String {
    let note = "Small figures are 95 % intervals. The best of a column is bold; click a heading to \
                sort.";
    section("Quality", "quality", note, &QUALITY, report)
}

/// The cost of the methods.
pub(super) fn cost(report: &EvaluationReport) -> String {
    section("Cost", "cost", "Times are of one run on the machine named above.", &COST, report)
}

fn section(
    heading: &str,
    id: &str,
    note: &str,
    columns: &[Column],
    report: &EvaluationReport,
) -> String {
    let heads: String = columns
        .iter()
        .map(|column| {
            let first = if column.better == Better::Low { "ascending" } else { "descending" };
            let (name, hint) = (escape(column.name), escape(column.hint));
            format!("<th scope=\"col\" data-first=\"{first}\" title=\"{hint}\">{name}</th>")
        })
        .collect();
    let cells: Vec<Vec<Cell>> = report
        .methods
        .iter()
        .map(|method| columns.iter().map(|column| (column.cell)(method)).collect())
        .collect();
    let best: Vec<Option<f64>> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let values = || cells.iter().filter_map(|row| row[at].value);
            let (least, most) = (values().min_by(f64::total_cmp), values().max_by(f64::total_cmp));
            match column.better {
                // If all are equal, none is best.
                _ if least == most => None,
                Better::High => most,
                Better::Low => least,
                Better::Neither => None,
            }
        })
        .collect();
    let rows: String = (report.methods.iter().zip(&cells).enumerate())
        .map(|(number, (method, cells))| {
            let cells: String =
                cells.iter().zip(&best).map(|(cell, best)| write(cell, *best)).collect();
            format!(
                "<tr><th scope=\"row\" class=\"m{number}\" title=\"{}\">{}</th>{cells}</tr>\n",
                escape(&method.about),
                escape(&method.name)
            )
        })
        .collect();
    format!(
        "<section><h2>{heading}</h2>\n<div class=\"scroll\"><table class=\"sortable\" id=\"{id}\">\
         <thead><tr><th scope=\"col\" data-first=\"ascending\">method</th>{heads}</tr></thead>\n\
         <tbody>{rows}</tbody></table></div>\n<p class=\"soft\">{note}</p></section>\n"
    )
}

fn write(cell: &Cell, best: Option<f64>) -> String {
    let value = cell.value.map_or_else(String::new, |value| format!(" data-value=\"{value}\""));
    let class = if cell.value.is_some() && cell.value == best { " class=\"best\"" } else { "" };
    format!("<td{value}{class}>{}</td>", cell.shown)
}

/// Whether the best method is clearly better than the others.
pub(super) fn differences(report: &EvaluationReport) -> String {
    let Some(first) = report.differences.first() else { return String::new() };
    let signed =
        |value: f64| format!("{}{}", if value < 0.0 { "−" } else { "+" }, share(value.abs()));
    let cell = |interval: &Interval| {
        let Interval { value, low, high } = *interval;
        let clear = low > 0.0 || high < 0.0;
        let (class, word) = if clear { ("clear", "clear") } else { ("tie", "may be chance") };
        format!(
            "<td data-value=\"{value}\">{}<small>{} to {}</small></td><td class=\"{class}\">{word}</td>",
            signed(value),
            signed(low),
            signed(high)
        )
    };
    let rows: String = report
        .differences
        .iter()
        .map(|difference| {
            format!(
                "<tr><th scope=\"row\">{}</th>{}{}</tr>\n",
                escape(&difference.other),
                cell(&difference.f1),
                cell(&difference.max_f1)
            )
        })
        .collect();
    format!(
        "<section><h2>Is the best one better?</h2>\n<p>F1 of <b>{}</b> minus F1 of each other \
         method, over the same draws of clusters.</p>\n<div class=\"scroll\"><table id=\"differences\" \
         class=\"sortable\"><thead><tr><th scope=\"col\" data-first=\"ascending\">method</th>\
         <th scope=\"col\" data-first=\"descending\">F1 at own thresholds</th><th scope=\"col\"></th>\
         <th scope=\"col\" data-first=\"descending\">Max F1</th><th scope=\"col\"></th></tr></thead>\n\
         <tbody>{rows}</tbody></table></div></section>\n",
        escape(&first.best)
    )
}

/// All settings of each method.
pub(super) fn settings(report: &EvaluationReport) -> String {
    let each: String = report
        .methods
        .iter()
        .map(|method| {
            let lines: Vec<String> = method.config.lines().map(escape).collect();
            format!(
                "<details><summary><b>{}</b> {}</summary><pre>{}</pre></details>\n",
                escape(&method.name),
                escape(&method.about),
                lines.join("\n")
            )
        })
        .collect();
    format!("<section><h2>Settings</h2>\n{each}</section>\n")
}
