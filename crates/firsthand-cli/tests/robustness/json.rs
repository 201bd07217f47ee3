//! JSON that is deep, long or broken.

use super::{AFTER, BEFORE, Case, Stage, line};
use std::io::Write;

const MILLION: usize = 1_000_000;

#[test]
fn a_deep_line() {
    let deep = format!("{{\"text\":{}{}}}\n", "[".repeat(MILLION), "]".repeat(MILLION));
    let stage = Stage::with("m.jsonl", line(BEFORE) + &deep + &line(AFTER));
    let says = ["m.jsonl, line 2: JSON nested deeper than the limit of 128", "--max-json-depth"];
    let name = "a line of JSONL, a million deep";
    let done = "the line is refused";
    Case { name, done, says: &says, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_deep_element() {
    let deep = format!("{{\"text\":{}{}}}\n", "[".repeat(MILLION), "]".repeat(MILLION));
    let json = format!("[{},{deep},{}]", line(BEFORE), line(AFTER));
    let stage = Stage::with("m.json", json);
    let says = ["m.json, item 2: JSON nested deeper than the limit of 128", "--max-json-depth"];
    let name = "an element of a JSON array, a million deep";
    let done = "the element is refused";
    Case { name, done, says: &says, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn a_line_of_a_gigabyte() {
    let stage = Stage::new();
    let says = ["stdin, line 2: the line is longer than the limit of 64 MiB", "--max-line"];
    let name = "a line of JSONL of 1 GB, on standard input";
    let done = "the line is refused";
    let case = Case { name, done, says: &says, read: (1, 1), args: &["-"], ..Case::default() };
    let feed = |mut stdin: std::process::ChildStdin| {
        let block = "endless ".repeat(125_000);
        stdin.write_all((line(BEFORE) + "{\"text\":\"").as_bytes()).unwrap();
        for _ in 0..1_000 {
            stdin.write_all(block.as_bytes()).unwrap();
        }
        stdin.write_all(("\"}\n".to_owned() + &line(AFTER)).as_bytes()).unwrap();
    };
    case.check_with(&stage, Some(Box::new(feed)));
}

#[test]
fn an_element_of_a_gigabyte() {
    let stage = Stage::new();
    let mut file = std::fs::File::create(stage.path("m.json")).unwrap();
    write!(file, "[{},{{\"text\":\"", line(BEFORE)).unwrap();
    // A hole: zeros that take no room on the disk.
    file.set_len(1_000_000_000).unwrap();
    let says = ["m.json, item 2: the line is longer than the limit of 64 MiB", "--max-line"];
    let name = "a JSON array with a string of 1 GB that never ends";
    let done = "the element is refused";
    Case { name, done, says: &says, read: (1, 0), ..Case::default() }.check(&stage);
}

#[test]
fn broken_lines() {
    let broken = ["{\"text\":\"cut", "[1,2]", "null", "{\"text\":\"\\q\"}", "{\"no\":1}", "\0\0\0"];
    let lines = broken.join("\n") + "\n";
    let stage = Stage::with("m.jsonl", line(BEFORE) + &lines + &line(AFTER));
    let says =
        ["m.jsonl, line 2: not valid JSON", "line 3", "line 4", "line 5", "line 6", "line 7"];
    let name = "six broken lines between good ones";
    let done = "each is reported";
    Case { name, done, says: &says, read: (1, 1), ..Case::default() }.check(&stage);
}

#[test]
fn an_array_that_is_cut_off() {
    let json = format!("[{}, {}", line(BEFORE), "{\"text\": \"cut o");
    let stage = Stage::with("m.json", json);
    let says = ["m.json"];
    let name = "a JSON array that is cut off";
    let done = "elements before the cut are read";
    Case { name, done, says: &says, read: (1, 0), ..Case::default() }.check(&stage);
}
