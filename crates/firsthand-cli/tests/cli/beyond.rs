//! A collection beyond memory, by the real program: killed and gone on with, interrupted, changed.

use super::{command, names, read, run, write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Shards of more text than the least memory holds: words that depend on the number, and copies.
fn shards(folder: &Path) {
    for shard in 0..6 {
        let mut lines = String::new();
        for number in 0..1_500u64 {
            let id = shard * 1_500 + number;
            let story = if number % 5 == 0 { id / 2 } else { id };
            let word =
                |at: u64| format!("w{:x}", (story * 101 + at).wrapping_mul(0x9e37_79b9) % 99_991);
            let text: Vec<String> = (0..110).map(word).collect();
            lines += &format!("{{\"id\": \"d{id}\", \"text\": \"{}\"}}\n", text.join(" "));
        }
        write(folder, &format!("shards/s{shard}.jsonl"), lines);
    }
}

const IN_MEMORY: [&str; 7] = ["dedup", "shards", "--profile", "corpus", "--kept", "-o", "out"];

fn on_disk() -> Vec<&'static str> {
    [&IN_MEMORY[..], &["--memory", "8M"]].concat()
}

/// The results by name, the report without figures of the run.
fn results(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in ["clusters.jsonl", "pairs.jsonl"] {
        found.push((name.to_owned(), read(folder, &format!("out/{name}"))));
    }
    for name in names(&folder.join("out/kept")) {
        found.push((name.clone(), read(folder, &format!("out/kept/{name}"))));
    }
    let mut report: serde_json::Value =
        serde_json::from_str(&read(folder, "out/report.json")).unwrap();
    for own in ["seconds", "peak_memory_bytes", "scratch", "threads", "cost"] {
        report.as_object_mut().unwrap().remove(own);
    }
    found.push(("report.json".to_owned(), report.to_string()));
    found
}

fn start(folder: &Path) -> Child {
    let mut command = command(folder, &on_disk());
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the log of what was read has more than `bytes` bytes; whether the run still goes on.
fn wait_for(child: &mut Child, folder: &Path, bytes: u64) -> bool {
    let log = folder.join("out/.firsthand-scratch/documents.log");
    let until = Instant::now() + Duration::from_secs(120);
    while std::fs::metadata(&log).map_or(0, |log| log.len()) <= bytes {
        assert!(Instant::now() < until, "nothing is read");
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

#[test]
fn a_run_that_is_killed_three_times_has_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    shards(folder);
    run(folder, &IN_MEMORY).code(0);
    let expected = results(folder);
    assert!(expected[0].1.lines().count() > 100, "there are clusters");
    std::fs::remove_dir_all(folder.join("out")).unwrap();
    let mut killed = 0;
    for bytes in [0, 150_000, 300_000] {
        let mut child = start(folder);
        if wait_for(&mut child, folder, bytes) {
            child.kill().unwrap();
            killed += 1;
        }
        child.wait().unwrap();
    }
    assert!(killed > 0 && folder.join("out/.firsthand-scratch/manifest.json").exists());
    run(folder, &on_disk()).code(0).says("Going on where an earlier run ended");
    assert!(results(folder) == expected, "the same bytes");
    assert!(!names(&folder.join("out")).iter().any(|name| name.starts_with(".firsthand")));
}

#[test]
fn what_changed_since_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    shards(folder);
    let mut child = start(folder);
    assert!(wait_for(&mut child, folder, 0));
    child.kill().unwrap();
    child.wait().unwrap();
    write(folder, "shards/s3.jsonl", "{\"id\": \"x\", \"text\": \"another text\"}\n");
    run(folder, &on_disk()).code(0).says("s3.jsonl has changed: starting anew");
}

#[test]
fn what_fits_needs_nothing_that_an_earlier_run_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    shards(folder);
    write(folder, "three.jsonl", super::three());
    // Of what is written first, no part may be whole yet.
    let kill_one = || {
        let mut child = start(folder);
        assert!(wait_for(&mut child, folder, 50_000));
        child.kill().unwrap();
        child.wait().unwrap();
    };
    let is_left = || folder.join("out/.firsthand-scratch").exists();
    kill_one();
    // The same job with more memory goes on, and says nothing of memory.
    let same = run(folder, &IN_MEMORY).code(0).says("Going on where an earlier run ended");
    assert!(!same.err.contains("do not fit") && !is_left(), "{}", same.err);
    assert!(!same.err.contains("0 inputs") && !same.err.contains(" a second)"), "{}", same.err);

    for (resume, said) in [(&[][..], "since the inputs are others"), (&["--no-resume"], "")] {
        std::fs::remove_dir_all(folder.join("out")).unwrap();
        kill_one();
        let other = ["dedup", "three.jsonl", "--profile", "corpus", "-o", "out"];
        let other = run(folder, &[&other[..], resume].concat()).code(0).says(said);
        assert!(!other.err.contains("do not fit") && !other.err.contains("there:"));
        assert!(!is_left(), "{}", other.err);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    shards(folder);
    let mut child = start(folder);
    assert!(wait_for(&mut child, folder, 0));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    child.wait().unwrap();
    let left = folder.join("out");
    assert!(!left.exists(), "{:?}", names(&left));
}

#[test]
fn too_little_is_refused_with_what_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    shards(folder);
    run(folder, &["dedup", "shards", "--memory", "1M"]).code(2).says("--memory is 1.0 MB");
    run(folder, &["dedup", "shards", "--method", "cosine", "--memory", "8M"])
        .code(2)
        .says("needs all documents in memory at once");
    assert_eq!(names(folder), ["shards"]);
}
