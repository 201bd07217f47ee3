//! The figures of a stream in plain words, and what to look at next.

use super::super::methods::RequestedMethod;
use super::super::{explain_inputs, table::share};
use crate::numbers::counted;
use crate::summary::flags;
use crate::visible::{shell_word, visible};
use firsthand_jobs::evaluate::stream::{StreamEvaluation, StreamMethodReport, WrongVerdict};
use std::path::PathBuf;

/// The most errors of a method that are shown.
const SHOWN: usize = 6;

/// The labels, and how verdicts are scored.
pub(super) fn about(report: &StreamEvaluation) -> String {
    let labels = &report.labels;
    let mut size = counted(labels.counted as u64, "document");
    if labels.clusters > 0 {
        size += &format!(" in {} of two or more", counted(labels.clusters as u64, "cluster"));
    }
    let orders = counted(report.orders as u64, "random order");
    let mut lines = vec![
        format!(
            "Labels: {size}, {}; {}.",
            counted(labels.positive_pairs, "positive pair"),
            visible(&labels.rule)
        ),
        report.scoring.to_owned(),
        format!(
            "Means over {orders} (seed {}) with the 95 % interval of the mean. lost/10k: originals \
             called copies, per 10,000 originals; updates: duplicates found as updates, per order.",
            report.seed
        ),
    ];
    lines.extend(report.methods.iter().map(clusters));
    let windows = report.methods.iter().filter(|method| method.time.is_some() && method.window);
    lines.extend(windows.map(|method| {
        format!(
            "{}: random orders ignore its window, but the order of time does not: copies of documents \
             older than the window count as missed there.",
            visible(&method.name)
        )
    }));
    if !report.grid.is_empty() {
        lines.push(
            "The paper measured on its own documents, so its figures cannot be compared directly; * \
             marks the best of a column."
                .to_owned(),
        );
    }
    lines.join("\n")
}

/// The intervals over clusters, and the number of each outcome.
fn clusters(method: &StreamMethodReport) -> String {
    let random = &method.random.figures;
    let [precision, recall] =
        [&random.precision, &random.recall].map(|spread| &spread.over_clusters);
    let counts = &method.random.counts;
    format!(
        "{}: by bootstrap over clusters, precision {}-{}, recall {}-{}; all orders together {} found, \
         {} missed, {} suppressed, {}, {} not counted.",
        visible(&method.name),
        share(precision.low),
        share(precision.high),
        share(recall.low),
        share(recall.high),
        counts.found,
        counts.missed,
        counts.suppressed,
        counted(counts.wrong_links, "wrong link"),
        counts.unclear
    )
}

/// The most frequent errors of each method, and how to look at them.
pub(super) fn errors(
    report: &StreamEvaluation,
    methods: &[RequestedMethod],
    inputs: &[PathBuf],
) -> String {
    let flags_of = |name: &str| {
        let requested = methods.iter().find(|method| method.named.name == name);
        requested.map(|method| flags(&method.args)).unwrap_or_default()
    };
    let inputs = explain_inputs(inputs);
    let errors = report.methods.iter().map(|method| {
        let look = inputs.as_ref().map(|inputs| format!("{inputs}{}", flags_of(&method.name)));
        errors_of(method, report.orders, look)
    });
    errors.collect()
}

/// `look` is the inputs and the settings as arguments of `firsthand explain`.
fn errors_of(method: &StreamMethodReport, orders: usize, look: Option<String>) -> String {
    let name = visible(&method.name);
    let Some(worst) = method.errors.first() else {
        return format!("\n{name} makes no error on these labels.\n");
    };
    let mut text = format!(
        "\n{name} gives {}; kind, number of orders (of {orders}), similarity, document and partner:\n",
        counted(method.errors.len() as u64, "wrong verdict")
    );
    for WrongVerdict { id, kind, partner, score, orders } in method.errors.iter().take(SHOWN) {
        let (id, partner) = (visible(id), visible(partner));
        text += &format!("  {kind:<10}  {orders:>3}  {}  {id}  {partner}\n", share(*score));
    }
    if let Some(look) = look {
        let (a, b) = (shell_word(&worst.id), shell_word(&worst.partner));
        text += &format!("Look: firsthand explain {a} {b}{look}\n");
    }
    text
}
