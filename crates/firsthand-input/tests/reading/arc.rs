//! ARC files: web archives from before WARC.

use std::io::Write;

use firsthand::Document;
use firsthand_input::{Raw, ReadError, ReadOptions, open_bytes, parse_time, read_bytes};

const ABOUT: &str = "1 0 Crawler\nURL IP-address Archive-date Content-type Archive-length\n\n";

/// A record of version 1, or of version 2 if there is more to say about it.
fn record(url: &str, media: &str, more: &str, content: &str) -> Vec<u8> {
    let length = content.len();
    format!("{url} 10.1.2.3 20010203040506 {media}{more} {length}\n{content}\n").into_bytes()
}

fn page(words: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>News</title><p>{words}</p>")
}

/// The description of the file, a name of a host, two pages, a picture and a text without headers.
fn archive(more: &str) -> Vec<Vec<u8>> {
    let picture = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nxx";
    vec![
        record("filedesc://a.arc", "text/plain", more, ABOUT),
        record("dns:a.example", "text/dns", more, "20010203\na.example. IN A 10.1.2.3\n"),
        record("http://a.example/1", "text/html", more, &page("The ferry ran aground.")),
        record("http://a.example/2.png", "image/png", more, picture),
        record("http://a.example/3", "text/html", more, &page("Nobody was hurt.\nAll is well.")),
        record("ftp://a.example/4.txt", "text/plain", more, "A plain text."),
    ]
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(name: &str, bytes: &[u8]) -> (Vec<Document>, Vec<ReadError>) {
    let (mut documents, mut errors) = (Vec::new(), Vec::new());
    for item in read_bytes(name, bytes, &ReadOptions::default()) {
        match item {
            Ok(document) => documents.push(document),
            Err(error) => errors.push(error),
        }
    }
    (documents, errors)
}

fn ids(documents: &[Document]) -> Vec<&str> {
    documents.iter().map(|document| document.id.as_str()).collect()
}

const PAGES: [&str; 3] = ["http://a.example/1", "http://a.example/3", "ftp://a.example/4.txt"];

#[test]
fn both_versions_however_compressed() {
    for more in ["", " 200 c8f5 - 1234 a.arc"] {
        let records = archive(more);
        let by_record = records.iter().flat_map(|record| gzip(record)).collect();
        let whole = records.concat();
        let zstd = zstd::encode_all(&whole[..], 1).unwrap();
        for (name, bytes) in [
            ("a.arc", whole.clone()),
            ("a.arc.gz", by_record),
            ("a.arc.gz", gzip(&whole)),
            ("a.arc.zst", zstd),
            ("nameless", whole.clone()),
        ] {
            let (documents, errors) = read(name, &bytes);
            assert_eq!(ids(&documents), PAGES, "{name} {more}");
            assert_eq!(documents[0].text, "The ferry ran aground.");
            assert_eq!(documents[0].title.as_deref(), Some("News"));
            assert_eq!(documents[0].host.as_deref(), Some("a.example"));
            assert_eq!(documents[0].time, parse_time("2001-02-03T04:05:06Z"));
            assert_eq!(documents[2].text, "A plain text.");
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(errors[0].is_skip() && errors[0].to_string().contains("image/png"));
        }
    }
}

#[test]
fn a_wrong_length_costs_one_record() {
    let mut records = archive("");
    let wrong = String::from_utf8(records[2].clone()).unwrap().replacen(" 92\n", " 80\n", 1);
    assert_ne!(wrong.as_bytes(), records[2]);
    records[2] = wrong.into_bytes();
    let (documents, errors) = read("a.arc", &records.concat());
    assert_eq!(ids(&documents), PAGES[1..]);
    let said = errors[0].to_string();
    assert!(said.contains("record 3 (byte ") && said.contains("not a valid ARC record"), "{said}");
    let by_record: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    assert_eq!(read("a.arc.gz", &by_record).0.len(), 2);
}

#[test]
fn damage_and_a_missing_end_cost_one_record() {
    let mut members: Vec<Vec<u8>> = archive("").iter().map(|record| gzip(record)).collect();
    members[2][30..50].fill(0x55);
    let (documents, errors) = read("a.arc.gz", &members.concat());
    assert_eq!(ids(&documents), PAGES[1..]);
    assert!(errors[0].to_string().contains("record 3"), "{}", errors[0]);
    let whole = archive("").concat();
    let (documents, errors) = read("a.arc", &whole[..whole.len() - 4]);
    assert_eq!(ids(&documents), PAGES[..2]);
    let said = errors.last().unwrap().to_string();
    assert!(said.contains("the file ends after 10 of the 13 bytes of its length"), "{said}");
    let rubbish = [&whole[..], b"rubbish\nmore\n", &archive("")[2]].concat();
    let (documents, errors) = read("a.arc", &rubbish);
    assert_eq!((documents.len(), errors.len()), (4, 2));
}

#[test]
fn a_large_record_is_reported() {
    let mut options = ReadOptions::default();
    options.reading.limits.file = 200;
    let mut records = archive("");
    records[2] = record("http://a.example/1", "text/html", "", &page(&"long ".repeat(100_000)));
    let items: Vec<_> = read_bytes("a.arc", &records.concat(), &options).collect();
    let errors: Vec<String> =
        items.iter().filter_map(|item| item.as_ref().err()).map(ToString::to_string).collect();
    assert!(
        errors[0].contains("record 3") && errors[0].contains("limit of 200 bytes"),
        "{errors:?}"
    );
    assert_eq!(items.iter().filter(|item| item.is_ok()).count(), 2);
}

#[test]
fn records_are_copied_as_those_of_a_warc_file() {
    let bytes = archive("").concat();
    let (documents, _) = read("a.arc", &bytes);
    assert_eq!(read("copy.warc", &copies(&bytes).concat()).0, documents);
}

/// The records of an ARC file as they are copied.
fn copies(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut copies = Vec::new();
    for batch in open_bytes("a.arc", bytes, &ReadOptions::default()).again() {
        for raw in batch.raw() {
            match raw {
                Raw::Record { bytes, gzip: false } | Raw::Beside { bytes, gzip: false } => {
                    copies.push(bytes.to_vec());
                }
                other => panic!("{other:?}"),
            }
        }
    }
    copies
}

#[test]
fn every_copied_record_has_an_id_of_its_own_that_stays_the_same() {
    let mut records = archive("");
    records.push(records[2].clone());
    let copied = copies(&records.concat());
    assert_eq!(copied, copies(&records.concat()));
    let mut ids: Vec<String> = copied
        .iter()
        .map(|record| {
            let record = String::from_utf8_lossy(record);
            let id = record.lines().find_map(|line| line.strip_prefix("WARC-Record-ID: "));
            id.unwrap_or_else(|| panic!("{record}")).to_owned()
        })
        .collect();
    for id in &ids {
        let uuid = id.strip_prefix("<urn:uuid:").and_then(|id| id.strip_suffix('>')).unwrap();
        let lengths: Vec<usize> = uuid.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
        let (version, variant) = (&uuid[14..15], &uuid[19..20]);
        assert!(version == "8" && "89ab".contains(variant), "{id}");
        assert!(uuid.bytes().all(|byte| b"-0123456789abcdef".contains(&byte)), "{id}");
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), records.len());
}
