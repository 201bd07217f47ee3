//! The names of results: which files and folders belong to them, and what lies among them that does
//! not.

use serde::Deserialize;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What temporary files and folders are called, before and after random characters.
pub(super) const PREFIX: &str = ".firsthand-";
pub(super) const SUFFIX: &str = ".tmp";

/// The report, which tells that all other results are there.
pub(super) const REPORT: &str = "report.json";

/// Folders of rows, with the names of the input files.
pub(super) const TREES: [&str; 3] = ["kept", "dropped", "annotated"];

/// Names that results have besides those of rows.
const NAMES: [&str; 11] = [
    "pairs.jsonl",
    "clusters.jsonl",
    "pairs.csv",
    "clusters.csv",
    "pairs.parquet",
    "clusters.parquet",
    "errors.tsv",
    "report.csv",
    "report.html",
    "tags.jsonl",
    "labels.tsv",
];

/// Whether results may have this name.
pub(super) fn is_result(name: &str) -> bool {
    let is_rows = || {
        let (stem, extensions) = name.split_once('.')?;
        let is_number =
            |number: &str| number == "rows" || number.bytes().all(|b| b.is_ascii_digit());
        let (stem, is_known) = match stem.split_once('-') {
            Some((stem, number)) => (stem, !number.is_empty() && is_number(number)),
            None => (stem, true),
        };
        let mut extensions = extensions.split('.');
        let kinds = ["jsonl", "json", "csv", "tsv", "parquet", "mbox", "warc", "txt"];
        let is_kind = kinds.contains(&extensions.next()?);
        let is_packed = extensions.all(|extension| ["gz", "zst", "bz2"].contains(&extension));
        Some(TREES.contains(&stem) && is_known && is_kind && is_packed)
    };
    name == REPORT || NAMES.contains(&name) || is_rows().unwrap_or(false)
}

/// The place of a name in the order in which results are named and removed.
pub(super) fn rank(name: &str) -> usize {
    match name {
        REPORT => NAMES.len() + 1,
        name if TREES.contains(&name) => 0,
        name => NAMES.iter().position(|known| *known == name).unwrap_or(NAMES.len()),
    }
}

/// The first file in a folder of rows that the report does not list, and that folder. A run that was killed
/// while it put results into their places left no report, but its temporary folder.
pub(super) fn foreign(results: &Path) -> Option<(PathBuf, PathBuf)> {
    #[derive(Deserialize)]
    struct Listed {
        #[serde(default)]
        results: HashSet<String>,
    }
    let trees = TREES.iter().map(|tree| results.join(tree)).filter(|tree| tree.is_dir());
    let mut pending: Vec<PathBuf> = trees.collect();
    if pending.is_empty() {
        return None;
    }
    let report = fs::read(results.join(REPORT)).ok();
    let names = fs::read_dir(results)
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let is_left = |name: &String| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    if report.is_none() && names.into_iter().any(|name| is_left(&name)) {
        return None;
    }
    let listed = report.and_then(|report| serde_json::from_slice::<Listed>(&report).ok());
    let listed = listed.map(|listed| listed.results).unwrap_or_default();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).ok()?.flatten() {
            let path = entry.path();
            // A link to a folder is no folder of ours.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
                continue;
            }
            let name = path.strip_prefix(results).map(firsthand_input::path_name);
            if !name.is_ok_and(|name| listed.contains(&name)) {
                let tree = path.strip_prefix(results).ok()?.components().next()?;
                return Some((path.clone(), results.join(tree)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_known_by_their_names() {
        let results = [
            "report.json",
            "pairs.parquet",
            "kept.jsonl",
            "kept.jsonl.zst",
            "kept.warc.gz",
            "kept-2.csv",
            "dropped-rows.parquet",
            "annotated.tsv.bz2",
            "dropped.txt",
        ];
        let others = [
            "kept",
            "kept.doc",
            "kept.jsonl.old",
            "kept-.csv",
            "kept-mine.csv",
            "pairs.tsv",
            "keep.csv",
            ".kept.csv",
        ];
        assert!(results.iter().all(|name| is_result(name)));
        assert_eq!(others.iter().find(|name| is_result(name)), None);
    }
}
