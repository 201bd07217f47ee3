//! What the figures of a stream mean, in plain words, and what to look at next.

use super::report::{Method, StreamEvaluation, Wrong};
use crate::eval::table::share;
use crate::numbers::counted;
use crate::visible::{shell_word, visible};
use std::path::PathBuf;

/// As many errors of a method are shown.
const SHOWN: usize = 6;

/// The rules, as of Rodier and Carter (2020), section 3.2, and where they go further.
pub(super) const SCORING: &str = "The first document that arrives from a cluster is its original. A \
    duplicate counts as found if it is linked to any earlier document of its cluster, be it as a \
    duplicate or as an update. Precision is the share of links that are right, recall the share of \
    duplicates that are found; a document that cannot be compared counts as called an original, and \
    the very first is not counted. Strictly, a duplicate with a wrong link is also one that was \
    missed. Documents that nobody labelled arrive like all others; they, and links to them or of \
    pairs graded as neither, do not count.";

/// What was measured on, and how.
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
        format!("{SCORING}"),
        format!(
            "Means over {orders} (seed {}) with the 95 % interval of the mean. lost/10k: originals \
             called copies, of 10,000; updates: duplicates found as updates, an order.",
            report.seed
        ),
    ];
    lines.extend(report.methods.iter().map(clusters));
    let windows = report.methods.iter().filter(|method| method.time.is_some() && method.window);
    lines.extend(windows.map(|method| {
        format!(
            "{}: random orders see all of the past, but in time its window holds: copies of older \
             documents count as missed there.",
            visible(&method.name)
        )
    }));
    if !report.grid.is_empty() {
        lines.push(
            "The paper's figures are of its own documents and not to be compared one by one; * is \
             the best of a column."
                .to_owned(),
        );
    }
    lines.join("\n")
}

/// How sure the figures are, the labels being a sample.
fn clusters(method: &Method) -> String {
    let [precision, recall] =
        [&method.random.precision, &method.random.recall].map(|spread| &spread.over_clusters);
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
pub(super) fn errors(report: &StreamEvaluation, inputs: &[PathBuf]) -> String {
    report.methods.iter().map(|method| errors_of(method, report.orders, inputs)).collect()
}

fn errors_of(method: &Method, orders: usize, inputs: &[PathBuf]) -> String {
    let name = visible(&method.name);
    let Some(worst) = method.errors.first() else {
        return format!("\n{name} makes no mistake here.\n");
    };
    let mut text = format!(
        "\n{name} is wrong about {}; in how many of {orders} orders, similarity, document and partner:\n",
        counted(method.errors.len() as u64, "link")
    );
    for Wrong { id, kind, partner, score, orders } in method.errors.iter().take(SHOWN) {
        let (id, partner) = (visible(id), visible(partner));
        text += &format!("  {kind:<10}  {orders:>3}  {}  {id}  {partner}\n", share(*score));
    }
    if inputs.iter().all(|input| input.as_os_str() != "-") {
        let path = |input: &PathBuf| shell_word(&input.to_string_lossy()).into_owned();
        let inputs: String = inputs.iter().map(|input| format!(" --in {}", path(input))).collect();
        let (a, b) = (shell_word(&worst.id), shell_word(&worst.partner));
        text += &format!("Look: firsthand explain {a} {b}{inputs}{}\n", method.flags);
    }
    text
}
