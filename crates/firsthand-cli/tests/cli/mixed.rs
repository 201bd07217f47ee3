//! One run over everything a user may have: a crawl, a mailbox, tables, feeds, archives, broken files.

use super::{COUNCIL, FERRY, lines, names, read, run, write};
use std::io::Write;
use std::path::Path;

/// A third story, to tell documents apart.
const BRIDGE: &str = "The old bridge over the Ness is closed to lorries from Monday, because an \
    inspection found cracks in two of the pillars. Engineers said that cars may still use it, and \
    that the repair would take until the end of the summer and cost about two million.";

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn page(text: &str) -> String {
    format!(
        "<html><head><title>News</title></head><body><article><p>{text}</p></article></body></html>"
    )
}

fn record(kind: &str, url: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n\
         {headers}Content-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
    .into_bytes()
}

fn response(url: &str, status: &str, kind: &str, body: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n{body}");
    record("response", url, "Content-Type: application/http; msgtype=response\r\n", &http)
}

/// A crawl of two pages, a picture, a page that is gone, and a request.
fn crawl() -> Vec<Vec<u8>> {
    vec![
        record(
            "warcinfo",
            "urn:x",
            "Content-Type: application/warc-fields\r\n",
            "software: test\r\n",
        ),
        record(
            "request",
            "http://a.example/1",
            "Content-Type: application/http\r\n",
            "GET /1 HTTP/1.1\r\n\r\n",
        ),
        response("http://a.example/1", "200 OK", "text/html; charset=utf-8", &page(BRIDGE)),
        response("http://a.example/p.png", "200 OK", "image/png", "\u{1}\u{2}PNG"),
        response("http://a.example/2", "404 Not Found", "text/html", &page(FERRY)),
        response("http://b.example/3", "200 OK", "text/html", &page(FERRY)),
    ]
}

fn mailbox() -> String {
    let message = |id: &str, text: &str| {
        format!(
            "From a@b.example Sat Jan  3 01:05:34 2026\nFrom: Ann <a@b.example>\nSubject: News\n\
             Message-ID: <{id}@b.example>\nDate: Sat, 3 Jan 2026 01:05:34 +0000\n\n{text}\n\n"
        )
    };
    let reply = format!(
        "That is odd, and I do not believe a word of it; who told you so, and when was it, and \
         where did they hear about it first?\n\nOn Sat, 3 Jan 2026, Ann wrote:\n> {COUNCIL}\n"
    );
    message("one", COUNCIL) + &message("two", &reply)
}

fn mixed(folder: &Path) {
    write(folder, "in/crawl.warc.gz", crawl().iter().flat_map(|r| gzip(r)).collect::<Vec<u8>>());
    write(folder, "in/box.mbox", mailbox());
    write(folder, "in/table.csv", format!("id,text\nc1,\"{BRIDGE}\"\nc2,\"{COUNCIL} At last.\"\n"));
    write(folder, "in/page.html", page(FERRY));
    let json = serde_json::json!([{ "id": "j1", "text": FERRY }, { "id": "j2", "text": "short" }]);
    write(folder, "in/list.json", json.to_string());
    let feed = format!(
        "<rss version=\"2.0\"><channel><title>F</title><item><guid>f1</guid><title>T</title>\
         <description>{BRIDGE}</description></item></channel></rss>"
    );
    write(folder, "in/feed.xml", feed);
    write(folder, "in/broken.jsonl", format!("{{\"id\":\"k1\",\"text\":\"{FERRY}\"}}\n{{\n"));
    write(folder, "in/noname", COUNCIL);
    write(folder, "in/picture.png", "\u{89}PNG\r\n\u{1a}\n\u{0}\u{0}");
}

#[test]
fn a_mixed_folder_is_read_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    mixed(folder.path());
    let run = run(folder.path(), &["dedup", "in", "-o", "out"]).code(3);
    let run =
        run.says("Read 12 documents").says("not read: in/broken.jsonl, line 2: not valid JSON");
    let run = run.says("Could not read 1: 1 not valid JSON. It is neither kept nor dropped.");
    run.says("Skipped 3: ").says("1 not text").says("1 page not found or moved");
    let clusters = lines(&read(folder.path(), "out/clusters.jsonl"));
    let ids = |at: usize| {
        let members = clusters[at]["members"].as_array().unwrap();
        let mut ids: Vec<&str> = members.iter().map(|m| m["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(clusters.len(), 3);
    let mut all: Vec<Vec<&str>> = (0..3).map(ids).collect();
    all.sort();
    assert_eq!(all[0], ["c1", "f1", "http://a.example/1"]);
    assert_eq!(all[1], ["c2", "in/noname", "one@b.example"]);
    assert_eq!(all[2], ["http://b.example/3", "in/page.html", "j1", "k1"]);
}

#[test]
fn what_is_kept_comes_out_in_kind() {
    let folder = tempfile::tempdir().unwrap();
    mixed(folder.path());
    run(folder.path(), &["dedup", "in", "-o", "out", "--kept", "--original", "first"]).code(3);
    let written = names(&folder.path().join("out"));
    let kept: Vec<&str> =
        written.iter().map(String::as_str).filter(|name| name.starts_with("kept")).collect();
    assert_eq!(kept, ["kept", "kept.txt"]);
    let expected = ["box.mbox", "broken.jsonl", "crawl.warc.gz", "list.json", "table.csv"];
    assert_eq!(names(&folder.path().join("out/kept")), expected);
    // By the order of reading: the mailbox, the broken list, the crawl, the feed ...
    assert_eq!(read(folder.path(), "out/kept/table.csv"), "id,text\n");
    assert_eq!(read(folder.path(), "out/kept/box.mbox"), mailbox());
    assert_eq!(
        read(folder.path(), "out/kept/broken.jsonl"),
        format!("{{\"id\":\"k1\",\"text\":\"{FERRY}\"}}\n")
    );
    let json: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/kept/list.json")).unwrap();
    assert_eq!(json, serde_json::json!([{ "id": "j2", "text": "short" }]));
    // Of the crawl all but the copy of the ferry story, byte for byte.
    let packed = std::fs::read(folder.path().join("out/kept/crawl.warc.gz")).unwrap();
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&*packed), &mut plain)
        .unwrap();
    assert_eq!(plain, crawl()[..5].concat());
}

#[test]
fn a_record_that_is_too_large_to_be_copied_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let picture = response("http://a.example/p.png", "200 OK", "image/png", &"x".repeat(3000));
    let crawl = [picture, response("http://a.example/1", "200 OK", "text/html", &page(FERRY))];
    write(folder.path(), "crawl.warc", crawl.concat());
    let args = ["dedup", "crawl.warc", "-o", "out", "--kept", "--max-file", "2k"];
    run(folder.path(), &args).code(0).says("not copied: 1 record beyond the limit of --max-file");
    assert_eq!(read(folder.path(), "out/kept.warc").as_bytes(), crawl[1]);
}

#[test]
fn a_reply_is_no_copy_of_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "box.mbox", mailbox());
    for profile in ["archive", "mail"] {
        let args = ["dedup", "box.mbox", "--profile", profile, "--emit", "pairs"];
        assert_eq!(run(folder.path(), &args).code(0).out, "", "{profile}");
    }
}

#[test]
fn standard_input_may_be_anything() {
    let folder = tempfile::tempdir().unwrap();
    let crawl: Vec<u8> = crawl().iter().flat_map(|r| gzip(r)).collect();
    let run = super::run_with(folder.path(), &["dedup", "-", "--emit", "kept"], &crawl).code(0);
    assert_eq!(run.out, "http://a.example/1\nhttp://b.example/3\n");
}

#[test]
fn limits_are_named_with_their_flags() {
    let folder = tempfile::tempdir().unwrap();
    let long = "word ".repeat(1000);
    write(folder.path(), "in/long.txt", &long);
    write(folder.path(), "in/long.jsonl", format!("{{\"id\":\"a\",\"text\":\"{long}\"}}\n"));
    write(folder.path(), "in/fine.txt", FERRY);
    let run_here = |flags: &[&str]| run(folder.path(), &[&["dedup", "in"], flags].concat());
    run_here(&[]).code(0).says("Read 3 documents");
    let sentence = "in/long.txt: larger than the limit of 1000 bytes; --max-file sets the limit";
    run_here(&["--max-file", "1000"]).code(3).says(sentence).says("Read 2 documents");
    let run = run_here(&["--max-line", "2k"]).code(3);
    run.says("in/long.jsonl, line 1: the line is longer than the limit of 2 KiB; --max-line");
    let run = run_here(&["--max-document", "3k"]).code(3).says("Read 1 document,");
    run.says("in/long.txt: its text is longer than the limit of 3 KiB; --max-document");
    run_here(&["--max-file", "lots"]).code(2).says("such as 500k, 64M or 2G");
    write(folder.path(), "limits.toml", "[reading.limits]\nfile = 1000\n");
    run_here(&["--config", "limits.toml"]).code(3).says(sentence);
}

#[test]
fn replaced_characters_are_counted_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!("{FERRY} Übermäßig schön. ").into_bytes();
    text.extend(b"\xff\xfe!");
    write(folder.path(), "in/a.txt", &text);
    let run = run(folder.path(), &["dedup", "in", "-o", "out", "-v"]).code(0);
    run.says("note: in/a.txt: 2 characters could not be decoded").says("1 replaced characters");
    let report: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    assert_eq!(report["remarks"]["replaced_characters"], 2);
    assert_eq!(report["remarks"]["list"][0]["place"]["path"], "in/a.txt");
}
