//! `--annotate`: all rows as they were, with columns that say what became of each.

use super::tables::{LAYERS, columns, pack, rows, rows_of, table, unpack};
use super::{COUNCIL, FERRY, lines, names, read, run, run_with, write};
use serde_json::{Value, json};

const SAME: &str = "same text as its original";

/// Three documents, of which the second is an exact copy of the first.
const THREE: [(&str, &str); 3] = [("one", FERRY), ("two", FERRY), ("three", COUNCIL)];

#[test]
fn json_keeps_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let records = [
        format!("{{ \"text\" :\"{FERRY}\",  \"id\":\"one\", \"n\": 1.50, \"x\": [1, {{}}] }}  "),
        format!("{{\"id\":\"two\",\"text\":\"{FERRY}\",\"half\":\"\\ud83d\"}}"),
        format!("{{\"id\":\"three\",\"text\":\"{COUNCIL}\",\"null\":null}}"),
        "{}".to_owned(),
        "{\"id\":\"no text\"}".to_owned(),
        "[1, 2]".to_owned(),
        "broken".to_owned(),
    ];
    write(folder.path(), "in.jsonl", records.join("\r\n"));
    let args = ["dedup", "in.jsonl", "-o", "out", "--annotate", "--original", "first"];
    run(folder.path(), &args).code(3).says("line 6").says("line 7");
    let added = [
        "\"cluster\":1,\"original\":\"one\",\"score\":1.0,\"kept\":true,\"reason\":null}",
        "\"cluster\":1,\"original\":\"one\",\"score\":1.0,\"kept\":false,\"reason\":\"same text as its original\"}",
        "\"cluster\":null,\"original\":null,\"score\":null,\"kept\":true,\"reason\":null}",
        "\"cluster\":null,\"original\":null,\"score\":null,\"kept\":null,\"reason\":\"no document could be read from it\"}",
    ];
    let body = |at: usize| records[at].trim_end().strip_suffix('}').unwrap();
    let expected = [
        format!("{},{}  ", body(0), added[0]),
        format!("{},{}", body(1), added[1]),
        format!("{},{}", body(2), added[2]),
        format!("{}{}", body(3), added[3]),
        format!("{},{}", body(4), added[3]),
    ];
    let annotated = read(folder.path(), "out/annotated.jsonl");
    assert_eq!(annotated.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn every_format_and_compression_of_rows() {
    let object = |(id, text): (&str, &str)| json!({ "id": id, "text": text }).to_string();
    let objects = THREE.map(object);
    let row = |(id, text): (&str, &str)| format!("{id}|\"{text}\"\n");
    let cells = format!("id|text\n{}", THREE.map(row).concat());
    let files = [
        ("jsonl", (objects.join("\n") + "\n").into_bytes()),
        ("json", format!("[{}]", objects.join(", ")).into_bytes()),
        ("csv", cells.replace('|', ",").into_bytes()),
        ("tsv", cells.replace('|', "\t").into_bytes()),
        ("parquet", table(&THREE)),
    ];
    for (kind, file) in files {
        for layer in LAYERS {
            let folder = tempfile::tempdir().unwrap();
            let name = |stem: &str| format!("{stem}.{kind}{}", layer.extension());
            write(folder.path(), &format!("in/{}", name("a/one")), pack(&file, layer));
            let args = ["dedup", "in", "-o", "out", "--annotate", "--kept", "--original", "first"];
            run(folder.path(), &args).code(0);
            assert_eq!(names(&folder.path().join("out/annotated")), ["a"]);
            let path = folder.path().join("out/annotated").join(name("a/one"));
            let plain = unpack(&std::fs::read(path).unwrap(), layer);
            match kind {
                "parquet" => {
                    let rows = rows(plain);
                    assert!(rows[1].ends_with(&format!(
                        "n: 1, cluster: 1, original: \"one\", score: 1.0, kept: false, reason: \"{SAME}\"}}"
                    )), "{rows:?}");
                    assert!(rows[2].contains("n: null, cluster: null, original: null"), "{rows:?}");
                }
                "csv" | "tsv" => {
                    let d = if kind == "csv" { "," } else { "\t" };
                    let text = String::from_utf8(plain).unwrap();
                    let expected = [
                        ["id", "text", "cluster", "original", "score", "kept", "reason"].join(d),
                        ["one", &format!("\"{FERRY}\""), "1", "one", "1", "true", ""].join(d),
                        ["two", &format!("\"{FERRY}\""), "1", "one", "1", "false", SAME].join(d),
                        ["three", &format!("\"{COUNCIL}\""), "", "", "", "true", ""].join(d),
                    ];
                    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
                }
                _ => {
                    let objects: Vec<Value> = match kind {
                        "json" => serde_json::from_slice(&plain).unwrap(),
                        _ => lines(&String::from_utf8(plain).unwrap()),
                    };
                    assert_eq!(objects.len(), 3);
                    assert_eq!(
                        (&objects[1]["original"], &objects[1]["kept"]),
                        (&json!("one"), &json!(false))
                    );
                    assert_eq!(objects[2]["cluster"], Value::Null);
                }
            }
        }
    }
}

#[test]
fn types_and_order_of_columns() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.parquet", table(&THREE));
    let args = ["dedup", "in.parquet", "-o", "out", "--annotate"];
    run(folder.path(), &args).code(0);
    let bytes = std::fs::read(folder.path().join("out/annotated.parquet")).unwrap();
    let expected = [
        "id BYTE_ARRAY",
        "text BYTE_ARRAY",
        "n INT64",
        "cluster INT64",
        "original BYTE_ARRAY",
        "score DOUBLE",
        "kept BOOLEAN",
        "reason BYTE_ARRAY",
    ];
    assert_eq!(columns(bytes), expected);
}

#[test]
fn rows_of_csv_are_extended_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        "id;text;note\r\n".to_owned(),
        format!("=1+1;\"{FERRY} \"\"late\"\"\";-2\r\n"),
        // Too short, too long, with a quote that nothing closes.
        format!("short;{FERRY} \"late\"\r\n"),
        format!("long;{COUNCIL};n;more;\"; and more\"\r\n"),
        "loose;\"Never closed, so it is text;x\r\n".to_owned(),
        "\r\n".to_owned(),
        format!("last;{COUNCIL};@x\r\n"),
    ];
    write(folder.path(), "in.csv", rows.concat());
    let args = ["dedup", "in.csv", "-o", "out", "--annotate", "--original", "first"];
    run(folder.path(), &args).code(0);
    let expected = [
        "id;text;note;cluster;original;score;kept;reason\r\n".to_owned(),
        rows[1].replace("\r\n", ";1;=1+1;1;true;\r\n"),
        format!("short;{FERRY} \"late\";;1;=1+1;1;false;{SAME}\r\n"),
        format!("long;{COUNCIL};n;2;long;1;true;;more;\"; and more\"\r\n"),
        "loose;\"\"\"Never closed, so it is text\";x;;;;true;\r\n".to_owned(),
        format!("last;{COUNCIL};@x;2;long;1;false;{SAME}\r\n"),
    ];
    assert_eq!(read(folder.path(), "out/annotated.csv"), expected.concat());
    // It is read back as it was.
    let args = ["dedup", "out/annotated.csv", "--emit", "pairs", "--format", "jsonl"];
    let again = run(folder.path(), &args).code(0).out;
    assert_eq!(
        again,
        run(folder.path(), &["dedup", "in.csv", "--emit", "pairs", "--format", "jsonl"]).out
    );
}

#[test]
fn a_name_that_is_taken_is_an_error_before_the_long_work() {
    let folder = tempfile::tempdir().unwrap();
    let line = |more: &str| format!("{{\"id\":\"1\",\"text\":\"{FERRY}\"{more}}}\n");
    write(folder.path(), "a.csv", format!("id,text,Kept\n1,{FERRY},x\n"));
    write(folder.path(), "a.jsonl", line("") + &line(",\"score\":1"));
    write(folder.path(), "a.json", format!("[{}]", line(",\"rea\\u0073on\":1")));
    let out = folder.path().join("out");
    let said = [
        ("a.csv", "\"Kept\""),
        ("a.jsonl", "line 2: it has a column \"score\""),
        ("a.json", "\"reason\""),
    ];
    for (name, words) in said {
        let args = ["dedup", name, "-o", "out", "--annotate"];
        run(folder.path(), &args).code(2).says(name).says(words).says("--annotate-names");
        assert!(!out.exists());
    }
    // Other names will do, and what is taken is only so for new columns.
    let names = ["--annotate-names", "score=dedup_score, kept=dedup_kept,reason=why"];
    for (name, _) in said {
        let args = [&["dedup", name, "-o", "out", "--annotate", "--force"][..], &names].concat();
        run(folder.path(), &args).code(0);
    }
    let again = ["dedup", "out/annotated.json", "-o", "two", "--annotate"];
    run(folder.path(), &again).code(2).says("\"reason\"");
    let parquet = table(&THREE);
    write(folder.path(), "t.parquet", parquet);
    let args = ["dedup", "t.parquet", "-o", "three", "--annotate", "--annotate-names", "kept=N"];
    run(folder.path(), &args).code(2).says("it has a column \"n\"");
    let bad =
        [("kept", "COLUMN=NAME"), ("keep=x", "cluster, original"), ("kept=score", "two columns")];
    for (names, words) in bad {
        let args = ["dedup", "a.csv", "-o", "out", "--annotate", "--annotate-names", names];
        run(folder.path(), &args).code(2).says(words);
    }
}

#[test]
fn what_has_no_columns_is_refused_with_words() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.jsonl", super::three());
    write(folder.path(), "in/README.md", "# A corpus");
    let args = ["dedup", "in", "-o", "out", "--annotate"];
    run(folder.path(), &args)
        .code(2)
        .says("in/README.md: text has no columns")
        .says("leave it out");
    let mail = "From a@b.example Sat Jan  3 01:05:34 2026\nFrom: a@b.example\n\nText\n";
    let args = ["dedup", "-", "-o", "out", "--annotate"];
    run_with(folder.path(), &args, mail.as_bytes()).code(2).says("mbox has no columns");
    assert!(!folder.path().join("out").exists());
    run(folder.path(), &["dedup", "in", "--annotate"]).code(2).says("--output");
    let args = ["dedup", "in/a.jsonl", "-o", "out", "--annotate-names", "kept=x"];
    run(folder.path(), &args).code(2).says("--annotate");
}

#[test]
fn a_reference_is_not_annotated_but_named() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "old.jsonl",
        format!("{{\"id\":\"old\",\"text\":\"{FERRY}\",\"kept\":1}}\n"),
    );
    write(folder.path(), "new.parquet", table(&THREE));
    let args = ["dedup", "new.parquet", "--against", "old.jsonl", "-o", "out", "--annotate"];
    run(folder.path(), &args).code(0);
    let rows = rows_of(folder.path(), "out/annotated.parquet");
    assert!(rows[0].contains("original: \"old\", score: 1.0, kept: false"), "{rows:?}");
    assert!(rows[2].contains("original: null, score: null, kept: true"), "{rows:?}");
}

#[test]
fn a_last_row_without_a_line_end_gets_that_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in.csv", "id,text\r\n1,one\r\n2,two");
    run(folder.path(), &["dedup", "in.csv", "-o", "out", "--annotate", "--kept"]).code(0);
    let expected =
        "id,text,cluster,original,score,kept,reason\r\n1,one,,,,true,\r\n2,two,,,,true,\r\n";
    assert_eq!(read(folder.path(), "out/annotated.csv"), expected);
    assert_eq!(read(folder.path(), "out/kept.csv"), "id,text\r\n1,one\r\n2,two\r\n");
}
