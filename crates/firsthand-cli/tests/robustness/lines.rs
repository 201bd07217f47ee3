//! Bad lines on a stream: an error verdict for each, and the lines after it are judged.

use super::outcome::{Feed, Outcome};
use super::{AFTER, BEFORE, Case, Stage, table};
use std::io::Write;
use std::panic::Location;

/// A good line.
fn good(id: &str, text: &str) -> String {
    serde_json::json!({ "id": id, "text": text }).to_string() + "\n"
}

/// Runs a stream of a good line, bad ones and another good one; every answer between the good ones
/// must be an error.
#[track_caller]
fn check(case: &Case<'_>, bad: impl FnOnce(&mut std::process::ChildStdin) + Send + 'static) {
    let place = Location::caller();
    let stage = Stage::new();
    let feed: Feed = Box::new(move |mut stdin| {
        stdin.write_all(good("before", BEFORE).as_bytes()).unwrap();
        bad(&mut stdin);
        stdin.write_all(good("after", AFTER).as_bytes()).unwrap();
    });
    let outcome = Outcome::of_stream(&stage, case.args, feed);
    let answers: Vec<&str> = outcome.messages.lines().collect();
    let shown: String = outcome.messages.chars().take(2_000).collect();
    assert_eq!(outcome.code, case.exit, "{}: {shown}", case.name);
    assert_eq!(answers.first(), Some(&"original before -"), "{}: {shown}", case.name);
    assert_eq!(answers.last(), Some(&"original after -"), "{}: {shown}", case.name);
    let between = &answers[1..answers.len() - 1];
    assert_eq!(between.len(), case.others, "{}: {shown}", case.name);
    assert!(between.iter().all(|answer| answer.starts_with("error ")), "{}: {shown}", case.name);
    for text in case.says {
        assert!(outcome.messages.contains(text), "{}: no {text:?} in {shown}", case.name);
    }
    let megabytes = outcome.memory >> 20;
    assert!(megabytes <= case.memory, "{}: {megabytes} MB of memory", case.name);
    table::add(place, case, &outcome);
}

fn case<'a>(name: &'a str, says: &'a [&'a str], others: usize) -> Case<'a> {
    let done = "an error verdict, and the stream continues";
    Case { name, done, says, others, read: (1, 1), ..Case::default() }
}

#[test]
fn broken_json() {
    let bad = ["{\"id\":\"x\",\"text\":\"cut", "nonsense", "[1,2]", "null", "\"text\"", "\0\0"];
    let says = ["line 2: not valid JSON", "error x ", "line 4: a JSON array", "line 7"];
    check(&case("six lines of broken JSON", &says, 6), move |stdin| {
        stdin.write_all((bad.join("\n") + "\n").as_bytes()).unwrap();
    });
}

#[test]
fn missing_ids_and_wrong_types() {
    let bad = [
        "{\"text\":\"no id\"}",
        "{\"id\":[],\"text\":\"t\"}",
        "{\"id\":\"x\",\"text\":7}",
        "{\"id\":\"y\",\"text\":{}}",
        "{\"id\":\"z\"}",
    ];
    let says = ["line 2: no id", "the id field holds an array", "error x ", "error y ", "error z "];
    check(&case("records without an id, with wrong types", &says, 5), move |stdin| {
        stdin.write_all((bad.join("\n") + "\n").as_bytes()).unwrap();
    });
}

#[test]
fn a_line_of_100_megabytes() {
    let says = [
        "line 2: the line is longer than the limit of 64 MiB; --max-line sets the limit",
        "error long ",
    ];
    let case = Case { memory: 256, ..case("a line of 100 MB", &says, 1) };
    check(&case, |stdin| {
        stdin.write_all(b"{\"id\":\"long\",\"text\":\"").unwrap();
        for _ in 0..100 {
            stdin.write_all("endless ".repeat(125_000).as_bytes()).unwrap();
        }
        stdin.write_all(b"\"}\n").unwrap();
    });
}

#[test]
fn many_long_lines() {
    let says = ["line 2: its text is longer than the limit of 16 MiB", "line 9"];
    let name = "eight lines of 40 MB each";
    let case = Case { memory: 512, ..case(name, &says, 8) };
    check(&case, |stdin| {
        for number in 0..8 {
            write!(stdin, "{{\"id\":\"{number}\",\"text\":\"").unwrap();
            for _ in 0..40 {
                stdin.write_all("endless ".repeat(125_000).as_bytes()).unwrap();
            }
            stdin.write_all(b"\"}\n").unwrap();
        }
    });
}

#[test]
fn invalid_utf8() {
    let says = ["line 2: not valid UTF-8 from byte 19", "error x "];
    check(&case("a line that is not UTF-8", &says, 1), |stdin| {
        stdin.write_all(b"{\"id\":\"x\",\"text\":\"\xff\xfe\"}\n").unwrap();
    });
}

#[test]
fn impossible_times() {
    let bad = ["\"9999-12-31T23:59:59Z\"", "\"0000-01-01\"", "\"tomorrow\"", "1e300", "[]"];
    let says =
        ["line 2: its time 9999-12-31T23:59:59Z is not plausible", "line 4: its time \"tomorrow\""];
    check(&case("times in the year 9999, in the year 0, and none", &says, 5), move |stdin| {
        for time in bad {
            writeln!(stdin, "{{\"id\":\"x\",\"text\":\"{BEFORE}\",\"time\":{time}}}").unwrap();
        }
    });
}

#[test]
fn broken_ids() {
    let says = ["line 2: its id holds half of a surrogate pair", "line 3: its id holds half"];
    let name = "ids \"\\ud800\" and \"\\udfff\", which would be one and the same";
    check(&case(name, &says, 2), |stdin| {
        for id in ["\\ud800", "\\udfff"] {
            writeln!(stdin, "{{\"id\":\"{id}\",\"text\":\"{BEFORE}\"}}").unwrap();
        }
    });
}

#[test]
fn impossible_offsets() {
    let says = ["line 2: its time \"2026-03-04T05:06:07+99:99\""];
    check(&case("a time with the offset +99:99", &says, 1), |stdin| {
        let time = "2026-03-04T05:06:07+99:99";
        writeln!(stdin, "{{\"id\":\"x\",\"text\":\"{BEFORE}\",\"time\":\"{time}\"}}").unwrap();
    });
}

#[test]
fn a_deep_line() {
    let says = ["line 2: JSON nested deeper than the limit of 128", "--max-json-depth"];
    check(&case("a line that is a million deep", &says, 1), |stdin| {
        let deep = "[".repeat(1_000_000);
        writeln!(stdin, "{{\"id\":\"x\",\"text\":{deep}{}}}", "]".repeat(1_000_000)).unwrap();
    });
}
