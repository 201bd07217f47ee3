//! `report.html`: the largest clusters of a collection with their differences, in one file without
//! scripts, to be mailed to somebody who has nothing installed.

use crate::explanation;
use crate::markup::escape;
use crate::page::Page;
use firsthand::settings::Threshold;
use firsthand_jobs::largest::LargeCluster;
use firsthand_jobs::numbers::{counted, grouped, score};
use firsthand_jobs::report::DocumentCounts;
use rayon::prelude::*;

const STYLE: &str = "td.name{white-space:normal;text-align:left;overflow-wrap:anywhere;\
min-width:16em}td.left{text-align:left}article h3{overflow-wrap:anywhere}\n";

/// The page.
pub fn html(counts: &DocumentCounts, threshold: Threshold, largest: &[LargeCluster]) -> String {
    let facts = [
        ("documents", grouped(counts.documents as u64)),
        ("clusters", grouped(counts.clusters as u64)),
        ("kept", grouped(counts.kept as u64)),
        ("copies", grouped(counts.dropped as u64)),
        ("threshold", threshold.to_string()),
    ];
    let facts = facts.map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    let list = match largest {
        [] => "<p>No two documents are copies of each other.</p>".to_owned(),
        largest => table(largest, counts.clusters),
    };
    let details: Vec<String> = largest.par_iter().with_max_len(1).filter_map(detail).collect();
    let details = details.concat();
    let body = format!(
        "<header><p class=\"kicker\">firsthand {}</p><h1>Near-duplicates</h1>\
         <dl class=\"facts\">{}</dl></header>\n<main><h2>Largest clusters</h2>\n{list}\n{details}</main>\n\
         <footer><p>Everything else is in clusters.jsonl and report.json beside this page. To look at \
         every cluster and to decide about it: <code>firsthand review</code> with the folder of \
         results.</p></footer>\n",
        env!("CARGO_PKG_VERSION"),
        facts.concat(),
    );
    Page { title: "Near-duplicates", style: STYLE, sortable: false, body: &body }.html()
}

fn table(largest: &[LargeCluster], all: usize) -> String {
    let rows: String = largest.iter().map(row).collect();
    let more = match all.saturating_sub(largest.len()) {
        0 => String::new(),
        more => format!("<p class=\"soft\">{} more.</p>", counted(more as u64, "smaller cluster")),
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">cluster</th>\
         <th scope=\"col\">original</th><th scope=\"col\">source</th><th scope=\"col\">documents</th>\
         <th scope=\"col\">sources</th><th scope=\"col\">from</th><th scope=\"col\">to</th>\
         <th scope=\"col\">lowest score</th></tr></thead><tbody>{rows}</tbody></table></div>{more}"
    )
}

fn row(cluster: &LargeCluster) -> String {
    let number = cluster.number;
    let link = match cluster.compared.is_empty() && cluster.unread.is_none() {
        true => number.to_string(),
        false => format!("<a href=\"#c{number}\">{number}</a>"),
    };
    let (from, to) = cluster.span.as_ref().map(|(from, to)| (from, to)).unzip();
    format!(
        "<tr><th scope=\"row\">{link}</th><td class=\"name\" dir=\"auto\">{}</td>\
         <td class=\"left\" dir=\"auto\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escape(name(cluster)),
        escape(cut(cluster.description.source.as_deref().unwrap_or_default())),
        grouped(cluster.size as u64),
        cluster.sources,
        day(from),
        day(to),
        score(cluster.lowest)
    )
}

/// The day of a time by RFC 3339.
fn day(time: Option<&String>) -> &str {
    time.and_then(|time| time.get(..10)).unwrap_or_default()
}

fn detail(cluster: &LargeCluster) -> Option<String> {
    if cluster.compared.is_empty() && cluster.unread.is_none() {
        return None;
    }
    let shown = match &cluster.unread {
        Some(why) => format!("<p>The texts are not shown: {}.</p>", escape(why)),
        None => cluster.compared.iter().map(explanation::html).collect(),
    };
    Some(format!(
        "<article id=\"c{}\"><h3 dir=\"auto\">Cluster {}: {}</h3><p class=\"soft\">{}; its original \
         is <code dir=\"auto\">{}</code></p>\n{shown}</article>\n",
        cluster.number,
        cluster.number,
        escape(name(cluster)),
        counted(cluster.size as u64, "document"),
        escape(cut(&cluster.original)),
    ))
}

fn name(cluster: &LargeCluster) -> &str {
    cut(cluster.description.title.as_deref().unwrap_or(&cluster.original))
}

/// A name of a readable length.
fn cut(text: &str) -> &str {
    text.char_indices().nth(200).map_or(text, |(end, _)| &text[..end])
}
