//! The list of clusters: sorted, filtered, searched, with a histogram of scores.

use super::address::ListQuery;
use super::layout::Page;
use super::shown::{day, name, shown};
use firsthand_input::calendar::rfc3339;
use firsthand_jobs::numbers::{counted, grouped, score};
use firsthand_jobs::review::{Bin, ClusterRow, Listing, Review, Sort, State};
use maud::{Markup, html};

const SORTS: [(Sort, &str, &str); 4] = [
    (Sort::Size, "size", "Largest"),
    (Sort::Newest, "newest", "Newest"),
    (Sort::LeastCertain, "least-certain", "Least certain"),
    (Sort::Sources, "sources", "Most sources"),
];

/// The most sources that can be picked from a list.
const SOURCES: usize = 200;

pub(super) fn page(review: &Review, query: &ListQuery) -> Markup {
    let listing = review.list(&query.query);
    let index = review.index();
    let threshold = review.settings().threshold.value();
    let body = html! {
        div.overview {
            div {
                h1 { "Clusters" }
                p.lead {
                    (counted(index.len() as u64, "cluster")) " of "
                    (counted(index.documents() as u64, "document")) "; exact copies of their original: " (grouped(index.exact())) "."
                }
            }
            (histogram(&index.histogram(), threshold))
        }
        (filters(review, query))
        @if listing.rows.is_empty() {
            p { "No cluster matches." }
        } @else {
            p.soft {
                (grouped(listing.before as u64 + 1)) " to "
                (grouped((listing.before + listing.rows.len()) as u64)) " of "
                (grouped(listing.total as u64))
            }
            (table(review, &listing, query))
        }
        nav.pages aria-label="More clusters" {
            @if query.query.after.is_some() { a href=(query.first_page()) { "First page" } }
            @if let Some(next) = listing.next {
                a rel="next" href=(query.page_after(next)) { "Next page" }
            }
        }
    };
    Page { title: "Clusters", current: "Clusters", mode: "list", body }.html(review)
}

fn table(review: &Review, listing: &Listing, query: &ListQuery) -> Markup {
    html! {
        div.scroll {
            table.clusters {
                caption.hidden { "Clusters" }
                thead { tr {
                    th scope="col" { "Original" }
                    th scope="col" { "Source" }
                    th.number scope="col" { "Size" }
                    th.number scope="col" { "Sources" }
                    th scope="col" { "From – to" }
                    th.number scope="col" { "Lowest score" }
                    th scope="col" { "State" }
                } }
                tbody {
                    @for row in &listing.rows { (line(review, row, query)) }
                }
            }
        }
    }
}

fn line(review: &Review, row: &ClusterRow, query: &ListQuery) -> Markup {
    let (state, tags): (State, Vec<String>) = review.with_standing(|standing, index| {
        let (state, tags) = standing.of_cluster(index, row.number);
        (state, tags.into_iter().map(str::to_owned).collect())
    });
    let span = row.span.map(|(from, to)| (rfc3339(from), rfc3339(to)));
    html! {
        tr {
            th scope="row" {
                a.cluster dir="auto" href=(query.cluster(row.number)) { (name(&row.title)) }
                @for tag in &tags { " " span.tag dir="auto" { (shown(tag)) } }
            }
            td dir="auto" { (name(row.source.as_deref().unwrap_or_default())) }
            td.number data-label="documents" { (grouped(u64::from(row.size))) }
            td.number data-label="sources" { (row.sources) }
            td {
                @if let Some((from, to)) = &span {
                    (day(from)) @if day(from) != day(to) { " – " (day(to)) }
                }
            }
            td.number data-label="lowest score" { @if row.exact { "exact" } @else { (score(row.lowest)) } }
            td { (badge(state)) }
        }
    }
}

/// Whether somebody has looked at a cluster, in a word.
pub(super) fn badge(state: State) -> Markup {
    html! {
        @match state {
            State::Open => span.badge { "open" },
            State::Reviewed => span.badge.done { "reviewed" },
            State::Skipped => span.badge.skipped { "skipped" },
        }
    }
}

fn filters(review: &Review, query: &ListQuery) -> Markup {
    let asked = &query.query;
    let tags: Vec<String> = review.with_standing(|standing, _| {
        standing.all_tags().keys().map(|tag| (*tag).to_owned()).collect()
    });
    let index = review.index();
    let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let states = [("", "any"), ("open", "open"), ("reviewed", "reviewed"), ("skipped", "skipped")];
    html! {
        form.filters method="get" action="/" role="search" {
            label { "Search " input #search type="search" name="text" value=(asked.text); }
            label { "Sort "
                select name="sort" {
                    @for (sort, value, text) in SORTS {
                        option value=(value) selected[sort == asked.sort] { (text) }
                    }
                }
            }
            label { "Source "
                select name="source" {
                    option value="" { "any" }
                    @for (source, count) in index.sources().into_iter().take(SOURCES) {
                        option value=(source) selected[source == asked.source] {
                            (name(source)) " (" (grouped(count as u64)) ")"
                        }
                    }
                }
            }
            label { "State "
                select name="state" {
                    @for (value, text) in states {
                        option value=(value) selected[value == query.state()] { (text) }
                    }
                }
            }
            @if !tags.is_empty() {
                label { "Tag "
                    select name="tag" {
                        option value="" { "any" }
                        @for tag in &tags { option value=(tag) selected[*tag == asked.tag] { (shown(tag)) } }
                    }
                }
            }
            label { "At least "
                input type="number" name="min_size" min="0" value=(number(asked.min_size));
            }
            label { "at most " input type="number" name="max_size" min="0" value=(number(asked.max_size)); }
            label { "Since " input type="date" name="from" value=(query.day(asked.from)); }
            label { "until " input type="date" name="to" value=(query.day_before(asked.to)); }
            button type="submit" { "Show" }
            a href="/" { "Clear" }
        }
    }
}

/// The scores of members as bars, with the threshold.
fn histogram(bins: &[Bin], threshold: f64) -> Markup {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    if most == 0 {
        return html! {};
    }
    let (width, height) = (640.0, 90.0);
    let tall =
        |count: u64| ((count as f64).ln_1p() / (most as f64).ln_1p() * (height - 24.0)).max(1.0);
    let x = |score: f64| score * width;
    let all: u64 = bins.iter().map(|bin| bin.count).sum();
    let label = format!(
        "Scores of {} members that differ from their original; the threshold is {threshold}",
        grouped(all)
    );
    html! {
        figure.histogram {
            svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(label) {
                @for bin in bins.iter().filter(|bin| bin.count > 0) {
                    rect.bar x=(format!("{:.1}", x(bin.from) + 0.5)) width=(format!("{:.1}", x(bin.to) - x(bin.from) - 1.0))
                        y=(format!("{:.1}", height - 14.0 - tall(bin.count))) height=(format!("{:.1}", tall(bin.count))) {
                        title { (format!("{:.2} to {:.2}: {}", bin.from, bin.to, counted(bin.count, "member"))) }
                    }
                }
                line.axis x1="0" x2=(width) y1=(height - 14.0) y2=(height - 14.0) {}
                line.threshold x1=(format!("{:.1}", x(threshold))) x2=(format!("{:.1}", x(threshold))) y1="0" y2=(height - 14.0) {}
                @for tick in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
                    text.tick x=(format!("{:.1}", x(tick))) y=(height - 2.0)
                        text-anchor=(if tick == 0.0 { "start" } else if tick == 1.0 { "end" } else { "middle" }) { (tick) }
                }
            }
            figcaption { "Scores of members that differ from their original; the line is the threshold, " (threshold) "." }
        }
    }
}
