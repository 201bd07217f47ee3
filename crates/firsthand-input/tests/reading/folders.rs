//! Folders: which files are read, in which order, under which names.

use firsthand::settings::Reading;
use std::path::{Path, PathBuf};
use std::process::Command;

use firsthand_input::{Exceeded, Kind, Limit, ReadError, ReadOptions, Reason, open};

use crate::{Folder, read_all};

fn ids_and_errors(folder: &Folder, options: &ReadOptions) -> (Vec<String>, Vec<(String, Reason)>) {
    let (documents, errors) = read_all(&[folder.path().to_path_buf()], options);
    let ids = documents.iter().map(|document| folder.short(&document.id)).collect();
    let short = |error: ReadError| (folder.short(&error.place.path), error.reason);
    (ids, errors.into_iter().map(short).collect())
}

#[test]
fn files_come_in_byte_order_of_their_paths() {
    let folder = Folder::new();
    for name in ["b.txt", "a/z.txt", "a/b/c.html", "a-b.md", "B.htm", "a.txt", "é.txt"] {
        folder.write(name, "text");
    }
    let (ids, errors) = ids_and_errors(&folder, &ReadOptions::default());
    assert_eq!(errors, []);
    let mut sorted = ids.clone();
    sorted.sort();
    assert_eq!(ids, sorted);
    assert_eq!(ids, ["B.htm", "a-b.md", "a.txt", "a/b/c.html", "a/z.txt", "b.txt", "é.txt"]);
}

#[test]
fn what_is_passed_over_is_told() {
    let folder = Folder::new();
    folder.write("a.txt", "text");
    folder.write("b.PNG", "picture");
    folder.write("Makefile", "all:");
    folder.write(".git/x.txt", "hidden");
    folder.write("._a.txt", "hidden");
    let (ids, errors) = ids_and_errors(&folder, &ReadOptions::default());
    assert_eq!(ids, ["Makefile", "a.txt"]);
    let expected = [
        ("._a.txt".to_owned(), Reason::Hidden),
        (".git".to_owned(), Reason::Hidden),
        ("b.PNG".to_owned(), Reason::OtherExtension("PNG".to_owned())),
    ];
    assert_eq!(errors, expected);
    assert!(errors.iter().all(|(_, reason)| reason.is_skip()));
}

#[test]
fn a_kind_that_is_given_counts_for_every_file() {
    let folder = Folder::new();
    folder.write("49960", "<b>text</b>");
    folder.write("x.html", "<b>text</b>");
    let options = ReadOptions {
        reading: Reading { kind: Some(Kind::Text), ..Reading::default() },
        ..ReadOptions::default()
    };
    let (documents, errors) = read_all(&[folder.path().to_path_buf()], &options);
    assert_eq!(errors, []);
    assert!(documents.iter().all(|document| document.text == "<b>text</b>"));
    assert_eq!(documents.len(), 2);
}

#[cfg(unix)]
#[test]
fn links_are_followed_only_when_asked_and_loops_end() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let outside = Folder::new();
    folder.write("a/x.txt", "x");
    outside.write("y.txt", "y");
    symlink(outside.path(), folder.path().join("out")).unwrap();
    symlink(folder.path(), folder.path().join("a/loop")).unwrap();
    symlink("x.txt", folder.path().join("a/z.txt")).unwrap();
    symlink("nowhere", folder.path().join("dead.txt")).unwrap();

    let (ids, errors) = ids_and_errors(&folder, &ReadOptions::default());
    assert_eq!(ids, ["a/x.txt"]);
    assert_eq!(errors.len(), 4);
    assert!(errors.iter().all(|(_, reason)| *reason == Reason::Link));

    let follow = ReadOptions {
        reading: Reading { follow: true, ..Reading::default() },
        ..ReadOptions::default()
    };
    let (ids, errors) = ids_and_errors(&folder, &follow);
    assert_eq!(ids, ["a/x.txt", "a/z.txt", "out/y.txt"]);
    let expected =
        [("a/loop".to_owned(), Reason::Again), ("dead.txt".to_owned(), Reason::NotFound)];
    assert_eq!(errors, expected);
}

#[cfg(unix)]
#[test]
fn many_links_to_one_folder_do_not_multiply() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    // Thirty folders, each with two links to the next: a billion paths.
    for level in 0..30 {
        folder.write(&format!("{level:02}/x.txt"), "x");
        for link in ["l", "m"] {
            let next = format!("../{:02}", level + 1);
            symlink(next, folder.path().join(format!("{level:02}/{link}"))).unwrap();
        }
    }
    let (ids, _) = ids_and_errors(
        &folder,
        &ReadOptions {
            reading: Reading { follow: true, ..Reading::default() },
            ..ReadOptions::default()
        },
    );
    assert_eq!(ids.len(), 30);
}

#[cfg(unix)]
#[test]
fn a_link_that_is_named_is_followed() {
    let folder = Folder::new();
    folder.write("real/x.txt", "x");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("real", &link).unwrap();
    let (documents, errors) = read_all(&[link], &ReadOptions::default());
    assert_eq!(errors, []);
    assert_eq!(folder.short(&documents[0].id), "link/x.txt");
}

#[cfg(unix)]
#[test]
fn pipes_are_never_opened() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe.jsonl");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    folder.write("x.txt", "x");
    let (ids, errors) = ids_and_errors(&folder, &ReadOptions::default());
    assert_eq!(ids, ["x.txt"]);
    assert_eq!(errors, [("pipe.jsonl".to_owned(), Reason::Special("a named pipe"))]);

    let (documents, errors) = read_all(&[pipe], &ReadOptions::default());
    assert_eq!(documents, []);
    assert!(!errors[0].is_skip());
    assert!(errors[0].to_string().ends_with("pipe it into `-` instead"));
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_stay_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    for byte in [b'\xFE', b'\xFF'] {
        let name = [b'a', byte, b'.', b't', b'x', b't'];
        std::fs::write(folder.path().join(OsStr::from_bytes(&name)), "x").unwrap();
    }
    let (ids, errors) = ids_and_errors(&folder, &ReadOptions::default());
    assert_eq!(errors, []);
    assert_eq!(ids, ["a\\xFE.txt", "a\\xFF.txt"]);
}

#[test]
fn an_input_that_is_not_there_stops_the_run() {
    let folder = Folder::new();
    let there = folder.write("a.txt", "x");
    let missing = folder.path().join("b.txt");
    let error = open(&[there, missing], &ReadOptions::default()).err().unwrap();
    assert_eq!(folder.short(&error.to_string()), "b.txt: there is no such file or folder");
}

#[test]
fn a_named_file_without_extension_is_told_by_its_content() {
    let folder = Folder::new();
    let paths = [
        folder.write("page", " <html><body><p>word</p></body></html>"),
        folder.write("lines", "{\"id\":\"r\",\"text\":\"word\"}\n"),
        folder.write("plain", "word"),
        folder.write("binary", "\u{0}\u{1}"),
        folder.write("photo.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"),
    ];
    let (documents, errors) = read_all(&paths, &ReadOptions::default());
    assert!(documents.iter().all(|document| document.text.trim() == "word"));
    assert_eq!(documents.len(), 3);
    assert_eq!(documents[1].id, "r");
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|error| error.reason == Reason::UnknownKind && !error.is_skip()));
}

#[test]
fn overlapping_inputs_are_read_once() {
    let folder = Folder::new();
    let inner = folder.write("a/x.txt", "x");
    let inputs = [folder.path().to_path_buf(), folder.path().join("a"), inner];
    let (documents, errors) = read_all(&inputs, &ReadOptions::default());
    assert_eq!(documents.len(), 1);
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().all(|error| error.reason == Reason::Again));
}

#[test]
fn a_folder_named_like_a_host_gives_the_host() {
    let folder = Folder::new();
    folder.write("mirror/www.Example.com/news/a.txt", "x");
    folder.write("mirror/other/b.txt", "x");
    let (documents, _) = read_all(&[folder.path().join("mirror")], &ReadOptions::default());
    let hosts: Vec<Option<&str>> = documents.iter().map(|d| d.host.as_deref()).collect();
    assert_eq!(hosts, [None, Some("www.example.com")]);
}

#[test]
fn files_beyond_the_limit_are_refused() {
    let folder = Folder::new();
    folder.write("a.txt", "12345678");
    folder.write("b.txt", "123456789");
    let mut options = ReadOptions::default();
    options.reading.limits.file = 8;
    let (ids, errors) = ids_and_errors(&folder, &options);
    assert_eq!(ids, ["a.txt"]);
    assert_eq!(
        errors,
        [("b.txt".to_owned(), Reason::Beyond(Exceeded { limit: Limit::File, value: 8 }))]
    );
}

#[test]
fn the_current_folder_is_not_part_of_an_id() {
    // Tests run in the folder of the crate.
    let inputs = [PathBuf::from("./tests/reading"), PathBuf::from("tests/reading/main.rs")];
    let options = ReadOptions {
        reading: Reading { kind: Some(Kind::Text), ..Reading::default() },
        ..ReadOptions::default()
    };
    let (documents, errors) = read_all(&inputs, &options);
    assert!(documents.iter().any(|document| document.id == "tests/reading/main.rs"));
    assert_eq!(errors[0].reason, Reason::Again);
    assert!(Path::new(&documents[0].id).exists());
}

#[test]
fn earlier_results_and_tables_about_documents_are_skipped() {
    let folder = Folder::new();
    folder.write("a.txt", "text");
    folder.write("result/report.json", "{\n  \"firsthand\": \"0.1.0\",\n  \"inputs\": []\n}\n");
    folder.write("result/clusters.jsonl", "{\"cluster\":1}\n");
    folder.write("other/report.json", "{\"text\": \"a report of mine\"}");
    folder.write("pairs.tsv", "a\tb\tnear\n");
    folder.write("more/pairs.tsv", "id\ttext\n1\twords\n");
    folder.write("truth.tsv", "ferry\tcopy\ta.txt\n");
    let (ids, errors) = ids_and_errors(&folder, &ReadOptions::default());
    assert_eq!(ids, ["a.txt", "1", "other/report.json:1"]);
    assert!(errors.iter().all(|(_, reason)| reason.is_skip()));
    let expected = [
        ("pairs.tsv".to_owned(), Reason::Companion),
        ("result".to_owned(), Reason::EarlierResults),
        ("truth.tsv".to_owned(), Reason::Companion),
    ];
    assert_eq!(errors, expected);
    // What is named is read.
    let inside = folder.path().join("result");
    assert!(!read_all(&[inside], &ReadOptions::default()).1.is_empty());
    let listed = firsthand_input::list(folder.path(), &ReadOptions::default());
    assert_eq!(listed.0.len(), 5);
    let kept = folder.path().join("result/clusters.jsonl");
    assert!(!firsthand_input::is_listed(folder.path(), &kept, &ReadOptions::default()));
}
