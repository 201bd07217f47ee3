//! The collection that the README starts with, judged by its own truth.

use super::{lines, run};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path to cluster and relation.
fn truth() -> HashMap<String, (String, String)> {
    let text = std::fs::read_to_string(root().join("examples/truth.tsv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        (cells[2].to_owned(), (cells[0].to_owned(), cells[1].to_owned()))
    };
    text.lines().map(row).collect()
}

#[test]
fn copies_are_found_and_look_alikes_stay_apart() {
    let truth = truth();
    let run =
        run(&root(), &["dedup", "examples/pages", "--emit", "pairs", "--format", "jsonl"]).code(0);
    let mut found = std::collections::HashSet::new();
    for pair in lines(&run.out) {
        let (a, b) = (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap());
        assert_eq!(truth[a].0, truth[b].0, "{a} and {b} are no copies of each other");
        found.insert((a.to_owned(), b.to_owned()));
    }
    let is_copy = |relation: &str| relation == "copy" || relation == "exact";
    for (a, (cluster, relation)) in &truth {
        for (b, (other, other_relation)) in &truth {
            if a < b && cluster == other && is_copy(relation) && is_copy(other_relation) {
                assert!(found.contains(&(a.clone(), b.clone())), "{a} and {b} were not found");
            }
        }
    }
}

#[test]
fn the_summary_says_what_was_done_and_what_comes_next() {
    let run = run(&root(), &["dedup", "examples/pages", "--dry-run"]).code(0);
    for text in [
        "Read 58 documents",
        "is empty",
        "clusters",
        "The largest has",
        "Next: firsthand explain examples/pages/",
    ] {
        assert!(run.err.contains(text), "{text:?}: {}", run.err);
    }
    assert_eq!(run.out, "");
}

#[test]
fn graded_pairs_agree_with_the_truth_and_can_be_evaluated() {
    let truth = truth();
    let graded = std::fs::read_to_string(root().join("examples/pairs.tsv")).unwrap();
    for line in graded.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let same = truth[cells[0]].0 == truth[cells[1]].0;
        assert_eq!(cells[2], if same { "y" } else { "n" }, "{line}");
    }
    let pairs = ["--pairs", "examples/pairs.tsv", "--no-memory", "--draws", "50"];
    let told = run(&root(), &[&["eval", "examples/pages"], &pairs[..]].concat()).code(0);
    let archive = told.out.lines().find(|line| line.starts_with("profile:archive")).unwrap();
    assert_eq!(archive.split_whitespace().nth(4), Some("1.000"), "{archive}");
}

#[test]
fn folders_of_sites_are_hardly_clusters() {
    let args = ["eval", "examples/pages", "--methods=shingles", "--no-memory", "--draws", "50"];
    run(&root(), &args).code(0).says("the names look like those of sites");
}
