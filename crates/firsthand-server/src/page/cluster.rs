//! A cluster: what it is called, what can be decided about it, and the parts of its page.

use super::address::ListQuery;
use super::beside;
use super::layout::Page;
use super::list::badge;
use super::members;
use super::shown::{name, shown};
use super::timeline;
use firsthand_jobs::numbers::counted;
use firsthand_jobs::review::{ClusterView, GroupView, MemberView, Review, ReviewError};
use maud::{Markup, html};
use std::collections::BTreeSet;

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
        @for (at, group) in view.groups.iter().enumerate() { (members::table(&cluster, at, group)) }
        (timeline::figure(&view))
        (beside::section(&cluster))
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

/// A cluster and what of it is shown.
pub(super) struct Cluster<'a> {
    pub(super) review: &'a Review,
    pub(super) view: &'a ClusterView,
    pub(super) what: &'a Shown<'a>,
    /// The member that is shown beside the original.
    pub(super) chosen: Option<&'a MemberView>,
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
}
