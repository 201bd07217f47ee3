//! What goes to standard output, and in which form.

use super::{lines, run, run_with, three, three_records, write};

#[test]
fn text_for_people() {
    let folder = three_records();
    let run = run(folder.path(), &["dedup", "three.jsonl"]).code(0);
    assert_eq!(run.out, "Cluster 1: 2 documents\n  original  one\n  exact     two\n");
}

#[test]
fn each_result_in_each_format() {
    let folder = three_records();
    let cases = [
        ("pairs", "text", "exact\tone\ttwo\n".to_owned()),
        (
            "pairs",
            "jsonl",
            "{\"a\":\"one\",\"b\":\"two\",\"score\":1.0,\"exact\":true}\n".to_owned(),
        ),
        ("pairs", "csv", "a,b,score,exact\r\none,two,1,true\r\n".to_owned()),
        (
            "clusters",
            "csv",
            "cluster,size,id,original,score,exact,via,time,title,url,source,sender\r\n\
             1,2,one,one,1,,,,,,,\r\n\
             1,2,two,one,1,true,,,,,,\r\n"
                .to_owned(),
        ),
        ("dropped", "text", "two\tone\tsame text as its original\n".to_owned()),
        (
            "dropped",
            "csv",
            "id,original,score,exact,reason\r\ntwo,one,1,true,same text as its original\r\n"
                .to_owned(),
        ),
        ("kept", "csv", "id,time\r\none,\r\nthree,\r\n".to_owned()),
        ("kept", "jsonl", three().lines().step_by(2).map(|line| format!("{line}\n")).collect()),
        ("kept", "text", three().lines().step_by(2).map(|line| format!("{line}\n")).collect()),
    ];
    for (emit, format, expected) in cases {
        let run = run(folder.path(), &["dedup", "three.jsonl", "--emit", emit, "--format", format]);
        assert_eq!(run.code(0).out, expected, "{emit} as {format}");
    }
}

#[test]
fn clusters_and_dropped_as_json() {
    let folder = three_records();
    let args = ["dedup", "three.jsonl", "--format", "jsonl"];
    let clusters = lines(&run(folder.path(), &args).code(0).out);
    assert_eq!(clusters[0]["members"][1]["id"], "two");
    let dropped = lines(&run(folder.path(), &[&args[..], &["--emit", "dropped"]].concat()).out);
    assert_eq!(dropped.len(), 1);
    assert_eq!(dropped[0]["original"], "one");
    assert_eq!(dropped[0]["record"]["text"], super::FERRY);
}

#[test]
fn standard_input_is_read_once_or_kept_for_a_second_time() {
    let folder = tempfile::tempdir().unwrap();
    for emit in ["clusters", "pairs", "kept", "dropped"] {
        let args = ["dedup", "-", "--emit", emit, "--format", "jsonl"];
        let run = run_with(folder.path(), &args, three().as_bytes()).code(0);
        assert_eq!(run.out.lines().count(), if emit == "kept" { 2 } else { 1 }, "{emit}");
    }
    let args = ["dedup", "-", "-o", "result", "--kept", "--dropped"];
    run_with(folder.path(), &args, three().as_bytes()).code(0);
    let expected = [
        "clusters.jsonl",
        "dropped.jsonl",
        "kept.jsonl",
        "pairs.jsonl",
        "report.html",
        "report.json",
    ];
    assert_eq!(super::names(&folder.path().join("result")), expected);
}

#[test]
fn control_characters_of_ids_are_shown_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str| serde_json::json!({ "id": id, "text": super::FERRY }).to_string();
    let text = [record("\u{1b}[2Jone"), record("two\nlines")].join("\n");
    write(folder.path(), "ids.jsonl", text);
    for emit in ["clusters", "pairs", "dropped"] {
        let run = run(folder.path(), &["dedup", "ids.jsonl", "--emit", emit]).code(0);
        assert!(
            run.out.contains("\\u{1b}[2Jone") && run.out.contains("two\\nlines"),
            "{}",
            run.out
        );
        assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'));
    }
}

#[test]
fn formulas_are_defused_in_csv() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: &str| serde_json::json!({ "id": id, "text": super::FERRY }).to_string();
    let ids = ["=1+1", "+a", "-b", "@c", "d,\"e\""].map(record);
    write(folder.path(), "ids.jsonl", ids.join("\n"));
    run(folder.path(), &["dedup", "ids.jsonl", "-o", "out", "--format", "csv"]).code(0);
    let pairs = super::read(folder.path(), "out/pairs.csv");
    for row in pairs.lines().skip(1) {
        assert!(!row.starts_with(['=', '+', '-', '@']), "{row}");
    }
    assert!(pairs.contains("'=1+1,'+a,1,true\r\n"), "{pairs}");
    assert!(pairs.contains("'@c,\"d,\"\"e\"\"\",1,true\r\n"), "{pairs}");
}

#[test]
fn text_does_not_go_to_a_folder() {
    let folder = three_records();
    let args = ["dedup", "three.jsonl", "-o", "out", "--format", "text"];
    run(folder.path(), &args).code(2).says("leave one of them out");
}
