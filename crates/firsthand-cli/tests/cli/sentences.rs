//! Sentences of the command line that were wrong once: a test for each.

use super::{FERRY, run, three_records, write};
use std::path::Path;

fn shown(folder: &Path, args: &[&str]) -> String {
    run(folder, args).code(0).out
}

#[test]
fn one_and_a_half_is_not_taken_for_per_cent() {
    let folder = three_records();
    let dedup = |threshold: &str| run(folder.path(), &["dedup", "three.jsonl", "-t", threshold]);
    let refused = dedup("1.5").code(2).says("above 0 and up to 1");
    assert!(!refused.err.contains("0.015"), "{}", refused.err);
    dedup("80").code(2).says("for 80 per cent write 0.8");
}

#[test]
fn minhash_is_another_name_of_lsh() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |method: &str| shown(folder.path(), &["config", "show", "--method", method]);
    assert_eq!(settings("minhash"), settings("lsh"));
}

#[test]
fn examples_fit_into_the_help() {
    // Help is wrapped at 100 columns, and a line that is broken there leaves a word on the next.
    let long = include_str!("../../src/args/before.txt").lines().find(|line| line.len() > 100);
    assert_eq!(long, None);
}

#[test]
fn a_command_has_a_manual_page_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let page = shown(folder.path(), &["man", "dedup"]);
    assert!(page.contains(".TH firsthand-dedup") && page.contains("\\-\\-kept"), "{page}");
    // What the short help leaves out is described as well.
    assert!(page.contains("Stop the search for pairs after this time"), "{page}");
}

#[test]
fn what_is_dropped_is_not_deleted() {
    let folder = three_records();
    let said = run(folder.path(), &["dedup", "three.jsonl"]).code(0);
    said.says(
        "Dropped: 1 near-duplicate of an original, left out of what is kept; nothing was deleted.",
    );
}

#[test]
fn a_language_is_told_only_where_it_is_known() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", FERRY);
    write(folder.path(), "b.txt", FERRY.replace("forty", "fifty"));
    let args = ["explain", "a.txt", "b.txt", "--format", "json", "--method", "shingles"];
    let object: serde_json::Value = serde_json::from_str(&shown(folder.path(), &args)).unwrap();
    assert_eq!(object["a"].get("language"), None);
}

#[test]
fn single_words_are_not_called_shingles() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", FERRY);
    write(folder.path(), "b.txt", FERRY.replace("forty", "fifty"));
    let args =
        ["explain", "a.txt", "b.txt", "--format", "json", "--method", "shingles", "--n", "1"];
    let object: serde_json::Value = serde_json::from_str(&shown(folder.path(), &args)).unwrap();
    let reason = object["reason"].as_str().unwrap();
    assert!(reason.contains(" words: ") && !reason.contains("shingle"), "{reason}");
}
