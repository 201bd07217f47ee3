//! Web archives: layouts, damage, and the contents of records.

mod revisits;

use std::io::Write;

use firsthand::Document;
use firsthand_input::{
    Exceeded, Limit, ReadError, ReadOptions, Reason, Unit, open, open_bytes, parse_time, read_bytes,
};

use crate::{Folder, read_all};

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(data).unwrap();
    out.finish().unwrap()
}

fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    out.write_all(data).unwrap();
    out.finish().unwrap()
}

/// A record; `headers` are those besides type and length.
fn record(kind: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body, b"\r\n\r\n"].concat()
}

fn uri(name: &str) -> String {
    format!("http://www.Example.com/{name}")
}

/// An HTTP response; `headers` are the server's.
fn response(name: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\n{headers}\r\n");
    let head = format!(
        "WARC-Target-URI: {}\r\nWARC-Date: 2014-03-02T10:20:30Z\r\nWARC-Record-ID: <urn:{name}>\r\n\
         WARC-Payload-Digest: sha1:{name}\r\nContent-Type: application/http; msgtype=response\r\n",
        uri(name)
    );
    record("response", &head, &[http.as_bytes(), body].concat())
}

fn text(name: &str) -> Vec<u8> {
    response(name, "Content-Type: text/plain\r\n", format!("The text of {name}.").as_bytes())
}

type Read = (Vec<Document>, Vec<ReadError>);

fn read(name: &str, bytes: &[u8]) -> Read {
    read_with(name, bytes, &ReadOptions::default())
}

fn read_with(name: &str, bytes: &[u8], options: &ReadOptions) -> Read {
    let (mut documents, mut errors) = (Vec::new(), Vec::new());
    for item in read_bytes(name, bytes, options) {
        match item {
            Ok(document) => documents.push(document),
            Err(error) => errors.push(error),
        }
    }
    (documents, errors)
}

fn texts(documents: &[Document]) -> Vec<&str> {
    documents.iter().map(|document| document.text.as_str()).collect()
}

fn said(errors: &[ReadError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

fn crawl() -> Vec<Vec<u8>> {
    vec![
        record("warcinfo", "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        text("one"),
        record("request", "WARC-Target-URI: http://a/\r\n", b"GET / HTTP/1.1\r\n\r\n"),
        text("two"),
        record("metadata", "", b"x: y\r\n"),
        text("three"),
    ]
}

#[test]
fn every_layout_gives_the_same_documents() {
    let records = crawl();
    let all = records.concat();
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let zstd = |data: &[u8]| zstd::encode_all(data, 1).unwrap();
    let line_feeds = String::from_utf8(all.clone()).unwrap();
    let cases = [
        ("a.warc", all.clone()),
        ("a.warc.gz", members.concat()),
        ("a.warc.gz", gzip(&all)),
        ("a.warc.gz", [gzip(&records[..2].concat()), gzip(&records[2..].concat())].concat()),
        ("a.warc.gz", [members.concat(), vec![0; 5000]].concat()),
        ("a.warc", members.concat()),
        ("named-wrongly.warc.gz", all.clone()),
        ("a.warc.gz", gzip(&members.concat())),
        ("a.warc.zst", zstd(&all)),
        ("a.warc.bz2", bzip2(&all)),
        ("a.warc.zst", zstd(&members.concat())),
        ("a.wet", all.iter().copied().chain(*b"\r\n\r\n\r\n").collect()),
        ("a.warc", line_feeds.replace("WARC/1.0", "WARC/0.17").into_bytes()),
    ];
    for (number, (name, bytes)) in cases.iter().enumerate() {
        let (documents, errors) = read(name, bytes);
        assert_eq!(said(&errors), [""; 0], "case {number}");
        let expected = ["The text of one.", "The text of two.", "The text of three."];
        assert_eq!(texts(&documents), expected, "case {number}");
    }
}

#[test]
fn headers_with_line_feeds_only() {
    let body = "HTTP/1.0 200 OK\nContent-Type: text/plain\n\nA text.";
    let head = "WARC/1.1\nwarc-type: response\nwarc-target-uri:\n  <http://a.example/>\n\
        content-type: application/http\n";
    let one = format!("{head}Content-Length: {}\n\n{body}\n\n", body.len());
    let (documents, errors) = read("a.warc", one.repeat(2).as_bytes());
    assert_eq!(said(&errors), [""; 0]);
    assert_eq!(texts(&documents), ["A text.", "A text."]);
    assert_eq!(documents[0].id, "http://a.example/");
}

#[test]
fn records_before_and_after_damage_are_read() {
    let two = String::from_utf8(text("two")).unwrap();
    let (head, body) = two.split_once("\r\n\r\n").unwrap();
    let cut = |from: &str, to: &str| two.replacen(from, to, 1).into_bytes();
    let length = head.rsplit(' ').next().unwrap();
    let field = format!("Content-Length: {length}");
    let longer = format!("Content-Length: {}", length.parse::<u64>().unwrap() + 1000);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("no version line", cut("WARC/1.0\r\n", ""), "it begins with \"WARC-Type: response\""),
        ("a garbled version", cut("WARC/1.0", "WA\0C/1.0"), "not with a version"),
        ("a version of words", cut("WARC/1.0", "WARC/new"), "not with a version"),
        ("no length", cut(&field, "X: y"), "it has no Content-Length"),
        ("a negative length", cut(&field, "Content-Length: -5"), "is \"-5\", which is not a valid"),
        ("words for a length", cut(&field, "Content-Length: many"), "is \"many\""),
        (
            "an overlong length",
            cut(&field, &format!("{field}{}", "0".repeat(30))),
            "not a valid length",
        ),
        ("a huge length", cut(&field, "Content-Length: 18446744073709551615"), "not end after"),
        ("a length too short", cut(&field, "Content-Length: 20"), "not end after the 20 bytes"),
        ("a length too long", cut(&field, &longer), "ends after"),
        ("no type", cut("WARC-Type: response\r\n", ""), "it has no WARC-Type"),
        ("no empty line", format!("{head}\r\n").into_bytes(), "begins in its headers"),
        ("a cut body", two.as_bytes()[..two.len() - 10].to_vec(), "not end after"),
        ("noise before it", [&b"\x01\x02noise\r\n"[..], two.as_bytes()].concat(), "noise"),
        ("only a body", body.as_bytes().to_vec(), "it begins with \"HTTP/1.1 200 OK\""),
    ];
    for (name, damaged, detail) in cases {
        let bytes = [text("one"), damaged, text("three"), text("four")].concat();
        let (documents, errors) = read("a.warc", &bytes);
        let texts = texts(&documents);
        let expected = ["The text of one.", "The text of three.", "The text of four."];
        let without: Vec<&str> =
            texts.iter().copied().filter(|text| *text != "The text of two.").collect();
        assert_eq!(without, expected, "{name}: {:?}", said(&errors));
        assert_eq!(errors.len(), 1, "{name}: {:?}", said(&errors));
        assert!(errors[0].to_string().contains(detail), "{name}: {}", errors[0]);
        let at = errors[0].place.at.unwrap();
        let start = text("one").len() as u64;
        assert_eq!((at.unit, at.number, at.byte), (Unit::Record, 2, Some(start)), "{name}");
    }
}

#[test]
fn a_damaged_member_does_not_end_the_file() {
    let damaged = gzip(&text("two"));
    for wrong in 0..damaged.len() {
        for bits in [1, 0xff] {
            let mut member = damaged.clone();
            member[wrong] ^= bits;
            let bytes = [gzip(&text("one")), member, gzip(&text("three"))].concat();
            let (documents, errors) = read("a.warc.gz", &bytes);
            let texts = texts(&documents);
            assert_eq!(texts.first(), Some(&"The text of one."), "{wrong} {bits}");
            assert_eq!(texts.last(), Some(&"The text of three."), "{wrong} {bits}");
            // Some bits of the header are meaningless.
            let read = texts.len() == 3 && errors.is_empty() && wrong < 10;
            let told = errors.len() == 1 && (texts.len() == 2 || texts[1] == "The text of two.");
            assert!(read || told, "{wrong} {bits}: {texts:?} {:?}", said(&errors));
            if told {
                let byte = Some(gzip(&text("one")).len() as u64);
                assert_eq!(errors[0].place.at.unwrap().byte, byte, "{wrong} {}", errors[0]);
                assert!(matches!(errors[0].reason, Reason::Damaged { .. }), "{}", errors[0]);
            }
        }
    }
    // Missing bytes.
    for missing in 1..damaged.len() - 4 {
        let half = damaged.len() / 2;
        let member = if missing < half { &damaged[..missing] } else { &damaged[missing..] };
        let bytes = [&gzip(&text("one"))[..], member, &gzip(&text("three"))].concat();
        let (documents, errors) = read("a.warc.gz", &bytes);
        assert_eq!(texts(&documents), ["The text of one.", "The text of three."], "{missing}");
        assert_eq!(errors.len(), 1, "{missing}: {:?}", said(&errors));
    }
}

#[test]
fn a_cut_off_file_keeps_the_records_before_the_cut() {
    let records = [text("one"), text("two")];
    let members = records.each_ref().map(|record| gzip(record));
    for (name, parts) in [("a.warc", &records), ("a.warc.gz", &members)] {
        let bytes = parts.concat();
        let first = parts[0].len();
        // The empty lines after a record, and the checksum after a member, may be missing.
        let needless = if name == "a.warc" { 4 } else { 16 };
        for cut in 0..=bytes.len() {
            let (documents, errors) = read(name, &bytes[..cut]);
            let said = said(&errors);
            let ids: Vec<&str> = documents.iter().map(|document| document.id.as_str()).collect();
            let both = [uri("one"), uri("two")];
            assert!(ids.len() <= 2 && ids == both[..ids.len()], "{name} {cut}: {ids:?}");
            assert!(errors.len() <= 1, "{name} {cut}: {said:?}");
            let least = [first, bytes.len()].into_iter().filter(|end| cut >= *end).count();
            assert!(ids.len() >= least, "{name} {cut}: {said:?}");
            let most =
                [first, bytes.len()].into_iter().filter(|end| cut + needless >= *end).count();
            assert!(ids.len() <= most, "{name} {cut}: {said:?}");
            if most == least && cut > 0 && cut != first && cut != bytes.len() {
                assert_eq!(errors.len(), 1, "{name} {cut}");
                let at = errors[0].place.at.unwrap();
                let start = if cut < first { 0 } else { first as u64 };
                assert_eq!((at.number, at.byte), (least as u64 + 1, Some(start)), "{name} {cut}");
            }
        }
    }
}

#[test]
fn what_records_hold() {
    let page = b"<html><head><title>Ferry</title></head><body><p>The night ferry ran aground.</p>";
    let ferry = Ok("The night ferry ran aground.");
    let html = "Content-Type: text/html\r\n";
    let koi = encoding_rs::KOI8_R.encode("Ночной паром сел на мель незадолго до полуночи.").0;
    let zlib = {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(page).unwrap();
        out.finish().unwrap()
    };
    let meta = [&b"<meta charset=windows-1252><p>"[..], &koi].concat();
    let koi_text = Ok("Ночной паром сел на мель незадолго до полуночи.");
    let chunks = |data: &[u8]| [b"5\r\n", &data[..5], b"\r\nfff\r\n", &data[5..]].concat();
    let coded = |name: &str| format!("{html}Content-Encoding: {name}\r\n");
    type Case<'a> = (String, Vec<u8>, Result<&'a str, &'a str>);
    let cases: Vec<Case<'_>> = vec![
        (html.into(), page.to_vec(), ferry),
        ("content-type: Application/XHTML+xml\r\n".into(), page.to_vec(), ferry),
        (coded("gzip"), gzip(page), ferry),
        (coded("gzip"), page.to_vec(), ferry),
        (coded("deflate"), zlib, ferry),
        (coded("gzip, gzip"), gzip(&gzip(page)), ferry),
        (coded("identity"), page.to_vec(), ferry),
        (format!("{html}Transfer-Encoding: chunked\r\n"), chunks(page), ferry),
        (format!("{html}Transfer-Encoding: chunked\r\n"), page.to_vec(), ferry),
        ("Content-Type: text/plain; charset=KOI8-R\r\n".into(), koi.to_vec(), koi_text),
        // The server's header overrides the page's declaration.
        ("Content-Type: text/html; charset=\"koi8-r\"\r\n".into(), meta, koi_text),
        (String::new(), page.to_vec(), ferry),
        ("Content-Type: application/octet-stream\r\n".into(), page.to_vec(), ferry),
        (String::new(), b"\x00\x01\x02".to_vec(), Err("not text: unknown binary data")),
        ("Content-Type: image/png\r\n".into(), b"\x89PNG".to_vec(), Err("not text: image/png")),
        (html.into(), b"\x89PNG\r\n\x1a\n".to_vec(), Err("not text: declared as text/html")),
        ("Content-Type: application/json\r\n".into(), b"{}".to_vec(), Err("application/json")),
        ("Content-Type: application/rss+xml\r\n".into(), b"<rss>".to_vec(), Err("rss")),
    ];
    for (headers, body, expected) in cases {
        let bytes = [text("before"), response("x", &headers, &body), text("after")].concat();
        let (documents, errors) = read("a.warc", &bytes);
        match expected {
            Ok(text) => {
                assert_eq!(said(&errors), [""; 0], "{headers}");
                assert_eq!(documents[1].text.trim_end(), text, "{headers}");
                assert_eq!(documents[1].id, uri("x"), "{headers}");
            }
            Err(reason) => {
                assert_eq!(documents.len(), 2, "{headers}");
                assert!(errors[0].to_string().contains(reason), "{headers}: {}", errors[0]);
                assert!(errors[0].is_skip(), "{headers}");
            }
        }
    }
}

#[test]
fn a_message_is_called_by_its_address() {
    let mail = b"From: a@b.example\r\nTo: c@d.example\r\nSubject: Ferry\r\n\
        Date: Sun, 2 Mar 2014 10:00:00 +0000\r\nMessage-ID: <1@b>\r\n\r\nThe ferry is late.\r\n";
    let (documents, errors) =
        read("a.warc", &response("m", "Content-Type: message/rfc822\r\n", mail));
    assert_eq!(said(&errors), [""; 0]);
    assert_eq!((documents.len(), documents[0].id.clone()), (1, uri("m")));
    assert!(documents[0].time.is_some());
}

#[test]
fn only_pages_that_were_found_are_documents() {
    for (status, read) in [(200, true), (203, true), (206, true), (301, false), (404, false)] {
        let line = format!("HTTP/1.1 {status} ");
        let bytes = String::from_utf8(text("x")).unwrap().replace("HTTP/1.1 200 ", &line);
        let (documents, errors) = read_with("a.warc", bytes.as_bytes(), &ReadOptions::default());
        assert_eq!(documents.len(), usize::from(read), "{status}");
        let expected = if read { vec![] } else { vec![Reason::Status(status)] };
        let reasons: Vec<Reason> = errors.into_iter().map(|error| error.reason).collect();
        assert_eq!(reasons, expected);
    }
    let bytes = String::from_utf8(text("x")).unwrap().replace("HTTP/1.1 200 OK", "<html>        <");
    let (_, errors) = read("a.warc", bytes.as_bytes());
    assert!(errors[0].to_string().contains("not a valid HTTP response"), "{}", errors[0]);
    assert!(!errors[0].is_skip());
}

#[test]
fn what_a_document_is_called() {
    let plain = "Content-Type: text/plain\r\n";
    let visited = "WARC-Date: 2014-03-02T10:20:30Z\r\n";
    let first =
        record("conversion", &format!("{plain}{visited}WARC-Target-URI: <http://a.B/x>\r\n"), b"a");
    let second = record("resource", &format!("{plain}WARC-Record-ID: <urn:uuid:7>\r\n"), b"b");
    let third = record("resource", &format!("{plain}{visited}"), b"c");
    let log = record("resource", &format!("{plain}WARC-Target-URI: metadata://wget/log\r\n"), b"d");
    let published =
        b"<meta property=\"article:published_time\" content=\"2010-01-02T03:04:05Z\"><p>e";
    let fifth = response("e", "Content-Type: text/html\r\n", published);
    let late = "Content-Type: text/plain\r\nLast-Modified: Sun, 02 Mar 2003 10:20:30 GMT\r\n";
    let sixth = response("f", late, b"f");
    let seventh = String::from_utf8(response("g", late, b"g")).unwrap().replace("WARC-Date", "X");
    let bytes = [first, second, third, log, fifth, sixth, seventh.into_bytes()].concat();
    let (documents, errors) = read("a.warc", &bytes);
    assert_eq!(errors.len(), 1, "{:?}", said(&errors));
    assert!(errors[0].is_skip());
    let facts: Vec<_> = documents
        .iter()
        .map(|document| (document.id.as_str(), document.host.as_deref(), document.time))
        .collect();
    let (e, f, g) = (uri("e"), uri("f"), uri("g"));
    let visit = parse_time("2014-03-02T10:20:30Z");
    let host = Some("www.example.com");
    let expected = [
        ("http://a.B/x", Some("a.b"), visit),
        ("urn:uuid:7", None, None),
        ("a.warc:3", None, visit),
        (e.as_str(), host, parse_time("2010-01-02T03:04:05Z")),
        (f.as_str(), host, visit),
        (g.as_str(), host, parse_time("2003-03-02T10:20:30Z")),
    ];
    assert_eq!(facts, expected);
    assert_eq!(documents[0].url.as_deref(), Some("http://a.B/x"));
}

#[test]
fn large_records_are_passed_over() {
    let words = b"Many words. ".repeat(10_000);
    let mut options = ReadOptions::default();
    options.reading.limits.set(Limit::File, 50_000);
    let bytes = [
        text("one"),
        response("page", "Content-Type: text/html\r\n", &words),
        response("film", "Content-Type: video/mp4\r\n", &words),
        record("metadata", "", &words),
        text("two"),
        response("zip", "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", &gzip(&words)),
        text("three"),
    ];
    for bytes in [bytes.concat(), bytes.iter().flat_map(|record| gzip(record)).collect()] {
        let (documents, errors) = read_with("a.warc", &bytes, &options);
        assert_eq!(documents.len(), 3);
        let reasons: Vec<Reason> = errors.into_iter().map(|error| error.reason).collect();
        let beyond = Reason::Beyond(Exceeded { limit: Limit::File, value: 50_000 });
        assert_eq!(reasons, [beyond.clone(), Reason::NotText("video/mp4".into()), beyond]);
    }
}

#[test]
fn a_copy_has_all_records_and_the_same_batches() {
    use firsthand_input::Raw;
    let records: Vec<Vec<u8>> = (0..300)
        .map(|n| match n % 3 {
            0 => record("request", "", format!("GET /{n}\r\n").as_bytes()),
            1 => text(&n.to_string()),
            _ => response("x", "Content-Type: image/png\r\n", b"\x89PNG"),
        })
        .collect();
    for (bytes, is_gzip) in [
        (records.concat(), false),
        (records.iter().flat_map(|record| gzip(record)).collect(), true),
    ] {
        for batch_bytes in [1000, 1 << 20] {
            let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
            let first = open_bytes("a.warc", &bytes, &options);
            let again = first.again();
            let mut copy: Vec<u8> = Vec::new();
            let mut items = 0;
            let both: Vec<_> = first.zip(again).collect();
            for (first, second) in &both {
                assert_eq!(first.index(), second.index());
                let count = first.documents(&options).count();
                assert_eq!(second.documents(&options).count(), count);
                items += count;
                let mut behind_items = 0;
                for raw in second.raw() {
                    let (bytes, gzip) = match raw {
                        Raw::Record { bytes, gzip } => {
                            behind_items += 1;
                            (bytes, gzip)
                        }
                        Raw::Beside { bytes, gzip } => (bytes, gzip),
                        other => panic!("{other:?}"),
                    };
                    assert_eq!(gzip, is_gzip);
                    copy.extend(bytes);
                }
                assert_eq!(behind_items, count);
            }
            assert_eq!(items, 200);
            assert!(copy == records.concat(), "{batch_bytes}");
        }
    }
}

#[test]
fn archives_in_a_folder_mix_with_other_files() {
    let folder = Folder::new();
    let path = folder.write("crawl.warc.gz", gzip(&text("one")));
    let other = folder.write("a.txt", "A text.");
    let (documents, errors) = read_all(&[path.clone(), other], &ReadOptions::default());
    assert_eq!((documents.len(), errors.len()), (2, 0));
    assert_eq!(open(&[path], &ReadOptions::default()).unwrap().count(), 1);
}
