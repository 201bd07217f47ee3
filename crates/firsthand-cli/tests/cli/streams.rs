//! Pipes that close, disks that are full, terminals that are none.

use super::{command, run, three_records, write};
use std::process::Stdio;

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_quiet() {
    let folder = tempfile::tempdir().unwrap();
    // Far more output than a pipe holds: every pair of 400 copies.
    let line = format!("{{\"text\":\"{}\"}}\n", super::FERRY);
    write(folder.path(), "copies.jsonl", line.repeat(400));
    for args in [&["dedup", "copies.jsonl", "--emit", "pairs", "-q"][..], &["completions", "bash"]]
    {
        let mut child = command(folder.path(), args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = three_records();
    for args in [&["dedup", "three.jsonl"][..], &["config", "show"], &["man"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(folder.path(), args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("cannot write to standard output: No space left"), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_stderr_stops_nothing() {
    let folder = three_records();
    write(folder.path(), "broken.jsonl", "{\n");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let args = ["dedup", "three.jsonl", "broken.jsonl", "--emit", "pairs"];
    let output = command(folder.path(), &args).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "exact\tone\ttwo\n");
}

#[test]
fn no_progress_and_no_colour_without_a_terminal() {
    let folder = three_records();
    let run = run(folder.path(), &["dedup", "three.jsonl"]).code(0);
    assert!(!run.err.contains(['\r', '\u{1b}']), "{:?}", run.err);
    assert!(!run.out.contains('\u{1b}'), "{:?}", run.out);
}
