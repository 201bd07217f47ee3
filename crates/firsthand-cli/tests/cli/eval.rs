//! `firsthand eval`: labels in every layout, figures that can be checked by hand, and what people get
//! wrong about labels.

use super::{Run, copy, lines, names, read, run, run_with, write};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

/// Id, text and cluster: four clusters of three, the third of which is a far copy; ten documents
/// of their own, of which one is like the first cluster's.
fn collection() -> Vec<(String, String, Option<String>)> {
    let mut all = Vec::new();
    for cluster in 0..4u64 {
        for (member, changed) in [0, 4, 40].into_iter().enumerate() {
            let id = format!("c{cluster}-{member}");
            all.push((id, copy(cluster, changed), Some(format!("cluster {cluster}"))));
        }
    }
    for alone in 100..109 {
        all.push((format!("alone-{alone}"), copy(alone, 0), None));
    }
    all.push(("stranger".to_owned(), copy(0, 6), None));
    all
}

fn jsonl(records: &[(String, String, Option<String>)]) -> String {
    let line = |(id, text, cluster): &(String, String, Option<String>)| {
        json!({ "id": id, "text": text, "cluster": cluster }).to_string() + "\n"
    };
    records.iter().map(line).collect()
}

fn labelled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "docs.jsonl", jsonl(&collection()));
    folder
}

/// Records without labels.
fn bare() -> String {
    let bare = collection().into_iter().map(|(id, text, _)| (id, text, None));
    jsonl(&bare.collect::<Vec<_>>())
}

const QUICK: [&str; 4] = ["--no-memory", "--draws", "50", "--methods=shingles"];

fn eval(folder: &Path, args: &[&str]) -> Run {
    run(folder, &[&["eval"], &QUICK[..], args].concat())
}

fn report(folder: &Path, args: &[&str]) -> Value {
    let run = eval(folder, &[&["--format", "json"], args].concat()).code(0);
    serde_json::from_str(&run.out).unwrap()
}

/// What shingles make of the collection: near copies are found, far ones are not, and the stranger
/// is like two documents of the first cluster.
#[track_caller]
fn check_shingles(report: &Value) {
    let method = &report["methods"][0];
    assert_eq!((&method["name"], &method["threshold"]), (&json!("shingles"), &json!(0.5)));
    let direct = &method["direct"];
    assert_eq!((&direct["stated"], &direct["hits"]), (&json!(6), &json!(4)));
    assert_eq!(direct["precision"]["value"], json!(4.0 / 6.0));
    assert_eq!(direct["recall"]["value"], json!(4.0 / 12.0));
    assert_eq!(report["labels"]["positive_pairs"], json!(12));
    assert_eq!(
        (&method["errors"]["false_pairs"], &method["errors"]["missed_pairs"]),
        (&json!(2), &json!(8))
    );
    let f1 = &direct["f1"];
    let [low, value, high] = ["low", "value", "high"].map(|part| f1[part].as_f64().unwrap());
    assert!((value - 4.0 / 9.0).abs() < 1e-12 && low < value && value < high, "{f1}");
    assert!(method["best"]["value"]["value"].as_f64().unwrap() >= value);
    // False pairs by the highest score, missed pairs by the lowest, in turns; all have a score.
    let worst = method["errors"]["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 10);
    assert_eq!(worst.iter().filter(|wrong| wrong["stated"] == true).count(), 2);
    assert!(worst[0]["score"].as_f64().unwrap() >= 0.5);
    assert!(worst[1]["score"].as_f64().unwrap() < 0.5);
    let (own, all) = (&method["curve"].as_array().unwrap(), report["methods"].as_array().unwrap());
    assert!(own.len() > 2 && all.len() == 1);
}

#[test]
fn records_with_clusters() {
    let folder = labelled();
    let report = report(folder.path(), &["docs.jsonl"]);
    check_shingles(&report);
    assert_eq!(report["labels"]["clusters"], 4);
    assert_eq!(report["labels"]["cluster_sizes"], json!([[3, 4]]));
    assert_eq!(report["methods"][0]["held_out"]["runs"].as_array().unwrap().len(), 5);
    // Of 22 documents, the first two of each cluster are grouped, once with the stranger.
    let b_cubed = &report["methods"][0]["clusters"]["b_cubed_precision"];
    let expected = (22.0 - 3.0 + (2.0 * 2.0 + 1.0) / 3.0) / 22.0;
    assert!((b_cubed.as_f64().unwrap() - expected).abs() < 1e-12, "{b_cubed}");
}

#[test]
fn what_dedup_states_is_what_is_measured() {
    let folder = labelled();
    let args =
        ["dedup", "docs.jsonl", "--method", "shingles", "--format", "jsonl", "--emit", "pairs"];
    let pairs = lines(&run(folder.path(), &args).code(0).out);
    let stated = report(folder.path(), &["docs.jsonl"])["methods"][0]["direct"]["stated"].clone();
    assert_eq!(json!(pairs.len()), stated);
}

#[test]
fn the_same_figures_whatever_the_number_of_threads() {
    let folder = labelled();
    let figures = |threads: &str| {
        let mut report = report(folder.path(), &["docs.jsonl", "--threads", threads]);
        let method = &mut report["methods"][0];
        method["cost"].take();
        method.take()
    };
    assert_eq!(figures("1"), figures("4"));
    let seeded = report(folder.path(), &["docs.jsonl", "--seed", "2"]);
    assert_ne!(seeded["methods"][0]["direct"]["f1"], figures("1")["direct"]["f1"]);
}

#[test]
fn graded_pairs_beside_records_take_pairs_out() {
    let folder = labelled();
    write(folder.path(), "pairs.tsv", "id_a\tid_b\ttier\nstranger\tc0-0\tgray\nc1-0\tc2-0\tneg\n");
    for input in ["docs.jsonl", "."] {
        let report = report(folder.path(), &[input]);
        let direct = &report["methods"][0]["direct"];
        assert_eq!((&direct["stated"], &direct["hits"]), (&json!(5), &json!(4)), "{input}");
        assert_eq!(report["labels"]["ignored_pairs"], 1);
        assert_eq!(report["labels"]["documents"], 22, "pairs.tsv is no document");
    }
}

#[test]
fn documents_that_are_not_labelled_take_no_part() {
    let folder = labelled();
    let text = read(folder.path(), "docs.jsonl")
        .replace("\"id\":\"stranger\"", "\"labelled\":false,\"id\":\"stranger\"");
    write(folder.path(), "docs.jsonl", text);
    let report = report(folder.path(), &["docs.jsonl"]);
    assert_eq!(report["labels"]["counted"], 21);
    assert_eq!(report["methods"][0]["direct"]["stated"], 4);
    assert!(report["labels"]["rule"].as_str().unwrap().contains("1 document is not labelled"));
}

#[test]
fn a_folder_per_cluster() {
    let folder = tempfile::tempdir().unwrap();
    for (id, text, cluster) in collection() {
        let place = cluster.map_or(String::new(), |cluster| cluster + "/");
        write(folder.path(), &format!("gold/{place}{id}.txt"), text);
    }
    std::fs::create_dir(folder.path().join("gold/nothing")).unwrap();
    write(folder.path(), "gold/single/only.txt", copy(500, 0));
    for input in ["gold", "./gold/"] {
        let report = report(folder.path(), &[input]);
        check_shingles(&report);
        let notes = report["labels"]["notes"].to_string();
        assert!(notes.contains("1 folder without a document: \\\"gold/nothing\\\""), "{notes}");
        assert!(notes.contains("1 cluster has one document only"), "{notes}");
        assert!(report["labels"]["rule"].as_str().unwrap().contains("the same folder"));
    }
    eval(folder.path(), &["gold"]).code(0).says("gold/nothing");
}

#[test]
fn graded_pairs_alone() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "news.jsonl", bare());
    let graded = "a\tb\tlabel\tscore\nc0-0\tc0-1\ty\t.9\nc1-0\tc1-2\ty\t.3\nc2-0\tc2-1\tY\t.9\n\
        c0-0\tstranger\tn\t.8\nc1-0\tc3-0\tn\t.1\nc2-0\tc3-0\t\t.1\nc2-0\tc2-2\tgray\t.3\n";
    write(folder.path(), "graded.tsv", graded);
    let report = report(folder.path(), &["news.jsonl", "--pairs", "graded.tsv"]);
    let method = &report["methods"][0];
    let direct = &method["direct"];
    assert_eq!((&direct["stated"], &direct["hits"]), (&json!(3), &json!(2)));
    assert_eq!(direct["recall"]["value"], json!(2.0 / 3.0));
    assert_eq!(method["clusters"], Value::Null);
    assert_eq!(report["labels"]["counted"], 8);
    assert!(report["labels"]["notes"].to_string().contains("1 pair of graded.tsv without a grade"));
    let rule = report["labels"]["rule"].to_string();
    assert!(rule.contains("3 positive and 2 negative ones, not the 1 that are neither"), "{rule}");
    // Beside folders, graded pairs that are named are what is meant.
    write(folder.path(), "in/year/news.jsonl", bare());
    let open = eval(folder.path(), &["in", "--pairs", "graded.tsv", "--format", "json"]).code(0);
    assert!(open.out.contains("only the pairs graded in graded.tsv count"), "{}", open.out);
    // Also as long as nothing is written into it.
    write(folder.path(), "sampled.tsv", "a\tb\tlabel\tscore\nc0-0\tc0-1\t\t.9\nc1-0\tc1-2\t\t.3\n");
    eval(folder.path(), &["in", "--pairs", "sampled.tsv"]).code(2).says("no pair is graded yet");
}

#[test]
fn labels_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let records = collection();
    write(folder.path(), "bare.jsonl", bare());
    write(folder.path(), "docs.jsonl", jsonl(&records));
    let with = |cluster: &dyn Fn(usize) -> Option<String>| {
        let all = records.iter().enumerate();
        let all = all.map(|(at, (id, text, _))| (id.clone(), text.clone(), cluster(at)));
        jsonl(&all.collect::<Vec<_>>())
    };
    write(folder.path(), "single.jsonl", with(&|at| Some(at.to_string())));
    write(folder.path(), "one.jsonl", with(&|_| Some("same".to_owned())));
    write(folder.path(), "empty.jsonl", "");
    for (name, text) in [
        ("unknown.tsv", "x\ty\tpos\nx\tz\tneg\n"),
        ("positive.tsv", "c0-0\tc0-1\tpos\n"),
        ("negative.tsv", "c0-0\tc1-1\tneg\n"),
        ("both.tsv", "c0-0\tc0-1\tpos\n# again\nc0-1\tc0-0\tneg\n"),
        ("itself.tsv", "c0-0\tc0-0\tpos\n"),
        ("short.tsv", "c0-0\tc0-1\tpos\nc0-0\n"),
        ("word.tsv", "c0-0\tc0-1\tmaybe so\n"),
        ("undone.tsv", "a\tb\tlabel\nc0-0\tc0-1\t\n"),
        ("bytes.tsv", "placeholder"),
    ] {
        write(folder.path(), name, text);
    }
    write(folder.path(), "bytes.tsv", [0xff, 0xfe, b'x']);
    let cases: [(&[&str], &[&str]); 20] = [
        (&["bare.jsonl"], &["no labels", "`cluster`", "--pairs"]),
        (&["empty.jsonl"], &["no document"]),
        (&["single.jsonl"], &["no two documents have the same cluster", "22 clusters"]),
        (&["one.jsonl"], &["all 22 documents have the same cluster", "add other clusters"]),
        (&["docs.jsonl", "--pairs", "unknown.tsv"], &["none of the 2 pairs", "\"x\"", "\"c0-0\""]),
        (&["bare.jsonl", "--pairs", "unknown.tsv"], &["none of the 2 pairs", "\"x\""]),
        (&["bare.jsonl", "--pairs", "positive.tsv"], &["graded as different (n)"]),
        (&["bare.jsonl", "--pairs", "negative.tsv"], &["graded as near-duplicates (y)"]),
        (&["docs.jsonl", "--pairs", "both.tsv"], &["both.tsv", "line 3", "line 1", "\"c0-1\""]),
        (&["docs.jsonl", "--pairs", "itself.tsv"], &["line 1", "\"c0-0\" is paired with itself"]),
        (&["docs.jsonl", "--pairs", "short.tsv"], &["line 2", "two documents"]),
        (&["docs.jsonl", "--pairs", "word.tsv"], &["line 1", "\"maybe so\"", "y or pos"]),
        (&["bare.jsonl", "--pairs", "undone.tsv"], &["no pair is graded yet", "1 pair to go"]),
        (&["docs.jsonl", "--pairs", "bytes.tsv"], &["bytes.tsv", "not UTF-8"]),
        (&["docs.jsonl", "--pairs", "gone.tsv"], &["gone.tsv", "no such file"]),
        (&["gone.jsonl"], &["gone.jsonl", "no such file"]),
        (&["docs.jsonl", "--methods", "mini"], &["\"mini\"", "spotsigs"]),
        (&["docs.jsonl", "--methods", "mail"], &["write profile:mail"]),
        (&["docs.jsonl", "--methods", "profile:mini"], &["--methods profile:mini", "archive"]),
        (&["docs.jsonl", "--profile", "mini"], &["--profile mini cannot be measured", "archive"]),
    ];
    for (args, expected) in cases {
        let run = run(folder.path(), &[&["eval", "--no-memory", "-q"], args].concat()).code(2);
        for text in expected {
            assert!(run.err.contains(text), "{args:?}: {text:?} is not in {}", run.err);
        }
        assert_eq!(run.out, "", "{args:?}");
    }
}

#[test]
fn labels_that_are_partly_wrong_are_told() {
    let folder = labelled();
    let mut text = read(folder.path(), "docs.jsonl");
    text += &json!({ "id": "c0-0", "text": copy(700, 0) }).to_string();
    write(folder.path(), "docs.jsonl", text);
    write(folder.path(), "g.tsv", "c0-0\tc0-1\tneg\nstranger\tc0-0\tpos\ngone\tc0-0\tgray\n");
    eval(folder.path(), &["docs.jsonl", "--pairs", "g.tsv"])
        .code(0)
        .says("1 pair of g.tsv left out: not in the collection are \"gone\"")
        .says("ids that several documents have; the first document with the id is used: \"c0-0\"")
        .says("1 pair of g.tsv graded as near-duplicates but in different clusters")
        .says("1 pair of g.tsv graded as different but in one cluster");
}

#[test]
fn unreadable_documents_end_with_three() {
    let folder = labelled();
    let text = read(folder.path(), "docs.jsonl") + "{broken\n";
    write(folder.path(), "docs.jsonl", text);
    let run = eval(folder.path(), &["docs.jsonl"]).code(3).says("not read: docs.jsonl, line 23");
    assert!(run.out.starts_with("method"), "{}", run.out);
}

#[test]
fn a_folder_of_results() {
    let folder = labelled();
    let methods = ["--methods", "spotsigs,profile:mail", "-o", "out", "--draws", "20"];
    let args = [&["eval", "docs.jsonl"], &methods[..]].concat();
    run(folder.path(), &args).code(0).says("Results are in out: errors.tsv, report.csv");
    for name in ["errors.tsv", "report.csv", "report.json"] {
        assert!(names(&folder.path().join("out")).contains(&name.to_owned()), "{name}");
    }
    let report: Value = serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    let methods = report["methods"].as_array().unwrap();
    assert_eq!([&methods[0]["name"], &methods[1]["name"]], ["spotsigs", "profile:mail"]);
    assert_eq!(report["differences"].as_array().unwrap().len(), 1);
    for method in methods {
        let cost = &method["cost"];
        let times = cost["match_over_threshold"].as_array().unwrap();
        assert!(times.len() >= 3 && times.last().unwrap()[0] == 1.0, "{cost}");
        assert!(cost["signatures"].as_u64().unwrap() > 100);
        if cfg!(target_os = "linux") {
            assert!(cost["peak_memory"].as_u64().unwrap() > 1_000_000, "{cost}");
        }
    }
    let csv = read(folder.path(), "out/report.csv");
    assert_eq!(csv.lines().count(), 3);
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.iter().all(|&count| count == columns[0]), "{columns:?}");
    // Every error is listed, and `explain` knows it.
    let errors = read(folder.path(), "out/errors.tsv");
    let counted = |kind: &str| -> u64 {
        methods.iter().map(|method| method["errors"][kind].as_u64().unwrap()).sum()
    };
    let all = counted("false_pairs") + counted("missed_pairs");
    assert_eq!(errors.lines().count() as u64, 1 + all);
    let first: Vec<&str> = errors.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(first[..2], ["spotsigs", "false"]);
    let look = ["explain", first[2], first[3], "--in", "docs.jsonl", "--method", "spotsigs"];
    let look = [&look[..], &["--format", "json"]].concat();
    let explained: Value = serde_json::from_str(&run(folder.path(), &look).code(0).out).unwrap();
    assert_eq!(explained["score"].to_string(), first[4]);

    run(folder.path(), &args).code(2).says("is there already: --force");
    run(folder.path(), &[&args[..], &["--force"]].concat()).code(0);
    let dry = ["eval", "docs.jsonl", "--methods", "ddd", "-o", "new", "--dry-run", "--no-memory"];
    run(folder.path(), &dry).code(0).says("Dry run: nothing was written");
    assert!(!folder.path().join("new").exists());
}

#[test]
fn a_table_for_people() {
    let folder = labelled();
    let out = eval(folder.path(), &["docs.jsonl", "--profile", "archive"]).code(0).out;
    assert!(!out.contains('\x1b'), "{out}");
    assert!(out.lines().take(7).all(|line| line.len() <= 130), "{out}");
    for text in [
        "shingles         0.500  0.666   0.333  0.444",
        "lost/10k",
        " by kind of page:\nkind of page",
        "Labels: 22 documents in 4 clusters of two or more, 12 positive pairs; two documents with",
        "all others are negative.",
        "Best: ",
        "Look: firsthand explain ",
        " --in docs.jsonl --",
    ] {
        assert!(out.contains(text), "{text:?} is not in {out}");
    }
}

/// Two thirds are cut to 0.666 by all that print them.
#[test]
fn a_share_is_printed_in_one_way() {
    let folder = labelled();
    let args = ["docs.jsonl", "--methods", "shingles"];
    let table = eval(folder.path(), &args).code(0).out;
    eval(folder.path(), &[&args[..], &["-o", "out"]].concat()).code(0);
    for shown in [table, read(folder.path(), "out/report.html")] {
        assert!(shown.contains("0.666") && !shown.contains("0.667"), "{shown}");
    }
}

#[test]
fn settings_of_a_file_and_standard_input() {
    let folder = labelled();
    write(folder.path(), "mine.toml", "method = \"shingles\"\nthreshold = 0.3\n[scheme]\nn = 1\n");
    let args = ["eval", "-", "--config", "mine.toml", "--format", "json", "--draws", "0"];
    let run = run_with(folder.path(), &args, read(folder.path(), "docs.jsonl").as_bytes()).code(0);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let methods = report["methods"].as_array().unwrap();
    assert_eq!((methods.len(), &methods[0]["name"]), (1, &json!("mine.toml")));
    assert_eq!(methods[0]["threshold"], 0.3);
    assert_eq!(methods[0]["cost"]["peak_memory"], Value::Null);
    let f1 = &methods[0]["direct"]["f1"];
    assert_eq!((&f1["low"], &f1["high"]), (&f1["value"], &f1["value"]));
}

#[test]
fn one_cluster_cannot_be_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<_> =
        collection().into_iter().filter(|(id, ..)| !id.starts_with(['c'])).collect();
    let pair = ["x", "y"].map(|id| (id.to_owned(), copy(900, 0), Some("c".to_owned())));
    write(folder.path(), "docs.jsonl", jsonl(&[&records[..], &pair[..]].concat()));
    let report = report(folder.path(), &["docs.jsonl"]);
    let method = &report["methods"][0];
    assert_eq!(method["held_out"]["f1"]["value"], Value::Null);
    assert_eq!(method["direct"]["f1"]["value"], 1.0);
    let out = eval(folder.path(), &["docs.jsonl"]).code(0).out;
    assert!(out.contains("Best: shingles, max F1 1.00"), "{out}");
    assert!(out.contains("makes no error on these labels"), "{out}");
}
