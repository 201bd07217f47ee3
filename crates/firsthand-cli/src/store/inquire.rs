//! `firsthand store get` and `firsthand store clusters`.

use crate::args::{ClustersArgs, ClustersFormat, ExplainFormat, GetArgs, SortClusters};
use crate::console::Stdout;
use crate::exit_code::ExitCode;
use crate::numbers::{counted, grouped, score};
use crate::visible::visible;
use crate::{print, print_text};
use anyhow::Result;
use firsthand::guard::Change;
use firsthand::online::{FoundDocument, StoredCluster, Verdict};
use firsthand_input::calendar::rfc3339;
use firsthand_jobs::store::{self, ClusterFormat, ClusterOrder};
use std::io::BufWriter;

/// Ids of copies that are listed as text.
const LISTED: usize = 20;

pub(super) fn get(args: &GetArgs) -> Result<ExitCode> {
    let address = &args.store.address;
    let found = match (&args.id, &args.url) {
        (_, Some(url)) => store::get_by_url(address, url)?,
        (id, None) => store::get(address, id.as_deref().unwrap_or_default())?,
    };
    let Some(found) = found else {
        let (what, name) = match (&args.id, &args.url) {
            (_, Some(url)) => ("document with the URL", url.as_str()),
            (id, None) => ("document", id.as_deref().unwrap_or_default()),
        };
        print_text(&format!("There is no {what} {} in the store.\n", visible(name)))?;
        return Ok(ExitCode::from(2));
    };
    match args.format {
        ExplainFormat::Json => print(&format!("{:#}\n", store::document_json(&found)?)),
        ExplainFormat::Text => print_text(&described(&found)),
    }
}

fn described(found: &FoundDocument) -> String {
    let FoundDocument { document, replaced_by, cluster, original, copies } = found;
    let answer = &document.answer;
    let of = answer.original.as_deref().unwrap_or_default();
    let similarity =
        answer.score.map_or(String::new(), |found| format!(", score {}", score(found)));
    let verdict = match answer.verdict {
        Verdict::Original => "original".to_owned(),
        Verdict::Duplicate => format!("duplicate of {of}{similarity}"),
        Verdict::Update => format!("update of {of}{similarity}"),
        Verdict::TooShort => "too short to be compared".to_owned(),
        Verdict::Error => "error".to_owned(),
    };
    let mut rows = vec![("verdict", verdict)];
    let change = |change: &Change| format!("{} -> {}", change.before, change.after);
    let changes: Vec<String> = answer.changed.iter().map(change).collect();
    if !changes.is_empty() {
        rows.push(("changed", changes.join("; ")));
    }
    rows.push(("cluster", cluster.clone()));
    if answer.cluster.as_ref() != Some(cluster) {
        rows.push(("now", format!("in the cluster of {original}, by a decision")));
    } else if let (Some(by), None) = (replaced_by, &answer.original) {
        rows.push(("now", format!("{by} has taken its place as the original of the cluster")));
    } else if answer.original.as_ref().or(answer.id.as_ref()) != Some(original) {
        rows.push(("now", format!("the original of its cluster is {original}")));
    }
    let late = if answer.outside_window { ", outside the window when it arrived" } else { "" };
    rows.push(("time", rfc3339(document.time) + late));
    rows.extend(document.url.clone().map(|url| ("url", url)));
    rows.extend(document.title.clone().map(|title| ("title", title)));
    let more = copies.len().saturating_sub(LISTED);
    let mut listed = copies[..copies.len() - more].join(", ");
    if more > 0 {
        listed += &format!(" and {more} more");
    }
    if !copies.is_empty() {
        rows.push(("copies", format!("{}: {listed}", copies.len())));
    }
    let id = visible(answer.id.as_deref().unwrap_or_default()).into_owned();
    let rows = rows.iter().map(|(label, value)| format!("  {label:<7}  {}\n", visible(value)));
    format!("{id}\n{}", rows.collect::<String>())
}

pub(super) fn clusters(args: &ClustersArgs) -> Result<ExitCode> {
    let order = match args.sort {
        SortClusters::Size => ClusterOrder::Size,
        SortClusters::First => ClusterOrder::First,
        SortClusters::Last => ClusterOrder::Last,
    };
    let mut clusters = store::clusters(&args.store.address, args.min_size, order, usize::MAX)?;
    let all = clusters.len();
    clusters.truncate(args.limit);
    let format = match args.format {
        ClustersFormat::Text => {
            let lines: String = clusters.iter().map(line).collect();
            let count = match clusters.len() {
                shown if shown < all => {
                    format!("{} of {}", grouped(shown as u64), counted(all as u64, "cluster"))
                }
                _ => counted(all as u64, "cluster"),
            };
            return print_text(&format!("{lines}{count}.\n"));
        }
        ClustersFormat::Jsonl => ClusterFormat::Jsonl,
        ClustersFormat::Csv => ClusterFormat::Csv,
    };
    store::write_clusters(&clusters, format, &mut BufWriter::new(Stdout))?;
    Ok(ExitCode::SUCCESS)
}

fn line(cluster: &StoredCluster) -> String {
    let StoredCluster { original, title, size, updates, times, .. } = cluster;
    let updates = match updates {
        0 => String::new(),
        some => format!(" ({})", counted(*some, "update")),
    };
    let title = title.as_deref().map_or(String::new(), |title| format!("  {}", visible(title)));
    let (size, original) = (counted(*size, "document"), visible(original));
    let (first, last) = (rfc3339(times.0), rfc3339(times.1));
    format!("{original}: {size}{updates}, {first} to {last}{title}\n")
}
