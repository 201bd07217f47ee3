//! The page of an evaluation in a real browser: it is drawn, sorted and toggled there, asks for
//! nothing, and takes no orders from documents.

// Helpers of tests may fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod browser;
mod collection;

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Notes what goes wrong, before anything else on the page runs.
const WATCH: &str = include_str!("watch.js");

/// Uses the page and says what came of it.
const USE: &str = include_str!("use.js");

/// A real run on labelled documents with hostile ids and texts; returns its page and its report.
fn evaluated(folder: &Path) -> (String, Value) {
    std::fs::write(folder.join("labelled.jsonl"), collection::labelled()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_firsthand"));
    command.current_dir(folder).args(["eval", "labelled.jsonl", "-o", "out", "--quiet"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "firsthand eval failed: {said}");
    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).unwrap();
    (read("report.html"), serde_json::from_str(&read("report.json")).unwrap())
}

/// The page with scripts of the test around its own, and a policy that lets them run.
fn with_scripts(page: &str) -> String {
    let start = page.find("script-src 'sha256-").expect("a policy for scripts");
    let end = start + page[start..].find(';').expect("the end of the policy");
    let page = format!("{}script-src 'unsafe-inline'{}", &page[..start], &page[end..]);
    let page = page.replacen("<meta charset", &format!("<script>{WATCH}</script><meta charset"), 1);
    page.replacen("</body>", &format!("<script>{USE}</script></body>"), 1)
}

#[test]
fn the_page_works_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let (page, report) = evaluated(folder.path());
    check(folder.path(), &page, &report);
}

fn check(folder: &Path, page: &str, report: &Value) {
    let names: Vec<&str> = report["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| method["name"].as_str().unwrap())
        .collect();
    assert!(names.len() >= 3, "{names:?}");

    // As it is: its script is allowed by its hash, and runs without a complaint.
    let opened = browser::open(folder, page, (1300, 1000));
    assert!(opened.dom.contains("<th scope=\"col\" data-first=\"ascending\"><button"), "no script");
    assert_eq!(opened.complaints, Vec::<String>::new());

    for size in [(1300, 1000), (500, 900)] {
        let opened = browser::open(folder, &with_scripts(page), size);
        let outcome = outcome(&opened.dom);
        assert_eq!(outcome["wrong"], Value::Array(Vec::new()), "script errors or refusals");
        assert_eq!(outcome["requests"], Value::Array(Vec::new()), "something was requested");
        assert_eq!(outcome["methods"], serde_json::json!(names));
        for (name, field) in
            [("f1", "/curve"), ("recall", "/curve"), ("time", "/cost/match_over_threshold")]
        {
            // A method that states pairs of one score only, or none, has no line.
            let has = |method: &Value| method.pointer(field).unwrap().as_array().unwrap().len() > 1;
            let methods = report["methods"].as_array().unwrap();
            let lines: Vec<usize> = methods.iter().map(|method| usize::from(has(method))).collect();
            assert!(lines.iter().sum::<usize>() > names.len() / 2);
            assert_eq!(outcome["lines"][name], serde_json::json!(lines), "lines of {name}");
        }
        assert_eq!(outcome["rows"], names.len(), "rows of the forest plot");
        assert!(outcome["bars"].as_u64() > Some(0), "no bars of cluster sizes");
        assert_eq!(outcome["overlaps"], Value::Array(Vec::new()), "texts lie on each other");
        assert_eq!(outcome["sideways"], false, "the page is wider than the window");

        assert_eq!(outcome["sorted"]["first"], "descending");
        assert_eq!(outcome["sorted"]["again"], "ascending");
        assert_eq!(outcome["sorted"]["right"], true, "{}", outcome["sorted"]);
        assert_eq!(outcome["toggled"], serde_json::json!(["inline", "none", "inline"]));
        assert_eq!(outcome["none"], serde_json::json!({ "all": names.len(), "none": 0 }));

        assert_eq!(outcome["planted"], 0, "a text became markup");
        assert_eq!(outcome["scripts"], 3, "the page's own and two of the test");
        let title = outcome["title"].as_str().unwrap();
        assert!(title.starts_with("Evaluation of"), "{title}");
        let errors = outcome["errors"].as_str().unwrap();
        assert!(errors.contains(collection::HOSTILE), "the hostile pair is not shown: {errors}");
        assert!(errors.contains("firsthand explain"), "no way to look further: {errors}");
    }
}

/// What the test's script wrote into the page.
fn outcome(dom: &str) -> Value {
    let start = "<pre id=\"outcome\">";
    let from = dom.find(start).unwrap_or_else(|| panic!("the script did not finish: {dom}"));
    let text = &dom[from + start.len()..];
    serde_json::from_str(&text[..text.find("</pre>").unwrap()]).unwrap()
}
