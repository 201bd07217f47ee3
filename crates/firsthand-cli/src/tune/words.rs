//! What came out, in words and figures for a person.

use crate::eval::report::Labels;
use crate::numbers::{counted, grouped};
use crate::visible::shell_word;
use firsthand::evaluate::{Candidate, Goal, Interval};
use firsthand::settings::Threshold;
use std::path::Path;

/// Methods in the table.
const SHOWN: usize = 8;

/// Fewer positive pairs than this say little about errors of one in a hundred.
const FEW: u64 = 100;

/// The best methods, a line each.
pub(super) fn table(ranked: &[Candidate], names: &[&str], goal: Goal) -> String {
    let shown = &ranked[..ranked.len().min(SHOWN)];
    let width = shown.iter().map(|c| names[c.at].len()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:width$}  threshold  over runs  precision  recall     F1  (95 %)     {}\n",
        "method",
        if goal == Goal::F1 { "" } else { "  asked-for kept" }
    );
    for candidate in shown {
        let [precision, recall, f1] = candidate.held_out;
        let at = candidate.choice.and_then(|c| super::round::between(c.below, c.threshold));
        let at = at.map_or("none".to_owned(), |at| at.to_string());
        let runs = candidate
            .thresholds
            .map_or("none".to_owned(), |(low, high)| format!("{low:.2}-{high:.2}"));
        let (kept, all) = candidate.kept;
        let kept = if goal == Goal::F1 { String::new() } else { format!("  {kept:>7} of {all}") };
        text += &format!(
            "{:width$}  {at:>9}  {runs:>9}  {:>9.3}  {:>6.3}  {:.3}  {:.3}-{:.3}{kept}\n",
            names[candidate.at], precision.value, recall.value, f1.value, f1.low, f1.high,
        );
    }
    if ranked.len() > SHOWN {
        text += &format!("and {} more; `firsthand eval` shows all\n", ranked.len() - SHOWN);
    }
    text
}

/// What the goal asks for.
pub(super) fn condition(goal: Goal) -> String {
    match goal {
        Goal::F1 => "any F1".to_owned(),
        Goal::Recall { precision } => format!("a precision of {precision}"),
        Goal::Precision { recall } => format!("a recall of {recall}"),
    }
}

/// The choice, and how sure it is.
pub(super) fn verdict(
    ranked: &[Candidate],
    names: &[&str],
    goal: Goal,
    threshold: Threshold,
    positives: u64,
) -> Vec<String> {
    let best = &ranked[0];
    let [precision, recall, f1] = best.held_out.map(share);
    let mut lines = vec![format!(
        "Chosen: {} at threshold {threshold}. On labels that it was not chosen by: precision \
         {precision}, recall {recall}, F1 {f1}.",
        names[best.at]
    )];
    let (kept, runs) = best.kept;
    if goal != Goal::F1 && kept < runs {
        lines.push(format!(
            "Careful: {} held on {kept} of {runs} other halves only; more labels make it surer, \
             and a stricter demand leaves some room.",
            condition(goal)
        ));
    }
    let clearly = |candidate: &&Candidate| candidate.behind.low > 0.0;
    let rivals: Vec<&str> =
        ranked[1..].iter().filter(|c| !clearly(c)).map(|c| names[c.at]).collect();
    if rivals.is_empty() {
        lines.push("It is clearly better than every other.".to_owned());
    } else {
        let first = rivals.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let more = match rivals.len().saturating_sub(5) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("These labels do not tell it from {first}{more}."));
    }
    if positives < FEW {
        lines.push(format!(
            "There are only {}: the figures may be off by several hundredths.",
            counted(positives, "positive pair")
        ));
    }
    lines
}

fn share(interval: Interval) -> String {
    format!("{:.3} ({:.3}-{:.3})", interval.value, interval.low, interval.high)
}

/// Where the settings come from, as comments at their head.
pub(super) fn remarks(best: &Candidate, name: &str, goal: Goal, about: &Labels) -> String {
    let [precision, recall, f1] = best.held_out.map(share);
    let wanted = match goal {
        Goal::F1 => "the highest F1".to_owned(),
        Goal::Recall { precision } => format!("the highest recall at precision {precision}"),
        Goal::Precision { recall } => format!("the highest precision at recall {recall}"),
    };
    format!(
        "# Chosen by `firsthand tune` for {wanted}: {name}.\n\
         # On held-out labels: precision {precision}, recall {recall}, F1 {f1}.\n\
         # Labels: {} documents, {} positive pairs.\n\n",
        grouped(about.counted as u64),
        grouped(about.positive_pairs),
    )
}

/// What to do with the file.
pub(super) fn next(output: &Path, inputs: &[&Path], model: Option<&Path>) -> String {
    let words: Vec<_> =
        inputs.iter().map(|path| shell_word(&path.to_string_lossy()).into_owned()).collect();
    let output = shell_word(&output.to_string_lossy()).into_owned();
    let model = model.map_or(String::new(), |model| {
        format!(" --model {}", shell_word(&model.to_string_lossy()))
    });
    format!("Next: firsthand dedup {}{model} --config {output} -o result/", words.join(" "))
}
