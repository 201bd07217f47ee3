//! `firsthand eval --online`: figures that can be worked out by hand, orders that are the same every
//! time, and what people get wrong.

use super::{Run, copy, names, read, run, write};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

/// Four clusters of an original, a near copy and a far one, a day after another; ten documents of
/// their own; one that nobody labelled.
fn collection() -> Vec<Value> {
    let mut all = Vec::new();
    for cluster in 0..4u64 {
        for (member, changed) in [0, 4, 50].into_iter().enumerate() {
            let time = format!("2026-03-{:02}T0{}:00:00Z", cluster + 1, member);
            all.push(json!({
                "id": format!("c{cluster}-{member}"), "text": copy(cluster, changed),
                "cluster": cluster.to_string(), "time": time,
            }));
        }
    }
    all.extend(
        (100..110).map(|number| json!({ "id": number.to_string(), "text": copy(number, 0) })),
    );
    all.push(json!({ "id": "unlabelled", "text": copy(0, 1), "labelled": false }));
    all
}

fn folder(records: &[Value]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    write(folder.path(), "docs.jsonl", lines);
    folder
}

fn eval(folder: &Path, args: &[&str]) -> Run {
    run(folder, &[&["eval", "--online", "docs.jsonl", "--draws", "50"], args].concat())
}

fn report(folder: &Path, args: &[&str]) -> Value {
    let run = eval(folder, &[&["--format", "json"], args].concat()).code(0);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn near_copies_are_found_in_every_order_and_far_ones_in_none() {
    let folder = folder(&collection()[..22]);
    let report = report(folder.path(), &["--methods", "shingles"]);
    assert_eq!((&report["orders"], &report["seed"]), (&json!(20), &json!(1)));
    let method = &report["methods"][0];
    for (figure, value) in [("precision", 1.0), ("recall", 0.5), ("strict_recall", 0.5)] {
        let spread = &method["random"][figure];
        for part in ["mean", "low", "high", "least", "most"] {
            assert_eq!(spread[part], json!(value), "{figure} {part}");
        }
    }
    let counts = &method["random"]["counts"];
    assert_eq!((&counts["found"], &counts["missed"]), (&json!(80), &json!(80)));
    // Fourteen originals in each of twenty orders; the very first document is not counted.
    assert_eq!(counts["kept"], json!(20 * 13));
    // In time, only those with times arrive: the first is not counted, far copies are missed.
    let time = &method["time"];
    assert_eq!((&time["documents"], &time["recall"]), (&json!(12), &json!(0.5)));
    assert_eq!(time["counts"]["kept"], json!(3));
    let errors = method["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 4);
    assert!(errors.iter().all(|wrong| wrong["kind"] == "missed" && wrong["orders"] == 20));
    assert_eq!((&errors[0]["id"], &errors[0]["partner"]), (&json!("c0-2"), &json!("c0-0")));
}

#[test]
fn what_nobody_labelled_arrives_but_does_not_count() {
    let folder = folder(&collection());
    let report = report(folder.path(), &["--methods", "shingles"]);
    let counts = &report["methods"][0]["random"]["counts"];
    let count = |name: &str| counts[name].as_u64().unwrap();
    assert_eq!(count("suppressed") + count("wrong_links"), 0);
    // Some copies of the first story are linked to the document of which nothing is known.
    assert!(count("unclear") > 0);
    let all = ["found", "kept", "missed", "unclear"].map(count).iter().sum::<u64>();
    // It may also be the very first, and is then not counted anyway.
    assert!((20 * 21..=20 * 22).contains(&all), "{all}");
}

#[test]
fn an_original_that_is_like_another_is_lost() {
    let mut records = collection()[..22].to_vec();
    let url = "https://www.stranger.example/";
    records[21] = json!({ "id": "stranger", "url": url, "text": copy(0, 6) });
    let folder = folder(&records);
    let report = report(folder.path(), &["--methods", "shingles", "--orders", "25"]);
    let method = &report["methods"][0];
    let counts = &method["random"]["counts"];
    // In each order, whoever of the two comes second; and copies may be linked to the wrong one.
    assert_eq!(counts["suppressed"], json!(25));
    assert!(method["random"]["precision"]["mean"].as_f64().unwrap() < 1.0);
    let strict = method["random"]["strict_recall"]["mean"].as_f64().unwrap();
    assert!(strict <= method["random"]["recall"]["mean"].as_f64().unwrap());
    let lost = method["random"]["suppressed_of_10_000"]["mean"].as_f64().unwrap();
    // One of thirteen originals: the very first document is one, and is not counted.
    assert!((lost - 1e4 / 13.0).abs() < 1e-6, "{lost}");
    let kinds = method["by_kind"].as_array().unwrap().iter();
    let by_kind: u64 = kinds.map(|kind| kind["counts"]["suppressed"].as_u64().unwrap()).sum();
    assert_eq!(by_kind, 25);
    // The only site loses its document whenever that comes second.
    let sites = method["by_site"].as_array().unwrap();
    assert_eq!((sites.len(), &sites[0]["name"]), (1, &json!("stranger.example")));
    let lost = sites[0]["counts"]["suppressed"].as_u64().unwrap();
    assert!((1..25).contains(&lost), "{lost}");
}

#[test]
fn the_same_seed_gives_the_same_orders_on_any_number_of_threads() {
    let mut records = collection();
    records[21] = json!({ "id": "stranger", "text": copy(0, 6) });
    let folder = folder(&records);
    let figures = |args: &[&str]| {
        let report = report(folder.path(), &[&["--methods", "shingles"], args].concat());
        report["methods"][0]["random"].to_string() + &report["methods"][0]["errors"].to_string()
    };
    let one = figures(&["--threads", "1"]);
    assert_eq!(one, figures(&["--threads", "2"]));
    assert_ne!(one, figures(&["--seed", "2"]));
}

#[test]
fn tables_and_files() {
    let folder = folder(&collection()[..22]);
    let args = ["--methods", "shingles", "-o", "result", "--orders", "3"];
    let run = eval(folder.path(), &args).code(0);
    assert!(run.out.starts_with("method       at  prec.       (95 %)"), "{}", run.out);
    assert!(run.out.contains("is linked to any earlier document of its cluster"), "{}", run.out);
    assert!(
        run.out.contains("Look: firsthand explain c0-2 c0-0 --in docs.jsonl --method shingles")
    );
    assert!(run.out.contains("shingles by kind of page, all orders together:"), "{}", run.out);
    assert!(run.err.contains("note: 3 orders only"), "{}", run.err);
    let result = folder.path().join("result");
    assert_eq!(names(&result), ["errors.tsv", "report.csv", "report.html", "report.json"]);
    let table = read(&result, "report.csv");
    let columns: Vec<usize> = table.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns.len(), 2);
    assert_eq!(columns[0], columns[1]);
    let errors = read(&result, "errors.tsv");
    assert!(errors.contains("shingles\tmissed\tc0-2\tc0-0\t"), "{errors}");
    let page = read(&result, "report.html");
    assert!(page.contains("<th>shingles</th>") && page.contains("c0-2"), "{page}");
}

#[test]
fn what_cannot_judge_a_stream_is_told_and_left_out() {
    let folder = folder(&collection()[..22]);
    let run = eval(folder.path(), &["--methods", "i-match,shingles"]).code(0);
    assert!(run.err.contains("not measured:"), "{}", run.err);
    assert!(!run.out.contains("i-match"), "{}", run.out);
    let run = eval(folder.path(), &["--methods", "i-match"]).code(2);
    assert!(run.err.contains("no method could be measured"), "{}", run.err);
}

#[test]
fn slips_of_the_finger() {
    let folder = folder(&collection()[..22]);
    let run = eval(folder.path(), &["--orders", "0"]).code(2);
    assert!(run.err.contains("write a number from 1 to 10000"), "{}", run.err);
    let run = super::run(folder.path(), &["eval", "docs.jsonl", "--grid"]).code(2);
    assert!(run.err.contains("--online"), "{}", run.err);
}

#[test]
fn the_grid_of_nrc() {
    let folder = folder(&collection()[..22]);
    let report = report(folder.path(), &["--methods", "nrc", "--grid", "--orders", "2"]);
    let grid = report["grid"].as_array().unwrap();
    assert_eq!(grid.len(), 2 * 5 * 4);
    let best = grid.iter().find(|row| row["n"] == 3 && row["f"] == 1.0 && row["r"] == 0.2).unwrap();
    assert_eq!(best["precision"]["mean"], json!(1.0));
    assert!(best["recall"]["mean"].as_f64().unwrap() >= 0.5);
    let run = eval(folder.path(), &["--methods", "nrc", "--grid", "--orders", "2"]).code(0);
    assert!(run.out.contains("its paper: prec."), "{}", run.out);
    assert!(run.out.contains("0.971   0.940  0.955"), "{}", run.out);
}

/// The collection that the README starts with, by its graded pairs.
#[test]
fn the_examples() {
    let args = ["eval", "--online", "examples/pages", "--pairs", "examples/pairs.tsv", "--profile"];
    let run = run(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        &[&args[..], &["archive", "--format", "json", "--draws", "50"]].concat(),
    );
    let report: Value = serde_json::from_str(&run.code(0).out).unwrap();
    let random = &report["methods"][0]["random"];
    assert!(random["precision"]["mean"].as_f64().unwrap() >= 0.95, "{random}");
    // Stories that a site has published twice with other headlines are held to more on a stream.
    assert!(random["recall"]["mean"].as_f64().unwrap() >= 0.9, "{random}");
}
