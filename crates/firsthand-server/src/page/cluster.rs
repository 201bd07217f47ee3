//! A cluster: what it is called, what can be decided about it, and the parts of its page.

use super::beside;
use super::layout::Page;
use super::list::badge;
use super::members;
use super::on_view::{ClusterOnView, Shown};
use super::shown::{name, shown};
use super::timeline;
use firsthand_jobs::numbers::counted;
use firsthand_jobs::review::{ClusterView, GroupView, MemberView, Review, ReviewError};
use maud::{Markup, html};

pub(super) fn page(review: &Review, number: u32, what: &Shown<'_>) -> Result<Markup, ReviewError> {
    let view = review.view(number)?;
    let (before, after) = review.beside(&what.query.query, number);
    let main = view.groups.first().ok_or(ReviewError::NoDocument)?;
    let original = main.original().ok_or(ReviewError::NoDocument)?;
    let chosen = what.member.and_then(|id| find(&view, id));
    let chosen = chosen.or_else(|| default_member(main));
    let cluster = ClusterOnView { review, view: &view, what, chosen };
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
        (tags(&view))
        (actions())
        @for (at, group) in view.groups.iter().enumerate() { (members::table(&cluster, at, group)) }
        (beside::section(&cluster))
        (timeline::figure(&view))
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

fn tags(view: &ClusterView) -> Markup {
    html! {
        @if !view.tags.is_empty() {
            p.tags { "Tags: "
                @for tag in &view.tags {
                    span.tag dir="auto" { (shown(tag))
                        button type="button" data-do="untag" data-tag=(tag)
                            aria-label=(format!("Remove the tag {tag}")) { "×" }
                    } " "
                }
            }
        }
    }
}

fn actions() -> Markup {
    let button = |act: &str, key: &str, text: &str| {
        html! {
            button type="button" data-do=(act) aria-keyshortcuts=(key) { (text) kbd { (key) } }
        }
    };
    html! {
        section.actions aria-label="Decide" {
            div.bar {
                (button("keep", "c", "Keep this one"))
                (button("split", "x", "Split out"))
                (button("not-a-copy", "d", "Not a copy"))
                (button("is-a-copy", "i", "Is a copy"))
                (button("skip", "s", "Skip"))
            }
            div.bar {
                form.inline data-do="tag" {
                    input #tag name="tag" type="text" maxlength="200" size="14" autocomplete="off"
                        aria-label="Tags, with commas between them" placeholder="tag, tag …";
                    button type="submit" aria-keyshortcuts="t" { "Tag" kbd { "t" } }
                }
                form.inline data-do="merge" {
                    input #merge name="with" type="text" size="12" autocomplete="off"
                        aria-label="Number of a cluster, or id of a document in it" placeholder="number or id";
                    button type="submit" aria-keyshortcuts="m" { "Merge" kbd { "m" } }
                }
                form.inline data-do="note" {
                    input #note name="note" type="text" maxlength="5000" size="16" autocomplete="off"
                        aria-label="Note" placeholder="a remark";
                    button type="submit" aria-keyshortcuts="w" { "Note" kbd { "w" } }
                }
            }
            p.soft #chosen {
                "About the members that you choose; without a choice, about the one that is shown beside \
                 the original. Tags without a choice are for all."
            }
        }
    }
}
