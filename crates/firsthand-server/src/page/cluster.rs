//! A cluster: its original and why, its members, a time line, and what differs.

use super::address::{ListQuery, encoded};
use super::differences;
use super::layout::Page;
use super::list::badge;
use super::shown::{address, minute, name, shown};
use super::timeline;
use firsthand_jobs::numbers::{counted, grouped, score};
use firsthand_jobs::review::{
    ClusterView, Difference, Freshness, GroupView, MemberView, Review, ReviewError, Stack,
};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// The most rows of members on a page.
const ROWS: usize = 200;
/// The most members with the same text that are listed below the first.
const FOLDED: usize = 500;

/// What of a cluster is shown.
pub(super) struct Shown<'a> {
    pub(super) query: &'a ListQuery,
    /// The id of the member that is shown beside the original.
    pub(super) member: Option<&'a str>,
    /// `diff`, `stack`, `text` or `page`.
    pub(super) show: &'a str,
    /// The number of rows of members before those that are shown.
    pub(super) from: usize,
}

pub(super) fn page(review: &Review, number: u32, what: &Shown<'_>) -> Result<Markup, ReviewError> {
    let view = review.view(number)?;
    let (before, after) = review.beside(&what.query.query, number);
    let main = view.groups.first().ok_or(ReviewError::NoDocument)?;
    let original = main.original().ok_or(ReviewError::NoDocument)?;
    let chosen = what.member.and_then(|id| find(&view, id));
    let chosen = chosen.or_else(|| default_member(main));
    let cluster = Cluster { review, view: &view, what, chosen };
    let body = html! {
        nav.beside aria-label="Clusters beside this one" {
            @if let Some(before) = before {
                a rel="prev" href=(what.query.cluster(before)) aria-keyshortcuts="k" { "← Previous" kbd { "k" } }
            }
            a rel="up" href=(what.query.first_page()) { "All clusters" }
            @if let Some(after) = after {
                a rel="next" href=(what.query.cluster(after)) aria-keyshortcuts="j" { "Next →" kbd { "j" } }
            }
        }
        h1 dir="auto" { (name(original.record.name())) }
        p.soft #cluster data-number=(number) {
            "Cluster " (number) ", " (counted(all(&view) as u64, "document")) " " (badge(view.state))
            @if view.clusters.len() > 1 {
                "; merged with "
                @for other in view.clusters.iter().filter(|other| **other != number) {
                    a href=(what.query.cluster(*other)) { (other) } " "
                }
            }
        }
        (cluster.tags())
        (cluster.actions(main))
        @for (at, group) in view.groups.iter().enumerate() { (cluster.group(at, group)) }
        (timeline::figure(&view))
        (cluster.beside())
    };
    Ok(Page { title: original.record.name(), current: "Clusters", mode: "cluster", body }
        .html(review))
}

fn all(view: &ClusterView) -> usize {
    view.groups.iter().map(|group| group.members.len()).sum()
}

fn find<'a>(view: &'a ClusterView, id: &str) -> Option<&'a MemberView> {
    view.groups.iter().flat_map(|group| &group.members).find(|member| member.record.id == id)
}

/// The first member whose text differs, or else the first that is not the original.
fn default_member(group: &GroupView) -> Option<&MemberView> {
    let others = || group.members.iter().skip(1);
    others().find(|member| !member.exact).or_else(|| others().next()).or(group.members.first())
}

struct Cluster<'a> {
    review: &'a Review,
    view: &'a ClusterView,
    what: &'a Shown<'a>,
    chosen: Option<&'a MemberView>,
}

impl Cluster<'_> {
    fn tags(&self) -> Markup {
        html! {
            @if !self.view.tags.is_empty() {
                p.tags { "Tags: "
                    @for tag in &self.view.tags {
                        span.tag dir="auto" { (shown(tag))
                            button type="button" data-do="untag" data-tag=(tag)
                                aria-label=(format!("Remove the tag {tag}")) { "×" }
                        } " "
                    }
                }
            }
        }
    }

    fn actions(&self, main: &GroupView) -> Markup {
        let sources: BTreeSet<&str> =
            main.members.iter().filter_map(|one| one.record.source.as_deref()).take(5000).collect();
        let button = |act: &str, key: &str, text: &str| {
            html! {
                button type="button" data-do=(act) aria-keyshortcuts=(key) { (text) kbd { (key) } }
            }
        };
        html! {
            section.actions aria-label="Decide" {
                p.soft #chosen {
                    "What you do is about the members that you choose below; without a choice, about the \
                     member that is shown beside the original, and tags about all."
                }
                div.bar {
                    form.inline data-do="tag" {
                        label { "Tag " input #tag name="tag" type="text" maxlength="200" size="12" autocomplete="off"; }
                        button type="submit" aria-keyshortcuts="t" { "Tag" kbd { "t" } }
                    }
                    (button("keep", "c", "Keep this one"))
                    (button("split", "x", "Split out"))
                    (button("not-a-copy", "d", "Not a copy"))
                    (button("is-a-copy", "i", "Is a copy"))
                    form.inline data-do="merge" {
                        label { "Merge with "
                            input #merge name="with" type="text" size="8" autocomplete="off"
                                placeholder="number or id";
                        }
                        button type="submit" aria-keyshortcuts="m" { "Merge" kbd { "m" } }
                    }
                    (button("skip", "s", "Skip"))
                    form.inline data-do="note" {
                        label { "Note " input #note name="note" type="text" maxlength="5000" size="16"; }
                        button type="submit" aria-keyshortcuts="w" { "Note" kbd { "w" } }
                    }
                }
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
    }

    fn group(&self, at: usize, group: &GroupView) -> Markup {
        let Some(original) = group.original() else { return html! {} };
        let heading = match (at, group.members.len()) {
            (0, _) => "Members",
            (_, 1) => "On its own",
            _ => "A cluster of its own",
        };
        let rows = folded(group);
        let from = if at == 0 { self.what.from.min(rows.len()) } else { 0 };
        let to = (from + ROWS).min(rows.len());
        let number = self.view.number;
        html! {
            section.group aria-label=(format!("{heading} {}", at + 1)) {
                h2 { (heading) }
                p { "Original: " b dir="auto" { (name(original.record.name())) } ", " (shown(&group.why)) "." }
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
                            @for row in &rows[from..to] { (self.row(group, row)) }
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
                            a href=(format!("{}&from={}", self.what.query.cluster(number), from.saturating_sub(ROWS))) { "Earlier" }
                        }
                        @if to < rows.len() {
                            " " a href=(format!("{}&from={to}", self.what.query.cluster(number))) { "More" }
                        }
                    }
                }
            }
        }
    }

    /// The first member with a text, and below it the others that have the same.
    fn row(&self, group: &GroupView, row: &[&MemberView]) -> Markup {
        let Some((first, others)) = row.split_first() else { return html! {} };
        html! {
            (self.member(group, first))
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

    fn member(&self, group: &GroupView, member: &MemberView) -> Markup {
        let record = &member.record;
        let is_original = group.original().is_some_and(|one| one.record.id == record.id);
        let is_chosen = self.chosen.is_some_and(|one| one.record.id == record.id);
        let href = format!("{}#beside", self.what.query.part(self.view.number, &record.id, "diff"));
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
                    @if record.title.is_some() { br; code dir="auto" { (name(&record.id)) } }
                    @if let Some(sender) = &record.sender { br; span.soft dir="auto" { "from " (name(sender)) } }
                    @if let Some(url) = &record.url { (address(url)) }
                    @for tag in &member.tags { " " span.tag dir="auto" { (shown(tag)) } }
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
                    @if member.cluster != self.view.number { " from cluster " (member.cluster) }
                }
            }
        }
    }

    /// The chosen member beside the original, or another way to look at the group.
    fn beside(&self) -> Markup {
        let Some(chosen) = self.chosen else { return html! {} };
        let Some(group) = self.view.group_of(&chosen.record.id) else { return html! {} };
        let main = self.view.groups.first();
        // A document that was parted is still compared with what it was parted from.
        let original = match group.members.len() {
            1 => main.and_then(GroupView::original),
            _ => group.original(),
        };
        let Some(original) = original else { return html! {} };
        let number = self.view.number;
        let id = &chosen.record.id;
        let tab = |show: &str, text: &str| {
            let href = format!("{}#beside", self.what.query.part(number, id, show));
            let current = (show == self.what.show).then_some("true");
            html! { a href=(href) aria-current=[current] data-show=(show) { (text) } }
        };
        let (previous, next) = around(group, id);
        let step = |member: Option<&MemberView>, rel: &str, key: &str, text: &str| {
            html! {
                @if let Some(member) = member {
                    a data-step=(rel) aria-keyshortcuts=(key)
                        href=(format!("{}#beside", self.what.query.part(number, &member.record.id, self.what.show))) {
                        (text) kbd { (key) }
                    }
                }
            }
        };
        html! {
            section.beside #beside aria-label="Differences" data-member=(id) data-original=(original.record.id) {
                h2 { "Beside the original" }
                nav.tabs aria-label="What is shown" {
                    (tab("diff", "Differences")) (tab("stack", "Stack of all variants"))
                    (tab("text", "Text of the original")) (tab("page", "Page as it was"))
                    span.steps {
                        (step(previous, "previous", "h", "← Member")) (step(next, "next", "l", "Member →"))
                    }
                }
                @match self.what.show {
                    "stack" => (self.stack(group)),
                    "text" => (self.text(original)),
                    "page" => (self.frame(chosen)),
                    _ => (self.difference(original, chosen)),
                }
            }
        }
    }

    fn difference(&self, original: &MemberView, member: &MemberView) -> Markup {
        if original.record.id == member.record.id {
            return html! { p { "This is the original itself." } (self.text(original)) };
        }
        match self.review.difference(&original.record, &member.record) {
            Ok(difference) => why_and_rows(original, member, &difference),
            Err(error) => gone(&error, member),
        }
    }

    fn text(&self, member: &MemberView) -> Markup {
        match self.review.text(&member.record) {
            Ok(text) => html! {
                (freshness(&text.fresh, member))
                h3 dir="auto" { (name(member.record.name())) }
                div.text dir="auto" {
                    @for line in text.document.text.lines().take(5000) { p dir="auto" { (shown(line)) } }
                }
            },
            Err(error) => gone(&error, member),
        }
    }

    fn frame(&self, member: &MemberView) -> Markup {
        match self.review.text(&member.record) {
            Ok(text) if text.page.is_some() => html! {
                p.soft { "The page runs no scripts and fetches nothing: pictures and styles of its own are missing." }
                iframe sandbox="" title="The page as it was" loading="lazy" referrerpolicy="no-referrer"
                    src=(format!("/clusters/{}/page?m={}", self.view.number, encoded(&member.record.id))) {}
            },
            Ok(_) => html! {
                p { "Only files of HTML can be shown as pages; this is shown as text." } (self.text(member))
            },
            Err(error) => gone(&error, member),
        }
    }

    fn stack(&self, group: &GroupView) -> Markup {
        match self.review.stack(group) {
            Ok(stack) => stacked(&stack),
            Err(error) => match group.original() {
                Some(original) => gone(&error, original),
                None => html! {},
            },
        }
    }
}

/// The members before and after one in its group.
fn around<'a>(group: &'a GroupView, id: &str) -> (Option<&'a MemberView>, Option<&'a MemberView>) {
    let at = group.members.iter().position(|member| member.record.id == id);
    let Some(at) = at else { return (None, None) };
    (at.checked_sub(1).and_then(|before| group.members.get(before)), group.members.get(at + 1))
}

/// Members with the same text as one row, in the order of the first of each.
fn folded(group: &GroupView) -> Vec<Vec<&MemberView>> {
    let mut rows: Vec<Vec<&MemberView>> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let original = group.original().and_then(|one| one.record.text.as_deref());
    for member in &group.members {
        let text = member.record.text.as_deref();
        let key = match (text, original) {
            (Some(text), _) => Some(text),
            _ => None,
        };
        // The original stands by itself, so that its row is the first and its copies are seen.
        let is_first = rows.is_empty();
        match key.and_then(|key| known.get(key).copied()).filter(|_| !is_first) {
            Some(at) => {
                let row: &mut Vec<&MemberView> = &mut rows[at];
                row.push(member);
            }
            None => {
                if let Some(key) = key {
                    known.insert(key, rows.len());
                }
                rows.push(vec![member]);
            }
        }
    }
    rows
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(100).map_or(text, |(end, _)| &text[..end])
}

fn gone(error: &ReviewError, member: &MemberView) -> Markup {
    html! {
        p.warning { "The text cannot be shown: " (shown(&error.to_string())) "." }
        p { "What is still known: " b dir="auto" { (name(member.record.name())) }
            @if let Some(source) = &member.record.source { ", " span dir="auto" { (name(source)) } }
            @if let Some(time) = &member.record.time { ", " (minute(time)) }
            @if let Some(value) = member.score { ", similarity " (score(value)) }
            "."
        }
    }
}

fn freshness(fresh: &Freshness, member: &MemberView) -> Markup {
    html! {
        @if *fresh == Freshness::Changed {
            p.warning { "The text of " span dir="auto" { (name(&member.record.id)) }
                " has changed since these results were written: what you see is the text as it is now." }
        }
    }
}

/// The name of a measure, as settings have it.
fn measure(measure: firsthand::settings::Measure) -> String {
    let name = serde_json::to_value(measure).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

fn why_and_rows(original: &MemberView, member: &MemberView, difference: &Difference) -> Markup {
    let explained = &difference.explanation;
    html! {
        (freshness(&difference.a.fresh, original)) (freshness(&difference.b.fresh, member))
        p { (shown(&explained.reason)) }
        dl.why {
            div { dt { "measure" } dd { (measure(explained.measure)) } }
            div { dt { "score" } dd {
                @match member.score {
                    Some(found) if member.via.is_none() => { (score(found)) },
                    _ => { (score(explained.score)) }
                }
            } }
            div { dt { "threshold" } dd { (explained.threshold) } }
            div { dt { "shared " (explained.unit) } dd {
                (grouped(explained.overlap as u64)) " of " (grouped(explained.a.features as u64))
                " and " (grouped(explained.b.features as u64))
            } }
            div { dt { "number guard" } dd {
                @if explained.changed.is_empty() { "no figure changed, or the guard is off" }
                @else {
                    @for change in &explained.changed {
                        del { b.figure { (shown(&change.before)) } } " → " ins { b.figure { (shown(&change.after)) } } " "
                    }
                }
            } }
        }
        @if difference.by_themselves {
            p.soft { "Compared by themselves, without the other pages of their sites: what is set aside \
                as page furniture may differ from what the search saw." }
        }
        @for note in &explained.notes { p.soft { (shown(note)) } }
        p.steps {
            button type="button" data-do="next-difference" aria-keyshortcuts="n" { "Next difference" kbd { "n" } } " "
            button type="button" data-do="previous-difference" aria-keyshortcuts="p" { "Previous" kbd { "p" } } " "
            span.soft #place {}
            span.legend { del { "only in the original" } " " ins { "only in the other" } " "
                b.figure { "figure" } " " b.date { "date" } " " b.name { "name" } }
        }
        div.row.head {
            div dir="auto" { b { "Original" } " " (name(original.record.name())) }
            div dir="auto" { b { "Member" } " " (name(member.record.name())) }
        }
        (differences::rows(&explained.passages))
        @for (side, of) in [(&explained.a, "the original"), (&explained.b, "the member")] {
            @if !side.aside.is_empty() {
                details.aside {
                    summary { (counted(side.aside.len() as u64, "passage")) " of " (of) " set aside as page furniture" }
                    @for passage in side.aside.iter().take(200) { p dir="auto" { (shown(passage)) } }
                }
            }
        }
    }
}

fn stacked(stack: &Stack) -> Markup {
    html! {
        p { (counted(stack.texts as u64, "different text")) ", read once each: where some differ, the \
            variants stand below the passage of the original." }
        @if stack.left_out > 0 {
            p.soft { (counted(stack.left_out as u64, "more text")) " are not shown." }
        }
        @for (id, why) in &stack.gone {
            p.warning { span dir="auto" { (name(id)) } ": " (shown(why)) }
        }
        p.steps {
            button type="button" data-do="next-difference" aria-keyshortcuts="n" { "Next difference" kbd { "n" } } " "
            button type="button" data-do="previous-difference" aria-keyshortcuts="p" { "Previous" kbd { "p" } } " "
            span.soft #place {}
        }
        div.stack {
            @for block in &stack.blocks {
                @if let Some(text) = &block.text {
                    p.base.varied[!block.variants.is_empty()] dir="auto" { (shown(text)) }
                }
                @for variant in &block.variants {
                    div.variant {
                        p.who.soft title=(variant.members.join(", ")) {
                            (counted(variant.members.len() as u64, "member"))
                            @if let Some(first) = variant.members.first() { ": " span dir="auto" { (name(first)) } }
                        }
                        p dir="auto" {
                            @if variant.pieces.is_empty() { del { "leaves this out" } }
                            @else { (differences::variant(&variant.pieces)) }
                        }
                    }
                }
            }
        }
    }
}
