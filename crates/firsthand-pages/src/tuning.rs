//! The result of tuning in words and figures.

use firsthand::evaluate::{Goal, Interval};
use firsthand::settings::Threshold;
use firsthand_jobs::numbers::{counted, score};
use firsthand_jobs::tune::{KeptSettings, RankedMethod, Tuning};

/// The most methods in the table.
const SHOWN: usize = 8;

/// Fewer positive pairs than this cannot show errors of one per cent.
const FEW: u64 = 100;

/// The best methods and the chosen one, a line each.
pub fn table(tuning: &Tuning, goal: Goal) -> String {
    let ranked = &tuning.ranked;
    let chosen = tuning.kept.as_ref().map(|kept| &kept.name);
    let is_shown =
        |(at, method): &(usize, &RankedMethod)| *at < SHOWN || Some(&method.name) == chosen;
    let shown = ranked.iter().enumerate().filter(is_shown).map(|(_, method)| method);
    let shown: Vec<&RankedMethod> = shown.collect();
    let width = shown.iter().map(|method| method.name.len()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:width$}  threshold    over runs  precision  recall     F1  (95 %)     {}\n",
        "method",
        if goal == Goal::F1 { "" } else { "  goal reached" }
    );
    for RankedMethod { name, threshold, candidate } in &shown {
        let [precision, recall, f1] = candidate.held_out;
        let at = threshold.map_or("none".to_owned(), |at| at.to_string());
        let runs = candidate
            .thresholds
            .map_or("none".to_owned(), |(low, high)| format!("{}-{}", score(low), score(high)));
        let (kept, all) = candidate.kept;
        let kept = if goal == Goal::F1 { String::new() } else { format!("  {kept:>7} of {all}") };
        text += &format!(
            "{name:width$}  {at:>9}  {runs:>11}  {:>9}  {:>6}  {}  {}-{}{kept}\n",
            score(precision.value),
            score(recall.value),
            score(f1.value),
            score(f1.low),
            score(f1.high),
        );
    }
    if ranked.len() > shown.len() {
        text += &format!("and {} more; `firsthand eval` shows all\n", ranked.len() - shown.len());
    }
    text
}

/// The condition that the goal sets.
pub fn condition(goal: Goal) -> String {
    match goal {
        Goal::F1 => "any F1".to_owned(),
        Goal::Recall { precision } => format!("a precision of {precision}"),
        Goal::Precision { recall } => format!("a recall of {recall}"),
    }
}

/// The choice, and how certain it is.
pub fn verdict(tuning: &Tuning, goal: Goal, threshold: Threshold) -> Vec<String> {
    let Some(best) = tuning.ranked.first() else { return Vec::new() };
    let few = few(tuning.labels.positive_pairs);
    if let Some(kept) = &tuning.kept {
        return [stays(kept, &best.name, threshold)].into_iter().chain(few).collect();
    }
    let [precision, recall, f1] = best.candidate.held_out.map(share);
    let mut lines = vec![format!(
        "Chosen: {} at threshold {threshold}. On held-out labels: precision {precision}, recall \
         {recall}, F1 {f1}.",
        best.name
    )];
    let (kept, runs) = best.candidate.kept;
    if goal != Goal::F1 && kept < runs {
        lines.push(format!(
            "Careful: {} was reached on only {kept} of {runs} held-out halves; more labels make it more \
             certain, and a stricter goal leaves a margin.",
            condition(goal)
        ));
    }
    // An interval that cannot be told is no proof either.
    let is_behind = |method: &RankedMethod| method.candidate.behind.low > 0.0;
    let is_tied = |method: &&RankedMethod| !is_behind(method);
    let rivals: Vec<&str> =
        tuning.ranked[1..].iter().filter(is_tied).map(|method| method.name.as_str()).collect();
    if tuning.ranked.len() == 1 {
        lines.push("No other method was measured.".to_owned());
    } else if rivals.is_empty() {
        lines.push("It is clearly better than every other method.".to_owned());
    } else {
        let first = rivals.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let more = match rivals.len().saturating_sub(5) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("On these labels it is not clearly better than {first}{more}."));
    }
    lines.extend(few);
    lines
}

/// Why the present settings stay.
fn stays(kept: &KeptSettings, best: &str, threshold: Threshold) -> String {
    let [low, high] = [kept.lead.low, kept.lead.high].map(score);
    let lead = match kept.lead.value < 0.0 {
        true => format!("behind by {}", score(-kept.lead.value)),
        false => format!("ahead by {}", score(kept.lead.value)),
    };
    format!(
        "Chosen: {} at threshold {}, the present settings: on these labels {} at {threshold}, the \
         best, is not clearly better. It is {lead}, with 95 % from {low} to {high}.",
        kept.name, kept.threshold, best
    )
}

/// A warning about few labels.
fn few(positives: u64) -> Option<String> {
    let pairs = counted(positives, "positive pair");
    (positives < FEW)
        .then(|| format!("There are only {pairs}: the figures may be off by several hundredths."))
}

fn share(interval: Interval) -> String {
    let [value, low, high] = [interval.value, interval.low, interval.high].map(score);
    format!("{value} ({low}-{high})")
}

/// Comments at the top of the config file that say where its settings come from.
pub fn remarks(tuning: &Tuning, best: &RankedMethod, goal: Goal) -> String {
    let [precision, recall, f1] = best.candidate.held_out.map(share);
    let (name, why, measured) = match &tuning.kept {
        None => (&best.name, "", "On held-out labels".to_owned()),
        Some(kept) => (
            &kept.name,
            ", the present settings, because no other is clearly better",
            format!("The best on held-out labels is {}", best.name),
        ),
    };
    let labels = &tuning.labels;
    let wanted = match goal {
        Goal::F1 => "the highest F1".to_owned(),
        Goal::Recall { precision } => format!("the highest recall at precision {precision}"),
        Goal::Precision { recall } => format!("the highest precision at recall {recall}"),
    };
    format!(
        "# Chosen by `firsthand tune` for {wanted}: {name}{why}.\n\
         # {measured}: precision {precision}, recall {recall}, F1 {f1}.\n\
         # Labels: {}, {}.\n\n",
        counted(labels.counted as u64, "document"),
        counted(labels.positive_pairs, "positive pair"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_may_be_behind_the_present_settings() {
        let threshold: Threshold = "0.5".parse().unwrap();
        let told = |value: f64| {
            let lead = Interval { value, low: -0.02, high: 0.01 };
            stays(&KeptSettings { name: "archive".to_owned(), threshold, lead }, "ddd", threshold)
        };
        assert!(told(-0.004).ends_with("It is behind by 0.004, with 95 % from -0.020 to 0.010."));
        assert!(told(0.004).contains("It is ahead by 0.004, "));
    }
}
