//! Compressed files, broken files, long lines, standard input.

use std::io::Write;
use std::path::PathBuf;

use firsthand_input::{Exceeded, Limit, ReadOptions, Reason, Spool};

use crate::{Folder, read_all};

fn lines(count: usize) -> String {
    (1..=count).map(|n| format!("{{\"id\":{n},\"text\":\"document number {n}\"}}\n")).collect()
}

pub(crate) fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::encode_all(data, 1).unwrap()
}

#[test]
fn compression_makes_no_difference() {
    let folder = Folder::new();
    let text = lines(1000);
    let plain = read_all(&[folder.write("a.jsonl", &text)], &ReadOptions::default());
    assert_eq!(plain.0.len(), 1000);
    let (start, end) = text.as_bytes().split_at(10_005);
    let cases = [
        ("a.jsonl.gz", gzip(text.as_bytes())),
        ("b.jsonl.gz", [gzip(start), gzip(end)].concat()),
        ("a.ndjson.zst", zstd(text.as_bytes())),
        ("b.jsonl.zst", [zstd(start), zstd(end)].concat()),
        ("named-wrongly.jsonl", gzip(text.as_bytes())),
        ("named-wrongly.ndjson", zstd(text.as_bytes())),
    ];
    for (name, data) in cases {
        let path = folder.write(name, data);
        assert_eq!(read_all(&[path], &ReadOptions::default()), plain, "{name}");
    }
    let page = folder.write("a.txt.gz", gzip(b"word"));
    assert_eq!(read_all(&[page], &ReadOptions::default()).0[0].text, "word");
}

#[test]
fn zeros_between_and_after_gzip_members_are_padding() {
    let folder = Folder::new();
    let text = lines(1000);
    let plain = read_all(&[folder.write("a.jsonl", &text)], &ReadOptions::default());
    let (start, end) = text.as_bytes().split_at(10_005);
    for zeros in [1, 511, 100_000] {
        let padding = vec![0; zeros];
        let data = [gzip(start), padding.clone(), gzip(end), padding].concat();
        let path = folder.write("a.jsonl.gz", &data);
        assert_eq!(read_all(&[path], &ReadOptions::default()), plain, "{zeros}");
        let path = folder.write("a.jsonl.gz", [&data[..], b"rubbish"].concat());
        let (documents, errors) = read_all(&[path], &ReadOptions::default());
        assert_eq!((documents.len(), errors.len()), (1000, 1), "{zeros}");
    }
}

#[test]
fn a_cut_off_file_keeps_the_lines_before_the_cut() {
    let folder = Folder::new();
    // Incompressible numbers, so that the compressed data is long enough to cut.
    let noise = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let text: String =
        (1..=20_000).map(|n| format!("{{\"id\":{n},\"text\":\"{}\"}}\n", noise(n))).collect();
    for (name, whole) in
        [("a.jsonl.gz", gzip(text.as_bytes())), ("a.jsonl.zst", zstd(text.as_bytes()))]
    {
        let path = folder.write(name, &whole[..whole.len() * 3 / 4]);
        let next = folder.write("next.txt", "still read");
        let (documents, errors) = read_all(&[path, next], &ReadOptions::default());
        assert_eq!(errors.len(), 1, "{name}");
        assert!(matches!(errors[0].reason, Reason::Damaged { .. }), "{}", errors[0]);
        let kept = documents.len() - 1;
        assert!(kept > 5_000, "{name}: {kept}");
        assert_eq!(errors[0].place.line_number(), Some(kept as u64 + 1), "{name}");
        assert_eq!(documents[kept - 1].id, kept.to_string());
        assert_eq!(documents[kept].text, "still read");
    }
}

#[test]
fn a_file_that_only_claims_to_be_compressed() {
    let folder = Folder::new();
    let cases = [("a.jsonl.gz", "{\"text\":\"x\"}"), ("b.jsonl.zst", "nothing"), ("c.txt.gz", "x")];
    for (name, data) in cases {
        let (documents, errors) = read_all(&[folder.write(name, data)], &ReadOptions::default());
        assert_eq!(documents, [], "{name}");
        assert_eq!(errors.len(), 1, "{name}");
        assert!(matches!(errors[0].reason, Reason::Damaged { .. }), "{}", errors[0]);
    }
}

#[test]
fn broken_lines_are_named_and_the_next_is_read() {
    let folder = Folder::new();
    let mut all: Vec<String> = lines(300).lines().map(str::to_owned).collect();
    all[16] = "{\"id\":17,\"text\":".to_owned();
    all[17] = String::new();
    all[299] = "no".to_owned();
    let path = folder.write("news.jsonl", all.join("\r\n"));
    for batch_bytes in [1, 100, 1 << 20] {
        let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
        let (documents, errors) = read_all(std::slice::from_ref(&path), &options);
        assert_eq!(documents.len(), 297);
        let places: Vec<Option<u64>> =
            errors.iter().map(|error| error.place.line_number()).collect();
        assert_eq!(places, [Some(17), Some(300)]);
        assert!(folder.short(&errors[0].to_string()).starts_with("news.jsonl, line 17: not valid"));
    }
}

#[test]
fn a_line_beyond_the_limit_is_passed_over() {
    let folder = Folder::new();
    let long = "x".repeat(300_000);
    let text = format!("{}{{\"text\":\"{long}\"}}\n{}", lines(3), lines(2));
    let path = folder.write("a.jsonl", text);
    for batch_bytes in [10, 1 << 20] {
        let mut options = ReadOptions { batch_bytes, ..ReadOptions::default() };
        options.reading.limits.line = 200_000;
        let (documents, errors) = read_all(std::slice::from_ref(&path), &options);
        assert_eq!(documents.len(), 5);
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].place.line_number(), Some(4));
        assert_eq!(
            errors[0].reason,
            Reason::Beyond(Exceeded { limit: Limit::Line, value: 200_000 })
        );
    }
}

#[test]
fn a_copy_of_standard_input_is_still_called_that() {
    let folder = Folder::new();
    let spool = Spool::copy(&b"{\"text\":\"a\"}\n{\"text\":\n"[..], folder.path()).unwrap();
    let options = ReadOptions { stdin: Some(spool.path().to_path_buf()), ..ReadOptions::default() };
    for _ in 0..2 {
        let (documents, errors) = read_all(&[PathBuf::from("-")], &options);
        assert_eq!(documents[0].id, "stdin:1");
        assert_eq!(errors[0].place.to_string(), "stdin, line 2");
    }
    let path = spool.path().to_path_buf();
    drop(spool);
    assert!(!path.exists());
}
