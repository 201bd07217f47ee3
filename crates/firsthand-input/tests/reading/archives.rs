//! zip and tar archives are read like folders, whatever they contain and however damaged.

use std::io::{Cursor, Write};

use firsthand_input::{Exceeded, Limit, ReadOptions, Reason, read_bytes};
use proptest::prelude::*;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::Folder;
use crate::streams::{gzip, zstd};

type Member<'a> = (&'a str, &'a [u8]);

/// The ids and texts of documents, and the places and reasons of errors.
type Found = (Vec<(String, String)>, Vec<(String, Reason)>);

fn found(name: &str, bytes: &[u8], options: &ReadOptions) -> Found {
    let mut found = Found::default();
    for item in read_bytes(name, bytes, options) {
        match item {
            Ok(document) => found.0.push((document.id, document.text.trim().to_owned())),
            Err(error) => found.1.push((error.place.to_string(), error.reason)),
        }
    }
    found
}

fn texts(found: &Found) -> Vec<(&str, &str)> {
    found.0.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect()
}

pub(crate) fn tar(members: &[Member<'_>]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        builder.append_data(&mut header, name, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A header with any claims.
fn header(name: &[u8], kind: u8, size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_entry_type(tar::EntryType::new(kind));
    header.set_size(size);
    header.set_cksum();
    header.as_bytes().to_vec()
}

pub(crate) fn zip(members: &[Member<'_>]) -> Vec<u8> {
    zip_by(members, CompressionMethod::Deflated)
}

fn zip_by(members: &[Member<'_>], method: CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const MIXED: [Member<'_>; 6] = [
    ("b.txt", b"bee"),
    ("a/page.html", b"<html><body><p>page</p></body></html>"),
    ("a/lines.jsonl", b"{\"id\":\"r\",\"text\":\"record\"}\n{\n"),
    ("a/photo.png", b"\x89PNG\r\n\x1a\n\0\0"),
    ("README", b"read me"),
    (".hidden/x.txt", b"x"),
];

#[test]
fn an_archive_is_read_like_a_folder() {
    let packed = zip(&MIXED);
    let stored = zip_by(&MIXED, CompressionMethod::Stored);
    let plain = tar(&MIXED);
    let cases = [
        ("x.zip", packed.clone()),
        ("x.zip", stored),
        ("x.zip", [b"#!/bin/sh\nunpacks itself\n".to_vec(), packed].concat()),
        ("x.tar", plain.clone()),
        ("x.tgz", gzip(&plain)),
        ("x.tar.zst", zstd(&plain)),
    ];
    for (name, bytes) in cases {
        let found = found(name, &bytes, &ReadOptions::default());
        let within = |inner: &str| format!("{name}/{inner}");
        let (bee, page, readme) = (within("b.txt"), within("a/page.html"), within("README"));
        let expected = [(&*bee, "bee"), (&page, "page"), ("r", "record"), (&readme, "read me")];
        assert_eq!(texts(&found), expected, "{name}");
        let places: Vec<&str> = found.1.iter().map(|(place, _)| place.as_str()).collect();
        let line = within("a/lines.jsonl, line 2");
        assert_eq!(places, [&line, &within("a/photo.png"), &within(".hidden/x.txt")], "{name}");
        assert!(matches!(found.1[0].1, Reason::BadJson(_)));
        assert_eq!(found.1[1].1, Reason::OtherExtension("png".to_owned()));
        assert_eq!(found.1[2].1, Reason::Hidden);
    }
}

#[test]
fn an_archive_on_the_disk_is_read_where_it_lies() {
    let folder = Folder::new();
    let paths = [folder.write("x.zip", zip(&MIXED)), folder.write("y.tar", tar(&MIXED))];
    let (documents, errors) = crate::read_all(&paths, &ReadOptions::default());
    let ids: Vec<String> = documents.iter().map(|document| folder.short(&document.id)).collect();
    let expected = ["x.zip/b.txt", "x.zip/a/page.html", "r", "x.zip/README"];
    assert_eq!(ids[..4], expected);
    assert_eq!(ids[4..], ["y.tar/b.txt", "y.tar/a/page.html", "r#2", "y.tar/README"]);
    assert_eq!(errors.len(), 6);
}

#[test]
fn archives_in_archives_as_deep_as_allowed() {
    let lines = gzip(b"{\"id\":\"deep\",\"text\":\"deep\"}\n");
    let inner = zip(&[("a.jsonl.gz", &lines), ("b.txt", b"b")]);
    // gzip, tar, zip, gzip: four layers.
    let outer = gzip(&tar(&[("x.zip", &inner), ("c.txt", b"c")]));
    let all = found("y.tar.gz", &outer, &ReadOptions::default());
    let expected = [("deep", "deep"), ("y.tar.gz/x.zip/b.txt", "b"), ("y.tar.gz/c.txt", "c")];
    assert_eq!(texts(&all), expected);
    assert_eq!(all.1, []);

    let counts = [(3, 2), (2, 1), (1, 0)];
    for (layers, documents) in counts {
        let mut options = ReadOptions::default();
        options.reading.limits.layers = layers;
        let found = found("y.tar.gz", &outer, &options);
        assert_eq!(found.0.len(), documents, "{layers}");
        let beyond = Reason::Beyond(Exceeded { limit: Limit::Layers, value: layers });
        assert_eq!(found.1.iter().map(|(_, reason)| reason).collect::<Vec<_>>(), [&beyond]);
    }
}

#[test]
fn compression_in_compression() {
    let text = b"{\"id\":\"a\",\"text\":\"t\"}\n";
    let mut packed = text.to_vec();
    for layers in 1..=6 {
        packed = gzip(&packed);
        let found = found("a.jsonl.gz", &packed, &ReadOptions::default());
        assert_eq!(found.0.len(), usize::from(layers <= 4), "{layers}");
        if layers > 4 {
            assert_eq!(found.1[0].1, Reason::Beyond(Exceeded { limit: Limit::Layers, value: 4 }));
        }
    }
    let packed = zip(&[("notes.gz", &gzip(b"a note")), ("x.bin.gz", &gzip(b"\0\x01\x02\x03"))]);
    let found = found("x.zip", &packed, &ReadOptions::default());
    assert_eq!(texts(&found), [("x.zip/notes.gz", "a note")]);
    assert_eq!(found.1[0].1, Reason::OtherExtension("bin".to_owned()));
}

#[test]
fn names_that_lead_out_of_the_archive_are_passed_over() {
    let names = ["/etc/a.txt", "../a.txt", "x/../../a.txt", "..\\a.txt", "C:\\a.txt"];
    let mut archive = Vec::new();
    for name in names {
        archive.extend(header(name.as_bytes(), b'0', 1));
        archive.extend([vec![b'x'], vec![0; 511]].concat());
    }
    archive.extend(header(b"./b.txt", b'0', 0));
    let found_in = found("x.tar", &archive, &ReadOptions::default());
    assert_eq!(texts(&found_in), [("x.tar/b.txt", "")]);
    let members: Vec<Member<'_>> = names.iter().map(|name| (*name, &b"x"[..])).collect();
    for found in [found_in, found("x.zip", &zip(&members), &ReadOptions::default())] {
        assert_eq!(found.1.len(), names.len());
        assert!(found.1.iter().all(|(_, reason)| *reason == Reason::Outside && reason.is_skip()));
    }
}

#[test]
fn a_hard_link_is_called_one() {
    let mut builder = tar::Builder::new(Vec::new());
    let mut file = tar::Header::new_gnu();
    file.set_size(4);
    builder.append_data(&mut file, "a.txt", &b"text"[..]).unwrap();
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Link);
    link.set_size(0);
    builder.append_link(&mut link, "b.txt", "a.txt").unwrap();
    let found = found("x.tar", &builder.into_inner().unwrap(), &ReadOptions::default());
    assert_eq!(texts(&found), [("x.tar/a.txt", "text")]);
    let (place, reason) = &found.1[0];
    assert_eq!((place.as_str(), reason.is_skip()), ("x.tar/b.txt", true));
    assert_eq!(reason.to_string(), "a hard link to \"a.txt\", another member of the archive");
}

#[test]
fn a_comment_that_looks_like_the_end_of_a_zip_archive() {
    let mut archive = zip(&[("a.txt", b"one"), ("b.txt", b"two")]);
    // An empty directory, as every end record of 22 bytes that starts like one would give.
    let mut fake = b"PK\x05\x06".to_vec();
    fake.resize(22, 0);
    for comment in [fake.clone(), [b"words ", &fake[..], b" words"].concat(), fake.repeat(3)] {
        let at = archive.len() - 2;
        archive[at..].copy_from_slice(&(comment.len() as u16).to_le_bytes());
        let whole = [&archive[..], &comment].concat();
        let found = found("x.zip", &whole, &ReadOptions::default());
        assert_eq!(texts(&found), [("x.zip/a.txt", "one"), ("x.zip/b.txt", "two")]);
        assert_eq!(found.1, []);
    }
}

#[test]
fn no_number_of_layers_overflows_the_stack() {
    let nested = (0..300).fold(b"deep".to_vec(), |inner, depth| match depth {
        0 => tar(&[("a.txt", &inner)]),
        _ => tar(&[("inner.tar", &inner)]),
    });
    let mut options = ReadOptions::default();
    options.reading.limits.layers = 305;
    let (documents, errors) = found("x.tar", &nested, &options);
    assert_eq!((documents.len(), errors.len()), (0, 1));
    assert!(matches!(&errors[0].1, Reason::Beyond(Exceeded { limit: Limit::Layers, .. })));
    let nested = (0..63).fold(b"deep".to_vec(), |inner, depth| match depth {
        0 => tar(&[("a.txt", &inner)]),
        _ => tar(&[("inner.tar", &inner)]),
    });
    assert_eq!(found("x.tar", &nested, &options).0[0].1, "deep");
}

#[test]
fn links_and_devices_are_passed_over() {
    let archive: Vec<u8> = [
        header(b"folder/", b'5', 0),
        header(b"hard", b'1', 0),
        header(b"soft", b'2', 0),
        header(b"tty", b'3', 0),
        header(b"disk", b'4', 0),
        header(b"pipe", b'6', 0),
        header(b"a.txt", b'0', 0),
    ]
    .concat();
    let found_in = found("x.tar", &archive, &ReadOptions::default());
    assert_eq!(texts(&found_in), [("x.tar/a.txt", "")]);
    let reasons: Vec<Reason> = found_in.1.into_iter().map(|(_, reason)| reason).collect();
    let device = Reason::Special("a device");
    let pipe = Reason::Special("a named pipe");
    let hard = Reason::HardLink(String::new());
    assert_eq!(reasons, [hard, Reason::Link, device.clone(), device, pipe]);

    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_directory("folder", SimpleFileOptions::default()).unwrap();
    writer.add_symlink("link.txt", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let packed = writer.finish().unwrap().into_inner();
    let found = found("x.zip", &packed, &ReadOptions::default());
    assert_eq!(found, (vec![], vec![("x.zip/link.txt".to_owned(), Reason::Link)]));
}

#[test]
fn names_of_every_kind() {
    let long = format!("{}x.txt", "long/".repeat(60));
    let accents = "é/日本.txt";
    let found_in = found("x.tar", &tar(&[(&long, b"l"), (accents, b"a")]), &ReadOptions::default());
    let expected = [format!("x.tar/{long}"), format!("x.tar/{accents}")];
    assert_eq!(texts(&found_in), [(&*expected[0], "l"), (&*expected[1], "a")]);

    // The same in the other format, with a size that overrides the header's.
    let mut builder = tar::Builder::new(Vec::new());
    builder
        .append_pax_extensions([("path", long.as_bytes()), ("size", b"3"), ("uid", b"1")])
        .unwrap();
    let mut archive = builder.into_inner().unwrap();
    archive.truncate(1024);
    archive.extend(header(b"short", b'0', 999_999));
    archive.extend([b"abc".to_vec(), vec![0; 509]].concat());
    archive.extend(header(b"next.txt", b'0', 0));
    let found_in = found("x.tar", &archive, &ReadOptions::default());
    assert_eq!(texts(&found_in), [(&*expected[0], "abc"), ("x.tar/next.txt", "")]);

    let archive = [header(b"a\xFF.txt", b'0', 0), header(b"a\xFE.txt", b'0', 0)].concat();
    let found_in = found("x.tar", &archive, &ReadOptions::default());
    assert_eq!(texts(&found_in), [("x.tar/a\\xFF.txt", ""), ("x.tar/a\\xFE.txt", "")]);

    // A name in code page 437.
    let packed = zip(&[("caf?.txt", b"c")]);
    let packed: Vec<u8> = packed.iter().map(|b| if *b == b'?' { 0x82 } else { *b }).collect();
    let found = found("x.zip", &packed, &ReadOptions::default());
    assert_eq!(texts(&found), [("x.zip/caf\\x82.txt", "c")]);
}

#[test]
fn members_that_cannot_be_unpacked_say_why() {
    let packed = zip(&[("a.txt", b"text that is long enough"), ("b.txt", b"b")]);
    // Method and flags are in the header of the member and in the directory.
    let patched = |offset: usize, central: usize, value: u8| {
        let mut packed = packed.clone();
        let directory = packed.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        packed[offset] = value;
        packed[directory + central] = value;
        packed
    };
    let cases = [
        (patched(8, 10, 9), "packed with Deflate64 (method 9)"),
        (patched(8, 10, 93), "packed with Zstandard (method 93)"),
        (patched(8, 10, 77), "packed with something unknown (method 77)"),
        (patched(6, 8, 1), "it is encrypted"),
        (patched(14, 16, 0), "checksum"),
        (patched(22, 24, 2), "longer than the archive says"),
    ];
    for (bytes, words) in cases {
        let found = found("x.zip", &bytes, &ReadOptions::default());
        assert_eq!(texts(&found), [("x.zip/b.txt", "b")], "{words}");
        assert_eq!(found.1[0].0, "x.zip/a.txt");
        assert!(found.1[0].1.to_string().contains(words), "{words}: {}", found.1[0].1);
    }
}

#[test]
fn no_more_members_than_allowed() {
    let members = [("a.txt", &b"a"[..]), ("b.txt", b"b"), ("c.txt", b"c")];
    let mut options = ReadOptions::default();
    for (limit, read, told) in [(2, 2, 1), (3, 3, 0)] {
        options.reading.limits.members = limit;
        for (name, bytes) in [("x.tar", tar(&members)), ("x.zip", zip(&members))] {
            let found = found(name, &bytes, &options);
            assert_eq!((found.0.len(), found.1.len()), (read, told), "{name}");
            let beyond = Reason::Beyond(Exceeded { limit: Limit::Members, value: limit });
            assert!(found.1.iter().all(|error| *error == (name.to_owned(), beyond.clone())));
        }
    }
}

#[test]
fn a_damaged_header_costs_one_member() {
    let mut archive = tar(&[("a.txt", b"a"), ("b.txt", b"b"), ("c.txt", b"c")]);
    archive[1024 + 150] ^= 1;
    let found_in = found("x.tar", &archive, &ReadOptions::default());
    assert_eq!(texts(&found_in), [("x.tar/a.txt", "a"), ("x.tar/c.txt", "c")]);
    assert_eq!(found_in.1.len(), 1);
    let words = "not a valid tar archive: the header at byte 1024 is damaged";
    assert_eq!(found_in.1[0].1.to_string(), words);

    let two = [tar(&[("a.txt", b"a")]), tar(&[("b.txt", b"b")])].concat();
    let found_in = found("x.tar", &two, &ReadOptions::default());
    assert_eq!(texts(&found_in), [("x.tar/a.txt", "a"), ("x.tar/b.txt", "b")]);

    let found =
        found("x.tar", "no archive at all ".repeat(100).as_bytes(), &ReadOptions::default());
    assert_eq!((found.0.len(), found.1.len()), (0, 1));
}

#[test]
fn sizes_that_cannot_be() {
    for size in [u64::MAX, u64::MAX - 511, 1 << 62, 10 << 30] {
        for kind in *b"0LxS" {
            let archive = [header(b"a.txt", b'0', 0), header(b"b.txt", kind, size)].concat();
            let found = found("x.tar", &archive, &ReadOptions::default());
            assert_eq!(texts(&found), [("x.tar/a.txt", "")], "{size} {}", char::from(kind));
            assert!(!found.1.is_empty());
        }
    }
}

#[test]
fn files_with_holes() {
    // Zeros look like binary data, so the kind is given.
    let mut options = ReadOptions::default();
    options.reading.kind = Some(firsthand_input::Kind::Text);
    let mut header = tar::Header::new_gnu();
    header.set_path("a.txt").unwrap();
    header.set_entry_type(tar::EntryType::GNUSparse);
    header.set_size(1024 + 3);
    let gnu = header.as_gnu_mut().unwrap();
    for (slot, offset, length) in [(0, 0, 512), (1, 1024, 512), (2, 2048, 3)] {
        gnu.sparse[slot].set_offset(offset);
        gnu.sparse[slot].set_length(length);
    }
    gnu.set_real_size(2051);
    header.set_cksum();
    let body = [[b'a'; 512], [b'b'; 512]].concat();
    let end = [b"end".to_vec(), vec![0; 509]].concat();
    let archive = [header.as_bytes().to_vec(), body.clone(), end.clone()].concat();
    let hole = "\0".repeat(512);
    let text = format!("{}{hole}{}{hole}end", "a".repeat(512), "b".repeat(512));
    let found_in = found("x.tar", &archive, &options);
    assert_eq!(texts(&found_in), [("x.tar/a.txt", &*text)]);

    // The map in the body, as in newer programs.
    let mut builder = tar::Builder::new(Vec::new());
    let pax: [(&str, &[u8]); 4] = [
        ("GNU.sparse.major", b"1"),
        ("GNU.sparse.minor", b"0"),
        ("GNU.sparse.name", b"a.txt"),
        ("GNU.sparse.realsize", b"2051"),
    ];
    builder.append_pax_extensions(pax).unwrap();
    let mut archive = builder.into_inner().unwrap();
    archive.truncate(1024);
    let mut map = b"3\n0\n512\n1024\n512\n2048\n3\n".to_vec();
    map.resize(512, 0);
    archive.extend(self::header(b"GNUSparseFile.0/a.txt", b'0', 512 + 1027));
    archive.extend([map, body, end].concat());
    let found = found("x.tar", &archive, &options);
    assert_eq!(texts(&found), [("x.tar/a.txt", &*text)]);
}

#[test]
fn an_archive_that_was_cut_off_keeps_what_came_before() {
    let members = [("a.txt", &b"first"[..]), ("b.txt", b"second"), ("c.txt", b"third")];
    let texts = ["first", "second", "third"];
    for (name, whole) in [("x.tar", tar(&members)), ("x.zip", zip(&members)), ("x.zip", open_zip())]
    {
        let mut before = 0;
        for length in 0..whole.len() {
            let found = found(name, &whole[..length], &ReadOptions::default());
            let read: Vec<&str> = found.0.iter().map(|(_, text)| text.as_str()).collect();
            assert!(read.len() >= before, "{name} {length}");
            assert_eq!(read, texts[..read.len()], "{name} {length}");
            if read.len() < 3 && length % 512 != 0 {
                assert!(!found.1.is_empty(), "{name} {length}");
            }
            before = read.len();
        }
        assert_eq!(before, 3, "{name}");
    }
}

/// An archive written to a pipe: sizes follow the members.
fn open_zip() -> Vec<u8> {
    let mut writer = zip::ZipWriter::new_stream(Vec::new());
    for (name, text) in [("a.txt", "first"), ("b.txt", "second"), ("c.txt", "third")] {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn members_come_back(
        members in prop::collection::btree_map("[a-zé]{1,120}(/[a-z]{1,9}){0,3}", "[ -~é\n]{0,600}", 0..8),
        gzipped in any::<bool>(),
    ) {
        let named: Vec<(String, String)> =
            members.into_iter().map(|(name, text)| (format!("{name}.txt"), text)).collect();
        let members: Vec<Member<'_>> =
            named.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        let (mut plain, mut packed) = (tar(&members), zip(&members));
        if gzipped {
            (plain, packed) = (gzip(&plain), gzip(&packed));
        }
        let options = ReadOptions::default();
        let whole: Vec<String> = read_bytes("x.tar", &plain, &options).map(|item| item.unwrap().id).collect();
        let names: Vec<String> = named.iter().map(|(name, _)| format!("x.tar/{name}")).collect();
        prop_assert_eq!(whole, names);
        let texts = |name: &str, bytes: &[u8]| -> Vec<String> {
            read_bytes(name, bytes, &options).map(|item| item.unwrap().text).collect()
        };
        let singly: Vec<String> = named
            .iter()
            .map(|(_, text)| texts("a.txt", text.as_bytes()).remove(0))
            .collect();
        prop_assert_eq!(&texts("x.tar", &plain), &singly);
        prop_assert_eq!(&texts("x.zip", &packed), &singly);
    }

    #[test]
    fn changed_bytes_do_no_harm(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        which in 0usize..3,
    ) {
        let members = [("a.txt", &b"first"[..]), ("b.jsonl", b"{\"text\":\"t\"}\n"), ("c.html", b"<p>x")];
        let (name, mut bytes) = match which {
            0 => ("x.tar", tar(&members)),
            1 => ("x.zip", zip(&members)),
            _ => ("x.tar.gz", gzip(&tar(&members))),
        };
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        prop_assert!(read_bytes(name, &bytes, &ReadOptions::default()).count() < 100);
    }
}
