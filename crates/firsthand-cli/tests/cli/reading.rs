//! What is read of a folder, and as what: earlier results, archives, files that are not what their
//! names say.

use super::{COUNCIL, FERRY, lines, read, run, three_records, write};
use serde_json::Value;
use std::io::Write;
use std::path::Path;

/// The ids and texts of a file or folder.
fn texts(folder: &Path, input: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let shown = run(folder, &["extract", input, "--format", "jsonl"]).code(0).out;
    lines(&shown).iter().map(|line| (text(&line["id"]), text(&line["text"]))).collect()
}

fn documents(folder: &Path, result: &str) -> u64 {
    let report = read(folder, &format!("{result}/report.json"));
    let report: Value = serde_json::from_str(&report).unwrap();
    report["counts"]["documents"].as_u64().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn earlier_results_are_skipped_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.txt", FERRY), ("b.txt", FERRY), ("c.txt", COUNCIL)] {
        write(&folder.path().join("pages"), name, text);
    }
    let first = ["dedup", "pages", "-o", "pages/result", "--kept", "--dropped", "--format", "csv"];
    run(folder.path(), &first).code(0);
    let again = run(folder.path(), &["dedup", "pages", "-o", "again"]).code(0);
    assert!(!again.err.contains("not read"), "{}", again.err);
    again.says("Skipped 1: 1 folder of earlier results.");
    assert_eq!(documents(folder.path(), "again"), 3);
}

#[test]
fn a_field_that_no_record_has_is_named() {
    let folder = three_records();
    write(folder.path(), "t.csv", "key,text\n1,some words\n2,other words\n");
    write(folder.path(), "page.html", "<p>some words</p>");
    let fields = ["--id-field", "kye", "--time-field", "when", "--title-field", "id"];
    let note = |input: &str| run(folder.path(), &[&["dedup", input][..], &fields].concat()).code(0);
    for input in ["three.jsonl", "t.csv"] {
        let told = note(input)
            .says("note: no record has the field `kye` (--id-field)")
            .says("note: no record has the field `when` (--time-field)");
        assert_eq!(told.err.contains("`id`"), input == "t.csv", "{}", told.err);
    }
    // A page is no record.
    assert!(!note("page.html").err.contains("no record"));
    let found = run(folder.path(), &["dedup", "t.csv", "--id-field", "key"]).code(0);
    assert!(!found.err.contains("no record"), "{}", found.err);
}

#[test]
fn graded_pairs_beside_documents_are_no_documents() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.txt", FERRY), ("b.txt", FERRY), ("c.txt", COUNCIL)] {
        write(&folder.path().join("pages"), name, text);
    }
    run(folder.path(), &["sample", "pages", "-o", "pages/pairs.tsv"]).code(0);
    let run = run(folder.path(), &["dedup", "pages", "-o", "out"]).code(0);
    assert!(!run.err.contains("not read"), "{}", run.err);
    run.says("Skipped 1: 1 table about documents.");
    assert_eq!(documents(folder.path(), "out"), 3);
}

/// As it lies beside the examples: which documents are copies of one another.
#[test]
fn the_truth_beside_documents_is_no_document() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.txt", FERRY), ("b.txt", FERRY)] {
        write(&folder.path().join("pages"), name, text);
    }
    write(folder.path(), "pages/truth.tsv", "ferry\tcopy\ta.txt\nferry\tcopy\tb.txt\n");
    write(folder.path(), "pages/more/truth.csv", "story,id\n1,a.txt\n1,b.txt\n");
    let run = run(folder.path(), &["dedup", "pages", "-o", "out"]).code(0);
    assert!(!run.err.contains("not read"), "{}", run.err);
    run.says("Skipped 2: 2 tables about documents.");
    assert_eq!(documents(folder.path(), "out"), 2);
}

#[test]
fn a_text_that_is_none_is_called_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let other = serde_json::json!({ "text": FERRY }).to_string();
    for (value, what) in [("null", "null"), ("[\"x\"]", "an array"), ("{\"a\":1}", "an object")] {
        write(folder.path(), "in.jsonl", format!("{{\"text\": {value}}}\n{other}\n"));
        let run = run(folder.path(), &["dedup", "in.jsonl"]).code(3);
        let run = run.says(&format!("in.jsonl, line 1: no text: the field text holds {what}"));
        run.says("--text-field");
    }
}

/// A record of an ARC file; the second version says more about it.
fn arc_record(url: &str, media: &str, more: &str, content: &str) -> Vec<u8> {
    let length = content.len();
    format!("{url} 10.1.2.3 20010203040506 {media}{more} {length}\n{content}\n").into_bytes()
}

#[test]
fn arc_files_are_read_like_warc_files() {
    let folder = tempfile::tempdir().unwrap();
    let about = "1 0 Crawler\nURL IP-address Archive-date Content-type Archive-length\n\n";
    let page = |text: &str| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        format!("{head}<html><title>News</title><body><p>{text}</p></body></html>")
    };
    let expected = [("http://a.example/1", FERRY), ("http://a.example/2", COUNCIL)];
    let expected = expected.map(|(id, text)| (id.to_owned(), text.to_owned()));
    for more in ["", " 200 c8f5 - 1234 a.arc"] {
        let records = [
            arc_record("filedesc://a.arc", "text/plain", more, about),
            arc_record(&expected[0].0, "text/html", more, &page(FERRY)),
            arc_record(&expected[1].0, "text/html", more, &page(COUNCIL)),
        ];
        write(folder.path(), "a.arc", records.concat());
        assert_eq!(texts(folder.path(), "a.arc"), expected, "{more}");
        let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        write(folder.path(), "a.arc.gz", by_record);
        assert_eq!(texts(folder.path(), "a.arc.gz"), expected, "{more}");
    }
}

#[test]
fn a_text_by_name_is_read_as_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let page =
        format!("<!DOCTYPE html>\n<html><title>News</title><body><p>{FERRY}</p></body></html>");
    write(folder.path(), "in/page.txt", page);
    assert_eq!(texts(folder.path(), "in/page.txt")[0].1, FERRY);
    write(folder.path(), "in/picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0");
    let run = run(folder.path(), &["dedup", "in", "-o", "out", "-v"]).code(0);
    run.says("skipped: in/picture.txt: ").says("Skipped 1: 1 not text.");
    assert_eq!(documents(folder.path(), "out"), 1);
}

/// A table of 25 rows with one text. Its footer puts the dictionary at the start of the file and leaves
/// its header out of the size of the column, as old versions of Impala did.
const IMPALA: &str = "504152311504155a155a4c15021500000029000000546865207475672063616d65206174206461776e20616e64\
    206672656564207468652066657272792e1500150615062c153215101506150600000132001502192c48017215\
    0200150c25001804746578742500001632191c191c26081c150c19250010191804746578741500163216820116\
    8201260826000000168201163200004400000050415231";

#[test]
fn a_table_with_a_wrong_offset_of_its_dictionary_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let digits: Vec<u32> = IMPALA.chars().filter_map(|digit| digit.to_digit(16)).collect();
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect();
    write(folder.path(), "old.parquet", bytes);
    let read = texts(folder.path(), "old.parquet");
    assert_eq!(read.len(), 25);
    assert!(read.iter().all(|(_, text)| text == "The tug came at dawn and freed the ferry."));
}

/// A tar archive of one member, or of a link to it.
fn tar(name: &str, kind: u8, link: &str, content: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
    header[156] = kind;
    header[157..157 + link.len()].copy_from_slice(link.as_bytes());
    header[257..265].copy_from_slice(b"ustar\x0000");
    header[148..156].copy_from_slice(b"        ");
    let sum: u32 = header.iter().map(|byte: &u8| u32::from(*byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let padding = vec![0; content.len().next_multiple_of(512) - content.len()];
    [&header[..], content, &padding].concat()
}

#[test]
fn a_hard_link_in_an_archive_is_called_one() {
    let folder = tempfile::tempdir().unwrap();
    let members = [tar("a.txt", b'0', "", FERRY.as_bytes()), tar("b.txt", b'1', "a.txt", b"")];
    write(folder.path(), "in.tar", [&members[..], &[vec![0; 1024]]].concat().concat());
    let run = run(folder.path(), &["dedup", "in.tar", "-v"]).code(0);
    run.says("skipped: in.tar/b.txt: a hard link to \"a.txt\", another member of the archive");
}

#[test]
fn three_hundred_archives_in_one_another_do_not_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let nested = (0..300).fold(FERRY.as_bytes().to_vec(), |inner, depth| {
        let name = if depth == 0 { "a.txt" } else { "inner.tar" };
        tar(name, b'0', "", &inner)
    });
    write(folder.path(), "in/deep.tar", nested);
    write(folder.path(), "in/good.txt", COUNCIL);
    let dedup =
        |layers: &str| run(folder.path(), &["dedup", "in", "--max-layers", layers, "-o", "out"]);
    dedup("305").code(2).says("--max-layers 305 is out of range: it must be from 1 to 64");
    dedup("64").code(3).says("nested deeper than the limit of 64");
    assert_eq!(documents(folder.path(), "out"), 1);
}
