//! The real binary, as its users meet it: one theme a file.

// Helpers of tests may fail as tests do.
#![allow(clippy::unwrap_used)]

mod against;
mod annotate;
mod attacks;
mod bad_lines;
mod beyond;
mod decided_streams;
mod erasure;
mod errors;
mod eval;
mod eval_online;
mod examples;
mod explain;
mod extract;
mod figures;
mod formats;
mod golden;
mod hostile;
#[cfg(unix)]
mod inbox;
mod kept;
mod lists;
mod mixed;
#[cfg(feature = "learn")]
mod model;
mod nested;
mod online;
#[cfg(unix)]
#[path = "../../../firsthand-store/tests/stores/server/own.rs"]
mod postgres_server;
mod reading;
mod results;
mod sample;
mod sentences;
#[cfg(unix)]
mod servers;
#[cfg(all(unix, feature = "serve"))]
mod service;
mod settings;
mod shards;
#[cfg(unix)]
mod shared;
mod store_windows;
mod stores;
mod streams;
mod tables;
#[cfg(target_os = "linux")]
mod terminals;
mod tune;

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// How a run ended.
#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn new(output: &Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Fails unless the run ended with this code.
    #[track_caller]
    fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stderr: {}", self.err);
        self
    }

    /// Fails unless the messages hold this.
    #[track_caller]
    fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{text:?} is not in stderr: {}", self.err);
        self
    }
}

/// The command in a working folder, ready for more arguments.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_firsthand"));
    command.current_dir(folder).args(args).stdin(Stdio::null());
    command
}

/// Runs in a working folder.
fn run(folder: &Path, args: &[&str]) -> Run {
    Run::new(&command(folder, args).output().unwrap())
}

/// Runs with something on standard input.
fn run_with(folder: &Path, args: &[&str], input: &[u8]) -> Run {
    let mut command = command(folder, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A run that fails early does not read its input, and that is fine.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run::new(&output)
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The objects of a text of JSON lines.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const FERRY: &str = "The night ferry ran aground on a mud bank shortly before midnight, and none of \
    the forty passengers was hurt. A tug from the harbour will try to free the ship in the morning.";

const COUNCIL: &str = "The council wants to buy a new ferry that can carry twice as many cars as \
    the old one. The money is to come from a toll on the bridge, which drivers do not like.";

/// Sixty words that depend on the number, some of them common to all.
fn story(number: u64) -> Vec<String> {
    let mut state = number + 1;
    let word = |at: u64| {
        if at.is_multiple_of(3) {
            return ["the", "of", "and", "is", "to"][at as usize / 3 % 5].to_owned();
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        format!("w{}", state >> 48)
    };
    (0..60).map(word).collect()
}

/// A copy with some words changed, from the end on.
fn copy(number: u64, changed: usize) -> String {
    let mut words = story(number);
    let from = words.len() - changed;
    words[from..].iter_mut().for_each(|word| *word = format!("new{word}"));
    words.join(" ")
}

/// Three records, of which the second is an exact copy of the first.
fn three() -> String {
    let record = |id: &str, text: &str| serde_json::json!({ "id": id, "text": text }).to_string();
    [record("one", FERRY), record("two", FERRY), record("three", COUNCIL)].join("\n") + "\n"
}

/// A folder with `three.jsonl`.
fn three_records() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "three.jsonl", three());
    folder
}
