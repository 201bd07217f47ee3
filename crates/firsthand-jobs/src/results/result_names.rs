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

/// The files of an evaluation.
const EVALUATION: [&str; 4] = ["errors.tsv", "report.csv", "report.html", REPORT];

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

/// What a report says of the results beside it.
#[derive(Default, Deserialize)]
struct Listed {
    /// The version that wrote results.
    firsthand: Option<String>,
    /// The version that wrote an evaluation.
    version: Option<String>,
    made: Option<String>,
    #[serde(default)]
    results: HashSet<String>,
}

impl Listed {
    fn read(results: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(results.join(REPORT)).ok()?).ok()
    }

    /// Whether a file beside the report belongs to it.
    fn has(&self, name: &str) -> bool {
        let is_evaluation = self.version.is_some() && self.made.is_some();
        match &self.firsthand {
            // A review adds two files to the results.
            Some(_) => {
                [REPORT, "tags.jsonl", "labels.tsv"].contains(&name) || self.results.contains(name)
            }
            None => is_evaluation && EVALUATION.contains(&name),
        }
    }
}

/// Whether a run that was killed left its temporary folder here.
fn has_leftover(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.any(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

/// The first of these files in a folder that only has the name of a result: no report of ours lists it.
/// A run that was killed while it put results into their places left no report, but its temporary folder.
pub(super) fn only_named(results: &Path, names: &[String]) -> Option<PathBuf> {
    let report = results.join(REPORT);
    let beside = results.parent().filter(|_| !report.exists());
    if !report.exists() && (has_leftover(results) || beside.is_some_and(has_leftover)) {
        return None;
    }
    let listed = Listed::read(results).unwrap_or_default();
    let mut files = names.iter().filter(|name| !TREES.contains(&name.as_str()));
    files.find(|name| !listed.has(name)).map(|name| results.join(name))
}

/// The first file in a folder of rows that the report does not list, and that folder. A run that was killed
/// while it put results into their places left no report, but its temporary folder.
pub(super) fn foreign(results: &Path) -> Option<(PathBuf, PathBuf)> {
    let trees = TREES.iter().map(|tree| results.join(tree)).filter(|tree| tree.is_dir());
    let mut pending: Vec<PathBuf> = trees.collect();
    if pending.is_empty() {
        return None;
    }
    if !results.join(REPORT).exists() && has_leftover(results) {
        return None;
    }
    let listed = Listed::read(results).unwrap_or_default().results;
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
