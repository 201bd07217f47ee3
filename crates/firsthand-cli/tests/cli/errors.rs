//! Exit codes and messages for what people get wrong.

use std::io::Write;

use super::{FERRY, run, run_with, three_records, write};

#[test]
fn exit_codes() {
    let folder = three_records();
    let folder = folder.path();
    run(folder, &["dedup", "three.jsonl"]).code(0);
    run(folder, &["dedup", "three.jsonl", "--exit-code"]).code(1);
    run(folder, &["dedup", "three.jsonl", "--exit-code", "--against", "three.jsonl"]).code(1);
    write(folder, "single.jsonl", "{\"text\":\"all alone\"}\n");
    run(folder, &["dedup", "single.jsonl", "--exit-code"]).code(0).says("no near-duplicates");
    run(folder, &["dedup"]).code(2);
    run(folder, &["dedup", "three.jsonl", "nowhere"])
        .code(2)
        .says("nowhere: there is no such file");
    run(folder, &["dedup", "three.jsonl", "--against", "gone"]).code(2).says("gone");
    write(folder, "broken.jsonl", "{\n");
    run(folder, &["dedup", "three.jsonl", "broken.jsonl", "--exit-code"]).code(3);
    // What is skipped by rule is no failure.
    write(folder, "pages/picture.png", "");
    write(folder, "pages/page.txt", "text");
    run(folder, &["dedup", "pages"]).code(0).says("Skipped 1: 1 other extension.");
}

#[test]
fn messages_for_beginners() {
    let folder = three_records();
    write(folder.path(), "unknown.toml", "treshold = 0.8\n");
    write(folder.path(), "input.toml", "[input]\nfield = 1\n");
    write(folder.path(), "broken.toml", "a = = b\n");
    write(folder.path(), "zero.toml", "[scheme]\nkind = \"words\"\nn = 0\n");
    write(folder.path(), "photos/one.png", "");
    let cases: [(&[&str], &[&str]); 18] = [
        (&["dedup"], &["<INPUT>"]),
        (&["three.jsonl"], &["three.jsonl"]),
        (&["dedup", "three.jsonl", "-t", "80"], &["80", "write 0.8"]),
        (&["dedup", "three.jsonl", "-t", "80%"], &["write 0.8"]),
        (&["dedup", "three.jsonl", "-t", "0"], &["such as 0.8"]),
        (&["dedup", "three.jsonl", "--profile", "news"], &["\"news\"", "archive, feed"]),
        (&["dedup", "three.jsonl", "-t", "1.5"], &["above 0 and up to 1"]),
        (&["dedup", "three.jsonl", "--method", "mini"], &["\"mini\"", "spotsigs"]),
        (&["dedup", "three.jsonl", "--n", "0"], &["--n 0"]),
        (&["dedup", "three.jsonl", "--config", "zero.toml"], &["scheme.n = 0"]),
        (&["dedup", "three.jsonl", "--measure", "jacard"], &["jacard", "jaccard"]),
        (&["dedup", "three.jsonl", "--threads", "0"], &["from 1 to 1024"]),
        (&["dedup", "three.jsonl", "--threads", "1000000"], &["from 1 to 1024"]),
        (&["dedup", "three.jsonl", "--config", "unknown.toml"], &["unknown.toml", "treshold"]),
        (
            &["dedup", "three.jsonl", "--config", "input.toml"],
            &["input.toml", "no setting \"input\""],
        ),
        (&["dedup", "three.jsonl", "--config", "broken.toml"], &["broken.toml", "TOML"]),
        (&["dedup", "three.jsonl", "--config", "none.toml"], &["none.toml"]),
        (&["dedup", "photos"], &["nothing to read in photos", "1 other extension", "--kind"]),
    ];
    for (args, expected) in cases {
        let run = run(folder.path(), args).code(2);
        for text in expected {
            assert!(run.err.contains(text), "{args:?}: {text:?} is not in {}", run.err);
        }
        assert_eq!(run.out, "", "{args:?}");
    }
}

#[test]
fn a_bad_line_is_named_and_the_next_one_read() {
    let folder = tempfile::tempdir().unwrap();
    let text = super::three().replace("\n{\"id\":\"two\"", "\n\0{]\n\n{\"id\":\"two\"");
    let run = run_with(folder.path(), &["dedup", "-", "--emit", "pairs"], text.as_bytes()).code(3);
    assert!(run.err.contains("not read: stdin, line 2:"), "{}", run.err);
    assert!(!run.err.contains('\0'));
    assert_eq!(run.out, "exact\tone\ttwo\n");
}

/// What a parser expected is nothing that people know.
#[test]
fn broken_records_and_settings_are_described_in_words() {
    let folder = three_records();
    let records =
        ["{\"text\": tru}", "{text: 1}", "{\"text\": nil}", "{\"text\" \"x\"}", "{,}", "hello"];
    for record in records {
        write(folder.path(), "in.jsonl", format!("{record}\n{}", super::three()));
        let said = run(folder.path(), &["dedup", "in.jsonl"]).code(3).err;
        let said =
            said.lines().find(|line| line.starts_with("not read: in.jsonl, line 1")).unwrap();
        assert!(said.contains("not valid JSON: ") && !said.contains("expected"), "{said}");
    }
    for settings in ["a = = b", "threshold", "threshold = [1", "[scheme\n", "n = 'x"] {
        write(folder.path(), "in.toml", settings);
        let said = run(folder.path(), &["config", "check", "in.toml"]).code(2).err;
        assert!(
            said.contains("in.toml is not valid TOML: line ") && !said.contains("expected"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let said = run(folder.path(), &["dedup", "three.jsonl", "--min-features", "x"]).code(2);
    said.says("write a whole number");
}

#[test]
fn standard_input_that_is_no_json_gets_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let table = format!("id,text\na,\"{FERRY}\"\nb,\"{FERRY}\"\n");
    for more in [&[][..], &["--verbose"], &["-o", "result", "--kept"]] {
        let args = [&["dedup", "-"], more].concat();
        let run = run_with(folder.path(), &args, table.as_bytes());
        let hints = run.err.matches("standard input is read as JSON lines").count();
        assert_eq!(hints, 1, "{}", run.err);
        assert!(run.err.contains("--kind csv"), "{}", run.err);
    }
    run_with(folder.path(), &["dedup", "-", "--kind", "csv"], table.as_bytes()).code(0);
    // One bad line among good ones is no sign of another kind.
    let lines = format!("oops\n{{\"id\": \"a\", \"text\": \"{FERRY}\"}}\n");
    let run = run_with(folder.path(), &["dedup", "-"], lines.as_bytes()).code(3);
    assert!(!run.err.contains("is read as JSON lines"), "{}", run.err);
}

#[test]
fn of_many_bad_lines_twenty_are_told_and_all_reported() {
    let folder = tempfile::tempdir().unwrap();
    // Each is broken at another place.
    let broken = (0..50).map(|at| format!("{{\"{}\" broken\n", "x".repeat(at)));
    write(folder.path(), "bad.jsonl", broken.collect::<String>() + &super::three());
    let told = |args: &[&str]| {
        let run = run(folder.path(), &[&["dedup", "bad.jsonl"], args].concat()).code(3);
        (run.err.lines().filter(|line| line.starts_with("not read: bad.jsonl")).count(), run.err)
    };
    let (count, messages) = told(&["-o", "out"]);
    assert_eq!(count, 20);
    assert!(messages.contains("and 30 more, see report.json"), "{messages}");
    assert!(messages.contains("Could not read 50: 50 not valid JSON."), "{messages}");
    assert_eq!(told(&["--verbose"]).0, 50);
    let report = super::read(folder.path(), "out/report.json");
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let list = report["unreadable"]["list"].as_array().unwrap();
    let numbers: Vec<_> = list.iter().map(|item| item["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
    assert_eq!(report["unreadable"]["by_reason"]["not valid JSON"], 50);
}

#[test]
fn what_is_not_read_for_one_reason_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: u32| format!("{{\"id\": {id}, \"story\": \"{FERRY}\", \"meta\": {{}}}}\n");
    write(folder.path(), "many.jsonl", (0..50).map(record).collect::<String>());
    write(folder.path(), "three.jsonl", super::three());
    let reason = "no text: none of the fields text, content, body, html is present; there are id, \
        story, meta; name the right one with --text-field";
    for (inputs, code, place) in [
        (&["many.jsonl"][..], 2, "--verbose lists them"),
        (&["many.jsonl", "three.jsonl"], 3, "see report.json"),
    ] {
        let run = run(folder.path(), &[&["dedup", "-o", "out"], inputs].concat()).code(code);
        let told = run.err.lines().filter(|line| line.contains(reason)).count();
        assert_eq!(told, 3, "{}", run.err);
        let rest = "and 47 more for the same reason as many.jsonl, line 1";
        run.says(&format!("not read: {rest}, {place}"));
    }
}

#[test]
fn a_file_that_is_cut_off_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    let record = |id: u64| format!("{{\"id\": {id}, \"text\": \"{}\"}}\n", super::copy(id, 0));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all((0..200).map(record).collect::<String>().as_bytes()).unwrap();
    let bytes = packer.finish().unwrap();
    write(folder.path(), "cut.jsonl.gz", &bytes[..bytes.len() / 2]);
    let run = run(folder.path(), &["dedup", "cut.jsonl.gz"]).code(3);
    let run =
        run.says("not read: cut.jsonl.gz, line ").says("nothing after it in this file is read");
    run.says("A file ends in damaged data, and its rest was not read: cut.jsonl.gz, line ");
}

#[test]
fn the_end_of_a_run_says_what_is_so() {
    let folder = three_records();
    let noise: Vec<u8> =
        (0..2_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    write(folder.path(), "noise.html", &noise);
    write(folder.path(), "blank.txt", " \n");
    let only = run(folder.path(), &["dedup", "blank.txt", "noise.html"]).code(0);
    let only = only.says("Read 1 document").says("Looked into 2 files: 1 html, 1 text.");
    let only = only.says("Skipped 1: 1 not text.").says("1 document is empty and cannot match");
    assert!(!only.err.contains("lower --threshold"), "{}", only.err);
    let null = ["dedup", "three.jsonl", "--null"];
    run(folder.path(), &null).code(2).says("--null is for lists of paths");
    run(folder.path(), &[&null[..], &["--emit", "kept"]].concat()).code(0);
}

#[test]
fn what_is_named_is_not_what_is_meant() {
    let folder = three_records();
    write(folder.path(), "pages/a.html", "<p>text</p>");
    for args in [
        &["store", "info", "--store", "three.jsonl"][..],
        #[cfg(feature = "serve")]
        &["review", "pages"],
    ] {
        let run = run(folder.path(), args).code(2);
        assert!(!run.err.contains("os error") && !run.err.contains("-o pages"), "{}", run.err);
    }
    #[cfg(feature = "serve")]
    {
        run(folder.path(), &["review", "pages"]).code(2).says("pages holds no results of dedup");
        run(folder.path(), &["review", "nosuch"]).code(2).says("there is no folder nosuch");
    }
    let info = ["store", "info", "--store", "three.jsonl"];
    run(folder.path(), &info).says("three.jsonl is a file, and a store is a folder");
    #[cfg(feature = "serve")]
    {
        let serve = ["serve", "--store", "memory:", "--listen"];
        let told = |address| run(folder.path(), &[&serve[..], &[address]].concat()).code(2);
        told("7488").says("write address and port, such as 127.0.0.1:7411");
        // The flag is understood, and something else is not.
        let local = told("localhost:70000").says("write address and port");
        assert!(local.err.contains("localhost:70000"), "{}", local.err);
        let other =
            run(folder.path(), &["serve", "--listen", "localhost:0", "--store", "three.jsonl"]);
        other.code(2).says("three.jsonl is a file");
    }
}

#[test]
fn quiet_is_quiet_but_for_errors() {
    let folder = three_records();
    assert_eq!(run(folder.path(), &["dedup", "three.jsonl", "-q"]).code(0).err, "");
    write(folder.path(), "broken.jsonl", "{\n");
    let run = run(folder.path(), &["dedup", "broken.jsonl", "three.jsonl", "-q"]).code(3);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn nothing_that_can_be_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "three.jsonl", super::three());
    write(folder.path(), "empty.jsonl", "");
    write(folder.path(), "cut.parquet", "PAR1 and no more");
    let cases: [(&[&str], &str); 5] = [
        (&["three.jsonl", "--text-field", "story"], "three.jsonl: 3 no text"),
        (&["cut.parquet"], "cut.parquet: 1 "),
        (&["/dev/null"], "/dev/null: 1 device"),
        (&["-"], "standard input: there is nothing in it"),
        (&["empty.jsonl", "--against", "three.jsonl"], "empty.jsonl: there is nothing in it"),
    ];
    for (args, why) in cases {
        let args = [&["dedup"], args, &["-o", "out", "--kept"]].concat();
        let run = super::run_with(folder.path(), &args, b"").code(2);
        let run = run.says(&format!("no document could be read from {why}"));
        assert!(!run.err.contains("lower --threshold"), "{}", run.err);
        assert!(!folder.path().join("out").exists(), "{args:?}");
    }
}

#[test]
fn results_are_not_documents_unless_a_file_of_them_is_named() {
    let folder = three_records();
    run(folder.path(), &["dedup", "three.jsonl", "-o", "result", "--kept"]).code(0);
    let told = run(folder.path(), &["dedup", "result", "-o", "again"]).code(2);
    told.says("result: these are results of an earlier run, not documents");
    assert!(!folder.path().join("again").exists());
    run(folder.path(), &["dedup", "result/kept.jsonl"]).code(0).says("Read 2 documents");
}

#[test]
fn negative_values_are_refused_as_values() {
    let folder = three_records();
    for (flag, value) in [("--threshold", "-1"), ("-t", "-0.5"), ("--memory", "-5M"), ("--n", "-2")]
    {
        let told = run(folder.path(), &["dedup", "three.jsonl", flag, value]).code(2);
        assert!(!told.err.contains("tip:"), "{}", told.err);
        told.says(&format!("invalid value '{value}' for '-"));
    }
}

#[test]
fn a_broken_decision_is_explained_once() {
    let folder = three_records();
    for (line, why) in
        [("nonsense", "not valid JSON"), ("{\"action\":\"burn\"}", "unknown variant `burn`")]
    {
        write(folder.path(), "d.jsonl", format!("{line}\n"));
        let told = run(folder.path(), &["dedup", "three.jsonl", "--decisions", "d.jsonl"]).code(2);
        assert_eq!(told.err.matches("line 1").count(), 1, "{}", told.err);
        assert_eq!(told.err.matches(why).count(), 1, "{}", told.err);
    }
}
