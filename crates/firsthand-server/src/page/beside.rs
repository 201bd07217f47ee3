//! What differs: the chosen member beside the original, or the whole group as a stack; and the text or the
//! page of one document.

use super::address::encoded;
use super::differences;
use super::on_view::ClusterOnView;
use super::shown::{minute, name, shown};
use firsthand::settings::Numbers;
use firsthand_jobs::numbers::{counted, grouped, score};
use firsthand_jobs::review::{Difference, Freshness, GroupView, MemberView, ReviewError, Stack};
use maud::{Markup, html};

/// The chosen member beside the original, or another way to look at the group.
pub(super) fn section(cluster: &ClusterOnView<'_>) -> Markup {
    let Some(chosen) = cluster.chosen else { return html! {} };
    let Some(group) = cluster.view.group_of(&chosen.record.id) else { return html! {} };
    let main = cluster.view.groups.first();
    // A document that was parted is still compared with what it was parted from.
    let original = match group.members.len() {
        1 => main.and_then(GroupView::original),
        _ => group.original(),
    };
    let Some(original) = original else { return html! {} };
    let number = cluster.view.number;
    let id = &chosen.record.id;
    let tab = |show: &str, text: &str| {
        let href = format!("{}#beside", cluster.what.query.part(number, id, show));
        let current = (show == cluster.what.show).then_some("true");
        html! { a href=(href) aria-current=[current] data-show=(show) { (text) } }
    };
    let (previous, next) = around(group, id);
    let step = |member: Option<&MemberView>, rel: &str, key: &str, text: &str| {
        html! {
            @if let Some(member) = member {
                a data-step=(rel) aria-keyshortcuts=(key)
                    href=(format!("{}#beside", cluster.what.query.part(number, &member.record.id, cluster.what.show))) {
                    (text) kbd { (key) }
                }
            }
        }
    };
    html! {
        section.beside #beside aria-label="Differences" data-member=(id) data-original=(original.record.id) {
            h2 { "Differences" }
            nav.tabs aria-label="What is shown" {
                (tab("diff", "Beside the original")) (tab("stack", "Stack of all variants"))
                (tab("text", "Text of the original")) (tab("page", "Page as it was"))
                span.steps {
                    (step(previous, "previous", "h", "← Member")) (step(next, "next", "l", "Member →"))
                }
            }
            @match cluster.what.show {
                "stack" => (stack(cluster, group)),
                "text" => (text(cluster, original)),
                "page" => (frame(cluster, chosen)),
                _ => (difference(cluster, original, chosen)),
            }
        }
    }
}

fn difference(cluster: &ClusterOnView<'_>, original: &MemberView, member: &MemberView) -> Markup {
    if original.record.id == member.record.id {
        return html! { p { "This is the original itself." } (text(cluster, original)) };
    }
    match cluster.review.difference(&original.record, &member.record) {
        Ok(difference) => {
            let numbers = cluster.review.settings().numbers;
            why_and_rows(original, member, &difference, numbers)
        }
        Err(error) => gone(&error, member),
    }
}

fn text(cluster: &ClusterOnView<'_>, member: &MemberView) -> Markup {
    match cluster.review.text(&member.record) {
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

fn frame(cluster: &ClusterOnView<'_>, member: &MemberView) -> Markup {
    match cluster.review.text(&member.record) {
        Ok(text) if text.page.is_some() => html! {
            p.soft { "The page runs no scripts and fetches nothing: pictures and styles of its own are missing." }
            iframe sandbox="" title="The page as it was" loading="lazy" referrerpolicy="no-referrer"
                src=(format!("/clusters/{}/page?m={}", cluster.view.number, encoded(&member.record.id))) {}
        },
        Ok(_) => html! {
            p { (no_page(cluster.review.keeps_pages())) } (text(cluster, member))
        },
        Err(error) => gone(&error, member),
    }
}

/// Why there is no page to show.
fn no_page(keeps_pages: bool) -> &'static str {
    match keeps_pages {
        true => "Only files of HTML can be shown as pages; this is shown as text.",
        false => {
            "The store keeps the text that is compared, not the page that it came from, so that there is no \
             page to show; this is the text."
        }
    }
}

fn stack(cluster: &ClusterOnView<'_>, group: &GroupView) -> Markup {
    match cluster.review.stack(group) {
        Ok(stack) => stacked(&stack),
        Err(error) => match group.original() {
            Some(original) => gone(&error, original),
            None => html! {},
        },
    }
}

/// The members before and after one in its group.
fn around<'a>(group: &'a GroupView, id: &str) -> (Option<&'a MemberView>, Option<&'a MemberView>) {
    let at = group.members.iter().position(|member| member.record.id == id);
    let Some(at) = at else { return (None, None) };
    (at.checked_sub(1).and_then(|before| group.members.get(before)), group.members.get(at + 1))
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

/// What changed figures count for where there is no guard.
fn counted_as(numbers: Numbers) -> &'static str {
    match numbers {
        Numbers::Ignore => "nothing",
        Numbers::Plain | Numbers::Guard => "as other words do",
    }
}

/// The name of a measure, as settings have it.
fn measure(measure: firsthand::settings::Measure) -> String {
    let name = serde_json::to_value(measure).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}

fn why_and_rows(
    original: &MemberView,
    member: &MemberView,
    difference: &Difference,
    numbers: Numbers,
) -> Markup {
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
                @if numbers != Numbers::Guard { "off: changed figures count " (counted_as(numbers)) }
                @else if explained.changed.is_empty() { "no figure changed" }
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
