//! Looking after a store.

use super::online::{FERRY, POND, line};
use super::{Run, lines, run, run_with, write};
use serde_json::Value;
use std::path::Path;

/// A folder with a store of an original, its copy and another.
fn three() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let input = line("a", FERRY) + &line("b", FERRY) + &line("c", POND);
    let args = ["stream", "--store", "seen", "--profile", "feed", "--threshold", "0.5", "-q"];
    run_with(folder.path(), &args, input.as_bytes()).code(0);
    folder
}

fn store(folder: &Path, args: &[&str]) -> Run {
    run(folder, &[&["store"], args, &["--store", "seen"]].concat())
}

fn documents(folder: &Path) -> u64 {
    let info = store(folder, &["info", "--format", "json"]).code(0);
    serde_json::from_str::<Value>(&info.out).unwrap()["documents"].as_u64().unwrap()
}

#[test]
fn info_says_what_there_is() {
    let folder = three();
    let info = store(folder.path(), &["info"]).code(0).out;
    for text in ["Store seen", "documents", "3, ", "their times", "threshold = \"0.5\""] {
        assert!(info.contains(text), "{text:?}: {info}");
    }
    // The settings can be used as they are printed.
    let settings = info.split("Settings, ready for --config\n").nth(1).unwrap();
    write(folder.path(), "same.toml", settings);
    let args = ["stream", "--store", "seen", "--config", "same.toml", "-q"];
    let again = run_with(folder.path(), &args, line("a", FERRY).as_bytes()).code(0);
    assert_eq!(lines(&again.out)[0]["repeated"], true);
}

#[test]
fn an_export_has_every_document_and_what_was_said() {
    let folder = three();
    let export = lines(&store(folder.path(), &["export"]).code(0).out);
    let told: Vec<_> = export
        .iter()
        .map(|d| (d["id"].as_str().unwrap(), d["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("a", "original"), ("b", "duplicate"), ("c", "original")]);
    assert!(export.iter().all(|d| d["time"].as_str().unwrap().ends_with('Z')), "{export:?}");
    assert_eq!(export[1]["original"], "a");
}

#[test]
fn deleting_promotes_a_copy() {
    let folder = three();
    let dry = store(folder.path(), &["delete", "a", "--dry-run"]).code(0);
    assert!(dry.out.contains("would delete a") && dry.out.contains("b is the original"));
    assert!(store(folder.path(), &["delete", "x"]).code(2).out.contains("no document x"));
    let deleted = store(folder.path(), &["delete", "a", "c"]).code(0).out;
    assert!(deleted.contains("Deleted a; from now on, b is the original"), "{deleted}");
    assert!(deleted.contains("Deleted c.\n"), "{deleted}");
    let input = line("d", FERRY) + &line("e", POND);
    let args = ["stream", "--store", "seen", "-q"];
    let run = run_with(folder.path(), &args, input.as_bytes()).code(0);
    let answers = lines(&run.out);
    assert_eq!(
        (&answers[0]["original"], &answers[1]["verdict"]),
        (&"b".into(), &"original".into())
    );
}

#[test]
fn expiring_forgets_what_lies_before_a_time() {
    let folder = three();
    let dry = store(folder.path(), &["expire", "--before", "2100-01-01", "--dry-run"]).code(0);
    assert!(dry.out.contains("Dry run: 3 documents in 1 part"), "{}", dry.out);
    assert_eq!(documents(folder.path()), 3);
    let none = store(folder.path(), &["expire", "--before", "2000-01-01"]).code(0);
    assert!(none.out.contains("Forgot 0 documents"), "{}", none.out);
    store(folder.path(), &["expire", "--before", "soon"]).code(2).says("write a time such as");
    let forgot = store(folder.path(), &["expire", "--before", "2100-01-01"]).code(0);
    assert!(forgot.out.contains("Forgot 3 documents in 1 part"), "{}", forgot.out);
    assert_eq!(documents(folder.path()), 0);
}

#[test]
fn a_copy_can_be_opened_like_the_store() {
    let folder = three();
    store(folder.path(), &["verify"]).code(0);
    let verified = store(folder.path(), &["verify", "--format", "json"]).code(0);
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((&verified["documents"], &verified["problems"]), (&3.into(), &Value::Array(vec![])));
    store(folder.path(), &["compact", "--dry-run"]).code(0);
    store(folder.path(), &["compact"]).code(0);
    assert_eq!(documents(folder.path()), 3);
    store(folder.path(), &["backup", "copy"]).code(0);
    store(folder.path(), &["backup", "copy"]).code(2);
    let args = ["check", "--store", "copy", "-q"];
    let run = run_with(folder.path(), &args, line("z", FERRY).as_bytes()).code(0);
    assert_eq!(lines(&run.out)[0]["original"], "a");
}

#[test]
fn what_is_no_store_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "seen/other.txt", "not a store");
    for command in ["info", "verify", "export", "expire", "compact"] {
        store(folder.path(), &[command]).code(2).says("there is no store in seen");
    }
    let args = ["stream", "--store", "seen"];
    run(folder.path(), &args).code(2).says("other.txt");
    run(folder.path(), &["store", "info", "--store", "memory:"]).code(2).says("in memory");
}
