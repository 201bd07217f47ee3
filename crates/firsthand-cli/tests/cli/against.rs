//! New documents against a reference.

use super::{COUNCIL, FERRY, lines, read, run, run_with, write};

fn collections() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    write(folder.path(), "old.jsonl", record("x", FERRY) + &record("y", FERRY));
    // Two that are new copies of each other, and one that the reference has.
    let new = record("x", COUNCIL) + &record("z", COUNCIL) + &record("w", FERRY);
    write(folder.path(), "new.jsonl", new);
    folder
}

#[test]
fn only_pairs_of_new_with_old_count() {
    let folder = collections();
    let args = ["dedup", "new.jsonl", "--against", "old.jsonl", "-o", "out", "--kept", "--dropped"];
    run(folder.path(), &args).code(0).says("Read 3 documents and 2 to match them against");
    let pairs = lines(&read(folder.path(), "out/pairs.jsonl"));
    let ids: Vec<_> = pairs.iter().map(|pair| [&pair["a"], &pair["b"]]).collect();
    assert_eq!(ids, [["w", "x"], ["w", "y"]]);
    let clusters = lines(&read(folder.path(), "out/clusters.jsonl"));
    assert_eq!(clusters.len(), 1);
    assert_eq!([&clusters[0]["original"], &clusters[0]["members"][1]["id"]], ["x", "w"]);
    let kept = read(folder.path(), "out/kept.jsonl");
    assert_eq!(lines(&kept).iter().map(|line| &line["id"]).collect::<Vec<_>>(), ["x", "z"]);
    let dropped = lines(&read(folder.path(), "out/dropped.jsonl"));
    assert_eq!([&dropped[0]["id"], &dropped[0]["original"]], ["w", "x"]);
}

#[test]
fn the_reference_may_be_several_and_the_new_ones_a_stream() {
    let folder = collections();
    let args = ["dedup", "-", "--against", "old.jsonl", "--against", "new.jsonl", "--emit", "kept"];
    let run = run_with(folder.path(), &args, super::three().as_bytes()).code(0);
    assert_eq!(run.out, "");
}

#[test]
fn standard_input_cannot_be_both() {
    let folder = collections();
    run_with(folder.path(), &["dedup", "-", "--against", "-"], b"").code(2).says("only once");
}

#[test]
fn an_empty_reference_drops_nothing() {
    let folder = collections();
    write(folder.path(), "none.jsonl", "");
    let args = ["dedup", "new.jsonl", "--against", "none.jsonl", "--emit", "kept"];
    assert_eq!(run(folder.path(), &args).code(0).out.lines().count(), 3);
}
