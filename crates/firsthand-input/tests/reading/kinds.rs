//! The kind of files whose names do not show it.

use firsthand_input::{ReadOptions, Reason, Spool, read_bytes};

use crate::streams::{gzip, zstd};
use crate::{Folder, archives, read_all};

const MAIL: &str = "Return-Path: <a@b.example>\nReceived: from c.example\nFrom: A <a@b.example>\n\
    Subject: Ferry\nMessage-ID: <1@b.example>\n\nThe ferry is late again today.\n";
const POST: &str = "Path: news.example!not-for-mail\nFrom: a@b.example (A)\nNewsgroups: rec.boats\n\
    Subject: Ferry\nMessage-ID: <2@b.example>\nDate: 9 Sep 2001 01:46:40 GMT\n\nA post on boats.\n";
const PAGE: &str =
    "<!DOCTYPE html>\n<html><head><title>T</title></head><body><p>A page.</p></body></html>";
const FEED: &str = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><item>\
    <description>An item.</description></item></channel></rss>";
const LINES: &str = "{\"id\":\"r\",\"text\":\"A record.\"}\n{\"id\":\"s\",\"text\":\"Another.\"}\n";

/// The text of a file in a folder, or why it was skipped.
fn in_folder(name: &str, content: &[u8]) -> Result<String, Reason> {
    let folder = Folder::new();
    folder.write(name, content);
    let (documents, mut errors) = read_all(&[folder.path().to_path_buf()], &ReadOptions::default());
    match documents.first() {
        Some(document) => Ok(document.text.trim().to_owned()),
        None => Err(errors.remove(0).reason),
    }
}

#[test]
fn a_folder_may_mix_them() {
    let php = "<?php echo '<html>'; ?>";
    let source = "fn main() {\n    println!(\"<html>\");\n}\n";
    let utf16: Vec<u8> = PAGE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let read: [(&str, &[u8], &str); 17] = [
        (
            "00001.7c53336b37003a9286aba55d2945844c",
            MAIL.as_bytes(),
            "The ferry is late again today.",
        ),
        ("1.", MAIL.as_bytes(), "The ferry is late again today."),
        ("49960", POST.as_bytes(), "A post on boats."),
        ("rec.boats.49960", POST.as_bytes(), "A post on boats."),
        ("message.txt.eml", MAIL.as_bytes(), "The ferry is late again today."),
        ("index.php", PAGE.as_bytes(), "A page."),
        ("view.asp?id=3", PAGE.as_bytes(), "A page."),
        ("page", PAGE.as_bytes(), "A page."),
        ("page.utf16", &utf16, "A page."),
        ("news.xml", FEED.as_bytes(), "An item."),
        ("feed", FEED.as_bytes(), "An item."),
        ("records", LINES.as_bytes(), "A record."),
        ("records.json", LINES.as_bytes(), "A record."),
        ("README", b"Just a text.", "Just a text."),
        ("notes.2021", b"Just a text.", "Just a text."),
        ("fragment", b"<p>A part of a page.</p>", "A part of a page."),
        ("heart", b"<3 boats", "<3 boats"),
    ];
    for (name, content, text) in read {
        assert_eq!(in_folder(name, content).as_deref(), Ok(text), "{name}");
    }
    let other = |extension: &str| Reason::OtherExtension(extension.to_owned());
    let zipped = archives::zip(&[("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>")]);
    let passed_over: [(&str, &[u8], Reason); 13] = [
        ("server.log", b"GET / 200\nGET /x 404\n", other("log")),
        ("style.css", b"body { color: red }", other("css")),
        ("code.js", b"document.write('<html>')", other("js")),
        ("main.rs", source.as_bytes(), other("rs")),
        ("lib.php", php.as_bytes(), other("php")),
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", other("png")),
        ("photo.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0", other("jpg")),
        ("drawing.svg", b"<svg xmlns='x'><title>T</title><p>x</p></svg>", other("svg")),
        ("data.xml", b"<?xml version='1.0'?><data><title>T</title></data>", other("xml")),
        ("letter.docx", &zipped, other("docx")),
        (
            "program",
            b"\x7fELF\x02\x01\x01\0\0\0\0\0",
            Reason::NotText("it contains binary data".into()),
        ),
        ("nothing", b"", Reason::NotText("it is empty".into())),
        ("nothing.dat", b"", other("dat")),
    ];
    for (name, content, reason) in passed_over {
        assert!(reason.is_skip());
        assert_eq!(in_folder(name, content), Err(reason), "{name}");
    }
}

#[test]
fn a_file_that_is_named_is_read_if_it_is_any_text() {
    let folder = Folder::new();
    let zipped = archives::zip(&[("[Content_Types].xml", b"<x/>")]);
    let cases: [(&str, &[u8], Option<&str>); 7] = [
        ("server.log", b"GET / 200", Some("GET / 200")),
        ("style.css", b"body { color: red }", Some("body { color: red }")),
        ("data.xml", b"<?xml version='1.0'?><data><p>Words.</p></data>", Some("Words.")),
        ("archive.bin", &archives::zip(&[("a.txt", b"inside")]), Some("inside")),
        ("letter.docx", &zipped, None),
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None),
        ("nothing", b"", None),
    ];
    for (name, content, text) in cases {
        let path = folder.write(name, content);
        let (documents, errors) = read_all(&[path], &ReadOptions::default());
        assert_eq!(documents.first().map(|document| document.text.trim()), text, "{name}");
        if text.is_none() {
            assert_eq!(errors[0].reason, Reason::UnknownKind, "{name}");
        }
    }
}

#[test]
fn compressed_files_without_a_telling_name() {
    let folder = Folder::new();
    let cases = [
        ("a.gz", gzip(LINES.as_bytes())),
        ("b.zst", zstd(LINES.as_bytes())),
        ("c", gzip(LINES.as_bytes())),
        ("d", gzip(&zstd(LINES.as_bytes()))),
    ];
    for (name, bytes) in cases {
        let path = folder.write(name, &bytes);
        let (documents, errors) = read_all(&[path], &ReadOptions::default());
        assert_eq!((documents.len(), errors.len()), (2, 0), "{name}: {errors:?}");
    }
}

const CRAWL: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.example/a\r\n\
    WARC-Date: 2001-09-09T01:46:40Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
    Content-Type: application/http;msgtype=response\r\nContent-Length: 86\r\n\r\n\
    HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\
    <html><body><p>A page.</p></body></html>\r\n\r\n\r\n";

#[test]
fn a_crawl_is_told_wherever_it_lies() {
    let folder = Folder::new();
    let packed = gzip(CRAWL.as_bytes());
    let spool = Spool::copy(&packed[..], folder.path()).unwrap();
    let options = ReadOptions { stdin: Some(spool.path().into()), ..ReadOptions::default() };
    let cases: [(&str, Vec<u8>); 5] = [
        ("a.warc", CRAWL.into()),
        ("a", packed.clone()),
        ("a.bin", packed.clone()),
        ("x.tar", archives::tar(&[("a.warc.gz", &packed)])),
        ("x.zip", archives::zip(&[("a.gz", &packed)])),
    ];
    let mut inputs: Vec<_> = cases.iter().map(|(name, bytes)| folder.write(name, bytes)).collect();
    inputs.push("-".into());
    for input in inputs {
        let (documents, errors) = read_all(std::slice::from_ref(&input), &options);
        assert_eq!(errors, [], "{}", input.display());
        assert_eq!(documents.len(), 1, "{}", input.display());
        assert_eq!(documents[0].url.as_deref(), Some("http://e.example/a"));
        assert_eq!(documents[0].text.trim(), "A page.");
    }
}

#[test]
fn standard_input_is_told_by_its_content() {
    let folder = Folder::new();
    let utf16: Vec<u8> = LINES.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(&[u8], &[&str]); 9] = [
        (LINES.as_bytes(), &["r", "s"]),
        (&utf16, &["r", "s"]),
        (&gzip(LINES.as_bytes()), &["r", "s"]),
        (FEED.as_bytes(), &["stdin:1"]),
        (PAGE.as_bytes(), &["stdin"]),
        (&gzip(PAGE.as_bytes()), &["stdin"]),
        (&archives::tar(&[("a.txt", b"a")]), &["stdin/a.txt"]),
        (&archives::zip(&[("a.txt", b"a"), ("b.txt", b"b")]), &["stdin/a.txt", "stdin/b.txt"]),
        (b"", &[]),
    ];
    for (content, expected) in cases {
        let spool = Spool::copy(content, folder.path()).unwrap();
        let options = ReadOptions { stdin: Some(spool.path().into()), ..ReadOptions::default() };
        let (documents, errors) = read_all(&["-".into()], &options);
        let ids: Vec<&str> = documents.iter().map(|document| document.id.as_str()).collect();
        assert_eq!(ids, expected, "{errors:?}");
        assert_eq!(errors, []);
    }
    // Unclear input is JSONL.
    let spool = Spool::copy(&b"no json\n{\"text\":\"t\"}\n"[..], folder.path()).unwrap();
    let options = ReadOptions { stdin: Some(spool.path().into()), ..ReadOptions::default() };
    let (documents, errors) = read_all(&["-".into()], &options);
    assert_eq!(documents[0].id, "stdin:2");
    assert_eq!(errors[0].place.to_string(), "stdin, line 1");
}

#[test]
fn lines_tables_and_arrays_in_utf16() {
    let cases = [
        ("a.jsonl", "{\"id\":\"r\",\"text\":\"Fähre\"}\n{\"id\":\"s\",\"text\":\"spät\"}\n"),
        ("a.json", "[{\"id\":\"r\",\"text\":\"Fähre\"},\n{\"id\":\"s\",\"text\":\"spät\"}]"),
        ("a.csv", "id,text\nr,Fähre\ns,spät\n"),
        ("a.tsv", "id\ttext\nr\tFähre\ns\tspät\n"),
    ];
    for (name, text) in cases {
        for mark in ["", "\u{FEFF}"] {
            for order in [u16::to_le_bytes, u16::to_be_bytes] {
                let bytes: Vec<u8> =
                    format!("{mark}{text}").encode_utf16().flat_map(order).collect();
                let items = read_bytes(name, &bytes, &ReadOptions::default());
                let found: Vec<(String, String)> = items
                    .map(|item| item.map(|document| (document.id, document.text)).unwrap())
                    .collect();
                let expected = [("r", "Fähre"), ("s", "spät")];
                assert_eq!(found, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
            }
        }
    }
}

#[test]
fn bytes_in_memory_are_told_alike() {
    for (name, content) in [("x", LINES), ("x.jsonl", LINES)] {
        let items = read_bytes(name, content.as_bytes(), &ReadOptions::default());
        assert_eq!(items.map(|item| item.unwrap().id).collect::<Vec<_>>(), ["r", "s"], "{name}");
    }
}

#[test]
fn a_maildir_is_a_mailbox() {
    let folder = Folder::new();
    let message = |words: &str| MAIL.replace("again", words);
    folder.write("Mail/cur/1049.M1P2.host:2,S", message("one"));
    folder.write("Mail/new/1050.M1P2.host", message("two"));
    folder.write("Mail/new/1051.M1P2.host,S=99", "no headers at all, but here it must be mail");
    folder.write("Mail/tmp/1052.M1P2.host", message("three"));
    folder.write("Mail/.Sent/cur/1053.M1P2.host.gz:2,", message("four"));
    folder.write("Mail/.Sent/new/x", message("five"));
    folder.write("Mail/.Sent/tmp/x", message("six"));
    // Nothing is being delivered here, so there is nothing to say of it.
    folder.write("Mail/.Drafts/cur/1054.M1P2.host:2,", message("seven"));
    for name in ["new", "tmp"] {
        std::fs::create_dir(folder.path().join("Mail/.Drafts").join(name)).unwrap();
    }
    folder.write("Mail/.secret/x.txt", "x");
    folder.write("Mail/dovecot-uidlist", "3 V1 N2");
    folder.write("plain/new/a.txt", "This is merely new.");
    let (documents, errors) = read_all(&[folder.path().to_path_buf()], &ReadOptions::default());
    let ids: Vec<String> = documents.iter().map(|document| folder.short(&document.id)).collect();
    let expected = [
        "Mail/.Drafts/cur/1054.M1P2.host:2,",
        "Mail/.Sent/cur/1053.M1P2.host.gz:2,",
        "Mail/.Sent/new/x",
        "Mail/cur/1049.M1P2.host:2,S",
        "Mail/new/1050.M1P2.host",
        "Mail/new/1051.M1P2.host,S=99",
        "plain/new/a.txt",
    ];
    assert_eq!(ids, expected);
    assert_eq!(documents[1].text.trim(), "The ferry is late four today.");
    assert_eq!(documents[1].title.as_deref(), Some("Ferry"));
    let passed: Vec<(String, bool)> =
        errors.iter().map(|error| (folder.short(&error.place.path), error.is_skip())).collect();
    let skipped = ["Mail/.Sent/tmp", "Mail/.secret", "Mail/dovecot-uidlist", "Mail/tmp"];
    assert_eq!(passed, skipped.map(|name| (name.to_owned(), true)));
}

#[test]
fn a_text_by_name_is_read_as_what_it_is() {
    let page = "<!DOCTYPE html>\n<html><head><title>News</title></head><body><p>Words.</p></body>";
    let read = |name: &str, content: &[u8], options: &ReadOptions| {
        read_bytes(name, content, options).next().unwrap()
    };
    let options = ReadOptions::default();
    for name in ["a.txt", "a.md"] {
        let document = read(name, page.as_bytes(), &options).unwrap();
        assert_eq!((&*document.text, document.title.as_deref()), ("Words.", Some("News")));
    }
    // Markup in a text is not a page, and a stray control character is not binary data.
    for text in ["<p align=center>Markdown</p>\n\n# Title", "<3 words", "a\u{0}b words and words"] {
        assert_eq!(read("a.md", text.as_bytes(), &options).unwrap().text.trim(), text.trim());
    }
    for binary in [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], b"%PDF-1.4\n", &[0, 1, 2, 3].repeat(300)]
    {
        let error = read("a.txt", binary, &options).unwrap_err();
        assert_eq!(error.reason, Reason::NotText("it contains binary data".to_owned()));
    }
    // What was asked for counts.
    let mut asked = ReadOptions::default();
    asked.reading.kind = Some(firsthand_input::Kind::Text);
    assert!(read("a.txt", page.as_bytes(), &asked).unwrap().text.contains("<body>"));
}
