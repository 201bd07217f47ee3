//! The programs under `examples/` run, and print what they promise.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The folder of the built programs. They are built with the features of the whole workspace, as
/// `cargo test --workspace` builds them: with those of this package alone, all dependencies would be
/// built once more.
fn programs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.ancestors().nth(2).unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "--workspace", "--examples"]);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        let built = build.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        profile.join("examples")
    })
}

fn run(example: &str, arguments: &[&str]) -> String {
    let output = Command::new(programs().join(example)).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn two_texts_are_compared_and_explained() {
    let same = run("compare", &[]);
    assert!(same.starts_with("near-duplicates: yes\nsimilarity: 0.571\n"), "{same}");
    assert!(same.contains("both: the ferry to"), "{same}");
    let other = run("compare", &["The one and the same", "A text that is of another kind"]);
    assert!(other.starts_with("near-duplicates: no\nsimilarity: 0.000\n"), "{other}");
}

#[test]
fn a_join_by_keys_finds_what_a_collection_finds() {
    let said = run("join", &[]);
    let pairs = said.split(' ').next().unwrap().parse::<usize>().unwrap();
    assert!(pairs > 1000, "{said}");
}

#[test]
fn a_stream_runs_on_a_store_of_ones_own() {
    let said = run("own_store", &[]);
    assert_eq!(said, "first: Original\ncopy: Duplicate of first\ncommits: 2\n");
}

#[test]
fn every_program_is_short_and_needs_no_other_crate_of_ours() {
    for example in ["compare", "join", "own_store"] {
        let path = format!("{}/../../examples/{example}.rs", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.lines().count() < 60, "{example}");
        assert!(!text.contains("firsthand_"), "{example}");
    }
}
