//! A short run of what `scripts/crash-test` does at length.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;

fn bench(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_firsthand-bench")).args(words).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    text
}

#[test]
fn a_killed_writer_loses_nothing() {
    let root = tempfile::tempdir().unwrap();
    let store = root.path().join("store");
    let text = bench(&["crash", store.to_str().unwrap(), "--cycles", "20"]);
    assert!(text.contains("acknowledged, lost 0\nwrong verdicts     0\n"), "{text}");
    for point in ["in-append", "before-sync", "after-sync", "in-description"] {
        assert!(text.contains(point), "no writer died {point}:\n{text}");
    }
}

#[test]
fn flipped_bits_are_refused_or_do_no_harm() {
    let root = tempfile::tempdir().unwrap();
    let text = bench(&["flip", root.path().to_str().unwrap(), "--flips", "30"]);
    assert!(text.contains("silently wrong 0"), "{text}");
}
