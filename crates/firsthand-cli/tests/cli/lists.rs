//! Pairs, clusters and what is dropped as Parquet, and how many pairs are listed at most.

use super::tables::{columns, rows_of, table};
use super::{COUNCIL, FERRY, lines, read, run, three_records, write};
use std::process::Stdio;

#[test]
fn pairs_clusters_and_dropped_as_parquet() {
    let folder = three_records();
    let args = ["dedup", "three.jsonl", "-o", "out", "--format", "parquet", "--dropped"];
    run(folder.path(), &args).code(0);
    let pairs = rows_of(folder.path(), "out/pairs.parquet");
    assert_eq!(pairs, ["{a: \"one\", b: \"two\", score: 1.0, exact: true}"]);
    let clusters = rows_of(folder.path(), "out/clusters.parquet");
    let rest = "via: null, time: null, title: null, url: null, source: null, sender: null}";
    assert_eq!(
        clusters,
        [
            format!(
                "{{cluster: 1, size: 2, id: \"one\", original: \"one\", score: 1.0, exact: null, {rest}"
            ),
            format!(
                "{{cluster: 1, size: 2, id: \"two\", original: \"one\", score: 1.0, exact: true, {rest}"
            ),
        ]
    );
    let dropped = rows_of(folder.path(), "out/dropped.parquet");
    assert_eq!(
        dropped,
        [
            "{id: \"two\", original: \"one\", score: 1.0, exact: true, via: null, reason: \"same text as its original\"}"
        ]
    );
    // The same facts as the lists of JSON have.
    assert_eq!(lines(&read(folder.path(), "out/pairs.jsonl")).len(), 1);
}

#[test]
fn times_are_times() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"{FERRY}\",\"time\":\"2026-01-02T03:04:05Z\"}}\n")
    };
    write(folder.path(), "in.jsonl", record("a") + &record("b"));
    run(folder.path(), &["dedup", "in.jsonl", "-o", "out", "--format", "parquet"]).code(0);
    let clusters = rows_of(folder.path(), "out/clusters.parquet");
    assert!(clusters[0].contains("time: 2026-01-02 03:04:05.000 +00:00"), "{clusters:?}");
}

#[test]
fn rows_that_are_dropped_do_not_take_the_name_of_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let three = [("one", FERRY), ("two", FERRY), ("three", COUNCIL)];
    write(folder.path(), "t.parquet", table(&three));
    let args = ["dedup", "t.parquet", "-o", "out", "--dropped", "--original", "first"];
    run(folder.path(), &args).code(0);
    let row = [format!("{{id: \"two\", text: \"{FERRY}\", n: 1}}")];
    assert_eq!(rows_of(folder.path(), "out/dropped.parquet"), row);
    run(folder.path(), &[&args[..], &["--force", "--format", "parquet"]].concat()).code(0);
    assert_eq!(rows_of(folder.path(), "out/dropped-rows.parquet"), row);
    assert!(rows_of(folder.path(), "out/dropped.parquet")[0].contains("reason: "));
    let table = format!("id,text\none,{FERRY}\ntwo,{FERRY}\n");
    write(
        folder.path(),
        "t.csv",
        table.replace("d, and", "d and").replace("midnight,", "midnight"),
    );
    let args = ["dedup", "t.csv", "-o", "out", "--dropped", "--force", "--format", "csv"];
    run(folder.path(), &args).code(0);
    assert!(read(folder.path(), "out/dropped-rows.csv").starts_with("id,text\ntwo,"));
    assert!(read(folder.path(), "out/dropped.csv").starts_with("id,original,"));
}

#[test]
fn parquet_on_standard_output() {
    let folder = three_records();
    for (emit, rows) in [("pairs", 1), ("clusters", 2), ("dropped", 1), ("kept", 2)] {
        let args = ["dedup", "three.jsonl", "--emit", emit, "--format", "parquet"];
        let output = super::command(folder.path(), &args).stdout(Stdio::piped()).output().unwrap();
        assert!(output.status.success());
        assert_eq!(super::tables::rows(output.stdout.clone()).len(), rows, "{emit}");
        assert!(!columns(output.stdout).is_empty());
    }
}

#[test]
fn too_many_pairs_are_said_before_they_are_searched_or_listed() {
    let folder = tempfile::tempdir().unwrap();
    let equal: String =
        (0..60).map(|at| format!("{{\"id\":{at},\"text\":\"{FERRY}\"}}\n")).collect();
    write(folder.path(), "equal.jsonl", equal);
    let most = ["--pairs", "all", "--max-pairs", "1000", "--method", "shingles"];
    let args = [&["dedup", "equal.jsonl", "-o", "out"][..], &most].concat();
    let refused = run(folder.path(), &args).code(2);
    let said = refused.says("at least 1,770 pairs").says("limit is 1,000");
    said.says("--pairs star").says("--max-pairs");
    let all = ["--pairs", "all", "--max-pairs", "400", "--method", "shingles"];
    assert!(!folder.path().join("out").exists());
    // Texts that differ are counted once they were compared: then the list is short, and that is said.
    let alike = |at: u64| format!("{{\"id\":{at},\"text\":\"{FERRY} {COUNCIL} number{at}\"}}\n");
    write(folder.path(), "alike.jsonl", (0..30).map(alike).collect::<String>());
    let args = [&["dedup", "alike.jsonl", "-o", "out"][..], &all].concat();
    run(folder.path(), &args).code(0).says("there are 435 pairs and at most 400 are listed");
    assert_eq!(read(folder.path(), "out/pairs.jsonl").lines().count(), 29);
    // Who asked for errors only is not told, but the report says it.
    let quiet = run(folder.path(), &[&args[..], &["--force", "-q"]].concat()).code(0);
    assert_eq!(quiet.err, "");
    let report: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    assert_eq!((&report["pairs"]["found"], &report["pairs"]["listed"]), (&435.into(), &29.into()));
    // A star has as many pairs as there are copies.
    let star = ["dedup", "equal.jsonl", "-o", "star", "--pairs", "star"];
    run(folder.path(), &star).code(0);
    assert_eq!(read(folder.path(), "star/pairs.jsonl").lines().count(), 59);
}
