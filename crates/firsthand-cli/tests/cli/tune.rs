//! `firsthand tune`: from labels to settings that `dedup` takes, and from `sample` to labels.

use super::{Run, lines, read, run, write};
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

/// A text of its own; the further a copy is, the more of its words are changed.
fn text(story: usize, changed: usize) -> String {
    let word = |at: usize| match at % 4 {
        0 => ["the", "is", "of", "a"][at / 4 % 4].to_owned(),
        _ if at % 60 < changed => format!("changed{story}x{at}x{changed}"),
        _ => format!("word{story}x{at}"),
    };
    (0..120).map(word).collect::<Vec<_>>().join(" ")
}

/// Twelve clusters of three, and as many documents of their own.
fn labelled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut records = String::new();
    for story in 0..24 {
        for copy in 0..if story < 12 { 3 } else { 1 } {
            let id = format!("{story}-{copy}");
            let cluster = (story < 12).then(|| story.to_string());
            let text = text(story, copy * 4);
            records += &(json!({ "id": id, "text": text, "cluster": cluster }).to_string() + "\n");
        }
    }
    write(folder.path(), "docs.jsonl", records);
    folder
}

fn tune(folder: &Path, more: &[&str]) -> Run {
    run(folder, &[&["tune", "docs.jsonl", "--draws", "50"], more].concat())
}

#[test]
fn settings_for_dedup_come_out() {
    let folder = labelled();
    let folder = folder.path();
    let told = tune(folder, &["-o", "mine.toml"]).code(0);
    assert!(told.err.contains("Chosen: "), "{}", told.err);
    assert!(told.err.contains("firsthand dedup docs.jsonl --config mine.toml"), "{}", told.err);
    assert!(told.out.is_empty());
    let settings = read(folder, "mine.toml");
    assert!(settings.starts_with("# Chosen by `firsthand tune` for the highest F1"), "{settings}");
    let args = ["dedup", "docs.jsonl", "--config", "mine.toml", "--format", "jsonl", "-q"];
    let found = run(folder, &args).code(0);
    let clusters = lines(&found.out);
    assert_eq!(clusters.len(), 12);
    assert!(clusters.iter().all(|cluster| cluster["size"] == 3));
    // The same labels give the same settings, on stdout if there is no file.
    assert_eq!(tune(folder, &[]).code(0).out, settings);
    tune(folder, &["-o", "mine.toml"]).code(2).says("there already");
    tune(folder, &["-o", "mine.toml", "--force", "--methods=shingles", "--precision", "0.99"])
        .code(0)
        .says("Chosen: shingles");
    assert!(read(folder, "mine.toml").contains("the highest recall at precision 0.99"));
}

#[test]
fn from_a_sample_that_a_person_graded() {
    let folder = labelled();
    let folder = folder.path();
    run(folder, &["sample", "docs.jsonl", "--floor", "0.05", "-o", "pairs.tsv"]).code(0);
    // A person who knows what belongs together.
    let mut graded = String::new();
    for (number, line) in read(folder, "pairs.tsv").lines().enumerate() {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if number > 0 {
            let story = |id: &str| id.split('-').next().unwrap().to_owned();
            cells[2] = if story(cells[0]) == story(cells[1]) { "y" } else { "n" };
        }
        graded += &(cells.join("\t") + "\n");
    }
    // All pairs of a sample may be right ones: a few that differ are added.
    for other in 12..20 {
        graded += &format!("0-0\t{other}-0\tn\n");
    }
    write(folder, "pairs.tsv", graded);
    // The documents without their labels, so that only the pairs count.
    let bare = read(folder, "docs.jsonl").replace("\"cluster\"", "\"other\"");
    write(folder, "bare.jsonl", bare);
    let args =
        ["tune", "bare.jsonl", "--pairs", "pairs.tsv", "--methods=shingles", "--draws", "50"];
    let told = run(folder, &args).code(0);
    assert!(told.err.contains("Chosen: shingles at threshold"), "{}", told.err);
    assert!(told.out.contains("threshold = "), "{}", told.out);
}

/// Every method makes no error on these labels, so that none of them beats the present settings.
#[test]
fn the_present_settings_stay_unless_they_are_clearly_beaten() {
    let folder = labelled();
    let folder = folder.path();
    let told = tune(folder, &["-o", "mine.toml"]).code(0);
    told.says("Chosen: profile:archive at threshold 0.4, the present settings: on these labels ")
        .says("the best, is not clearly better.");
    let shown = run(folder, &["config", "show"]).code(0).out;
    assert!(read(folder, "mine.toml").ends_with(&shown), "{shown}");
}

#[test]
fn what_cannot_be_tuned_is_said() {
    let folder = labelled();
    let folder = folder.path();
    tune(folder, &["--precision", "0.9", "--recall", "0.9"]).code(2).says("cannot be used with");
    tune(folder, &["--precision", "2"]).code(2).says("a share above 0 and up to 1");
    tune(folder, &["--methods=mini"]).code(2).says("there is no method \"mini\"");
    tune(folder, &["-o", "."]).code(2).says("is a folder");
    let two = r#"{"id":"a","text":"one two three","cluster":"x"}
{"id":"b","text":"one two three four","cluster":"x"}
{"id":"c","text":"five six seven eight"}
"#;
    write(folder, "two.jsonl", two);
    run(folder, &["tune", "two.jsonl", "--methods=shingles"]).code(2).says("at least two clusters");
}

#[test]
fn earlier_results_are_no_cluster() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..6 {
        let words = super::story(number);
        write(folder.path(), &format!("all/{number}/a.txt"), words.join(" "));
        write(folder.path(), &format!("all/{number}/b.txt"), super::copy(number, 3));
    }
    run(folder.path(), &["dedup", "all", "-o", "all/result"]).code(0);
    write(folder.path(), "all/.git/config", "[core]");
    write(folder.path(), "all/empty/picture.png", "");
    let tuned = run(folder.path(), &["tune", "all", "--methods=shingles"]).code(0);
    tuned.says("note: 1 folder without a document: \"all/empty\"");
}

#[test]
fn bands_are_shown_with_the_chance_to_meet() {
    let folder = tempfile::tempdir().unwrap();
    let show = |more: &[&str]| run(folder.path(), &[&["config", "show"], more].concat());
    let shown = show(&["--method", "lsh-s", "--recall", "0.95"]).code(0).out;
    assert!(shown.starts_with("# 34 bands of 3 rows, 102 min-hashes."), "{shown}");
    assert!(shown.contains("0.5: 0.989"), "{shown}");
    // What is shown is what a config file may say.
    write(folder.path(), "bands.toml", &shown);
    assert_eq!(show(&["--config", "bands.toml"]).code(0).out, shown);
    let papers = show(&["--method", "lsh-s"]).code(0).out;
    assert!(papers.contains("bands = 32") && papers.contains("rows = 6"), "{papers}");
    show(&["--method", "shingles", "--bits", "64"]).code(2).says("add --matcher bits");
    // Rows follow from the threshold, 0.45 or 0.9: as many as meet most pairs there.
    let five = show(&["--matcher", "bands", "--bands", "5"]).code(0).out;
    assert!(five.starts_with("# 5 bands of 1 row, 5 min-hashes."), "{five}");
    let strict = show(&["--matcher", "bands", "--bands", "5", "-t", "0.9"]).code(0).out;
    assert!(strict.starts_with("# 5 bands of 7 rows, 35 min-hashes."), "{strict}");
    show(&["--matcher", "bands", "--rows", "5"]).code(2).says("--bands");
    assert_eq!(show(&["--method", "minhash"]).code(0).out, show(&["--method", "lsh"]).code(0).out);
    show(&["--matcher", "bands", "--measure", "containment"]).code(2).says("containment");
    show(&["--matcher", "quick"]).code(2).says("there is no matcher \"quick\"");
    let bits = show(&["--profile", "archive", "--matcher", "bits", "--bits", "256"]).code(0).out;
    assert!(bits.contains("bits = 256"), "{bits}");
}
