//! Questions about a store: what became of a document, and which clusters there are.

use super::upkeep::{DocumentLine, upkeep};
use crate::error::{JobError, OutputError};
use crate::results::csv::cell;
use firsthand::online::{FoundDocument, StoredCluster};
use firsthand_input::calendar::rfc3339;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::io::{self, Write};

/// By what clusters are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterOrder {
    /// The largest first.
    #[default]
    Size,
    /// The earliest first.
    First,
    /// The latest to have a new document first.
    Last,
}

/// How clusters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterFormat {
    /// One JSON object per line.
    Jsonl,
    /// A table for spreadsheets.
    Csv,
}

/// The document with an id; `None` if the store has none.
///
/// # Errors
///
/// If the store cannot be opened or read.
pub fn get(address: &str, id: &str) -> Result<Option<FoundDocument>, JobError> {
    Ok(upkeep(address, false)?.0.get(id)?)
}

/// The latest document with a URL; `None` if the store has none.
///
/// # Errors
///
/// If the store cannot be opened or read.
pub fn get_by_url(address: &str, url: &str) -> Result<Option<FoundDocument>, JobError> {
    Ok(upkeep(address, false)?.0.get_by_url(url)?)
}

/// A document as a JSON object: the fields of an export, who replaced it, and its copies. The names are
/// a promise to other programs.
///
/// # Errors
///
/// If it cannot be written as JSON.
pub fn document_json(found: &FoundDocument) -> serde_json::Result<Value> {
    let mut object = serde_json::to_value(DocumentLine::new(&found.document))?;
    object["replaced_by"] = json!(found.replaced_by);
    object["now"] = json!({ "cluster": found.cluster, "original": found.original });
    object["copies"] = json!(found.copies);
    Ok(object)
}

/// The clusters of at least `least` documents, at most `limit` of them.
///
/// # Errors
///
/// If the store cannot be opened or read.
pub fn clusters(
    address: &str,
    least: u64,
    order: ClusterOrder,
    limit: usize,
) -> Result<Vec<StoredCluster>, JobError> {
    Ok(sorted(upkeep(address, false)?.0.clusters(least)?, order, limit))
}

/// The first `limit` of some clusters.
pub(crate) fn sorted(
    mut clusters: Vec<StoredCluster>,
    order: ClusterOrder,
    limit: usize,
) -> Vec<StoredCluster> {
    // Equal ones stay in the order of arrival.
    match order {
        ClusterOrder::Size => clusters.sort_by_key(|cluster| Reverse(cluster.size)),
        ClusterOrder::First => clusters.sort_by_key(|cluster| cluster.times.0),
        ClusterOrder::Last => clusters.sort_by_key(|cluster| Reverse(cluster.times.1)),
    }
    clusters.truncate(limit);
    clusters
}

/// Writes clusters for other programs. The names are a promise to them.
///
/// # Errors
///
/// If `out` does not take them.
pub fn write_clusters(
    clusters: &[StoredCluster],
    format: ClusterFormat,
    out: &mut dyn Write,
) -> Result<(), JobError> {
    let mut write = || -> io::Result<()> {
        if format == ClusterFormat::Csv {
            let columns =
                b"cluster,original,size,updates,first,last,title,url,source,sources,lowest";
            out.write_all(columns)?;
            out.write_all(b"\r\n")?;
        }
        for found in clusters {
            let StoredCluster { cluster, original, title, url, size, updates, times, .. } = found;
            let StoredCluster { source, sources, lowest, .. } = found;
            let (first, last) = (rfc3339(times.0), rfc3339(times.1));
            match format {
                ClusterFormat::Jsonl => {
                    let line = json!({
                        "cluster": cluster, "original": original, "size": size, "updates": updates,
                        "first": first, "last": last, "title": title, "url": url,
                        "source": source, "sources": sources, "lowest": lowest,
                    });
                    writeln!(out, "{line}")?;
                }
                ClusterFormat::Csv => {
                    let or_none = |text: &Option<String>| cell(text.as_deref().unwrap_or(""));
                    let (cluster, original) = (cell(cluster), cell(original));
                    let (title, url, source) = (or_none(title), or_none(url), or_none(source));
                    let lowest = lowest.map(|lowest| lowest.to_string()).unwrap_or_default();
                    write!(out, "{cluster},{original},{size},{updates},{first},{last},")?;
                    write!(out, "{title},{url},{source},{sources},{lowest}\r\n")?;
                }
            }
        }
        out.flush()
    };
    Ok(write().map_err(OutputError::Stream)?)
}
