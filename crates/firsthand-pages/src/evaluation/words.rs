//! The figures in plain words: how labels are read, and which differences are certain.

use super::suppressed::MEANING;
use crate::table::range;
use firsthand_jobs::evaluate::{EvaluationReport, F1Difference, best_method};
use firsthand_jobs::labels::LabelSummary;
use firsthand_jobs::numbers::counted;
use firsthand_jobs::numbers::score;
use firsthand_jobs::visible::visible;

/// The labels, and what follows from the figures.
pub(super) fn about(report: &EvaluationReport) -> String {
    let mut lines = vec![
        labels(&report.labels),
        "Intervals are by bootstrap over clusters. Max F1 is the best over all thresholds, which is \
         optimistic; held-out F1 is measured on one half of the clusters, at the threshold chosen on \
         the other."
            .to_owned(),
        MEANING.to_owned(),
    ];
    lines.extend(verdict(report));
    lines.join("\n")
}

/// What is labelled, and how the labels are read.
pub(crate) fn labels(labels: &LabelSummary) -> String {
    let mut size = counted(labels.counted as u64, "document");
    if labels.clusters > 0 {
        size += &format!(" in {} of two or more", counted(labels.clusters as u64, "cluster"));
    }
    let positive = counted(labels.positive_pairs, "positive pair");
    format!("Labels: {size}, {positive}; {}.", visible(&labels.rule))
}

/// The best method, and the others that it clearly beats.
fn verdict(report: &EvaluationReport) -> Option<String> {
    let best = &report.methods[best_method(&report.methods)?];
    let held_out = best.held_out.f1;
    let name = visible(&best.name);
    let mut text = match held_out.value.is_nan() {
        true => format!("Best: {name}, max F1 {}", score(best.best.value.value)),
        false => {
            let interval = range(held_out.low, held_out.high);
            format!("Best: {name}, held-out F1 {} ({interval})", score(held_out.value))
        }
    };
    if let Some(at) = best.best.threshold {
        let own = score(best.threshold);
        text += &format!("; its best threshold is {}, its own is {own}", score(at));
    }
    text += ".";
    let (ties, behind): (Vec<_>, Vec<_>) =
        report.differences.iter().partition(|difference| difference.max_f1.low <= 0.0);
    let names = |list: &[&F1Difference]| {
        let names: Vec<_> = list.iter().map(|one| visible(&one.other).into_owned()).collect();
        names.join(", ")
    };
    if !ties.is_empty() {
        text += &format!(" Not clearly better in max F1 than {}.", names(&ties));
    }
    if !behind.is_empty() {
        text += &format!(" Clearly better than {}.", names(&behind));
    }
    Some(text)
}
