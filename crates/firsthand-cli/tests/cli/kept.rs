//! What is kept and what is dropped, in the form in which it came.

use super::{COUNCIL, FERRY, lines, names, read, run, run_with, write};

#[test]
fn records_are_kept_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let odd = format!("{{ \"text\" :\"{COUNCIL}\",  \"id\":\"odd\", \"extra\": [1, {{}}, 1e2] }}");
    let records = [
        format!("{{\"id\":\"one\",\"text\":\"{FERRY}\"}}\r"),
        "this line is broken".to_owned(),
        String::new(),
        format!("{{\"id\":\"two\",\"text\":\"{FERRY}\",\"n\":1.50}}"),
        odd.clone(),
    ];
    write(folder.path(), "records.jsonl", records.join("\n"));
    let args = ["dedup", "records.jsonl", "-o", "out", "--kept", "--dropped"];
    run(folder.path(), &args).code(3).says("records.jsonl, line 2: not valid JSON");
    let kept = read(folder.path(), "out/kept.jsonl");
    assert_eq!(kept, format!("{}\n{odd}\n", records[0].trim_end()));
    let dropped = read(folder.path(), "out/dropped.jsonl");
    assert!(dropped.ends_with(&format!("\"record\":{}}}\n", records[3])), "{dropped}");
    let dropped = lines(&dropped);
    assert_eq!(dropped[0]["id"], "two");
    assert_eq!(dropped[0]["reason"], "same text as its original");
}

#[test]
fn files_are_kept_as_a_list_of_paths() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a b.txt", FERRY), ("b.txt", FERRY), ("c/d.md", COUNCIL)] {
        write(&folder.path().join("pages"), name, text);
    }
    let args = ["dedup", "pages", "-o", "out", "--kept", "--dropped"];
    run(folder.path(), &args).code(0);
    assert_eq!(read(folder.path(), "out/kept.txt"), "pages/a b.txt\npages/c/d.md\n");
    assert_eq!(read(folder.path(), "out/dropped.txt"), "pages/b.txt\n");
    let dropped = lines(&read(folder.path(), "out/dropped.jsonl"));
    assert_eq!(dropped[0]["id"], "pages/b.txt");
    assert!(dropped[0].get("record").is_none());
}

#[test]
fn a_mix_gives_both() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.txt", FERRY);
    write(folder.path(), "in/b.jsonl", format!("{{\"id\":\"r\",\"text\":\"{FERRY}\"}}\n"));
    run(folder.path(), &["dedup", "in", "-o", "out", "--kept"]).code(0);
    let expected = ["clusters.jsonl", "kept.jsonl", "kept.txt", "pairs.jsonl", "report.json"];
    assert_eq!(names(&folder.path().join("out")), expected);
    assert_eq!(read(folder.path(), "out/kept.txt"), "in/a.txt\n");
    assert_eq!(read(folder.path(), "out/kept.jsonl"), "");
    let run = run(folder.path(), &["dedup", "in", "--emit", "kept", "--format", "jsonl"]).code(0);
    assert_eq!(run.out, "{\"id\":\"in/a.txt\"}\n");
}

#[test]
fn the_reason_states_score_and_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let edited = FERRY.replace("forty", "fifty");
    let records = [
        format!("{{\"id\":1,\"text\":\"{FERRY}\"}}"),
        format!("{{\"id\":2,\"text\":\"{edited}\"}}"),
    ];
    write(folder.path(), "in.jsonl", records.join("\n"));
    let args = ["dedup", "in.jsonl", "--method", "shingles", "--emit", "dropped"];
    let run = run(folder.path(), &args).code(0);
    // 34 words make 32 shingles, of which three change: 29 of 35.
    let reason = "2\t1\tsimilarity 0.828 to its original, at or above the threshold 0.5\n";
    assert_eq!(run.out, reason);
}

#[test]
fn an_empty_stream_is_a_mistake_and_one_document_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["dedup", "-", "-o", "out", "--kept", "--dropped"];
    run_with(folder.path(), &args, b"").code(2).says("no document could be read");
    assert!(!folder.path().join("out").exists());
    run_with(folder.path(), &args, b"{\"text\":\"\"}").code(0).says("Read 1 document");
    assert_eq!(read(folder.path(), "out/kept.jsonl"), "{\"text\":\"\"}\n");
    assert_eq!(read(folder.path(), "out/dropped.jsonl"), "");
}

#[test]
fn a_source_that_loses_over_half_is_pointed_out() {
    let folder = tempfile::tempdir().unwrap();
    let record = |at: usize, source: &str| {
        let text = format!("{FERRY} This is number{at} of the reports about the ship.");
        serde_json::json!({ "id": format!("{source}-{at}"), "source": source, "text": text })
            .to_string()
    };
    let agency = (0..25).map(|at| record(at, "agency"));
    let records: Vec<String> = agency.chain((0..25).map(|at| record(at, "mirror"))).collect();
    write(folder.path(), "in.jsonl", records.join("\n"));
    let args = ["dedup", "in.jsonl", "--method", "shingles", "-t", "1", "-o", "out"];
    run(folder.path(), &args).code(0).says("Look at mirror: it loses 25 of its 25 documents.");
    let report: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    let losses = report["sources_losing_over_half"].as_array().unwrap();
    assert_eq!((losses.len(), &losses[0]["dropped"]), (1, &serde_json::json!(25)));
}

#[test]
#[cfg(unix)]
fn a_file_name_with_a_line_end_names_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a\n/etc/hosts.txt", FERRY), ("b\nc.txt", FERRY), ("d.txt", COUNCIL)] {
        write(&folder.path().join("pages"), name, text);
    }
    let args = ["dedup", "pages", "-o", "out", "--kept", "--dropped", "--force"];
    run(folder.path(), &args).code(0).says("2 paths; --null lists");
    assert_eq!(read(folder.path(), "out/kept.txt"), "pages/a\\n/etc/hosts.txt\npages/d.txt\n");
    assert_eq!(read(folder.path(), "out/dropped.txt"), "pages/b\\nc.txt\n");
    run(folder.path(), &[&args[..], &["--null"]].concat()).code(0);
    assert_eq!(read(folder.path(), "out/kept.txt"), "pages/a\n/etc/hosts.txt\0pages/d.txt\0");
    assert_eq!(read(folder.path(), "out/dropped.txt"), "pages/b\nc.txt\0");
    let printed = run(folder.path(), &["dedup", "pages", "--emit", "kept"]).code(0);
    assert_eq!(printed.out, "pages/a\\n/etc/hosts.txt\npages/d.txt\n");
    let printed = run(folder.path(), &["dedup", "pages", "--emit", "kept", "--null"]).code(0);
    assert_eq!(printed.out, "pages/a\n/etc/hosts.txt\0pages/d.txt\0");
}

#[test]
fn mail_is_dropped_in_kind() {
    let folder = tempfile::tempdir().unwrap();
    let message = |id: &str, text: &str| {
        let mark = "From ann@example.org Sat Jan  3 01:05:34 1996";
        format!("{mark}\nMessage-ID: <{id}>\nSubject: {id}\nFrom: ann@example.org\n\n{text}\n\n")
    };
    let (first, copy, other) = (message("a", FERRY), message("b", FERRY), message("c", COUNCIL));
    write(folder.path(), "in.mbox", [&*first, &copy, &other].concat());
    let args = ["dedup", "in.mbox", "-o", "out", "--kept", "--dropped", "--original", "first"];
    run(folder.path(), &args).code(0);
    assert_eq!(read(folder.path(), "out/kept.mbox"), [first, other].concat());
    assert_eq!(read(folder.path(), "out/dropped.mbox"), copy);
    let cluster = &lines(&read(folder.path(), "out/clusters.jsonl"))[0];
    let member = &cluster["members"][1];
    assert_eq!((&member["title"], &member["source"]), (&"b".into(), &"ann@example.org".into()));
}
