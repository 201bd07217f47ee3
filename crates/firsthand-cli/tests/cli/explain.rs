//! `firsthand explain` as users meet it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_firsthand"));
    command.current_dir(folder).args(args).env_remove("NO_COLOR").output().unwrap()
}

/// What is printed, if all goes well.
fn text(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&text(folder, &[args, &["--format", "json"]].concat())).unwrap()
}

/// What is said, if it does not.
fn complaint(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

const FERRY: &str = "The ferry to the island will not sail today because of the storm.\n\
    A new timetable is to be put up at the harbour in the morning, the master said.\n";

#[test]
fn the_verdict_is_that_of_dedup() {
    let pages = "examples/pages";
    let line = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let results = tempfile::tempdir().unwrap();
    let output = results.path().join("out");
    text(&root(), &["dedup", pages, "-o", output.to_str().unwrap(), "--quiet"]);
    let pairs = std::fs::read_to_string(output.join("pairs.jsonl")).unwrap();
    let pairs: Vec<Value> = pairs.lines().map(line).collect();
    assert!(pairs.len() > 20);
    let truth = std::fs::read_to_string(root().join("examples/truth.tsv")).unwrap();
    let ids: Vec<&str> = truth.lines().filter_map(|line| line.split('\t').nth(2)).collect();
    // Neighbours in the list: copies, look-alikes and strangers.
    for pair in ids.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let is = |pair: &&Value| [(a, b), (b, a)].contains(&(id(pair, "a"), id(pair, "b")));
        let found = pairs.iter().find(is);
        let explanation = json(&root(), &["explain", a, b, "--in", pages]);
        let verdict = explanation["verdict"].as_str().unwrap();
        let matched = ["near-duplicate", "exact-copy"].contains(&verdict);
        assert_eq!(found.is_some(), matched, "{a} {b} {verdict}");
        if let Some(found) = found {
            assert_eq!(found["score"].as_f64(), explanation["score"].as_f64(), "{a} {b}");
        }
    }
}

fn id<'a>(pair: &'a Value, side: &str) -> &'a str {
    pair[side].as_str().unwrap()
}

#[test]
fn two_files() {
    let changed = FERRY.replace("today", "tomorrow");
    let folder = folder(&[("a.txt", FERRY), ("b.txt", &changed)]);
    let spots = ["--distance", "1", "--threshold", "0.44"];
    let args = ["explain", "a.txt", "b.txt", "--format", "text"];
    let page = text(folder.path(), &[&args[..], &spots].concat());
    assert!(page.starts_with("Near-duplicates. They share "), "{page}");
    assert!(page.contains("will not sail [-today-] {+tomorrow+} because of"), "{page}");
    assert!(page.contains("  jaccard "), "{page}");
    assert!(page.contains("<- decides; threshold 0.44"), "{page}");
    assert!(!page.contains('\u{1b}'), "no colours outside a terminal");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");

    let object = json(folder.path(), &[&["explain", "a.txt", "./b.txt"][..], &spots].concat());
    assert_eq!(object["verdict"], "near-duplicate");
    assert_eq!(object["a"]["id"], "a.txt");
    assert_eq!(object["passages"][0]["kind"], "changed");
    assert_eq!(object["passages"][0]["pieces"][1]["a"], "today ");
    assert_eq!(object["passages"][1]["kind"], "same");
    assert_eq!(object["scores"].as_array().unwrap().len(), 5);
    assert_eq!(object["shared"][0]["text"], "the:ferry:island");
}

#[test]
fn a_file_and_itself() {
    let folder = folder(&[("a.txt", FERRY)]);
    let object = json(folder.path(), &["explain", "a.txt", "./a.txt"]);
    assert_eq!(object["verdict"], "exact-copy");
}

#[test]
fn ids_of_a_collection() {
    let record = |id: &str, text: &str| serde_json::json!({"id": id, "text": text}).to_string();
    let lines = [
        record("17", FERRY),
        record("17", "Another text under the same id."),
        "broken".to_owned(),
        record("42", &FERRY.to_uppercase()),
    ];
    let folder = folder(&[("news.jsonl", &lines.join("\n"))]);
    let object = json(folder.path(), &["explain", "17", "42", "--in", "news.jsonl"]);
    assert_eq!(object["verdict"], "exact-copy");
    let object = json(folder.path(), &["explain", "17#2", "42", "--in", "news.jsonl"]);
    assert_eq!(object["a"]["id"], "17#2");
    assert_eq!(object["verdict"], "too-short");

    let missing = complaint(folder.path(), &["explain", "17", "43", "--in", "news.jsonl"]);
    assert!(missing.contains("no document of --in has the id \"43\""), "{missing}");
    assert!(missing.contains("look like \"17\""), "{missing}");
    let many = complaint(folder.path(), &["explain", "news.jsonl", "news.jsonl"]);
    assert!(many.contains("holds many documents") && many.contains("--in news.jsonl"), "{many}");
    let absent = complaint(folder.path(), &["explain", "17", "42"]);
    assert!(absent.contains("no file \"17\"") && absent.contains("--in"), "{absent}");
}

#[test]
fn furniture_is_shown_as_such() {
    let frame = "Subscribe to the Courier for the price of a cup of tea a week";
    let record = |id: &str, text: &str| {
        let url = format!("https://courier.example/{id}");
        serde_json::json!({"id": id, "url": url, "text": format!("{frame}\n{text}")}).to_string()
    };
    let stories = [
        FERRY,
        "A cow has been found in the waiting room of the station, and it is well.",
        "The price of bread will be put up by the bakers in the spring, they said.",
    ];
    let lines: Vec<String> =
        stories.iter().enumerate().map(|(at, text)| record(&at.to_string(), text)).collect();
    let folder = folder(&[("news.jsonl", &lines.join("\n"))]);
    let args = ["explain", "0", "1", "--in", "news.jsonl"];
    let object = json(folder.path(), &args);
    assert_eq!(object["a"]["aside"][0], frame);
    assert_eq!(object["overlap"], 0);
    let page = text(folder.path(), &[&args[..], &["--format", "text"]].concat());
    assert!(page.contains("Set aside as page furniture: 1 in a, 1 in b"), "{page}");
    let without = json(folder.path(), &[&args[..], &["--template", "false"]].concat());
    assert!(without["overlap"].as_u64() > Some(0));
    assert_eq!(without["a"]["aside"].as_array().unwrap().len(), 0);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let hostile = format!("{FERRY}\u{1b}[2J\u{1b}]0;title\u{7} is the word");
    let folder = folder(&[("a.txt", &hostile), ("b.txt", FERRY)]);
    let page = text(folder.path(), &["explain", "a.txt", "b.txt", "--format", "text"]);
    assert!(page.contains("\\u{1b}[2J"), "{page}");
    assert!(!page.contains(['\u{1b}', '\u{7}']));
}

#[test]
fn long_passages_are_shortened_unless_asked_for() {
    let long = format!("{FERRY}{}last", "The boat is at the quay again and ".repeat(30));
    let folder = folder(&[("a.txt", &long), ("b.txt", &format!("{long}\nThe end of the story."))]);
    let args = ["explain", "a.txt", "b.txt", "--format", "text"];
    let short = text(folder.path(), &args);
    assert!(short.contains("… (241 words)") && !short.contains("again and last"), "{short}");
    assert!(short.ends_with("Shortened: --verbose shows everything.\n"), "{short}");
    let full = text(folder.path(), &[&args[..], &["--verbose"]].concat());
    assert!(full.contains("again and last") && !full.contains("Shortened"), "{full}");
}

/// 6 of 13 words: 0.46153..., which is cut to 0.461 by all that print it.
#[test]
fn a_score_is_printed_in_one_way() {
    let one = "one two three four five six a b c";
    let other = "one two three four five six d e f g";
    let folder = folder(&[("a.txt", one), ("b.txt", other)]);
    let settings =
        ["--method", "shingles", "--n", "1", "--threshold", "0.3", "--min-features", "1"];
    let listed = ["dedup", "a.txt", "b.txt", "--emit", "pairs", "--quiet"];
    let pairs = text(folder.path(), &[&listed[..], &settings].concat());
    assert!(pairs.contains("0.461"), "{pairs}");
    let page = text(folder.path(), &[&["explain", "a.txt", "b.txt"][..], &settings].concat());
    assert!(page.contains("share 6 of their 13 words: Jaccard 0.461 reaches"), "{page}");
    assert!(page.contains("  jaccard          0.461 "), "{page}");
    assert!(!page.contains("0.462") && !page.contains("hingles"), "{page}");
}

#[test]
fn a_changed_figure_makes_an_update_as_on_a_stream() {
    let changed =
        format!("{FERRY}About 17 people were waiting in the hall of the harbour by then.\n");
    let later = changed.replace("17 people", "23 people");
    let folder = folder(&[("a.txt", &changed), ("b.txt", &later)]);
    let args = ["explain", "a.txt", "b.txt", "--profile", "alert"];
    let object = json(folder.path(), &args);
    assert_eq!(object["verdict"], "update");
    let expected =
        serde_json::json!([{"before": "17 people", "after": "23 people", "kind": "count"}]);
    assert_eq!(object["changed"], expected);
    let page = text(folder.path(), &args);
    assert!(page.starts_with("Update. They share "), "{page}");
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("\"17 people\" became \"23 people\"."), "{page}");
    let object = json(folder.path(), &args[..3]);
    assert_eq!((&object["verdict"], object.get("changed")), (&"near-duplicate".into(), None));
}

#[test]
fn text_is_printed_into_a_pipe_and_the_language_is_there_or_absent() {
    let folder = folder(&[("a.txt", FERRY), ("b.txt", &FERRY.replace("today", "tomorrow"))]);
    assert!(text(folder.path(), &["explain", "a.txt", "b.txt"]).starts_with("Near-duplicates."));
    let spots = json(folder.path(), &["explain", "a.txt", "b.txt", "--method", "spotsigs"]);
    assert_eq!(spots["a"]["language"], "en");
    let words = json(folder.path(), &["explain", "a.txt", "b.txt", "--method", "shingles"]);
    assert_eq!(words["a"].get("language"), None);
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    for name in [name, "b.txt".as_ref()] {
        std::fs::write(folder.path().join(name), FERRY).unwrap();
    }
    let escaped = std::ffi::OsStr::new(r"caf\xE9.txt");
    let cases: [(_, &[&str]); 3] = [(name, &[]), (name, &["--in", "."]), (escaped, &["--in", "."])];
    for (name, collection) in cases {
        let mut command = Command::new(env!("CARGO_BIN_EXE_firsthand"));
        command.current_dir(folder.path()).arg("explain").arg(name).arg("b.txt").args(collection);
        let output = command.output().unwrap();
        let page = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(page.starts_with("Exact copies."), "{name:?} {collection:?}: {page} {said}");
    }
    let store = folder.path().join("seen");
    let store = store.to_str().unwrap();
    text(folder.path(), &["watch", ".", "--store", store, "--once", "--quiet"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_firsthand"));
    command.current_dir(folder.path()).arg("explain").arg(name).args(["b.txt", "--store", store]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A store keeps no texts, but features and figures.
#[test]
fn a_document_of_a_store_and_a_new_one() {
    let hall = "About 17 people were waiting in the hall of the harbour by then.\n";
    let text_of = |number: &str| format!("{FERRY}{}", hall.replace("17", number));
    let line = serde_json::json!({ "id": "story", "text": text_of("17") });
    let folder = folder(&[
        ("in.jsonl", &line.to_string()),
        ("same.txt", &text_of("17").to_uppercase()),
        ("later.txt", &text_of("23")),
        (
            "other.txt",
            "A wholly different report of a quiet day in the hills, with no news at all.",
        ),
    ]);
    let stream = ["stream", "--store", "seen", "--profile", "alert", "in.jsonl", "--quiet"];
    text(folder.path(), &stream);
    let explain = |file: &str| json(folder.path(), &["explain", "story", file, "--store", "seen"]);
    assert_eq!(explain("later.txt")["verdict"], "update");
    assert_eq!(explain("later.txt")["changed"][0]["after"], "23 people");
    assert_eq!(explain("same.txt")["exact"], true);
    assert_eq!(explain("other.txt")["verdict"], "original");
    let said = text(folder.path(), &["explain", "story", "later.txt", "--store", "seen"]);
    assert!(said.starts_with("An update of story. Similarity 0."), "{said}");
    assert!(said.contains("\"17 people\" became \"23 people\""), "{said}");
    let absent = ["explain", "nobody", "later.txt", "--store", "seen"];
    assert!(complaint(folder.path(), &absent).contains("no document of --store has the id"));
    // Nobody is sent to flags that do not go with a store, and none is ignored.
    for (other, found) in
        [("story", "is not a file"), (".", "is a folder"), ("-", "is standard input")]
    {
        let said = complaint(folder.path(), &["explain", "story", other, "--store", "seen"]);
        assert!(said.contains(&format!("{other:?} {found}: with --store, name the id")), "{said}");
    }
    let feed = ["explain", "story", "later.txt", "--store", "seen", "--profile", "feed"];
    assert!(complaint(folder.path(), &feed).contains("by the settings of the store"));
    assert!(explain("later.txt")["time"].as_str().is_some_and(|time| time.ends_with('Z')));
}
