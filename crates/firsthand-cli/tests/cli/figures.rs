//! The figures of two texts on a stream that looks at them: which are equal, and which have changed.

use super::online::FERRY;
use super::{lines, run, run_with};
use serde_json::{Value, json};

/// The answer to a text with this sentence, after one with the other.
fn second(first: &str, second: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, sentence: &str| {
        json!({ "id": id, "text": format!("{FERRY} {sentence}") }).to_string() + "\n"
    };
    let input = record("a", first) + &record("b", second);
    let args = ["stream", "--store", "memory:", "--profile", "alert", "-q"];
    lines(&run_with(folder.path(), &args, input.as_bytes()).code(0).out).remove(1)
}

#[test]
fn one_unit_in_two_spellings_is_no_change() {
    let wind = |speed: &str| format!("The wind at the pier reached {speed} during the night.");
    let same = second(&wind("110 km/h"), &wind("110 kilometres per hour"));
    assert_eq!((&same["verdict"], &same["changed"]), (&"duplicate".into(), &json!([])));
    let other = second(&wind("110 km/h"), &wind("120 kilometres per hour"));
    assert_eq!(other["verdict"], "update");
    assert_eq!(other["changed"][0]["after"], "120 kilometres per hour");
}

#[test]
fn a_collection_says_that_it_has_no_updates() {
    let folder = super::three_records();
    let told = |profile| {
        let run = run(folder.path(), &["dedup", "three.jsonl", "--profile", profile]).code(0);
        run.err.contains("Copies with changed figures were dropped like the others")
    };
    assert!(told("alert") && !told("archive"));
}

#[test]
fn another_day_of_the_week_is_a_change() {
    let sails = |day: &str| format!("The next boat to the island sails on {day} at noon.");
    let later = second(&sails("Tuesday"), &sails("Wednesday"));
    assert_eq!(later["verdict"], "update", "{later}");
    let changed = json!([{ "before": "Tuesday", "after": "Wednesday", "kind": "date" }]);
    assert_eq!(later["changed"], changed);
}
