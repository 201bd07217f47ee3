//! The history: who decided what and when, and what holds.

use super::layout::Page;
use super::shown::{minute, name, shown};
use firsthand_jobs::decisions::{Action, Decision, Grade, Named};
use firsthand_jobs::numbers::counted;
use firsthand_jobs::review::{HistoryLine, Review};
use maud::{Markup, html};

/// The most lines of the history.
const LINES: usize = 500;

pub(super) fn page(review: &Review) -> Markup {
    let lines = review.history(LINES);
    let body = html! {
        h1 { "History" }
        @if lines.is_empty() {
            p { "Nothing was decided yet." }
        } @else {
            div.scroll {
                table.history {
                    caption.hidden { "Decisions, the latest first" }
                    thead { tr {
                        th.number scope="col" { "Line" } th scope="col" { "When" } th scope="col" { "Who" }
                        th scope="col" { "What" } th scope="col" { "Cluster" } th scope="col" { "Holds" }
                    } }
                    tbody { @for line in &lines { (row(line)) } }
                }
            }
            @if lines.len() == LINES { p.soft { "Earlier decisions are in decisions.jsonl." } }
        }
    };
    Page { title: "History", current: "History", mode: "", body }.html(review)
}

fn row(line: &HistoryLine) -> Markup {
    let said = &line.decision;
    let can_undo = line.holds && !matches!(said.action, Action::Undo | Action::Redo);
    html! {
        tr.undone[!line.holds] {
            td.number { (line.line) }
            td { (minute(&said.time)) }
            td dir="auto" { (shown(said.person.as_deref().unwrap_or_default())) }
            th scope="row" dir="auto" { (words(said)) }
            td { @if let Some(number) = line.cluster { a href=(format!("/clusters/{number}")) { (number) } } }
            td {
                @if can_undo {
                    button type="button" data-do="undo-line" data-line=(line.line)
                        aria-label=(format!("Undo line {}", line.line)) { "Undo" }
                } @else if !line.holds { "undone" }
            }
        }
    }
}

/// A decision in words.
fn words(said: &Decision) -> Markup {
    let some = |documents: &[Named]| {
        html! {
            @match documents {
                [] => "nothing",
                [one] => (name(&one.id)),
                [first, ..] => { (counted(documents.len() as u64, "document")) ", " (name(&first.id)) " first" }
            }
        }
    };
    let (documents, others) = (some(&said.documents), some(&said.others));
    html! {
        @match said.action {
            Action::NotACopy => { (documents) " is not a copy of " (others) }
            Action::IsACopy => { (documents) " is a copy of " (some(&said.others[..said.others.len().min(1)])) }
            Action::Split => { "split out " (documents) }
            Action::Merge => { "merged " (documents) " with " (others) }
            Action::Keep => { "keep " (documents) }
            Action::Tag => { "tagged " (documents) " " @for tag in &said.tags { span.tag { (shown(tag)) } " " } }
            Action::Untag => { "took from " (documents) " " @for tag in &said.tags { span.tag { (shown(tag)) } " " } }
            Action::Skip => { "skipped " (documents) }
            Action::Note => { "noted on " (documents) ": " (shown(said.note.as_deref().unwrap_or_default())) }
            Action::Label => {
                "labelled " (documents) ": "
                @match said.grade { Some(Grade::Yes) => "yes", Some(Grade::No) => "no", _ => "unsure" }
            }
            Action::Undo => { "undid line " (said.of.unwrap_or(0)) }
            Action::Redo => { "redid line " (said.of.unwrap_or(0)) }
        }
    }
}
