//! The members of a cluster as a table: those with the same text are one row.

use super::on_view::ClusterOnView;
use super::shown::{address, minute, name, shown};
use firsthand_jobs::numbers::{counted, grouped, score};
use firsthand_jobs::review::{GroupView, MemberView};
use maud::{Markup, html};
use std::collections::{BTreeSet, HashMap};

/// The most rows on a page.
const ROWS: usize = 200;
/// The most members with the same text that are listed below the first.
const FOLDED: usize = 500;

/// One group of a cluster; a cluster that was parted has several.
pub(super) fn table(cluster: &ClusterOnView<'_>, at: usize, group: &GroupView) -> Markup {
    let Some(original) = group.original() else { return html! {} };
    let heading = match (at, group.members.len()) {
        (0, _) => "Members",
        (_, 1) => "On its own",
        _ => "A cluster of its own",
    };
    let rows = folded(group);
    let from = if at == 0 { cluster.what.from.min(rows.len()) } else { 0 };
    let to = (from + ROWS).min(rows.len());
    let number = cluster.view.number;
    html! {
        section.group aria-label=(format!("{heading} {}", at + 1)) {
            h2 { (heading) }
            p { "Original: " b dir="auto" { (name(original.record.name())) } ", " (shown(&group.why)) "." }
            @if at == 0 && group.members.len() > 1 { (rules(group)) }
            div.scroll {
                table.members {
                    caption.hidden { (heading) }
                    thead { tr {
                        th scope="col" { span.hidden { "Choose" } }
                        th scope="col" { "Document" }
                        th.number scope="col" { "Score" }
                        th scope="col" { "Source" }
                        th scope="col" { "Time" }
                        th scope="col" { "Remarks" }
                    } }
                    tbody {
                        @for same in &rows[from..to] { (row(cluster, group, same)) }
                    }
                }
            }
            @if rows.len() > ROWS && at == 0 {
                nav.pages aria-label="More members" {
                    span.soft {
                        (grouped(from as u64 + 1)) " to " (grouped(to as u64)) " of "
                        (grouped(rows.len() as u64)) " different texts "
                    }
                    @if from > 0 {
                        a href=(format!("{}&from={}", cluster.what.query.cluster(number), from.saturating_sub(ROWS))) { "Earlier" }
                    }
                    @if to < rows.len() {
                        " " a href=(format!("{}&from={to}", cluster.what.query.cluster(number))) { "More" }
                    }
                }
            }
        }
    }
}

/// Other ways to choose the original.
fn rules(group: &GroupView) -> Markup {
    let sources: BTreeSet<&str> =
        group.members.iter().filter_map(|one| one.record.source.as_deref()).take(5000).collect();
    html! {
        p.rules { "Take as the original: "
            button type="button" data-do="rule" data-rule="earliest" { "the earliest" } " "
            button type="button" data-do="rule" data-rule="longest" { "the longest" } " "
            @if sources.len() > 1 {
                label { "of the source "
                    select #source-rule data-do="rule" {
                        option value="" { "…" }
                        @for source in sources.iter().take(200) {
                            option value=(source) { (name(source)) }
                        }
                    }
                }
            }
        }
    }
}

/// The first member with a text, and below it the others that have the same.
fn row(cluster: &ClusterOnView<'_>, group: &GroupView, row: &[&MemberView]) -> Markup {
    let Some((first, others)) = row.split_first() else { return html! {} };
    html! {
        (member(cluster, group, first))
        @if !others.is_empty() {
            tr.folded { td {} td colspan="5" {
                details {
                    summary { (counted(others.len() as u64, "other")) " with the same text" }
                    ul {
                        @for other in others.iter().take(FOLDED) {
                            li dir="auto" {
                                label {
                                    input type="checkbox" name="member" value=(other.record.id); " "
                                    (name(other.record.name()))
                                }
                                " " span.soft {
                                    (name(other.record.source.as_deref().unwrap_or_default())) " "
                                    (other.record.time.as_deref().map(minute).unwrap_or_default())
                                    @for tag in &other.tags { " " span.tag { (shown(tag)) } }
                                }
                            }
                        }
                    }
                    @if others.len() > FOLDED {
                        p.soft { "and " (grouped((others.len() - FOLDED) as u64)) " more" }
                    }
                }
            } }
        }
    }
}

fn member(cluster: &ClusterOnView<'_>, group: &GroupView, member: &MemberView) -> Markup {
    let record = &member.record;
    let is_original = group.original().is_some_and(|one| one.record.id == record.id);
    let is_chosen = cluster.chosen.is_some_and(|one| one.record.id == record.id);
    let href =
        format!("{}#beside", cluster.what.query.part(cluster.view.number, &record.id, "diff"));
    html! {
        tr.original[is_original] {
            td {
                input type="checkbox" name="member" value=(record.id)
                    aria-label=(format!("Choose {}", cut(record.name())));
            }
            th scope="row" {
                a.member dir="auto" href=(href) aria-current=[is_chosen.then_some("true")] {
                    (name(record.name()))
                }
                div.about {
                    @if record.title.is_some() { code dir="auto" { (name(&record.id)) } }
                    @if let Some(sender) = &record.sender { span.soft dir="auto" { "from " (name(sender)) } }
                    @if let Some(url) = &record.url { (address(url)) }
                    @for tag in &member.tags { span.tag dir="auto" { (shown(tag)) } }
                }
                @for note in &member.notes {
                    p.note { (shown(&note.note)) " " span.soft {
                        "– " (shown(note.person.as_deref().unwrap_or("somebody"))) ", " (minute(&note.time))
                    } }
                }
            }
            td.number {
                @if is_original { "original" }
                @else if member.exact { "exact" }
                @else { @match member.score { Some(value) => (score(value)), None => "by a person" } }
            }
            td dir="auto" { (name(record.source.as_deref().unwrap_or_default())) }
            td { (record.time.as_deref().map(minute).unwrap_or_default()) }
            td {
                @if let Some(via) = &member.via { "only by way of " span dir="auto" { (name(via)) } }
                @if member.record.decided || (member.score.is_none() && !is_original) {
                    "put here by a person"
                }
                @if member.cluster != cluster.view.number { " from cluster " (member.cluster) }
            }
        }
    }
}

/// Members with the same text as one row, in the order of the first of each.
fn folded(group: &GroupView) -> Vec<Vec<&MemberView>> {
    let mut rows: Vec<Vec<&MemberView>> = Vec::new();
    let mut known = HashMap::new();
    for member in &group.members {
        // Where the hash of a text is not known, nothing is folded.
        let key = member.record.text.as_deref().unwrap_or(&member.record.id);
        let at = *known.entry(key).or_insert(rows.len());
        match rows.get_mut(at) {
            Some(row) => row.push(member),
            None => rows.push(vec![member]),
        }
    }
    rows
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(100).map_or(text, |(end, _)| &text[..end])
}
