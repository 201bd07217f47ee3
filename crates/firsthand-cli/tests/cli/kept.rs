//! What is kept and what is dropped, in the form in which it came.

use super::{COUNCIL, FERRY, Run, command, lines, names, read, run, run_with, story, write};
use std::io::Read;
use std::process::Stdio;

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
fn a_file_that_changes_before_it_is_copied_is_an_error_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    // So long that not all of it is read ahead while nobody takes what is printed.
    let long = |n: u64| {
        let words: Vec<String> = (0..400).flat_map(|part| story(n * 1000 + part)).collect();
        format!("{{\"id\":\"{n}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    let first: String = (0..120).map(long).collect();
    assert!(first.len() > 12 << 20, "{}", first.len());
    let last = |text: &str| format!("{{\"id\":\"last\",\"text\":\"{text}\"}}\n");
    write(folder.path(), "a.jsonl", &first);
    write(folder.path(), "b.jsonl", last(FERRY));
    write(folder.path(), "c.jsonl", format!("{{\"id\":\"c\",\"text\":\"{COUNCIL}\"}}\n"));
    let args = ["dedup", "a.jsonl", "b.jsonl", "c.jsonl", "--emit", "kept", "--format", "jsonl"];
    let mut command = command(folder.path(), &args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // What is kept is being printed, so that everything has been judged.
    let mut output = child.stdout.take().unwrap();
    let mut byte = [0];
    output.read_exact(&mut byte).unwrap();
    write(folder.path(), "b.jsonl", last(&FERRY.replace("forty", "fifty")));
    let mut kept = String::from_utf8(byte.to_vec()).unwrap();
    output.read_to_string(&mut kept).unwrap();
    let run = Run::new(&child.wait_with_output().unwrap()).code(3);
    run.says("not read: b.jsonl: it changed after it was read first")
        .says("changed while it was read");
    assert_eq!(kept, first + &read(folder.path(), "c.jsonl"));
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
    let expected =
        ["clusters.jsonl", "kept", "kept.txt", "pairs.jsonl", "report.html", "report.json"];
    assert_eq!(names(&folder.path().join("out")), expected);
    assert_eq!(read(folder.path(), "out/kept.txt"), "in/a.txt\n");
    assert_eq!(read(folder.path(), "out/kept/b.jsonl"), "");
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
fn a_site_that_loses_most_of_its_pages_to_one_cluster_is_pointed_out() {
    let folder = tempfile::tempdir().unwrap();
    let record = |site: &str, at: usize, text: &str| {
        let (id, url) = (format!("{site}-{at}"), format!("https://www.{site}.example/{at}"));
        serde_json::json!({ "id": id, "url": url, "text": text }).to_string()
    };
    // One site shows a form for every page, another has seven copies of seven stories.
    let form = (0..7).map(|at| record("form", at, FERRY));
    let story =
        |at: usize| format!("Story{at} begins, and {COUNCIL} So ended story{at} of {at}x{at}.");
    let first = (0..7).map(|at| record("paper", at, &story(at)));
    let second = (0..7).map(|at| record("mirror", at, &story(at)));
    let records: Vec<String> = form.chain(first).chain(second).collect();
    write(folder.path(), "in.jsonl", records.join("\n"));
    let flags = ["--method", "shingles", "-t", "1"];
    let args = [&["dedup", "in.jsonl", "-o", "out"][..], &flags].concat();
    let why = "firsthand explain form-0 form-6 --in in.jsonl --method shingles --threshold 1";
    let line =
        format!("Look at form.example: one cluster takes 6 of its 7 pages, for form-0: {why}");
    run(folder.path(), &args).code(0).says(&line);
    let report: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    let loss = serde_json::json!([{
        "site": "form.example",
        "documents": 7,
        "dropped": 6,
        "original": "form-0",
        "look_at": ["form-0", "form-6"],
        "command": why,
    }]);
    assert_eq!(report["sites_losing_most_to_one_cluster"], loss);
    let command: Vec<&str> = why.split(' ').skip(1).collect();
    let shown = run(folder.path(), &command).code(0);
    assert!(shown.out.contains("form-6"), "{}", shown.out);
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
        let list = "List-Id: <news.example.org>";
        format!(
            "{mark}\nMessage-ID: <{id}>\nSubject: {id}\nFrom: ann@example.org\n{list}\n\n{text}\n\n"
        )
    };
    let (first, copy, other) = (message("a", FERRY), message("b", FERRY), message("c", COUNCIL));
    write(folder.path(), "in.mbox", [&*first, &copy, &other].concat());
    let args = ["dedup", "in.mbox", "-o", "out", "--kept", "--dropped", "--original", "first"];
    run(folder.path(), &args).code(0);
    assert_eq!(read(folder.path(), "out/kept.mbox"), [first, other].concat());
    assert_eq!(read(folder.path(), "out/dropped.mbox"), copy);
    let cluster = &lines(&read(folder.path(), "out/clusters.jsonl"))[0];
    let member = &cluster["members"][1];
    assert_eq!((&member["title"], &member["sender"]), (&"b".into(), &"ann@example.org".into()));
    assert_eq!(member["source"], "news.example.org");
}
