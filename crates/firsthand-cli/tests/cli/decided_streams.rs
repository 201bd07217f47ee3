//! A stream that takes decisions over from a file, and a store that prints and erases them.

use super::online::{FERRY, POND, line};
use super::{lines, run, run_with, write};
use serde_json::{Value, json};

fn decision(action: &str, documents: &[&str], others: &[&str]) -> String {
    let named = |ids: &[&str]| ids.iter().map(|id| json!({ "id": id })).collect::<Vec<Value>>();
    let (documents, others) = (named(documents), named(others));
    let time = "2026-11-17T10:00:00Z";
    json!({ "action": action, "documents": documents, "others": others, "time": time }).to_string()
        + "\n"
}

#[test]
fn a_stream_takes_decisions_over_once_and_obeys_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut decisions =
        decision("not-a-copy", &["b"], &["a"]) + &decision("is-a-copy", &["c"], &["a"]);
    write(folder, "decisions.jsonl", &decisions);
    let stream =
        ["stream", "--store", "seen", "--decisions", "decisions.jsonl", "--format", "json"];
    let input = line("a", FERRY) + &line("b", FERRY) + &line("c", POND);
    let run_1 = run_with(folder, &stream, input.as_bytes()).code(0);
    let answers = lines(&run_1.out);
    let told = |at: usize, field: &str| answers[at][field].clone();
    assert_eq!((told(1, "verdict"), told(1, "decided")), (json!("original"), json!(["parted"])));
    assert_eq!((told(2, "verdict"), told(2, "original")), (json!("duplicate"), json!("a")));
    assert_eq!(told(2, "decided"), json!(["joined"]));
    // The same file with more in it: only that is new.
    decisions += &decision("keep", &["c"], &["a"]);
    write(folder, "decisions.jsonl", &decisions);
    let changed = line("b", &format!("{FERRY} It did."));
    let run_2 = run_with(folder, &stream, changed.as_bytes()).code(0);
    assert_eq!(lines(&run_2.out)[0]["decided"], json!(["parted"]), "{}", run_2.out);
    let printed = run(folder, &["store", "decisions", "--store", "seen"]).code(0);
    assert_eq!(printed.out, decisions);
    let clusters =
        run(folder, &["store", "clusters", "--store", "seen", "--format", "jsonl"]).code(0);
    let clusters = lines(&clusters.out);
    assert_eq!((clusters.len(), &clusters[0]["original"]), (1, &json!("c")));
    run(folder, &["store", "delete", "a", "--store", "seen"]).code(0);
    let printed = run(folder, &["store", "decisions", "--store", "seen"]).code(0);
    assert!(!printed.out.contains("\"a\""), "{}", printed.out);
    assert_eq!(printed.out.lines().count(), 3, "numbers stay");
}

#[test]
fn decisions_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "decisions.jsonl", "{\"action\":\"burn\"}\n");
    let stream = ["stream", "--store", "seen", "--decisions", "decisions.jsonl"];
    let refused = run_with(folder.path(), &stream, b"").code(2);
    assert!(
        refused.err.contains("decisions.jsonl") && refused.err.contains("line 1"),
        "{}",
        refused.err
    );
    assert!(!folder.path().join("seen").exists(), "nothing was begun");
}
