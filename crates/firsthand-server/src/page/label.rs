//! Labelling: pairs around the threshold, one after another; scores are hidden until there is an answer.

use super::differences;
use super::layout::Page;
use super::shown::{name, shown};
use firsthand_jobs::decisions::{Action, Grade};
use firsthand_jobs::numbers::{counted, score};
use firsthand_jobs::review::{HistoryLine, LabelPair, Review};
use maud::{Markup, html};

pub(super) fn page(review: &Review) -> Markup {
    let next = review.next_to_label();
    let state = review.labelling();
    let threshold = review.settings().threshold.value();
    let last = review.history(1).into_iter().next();
    let last = last.filter(|line| line.decision.action == Action::Label);
    let body = html! {
        h1 { "Are these two copies of each other?" }
        p.lead {
            (counted(state.answered as u64, "pair")) " of " (state.pairs) " answered. "
            @match state.precision {
                None => "Nothing can be said yet of the precision.",
                Some(precision) => {
                    "Of the answered pairs at or above the threshold, " (precision.yes) " of " (precision.of)
                    " are copies: precision " b { (format!("{:.3}", precision.value())) }
                    (format!(", 95 % interval {:.3} to {:.3}.", precision.low, precision.high))
                }
            }
            @if state.missed > 0 { " Below the threshold, copies are " (counted(state.missed as u64, "pair")) " so far." }
        }
        @if !state.searched {
            p.soft { "Texts cannot be searched again, so that only pairs at or above the threshold are offered." }
        }
        @if let Some(last) = &last { (answered(last, threshold)) }
        @match next {
            None => p { "There are no more pairs to label." },
            Some(_) if !review.keeps_texts() => p.warning {
                "There is nothing to compare: this store keeps no texts. Start the service with "
                code { "--keep-text" } "; the texts of documents that come from then on can be labelled."
            },
            Some((_, pair)) => (asked(review, &pair)),
        }
        p { a href="/export/labels.tsv" download { "Labels as a table" }
            " for " code { "firsthand tune" } " and " code { "firsthand learn" } " (" code { "--pairs labels.tsv" } ")" }
    };
    Page { title: "Label", current: "Label", mode: "label", body }.html(review)
}

/// The pair that was answered last, with its score.
fn answered(line: &HistoryLine, threshold: f64) -> Markup {
    let word = match line.decision.grade {
        Some(Grade::Yes) => "yes",
        Some(Grade::No) => "no",
        _ => "unsure",
    };
    let value = line.decision.score.unwrap_or(0.0);
    let side = if value >= threshold { "at or above" } else { "below" };
    html! {
        p.answered { "Last answer: " b { (word) } "; the score of that pair is " (score(value)) ", "
            (side) " the threshold." }
    }
}

fn asked(review: &Review, pair: &LabelPair) -> Markup {
    let LabelPair { a, b, .. } = pair;
    html! {
        div #pair data-a=(a.id) data-b=(b.id) {
            div.bar {
                button type="button" data-do="yes" aria-keyshortcuts="y" { "Yes" kbd { "y" } }
                button type="button" data-do="no" aria-keyshortcuts="n" { "No" kbd { "n" } }
                button type="button" data-do="unsure" aria-keyshortcuts="u" { "Unsure" kbd { "u" } }
            }
            div.row.head {
                div dir="auto" { (name(a.name())) br; code { (name(&a.id)) } }
                div dir="auto" { (name(b.name())) br; code { (name(&b.id)) } }
            }
            @match review.difference(a, b) {
                Ok(difference) => (differences::rows(&difference.explanation.passages)),
                Err(error) => p.warning { "The texts cannot be shown: " (shown(&error.to_string())) "." },
            }
        }
    }
}
