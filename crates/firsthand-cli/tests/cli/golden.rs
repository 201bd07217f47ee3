//! The golden folders.

use super::{lines, read, run};
use serde_json::{Value, json};
use std::path::Path;

/// Whether `found` holds all that `expected` states.
fn agrees(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => expected
            .iter()
            .all(|(key, value)| found.get(key).is_some_and(|found| agrees(value, found))),
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len()
                && expected.iter().zip(found).all(|(expected, found)| agrees(expected, found))
        }
        _ => expected == found,
    }
}

fn check(name: &str) {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let output = tempfile::tempdir().unwrap();
    let result = output.path().join("result");
    let mut args =
        vec!["dedup", "input", "--config", "config.toml", "-o", result.to_str().unwrap()];
    if case.join("reference").is_dir() {
        args.extend(["--against", "reference"]);
    }
    let run = run(&case, &args);
    let report: Value = serde_json::from_str(&read(&result, "report.json")).unwrap();
    let found = json!({
        "exit": run.code,
        "counts": report["counts"],
        "unreadable": report["unreadable"]["list"],
        "pairs": lines(&read(&result, "pairs.jsonl")),
        "clusters": lines(&read(&result, "clusters.jsonl")),
    });
    let expected: Value = serde_json::from_str(&read(&case, "expected.json")).unwrap();
    for (key, value) in expected.as_object().unwrap() {
        assert!(agrees(value, &found[key]), "{name}: {key} should be {value}, is {}", found[key]);
    }
}

#[test]
fn every_case_is_as_expected() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let folders: Vec<String> =
        super::names(&cases).into_iter().filter(|name| cases.join(name).is_dir()).collect();
    assert!(folders.len() >= 8, "{folders:?}");
    for name in folders {
        check(&name);
    }
}

#[test]
fn agreement_is_about_what_is_stated() {
    assert!(agrees(&json!({"a": [1]}), &json!({"a": [1], "b": 2})));
    assert!(!agrees(&json!({"a": [1]}), &json!({"a": [1, 2]})));
    assert!(!agrees(&json!({"a": 1}), &json!({"b": 1})));
}
