//! The members of a cluster on a line of time, a lane a source.

use super::shown::day;
use firsthand_input::calendar::rfc3339;
use firsthand_jobs::numbers::{counted, grouped};
use firsthand_jobs::review::{ClusterView, MemberView};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most lanes.
const LANES: usize = 12;
/// The most points of a lane.
const POINTS: usize = 500;
const WIDTH: f64 = 900.0;
const LEFT: f64 = 180.0;
const LANE: f64 = 22.0;

pub(super) fn figure(view: &ClusterView) -> Markup {
    let mut lanes: BTreeMap<&str, Vec<(i64, &MemberView)>> = BTreeMap::new();
    for member in view.groups.iter().flat_map(|group| &group.members) {
        if let Some(time) = member.record.milliseconds() {
            let source = member.record.source.as_deref().unwrap_or("no source");
            lanes.entry(source).or_default().push((time, member));
        }
    }
    let times = || lanes.values().flatten().map(|(time, _)| *time);
    let (Some(first), Some(last)) = (times().min(), times().max()) else { return html! {} };
    let all = times().count();
    if all < 2 {
        return html! {};
    }
    let mut lanes: Vec<(&str, Vec<(i64, &MemberView)>)> = lanes.into_iter().collect();
    lanes.sort_by_key(|(_, members)| members.iter().map(|(time, _)| *time).min());
    let left_out = lanes.len().saturating_sub(LANES);
    lanes.truncate(LANES);
    let span = (last - first).max(1) as f64;
    let x = |time: i64| LEFT + 10.0 + (time - first) as f64 / span * (WIDTH - LEFT - 24.0);
    let height = lanes.len() as f64 * LANE + 22.0;
    let label = format!(
        "{} of {} from {} to {}",
        counted(all as u64, "document"),
        counted(lanes.len() as u64 + left_out as u64, "source"),
        day(&rfc3339(first)),
        day(&rfc3339(last))
    );
    html! {
        section.timeline {
            h2 { "Time line" }
            div.scroll tabindex="0" role="group" aria-label="Time line" {
                svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(label) {
                    @for (at, (source, members)) in lanes.iter().enumerate() {
                        @let y = at as f64 * LANE + 14.0;
                        line.axis x1=(LEFT) x2=(WIDTH) y1=(y) y2=(y) {}
                        text.lane x=(LEFT - 8.0) y=(y + 4.0) text-anchor="end" { (cut(source)) }
                        @for (time, member) in members.iter().take(POINTS) {
                            circle.point.exact[member.exact] cx=(format!("{:.1}", x(*time))) cy=(y) r="5" {
                                title { (day(&rfc3339(*time))) " " (super::shown::name(member.record.name())) }
                            }
                        }
                    }
                    text.tick x=(LEFT) y=(height - 4.0) { (day(&rfc3339(first))) }
                    text.tick x=(WIDTH - 4.0) y=(height - 4.0) text-anchor="end" { (day(&rfc3339(last))) }
                }
            }
            @if left_out > 0 { p.soft { "and " (grouped(left_out as u64)) " more sources" } }
        }
    }
}

fn cut(text: &str) -> String {
    let text = firsthand_jobs::visible::visible(text);
    match text.char_indices().nth(24) {
        None => text.into_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
