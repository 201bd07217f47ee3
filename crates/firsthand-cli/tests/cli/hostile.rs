//! Folders and pages that are out to break something.

use super::{FERRY, lines, read, run, write};

#[test]
#[cfg(unix)]
fn links_and_pipes_in_a_folder_are_passed_over() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "outside/secret.txt", FERRY);
    write(root, "pages/a.txt", FERRY);
    symlink("../outside/secret.txt", root.join("pages/link.txt")).unwrap();
    symlink("../outside", root.join("pages/elsewhere")).unwrap();
    symlink("..", root.join("pages/loop")).unwrap();
    symlink("nowhere", root.join("pages/dangling.txt")).unwrap();
    let pipe = root.join("pages/pipe.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let run_here =
        |args: &[&str]| run(root, &[&["dedup", "pages", "--emit", "pairs"], args].concat());
    let found = run_here(&[]).code(0).says("Read 1 document,").says("4 symbolic links");
    assert!(found.err.contains("1 device, pipe or socket"), "{}", found.err);
    assert_eq!(found.out, "");
    // Followed on request, and a loop is walked once; the dangling link is then a failure.
    let followed = run_here(&["--follow"]).code(3);
    assert!(followed.out.contains("pages/a.txt") && followed.out.contains("secret.txt"));
    // A pipe that is named is refused, not waited for.
    run(root, &["dedup", "pages/pipe.txt"]).code(2).says("a named pipe");
}

#[test]
fn verbose_lists_what_was_skipped() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "pages/a.txt", FERRY);
    write(folder.path(), "pages/b.png", "");
    write(folder.path(), "pages/.c.txt", "");
    let run = run(folder.path(), &["dedup", "pages", "-v"]).code(0);
    assert!(run.err.contains("skipped: pages/b.png: "), "{}", run.err);
    assert!(run.err.contains("skipped: pages/.c.txt: hidden"), "{}", run.err);
}

#[test]
fn a_page_of_nested_tags_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let deep = format!("<html><body>{}<p>{FERRY}", "<div>".repeat(200_000));
    write(folder.path(), "pages/deep.html", deep);
    write(folder.path(), "pages/one.html", format!("<p>{FERRY}</p>"));
    write(folder.path(), "pages/two.html", format!("<html><body><p>{FERRY}</p></body></html>"));
    let run = run(folder.path(), &["dedup", "pages", "--emit", "pairs", "--format", "jsonl"]);
    assert!(run.code == 0 || run.code == 3, "{}", run.err);
    let pairs = lines(&run.out);
    let found =
        |pair: &serde_json::Value| pair["a"] == "pages/one.html" && pair["b"] == "pages/two.html";
    assert!(pairs.iter().any(found), "{}", run.out);
}

#[test]
fn deep_json_and_broken_bytes_are_one_bad_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let mut input = b"{\"id\":\"deep\",\"text\":".to_vec();
    input.extend(b"[".repeat(1_000_000));
    input.extend(b"\n{\"id\":\"bytes\",\"text\":\"\xff\xfe\x80 caf\xe9\"}\n");
    input.extend(super::three().bytes());
    write(folder.path(), "in.jsonl", input);
    run(folder.path(), &["dedup", "in.jsonl", "-o", "out", "--kept"]).code(3);
    let report: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    assert_eq!(report["counts"]["documents"], 4);
    assert_eq!(report["counts"]["unreadable"], 1);
    let kept = std::fs::read(folder.path().join("out/kept.jsonl")).unwrap();
    assert!(kept.windows(3).any(|bytes| bytes == b"\xff\xfe\x80"), "kept as it was");
}

#[test]
fn a_hot_text_does_not_make_all_its_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("{{\"text\":\"{FERRY}\"}}\n");
    write(folder.path(), "copies.jsonl", line.repeat(20_000));
    run(folder.path(), &["dedup", "copies.jsonl", "-o", "out"])
        .code(0)
        .says("1 cluster")
        .says("--pairs all lists every one");
    let pairs = read(folder.path(), "out/pairs.jsonl").lines().count();
    assert!(pairs < 600_000, "{pairs}");
    let clusters = lines(&read(folder.path(), "out/clusters.jsonl"));
    assert_eq!(clusters[0]["size"], 20_000);
}
