//! The program on a terminal, which `script` gives it.

use super::online::{FERRY, line};
use super::{COUNCIL, three_records, write};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A run on a terminal; what it shows comes to standard output, and what is typed goes to its input.
fn on_terminal(folder: &Path, args: &str) -> Child {
    shell(folder, &format!("{} {args}", env!("CARGO_BIN_EXE_firsthand")))
}

/// A line that is typed into a shell on a terminal.
fn shell(folder: &Path, typed: &str) -> Child {
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-f", "-c", typed, "/dev/null"]).current_dir(folder);
    command.env("TERM", "dumb").stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::inherit()).spawn().unwrap()
}

/// Reads until the terminal shows a text; all that it has shown.
fn wait_for(child: &mut Child, text: &str) -> String {
    let output = child.stdout.as_mut().unwrap();
    let (mut shown, mut buffer) = (String::new(), [0; 4096]);
    while !shown.contains(text) {
        let size = output.read(&mut buffer).unwrap();
        assert!(size > 0, "it ended before {text:?}: {shown}");
        shown += &String::from_utf8_lossy(&buffer[..size]);
    }
    shown
}

fn rest(mut child: Child) -> (String, Option<i32>) {
    let mut shown = String::new();
    child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
    (shown, child.wait().unwrap().code())
}

#[test]
fn an_interrupt_says_that_nothing_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = on_terminal(folder.path(), "dedup - -o result");
    // The line of progress stands on the terminal, and the input never ends.
    wait_for(&mut child, "reading: 0 documents");
    child.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
    let (shown, code) = rest(child);
    assert!(shown.ends_with("\r\x1b[2KInterrupted; nothing was written.\r\n"), "{shown:?}");
    assert_eq!(code, Some(130));
    assert!(!folder.path().join("result").exists());
}

#[test]
fn one_end_ends_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let firsthand = env!("CARGO_BIN_EXE_firsthand");
    for args in ["dedup -", "dedup - -o result --kept", "stream --store memory:"] {
        // A run that waits for another end is stopped, with another exit code.
        let typed = format!("timeout --foreground 20 {firsthand} {args}; echo \"code $?\"");
        let mut child = shell(folder.path(), &typed);
        wait_for(&mut child, "Ctrl-D ends the input");
        child.stdin.as_mut().unwrap().write_all(b"\x04").unwrap();
        let (shown, _) = rest(child);
        assert!(shown.contains("code ") && !shown.contains("code 124"), "{args}: {shown}");
    }
}

#[test]
fn answers_are_lines_to_read() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.ndjson", line("a", FERRY) + &line("b", FERRY) + "{}\n");
    let (shown, _) = rest(on_terminal(folder.path(), "stream --store memory: in.ndjson -q"));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "original          a", "{shown}");
    assert_eq!(lines[1], "duplicate  exact  b  of a", "{shown}");
    assert!(lines[2].starts_with("error             -  could not be read: "), "{shown}");
    let (json, _) =
        rest(on_terminal(folder.path(), "stream --store memory: in.ndjson -q --format json"));
    assert!(json.starts_with("{\"id\":\"a\""), "{json}");
}

#[test]
fn explanations_are_as_wide_as_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", format!("{FERRY} {COUNCIL}"));
    write(folder.path(), "b.txt", format!("{FERRY} {}", COUNCIL.replace("twice", "thrice")));
    let firsthand = env!("CARGO_BIN_EXE_firsthand");
    for columns in [50, 80, 132] {
        for into in ["", "| cat"] {
            let typed =
                format!("stty rows 24 cols {columns}; {firsthand} explain a.txt b.txt {into}");
            let (shown, code) = rest(shell(folder.path(), &typed));
            assert_eq!(code, Some(0), "{shown}");
            assert!(shown.contains("[-twice-] {+thrice+}"), "{shown}");
            let widest = shown.lines().map(|line| line.trim_end().chars().count()).max();
            // Long passages reach the end of the line, or nearly so.
            let fits = (columns - 12..=columns).contains(&widest.unwrap());
            assert!(fits, "{widest:?} of {columns} columns {into}: {shown}");
        }
    }
}

#[test]
fn results_come_after_the_line_of_progress() {
    let folder = three_records();
    let (shown, code) = rest(on_terminal(folder.path(), "dedup three.jsonl"));
    assert!(shown.contains("Cluster 1: 2 documents\r\n"), "{shown:?}");
    assert!(shown.contains("nothing was deleted") && code == Some(0), "{shown:?}");
}

#[test]
fn sentences_break_between_words_and_commands_do_not() {
    let folder = three_records();
    let run = format!("{} dedup three.jsonl -o result", env!("CARGO_BIN_EXE_firsthand"));
    let (shown, code) = rest(shell(folder.path(), &format!("stty rows 24 cols 40; {run}; {run}")));
    assert_eq!(code, Some(2), "{shown}");
    // What replaces the line of progress stands after it.
    let lines = shown.lines().map(|line| line.rsplit("\x1b[2K").next().unwrap().trim_end());
    let (commands, prose): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| line.trim_start().starts_with("firsthand "));
    assert_eq!(commands, ["  firsthand explain one two --in three.jsonl"], "{shown}");
    assert!(prose.iter().all(|line| line.chars().count() <= 40), "{shown}");
    let words = prose.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        "left out of what is kept; nothing was deleted.",
        "Results are in result: pairs.jsonl, clusters.jsonl, report.html, report.json.",
        "firsthand: result/pairs.jsonl is there already",
    ] {
        assert!(words.contains(sentence), "{sentence:?}: {shown}");
    }
}

#[test]
fn the_prose_of_an_evaluation_breaks_between_words() {
    let folder = three_records();
    write(folder.path(), "pairs.tsv", "one\ttwo\ty\none\tthree\tn\n");
    let run = env!("CARGO_BIN_EXE_firsthand").to_owned()
        + " eval three.jsonl --pairs pairs.tsv --methods shingles --no-memory";
    let (shown, code) = rest(shell(folder.path(), &format!("stty rows 24 cols 70; {run}")));
    assert_eq!(code, Some(0), "{shown}");
    // Tables are as wide as they are, and have gaps between their columns.
    let lines = shown.lines().map(|line| line.rsplit("\x1b[2K").next().unwrap().trim_end());
    let prose: Vec<&str> = lines.filter(|line| !line.trim_start().contains("  ")).collect();
    assert!(prose.iter().all(|line| line.chars().count() <= 70), "{shown}");
    let words = prose.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("nothing is known about any other pair, so the figures"), "{shown}");
}
