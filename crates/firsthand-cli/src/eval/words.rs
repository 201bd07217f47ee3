//! The worst errors of methods, and the command that explains them.

use super::methods::{RequestedMethod, named};
use crate::numbers::{self, counted, grouped};
use crate::summary::flags;
use crate::visible::{shell_word, visible};
use firsthand_jobs::evaluate::stream::{StreamEvaluation, StreamMethodReport, WrongVerdict};
use firsthand_jobs::evaluate::{EvaluationReport, WrongPair, best_method};
use std::path::PathBuf;

/// The most errors of a method that are shown.
const SHOWN: usize = 6;

/// The worst errors of the best method.
pub(super) fn wrong_pairs(
    report: &EvaluationReport,
    methods: &[RequestedMethod],
    inputs: &[PathBuf],
) -> String {
    let Some(best) = best_method(&report.methods) else { return String::new() };
    let method = &report.methods[best];
    let (errors, name) = (&method.errors, visible(&method.name));
    let Some(worst) = errors.worst.first() else {
        return format!("{name} makes no error on these labels.\n");
    };
    let mut text = format!(
        "\n{name} states {} wrongly and misses {}; the worst:\n",
        counted(errors.false_pairs, "pair"),
        grouped(errors.missed_pairs)
    );
    for WrongPair { a, b, stated, score } in errors.worst.iter().take(SHOWN) {
        let kind = if *stated { "false " } else { "missed" };
        text += &format!("  {kind}  {}  {}  {}\n", numbers::score(*score), visible(a), visible(b));
    }
    text + &look(&worst.a, &worst.b, inputs, named(methods, &method.name))
}

/// The most frequent errors of each method on a stream.
pub(super) fn wrong_verdicts(
    report: &StreamEvaluation,
    methods: &[RequestedMethod],
    inputs: &[PathBuf],
) -> String {
    let errors = |method: &StreamMethodReport| {
        let name = visible(&method.name);
        let Some(worst) = method.errors.first() else {
            return format!("\n{name} makes no error on these labels.\n");
        };
        let mut text = format!(
            "\n{name} gives {}; kind, number of orders (of {}), similarity, document and partner:\n",
            counted(method.errors.len() as u64, "wrong verdict"),
            report.orders
        );
        for WrongVerdict { id, kind, partner, score, orders } in method.errors.iter().take(SHOWN) {
            let (id, partner) = (visible(id), visible(partner));
            text += &format!(
                "  {kind:<10}  {orders:>3}  {}  {id}  {partner}\n",
                numbers::score(*score)
            );
        }
        text + &look(&worst.id, &worst.partner, inputs, named(methods, &method.name))
    };
    report.methods.iter().map(errors).collect()
}

/// The command that explains a pair; none if the documents came from standard input.
fn look(a: &str, b: &str, inputs: &[PathBuf], method: Option<&RequestedMethod>) -> String {
    if inputs.iter().any(|input| input.as_os_str() == "-") {
        return String::new();
    }
    let path = |input: &PathBuf| shell_word(&input.to_string_lossy()).into_owned();
    let inputs: String = inputs.iter().map(|input| format!(" --in {}", path(input))).collect();
    let flags = method.map(|method| flags(&method.args)).unwrap_or_default();
    format!("Look: {}\n", firsthand_pages::explain_command(a, b, &(inputs + &flags)))
}
