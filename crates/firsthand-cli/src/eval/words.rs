//! The figures in plain words: how labels are read, which differences are certain, and what to look
//! at next.

use super::explain_inputs;
use super::methods::RequestedMethod;
use super::table::{range, share, threshold};
use crate::numbers::{counted, grouped};
use crate::summary::flags;
use crate::visible::{shell_word, visible};
use firsthand_jobs::evaluate::{
    EvaluationReport, F1Difference, MethodReport, WrongPair, best_method,
};
use std::path::PathBuf;

/// The most errors of the best method that are shown.
const SHOWN: usize = 6;

/// The labels, and what follows from the figures.
pub(super) fn about(report: &EvaluationReport) -> String {
    let labels = &report.labels;
    let mut size = counted(labels.counted as u64, "document");
    if labels.clusters > 0 {
        size += &format!(" in {} of two or more", counted(labels.clusters as u64, "cluster"));
    }
    let positive = counted(labels.positive_pairs, "positive pair");
    let mut lines = vec![
        format!("Labels: {size}, {positive}; {}.", visible(&labels.rule)),
        "Intervals are by bootstrap over clusters. Max F1 is the best over all thresholds, which is \
         optimistic; held-out F1 is measured on one half of the clusters, at the threshold chosen on \
         the other."
            .to_owned(),
    ];
    lines.extend(verdict(report));
    lines.join("\n")
}

/// The best method, and the others that it clearly beats.
fn verdict(report: &EvaluationReport) -> Option<String> {
    let best = &report.methods[best_method(&report.methods)?];
    let held_out = best.held_out.f1;
    let mut text = match held_out.value.is_nan() {
        true => format!("Best: {}, max F1 {}", name(best), share(best.best.value.value)),
        false => {
            let interval = range(&held_out);
            format!("Best: {}, held-out F1 {} ({interval})", name(best), share(held_out.value))
        }
    };
    if let Some(at) = best.best.threshold {
        let own = threshold(best.threshold);
        text += &format!("; its best threshold is {}, its own is {own}", threshold(at));
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

fn name(method: &MethodReport) -> String {
    visible(&method.name).into_owned()
}

/// The worst errors of the best method, and how to look at them.
pub(super) fn errors(
    report: &EvaluationReport,
    methods: &[&RequestedMethod],
    inputs: &[PathBuf],
) -> String {
    let Some(best) = best_method(&report.methods) else { return String::new() };
    let (method, requested) = (&report.methods[best], methods[best]);
    let errors = &method.errors;
    let Some(worst) = errors.worst.first() else {
        return format!("{} makes no error on these labels.\n", name(method));
    };
    let mut text = format!(
        "\n{} states {} wrongly and misses {}; the worst:\n",
        name(method),
        counted(errors.false_pairs, "pair"),
        grouped(errors.missed_pairs)
    );
    for WrongPair { a, b, stated, score } in errors.worst.iter().take(SHOWN) {
        let kind = if *stated { "false " } else { "missed" };
        text += &format!("  {kind}  {}  {}  {}\n", share(*score), visible(a), visible(b));
    }
    if let Some(inputs) = explain_inputs(inputs) {
        let (a, b) = (shell_word(&worst.a), shell_word(&worst.b));
        text += &format!("Look: firsthand explain {a} {b}{inputs}{}\n", flags(&requested.args));
    }
    text
}
