//! Bad lines on a stream: an error verdict for each, and the stream goes on.

use super::online::{FERRY, line};
use super::{Run, lines, run_with};
use serde_json::Value;

/// Runs a stream of a good line, a bad one and a copy of the good one.
fn among_good_ones(bad: &[u8], flags: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let (before, after) = (line("before", FERRY), line("after", FERRY));
    let input = [before.as_bytes(), bad, b"\n", after.as_bytes()];
    let args = [&["stream", "--store", "seen"], flags].concat();
    run_with(folder.path(), &args, &input.concat())
}

#[track_caller]
fn check(bad: &[u8], id: Option<&str>, says: &str) {
    let shown = String::from_utf8_lossy(&bad[..bad.len().min(100)]).into_owned();
    let run = among_good_ones(bad, &[]).code(3);
    let answers = lines(&run.out);
    assert_eq!(answers.len(), 3, "{shown}");
    let verdicts: Vec<&str> = answers.iter().map(|a| a["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["original", "error", "duplicate"], "{shown}");
    let error = answers[1]["error"].as_str().unwrap();
    assert!(error.contains("stdin, line 2") && error.contains(says), "{shown}: {error}");
    assert_eq!(answers[1]["id"].as_str(), id, "{shown}");
    assert!(run.err.contains("Answered with 1 error"), "{}", run.err);
}

#[test]
fn each_says_what_is_wrong() {
    let cases: [(&[u8], Option<&str>, &str); 20] = [
        (b"{\"id\":\"x\",\"text\":\"cut", Some("x"), "not valid JSON"),
        (b"hello", None, "not valid JSON"),
        (b"{\"id\":\"x\",\"text\":\"a\"} and more", Some("x"), "not valid JSON"),
        (b"null", None, "not valid JSON"),
        (b"[1,2]", None, "a JSON array where an object"),
        (b"{\"text\":\"no id\"}", None, "no id"),
        (b"{\"id\":\"\",\"text\":\"no id\"}", None, "no id"),
        (b"{\"id\":{\"a\":1},\"text\":\"t\"}", None, "the id field holds an object"),
        (b"{\"id\":\"x\",\"text\":[\"t\"]}", Some("x"), "the text field holds an array"),
        (b"{\"id\":\"x\",\"text\":42}", Some("x"), "the text field holds a number"),
        (b"{\"id\":\"x\",\"html\":true}", Some("x"), "the page field holds a Boolean"),
        (b"{\"id\":\"x\"}", Some("x"), "no text"),
        (b"{\"id\":\"x\",\"text\":\"\xff\xfe\"}", Some("x"), "not valid UTF-8 from byte 19"),
        (
            b"{\"id\":\"x\",\"text\":\"t\",\"time\":\"9999-12-31T23:59:59Z\"}",
            Some("x"),
            "9999-12-31",
        ),
        (b"{\"id\":\"x\",\"text\":\"t\",\"time\":\"0001-01-01\"}", Some("x"), "0001-01-01"),
        (b"{\"id\":\"x\",\"text\":\"t\",\"time\":\"tomorrow\"}", Some("x"), "\"tomorrow\""),
        (b"{\"id\":\"x\",\"text\":\"t\",\"time\":1e300}", Some("x"), "its time"),
        (
            b"{\"id\":\"x\",\"text\":\"t\",\"time\":\"2026-03-04T05:06:07+99:99\"}",
            Some("x"),
            "+99:99",
        ),
        (b"{\"id\":\"\\ud800\",\"text\":\"t\"}", None, "half of a surrogate pair"),
        (b"{\"id\":\"\\udfff\",\"text\":\"t\"}", None, "half of a surrogate pair"),
    ];
    for (bad, id, says) in cases {
        check(bad, id, says);
    }
}

#[test]
fn a_deep_line_is_refused() {
    let deep = format!("{{\"id\":\"x\",\"text\":{}{}}}", "[".repeat(9000), "]".repeat(9000));
    check(deep.as_bytes(), Some("x"), "JSON nested deeper than the limit of 128");
}

#[test]
fn a_long_line_is_refused_and_its_id_told() {
    let long = format!("{{\"id\":\"x\",\"text\":\"{}\"}}", "endless ".repeat(9_000_000));
    check(
        long.as_bytes(),
        Some("x"),
        "the line is longer than the limit of 64 MiB; --max-line sets the limit",
    );
    let run = among_good_ones(b"{\"id\":\"x\",\"text\":\"123456789\"}", &["--max-line", "20"]);
    assert!(lines(&run.code(3).out).iter().all(|answer| answer["verdict"] == "error"));
}

#[test]
fn times_do_not_matter_where_arrival_counts() {
    let bad = b"{\"id\":\"x\",\"text\":\"t\",\"time\":\"9999-12-31\"}";
    let run = among_good_ones(bad, &["--time", "arrival"]).code(0);
    assert_eq!(lines(&run.out)[1]["verdict"], "too_short");
}

#[test]
fn no_bytes_at_all_break_a_stream() {
    // A small generator, so that every run is the same.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 27)
    };
    let mut noise: Vec<u8> = Vec::new();
    for _ in 0..3000 {
        let pieces: [&[u8]; 8] =
            [b"{\"id\":", b"\"a\"", b",\"text\":", b"\n", b"}", b"\\ud800", b"[", b"\0\xff"];
        noise.extend(pieces[(next() % 8) as usize]);
        noise.push((next() % 256) as u8);
    }
    let run = among_good_ones(&noise, &[]).code(3);
    let answers: Vec<Value> = lines(&run.out);
    assert_eq!(answers.first().unwrap()["id"], "before");
    assert_eq!(answers.last().unwrap()["id"], "after");
    assert_eq!(answers.last().unwrap()["verdict"], "duplicate");
}
