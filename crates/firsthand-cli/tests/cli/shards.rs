//! Shards in, shards out: what is kept and dropped of many files has their names, their format, their
//! compression and their order.

use super::tables::{LAYERS, pack, rows, table, unpack};
use super::{COUNCIL, FERRY, lines, names, read, run, run_with, write};
use firsthand_input::Compression;
use std::path::Path;

const BRIDGE: &str = "The old bridge over the Ness is closed to lorries from Monday, because an \
    inspection found cracks in two of the pillars, and the repair would take until the summer.";

/// A file of this kind with these documents.
fn file(kind: &str, documents: &[(&str, &str)]) -> Vec<u8> {
    let object = |(id, text): &(&str, &str)| format!("{{\"id\": \"{id}\", \"text\":\"{text}\"}}");
    let objects: Vec<String> = documents.iter().map(object).collect();
    let cells = |delimiter: char| {
        let row = |(id, text): &(&str, &str)| format!("{id}{delimiter}\"{text}\"\r\n");
        format!("id{delimiter}text\r\n{}", documents.iter().map(row).collect::<String>())
    };
    match kind {
        "jsonl" => (objects.join("\n") + "\n").into_bytes(),
        "json" if objects.is_empty() => b"[\n]\n".to_vec(),
        "json" => format!("[\n{}\n]\n", objects.join(",\n")).into_bytes(),
        "csv" => cells(',').into_bytes(),
        "tsv" => cells('\t').into_bytes(),
        "parquet" => table(documents),
        "mbox" => {
            let message = |(id, text): &(&str, &str)| {
                let mark = "From a@b.example Sat Jan  3 01:05:34 2026";
                format!("{mark}\nMessage-ID: <{id}>\nFrom: a@b.example\n\n{text}\n\n")
            };
            documents.iter().map(message).collect::<String>().into_bytes()
        }
        "warc" => {
            let record = |(id, text): &(&str, &str)| {
                let head = format!(
                    "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/{id}"
                );
                let length = text.len();
                format!(
                    "{head}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n"
                )
            };
            documents.iter().map(record).collect::<String>().into_bytes()
        }
        other => panic!("{other}"),
    }
}

/// Whether a file holds these documents.
#[track_caller]
fn assert_holds(
    folder: &Path,
    name: &str,
    layer: Compression,
    kind: &str,
    documents: &[(&str, &str)],
) {
    let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let plain = unpack(&bytes, layer);
    if kind != "parquet" {
        let expected = file(kind, documents);
        assert_eq!(String::from_utf8_lossy(&plain), String::from_utf8_lossy(&expected), "{name}");
        return;
    }
    let found = rows(plain);
    assert_eq!(found.len(), documents.len(), "{name}");
    for (row, (id, text)) in found.iter().zip(documents) {
        assert!(row.contains(&format!("id: \"{id}\", text: \"{text}\"")), "{row}");
    }
}

#[test]
fn every_format_in_every_compression() {
    for kind in ["jsonl", "json", "csv", "tsv", "parquet", "mbox", "warc"] {
        for layer in LAYERS {
            let folder = tempfile::tempdir().unwrap();
            let name = |stem: &str| format!("{stem}.{kind}{}", layer.extension());
            let one = [("1", FERRY), ("2", COUNCIL), ("3", FERRY), ("4", "short")];
            let two = [("5", COUNCIL), ("6", BRIDGE)];
            write(folder.path(), &format!("in/{}", name("a/one")), pack(&file(kind, &one), layer));
            write(folder.path(), &format!("in/{}", name("two")), pack(&file(kind, &two), layer));
            let args = ["dedup", "in", "-o", "out", "--kept", "--dropped", "--original", "first"];
            run(folder.path(), &args).code(0);
            let holds = |name: String, documents: &[(&str, &str)]| {
                assert_holds(folder.path(), &name, layer, kind, documents);
            };
            holds(format!("out/kept/{}", name("a/one")), &[one[0], one[1], one[3]]);
            holds(format!("out/kept/{}", name("two")), &[two[1]]);
            holds(format!("out/dropped/{}", name("a/one")), &[one[2]]);
            holds(format!("out/dropped/{}", name("two")), &[two[0]]);
            let listed = lines(&read(folder.path(), "out/dropped.jsonl"));
            assert_eq!(listed.len(), 2);
            assert!(listed.iter().all(|line| line.get("record").is_none()), "{listed:?}");
            // One file alone has names of its own.
            let alone = format!("in/{}", name("a/one"));
            let args = ["dedup", &alone, "-o", "one", "--kept", "--dropped", "--original", "first"];
            run(folder.path(), &args).code(0);
            holds(format!("one/{}", name("kept")), &[one[0], one[1], one[3]]);
            if (kind, layer) != ("jsonl", Compression::None) {
                holds(format!("one/{}", name("dropped")), &[one[2]]);
            }
        }
    }
}

#[test]
fn an_empty_shard_stays_a_shard() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/full.csv", file("csv", &[("1", FERRY)]));
    write(folder.path(), "in/header.csv", "id,text");
    write(folder.path(), "in/none.parquet", table(&[]));
    write(folder.path(), "in/blank.jsonl", "\n\n");
    write(folder.path(), "in/nothing.json", "[]");
    run(folder.path(), &["dedup", "in", "-o", "out", "--kept"]).code(0);
    let expected = ["blank.jsonl", "full.csv", "header.csv", "none.parquet", "nothing.json"];
    assert_eq!(names(&folder.path().join("out/kept")), expected);
    assert_eq!(read(folder.path(), "out/kept/header.csv"), "id,text\n");
    assert_eq!(read(folder.path(), "out/kept/blank.jsonl"), "");
    assert_eq!(rows(std::fs::read(folder.path().join("out/kept/none.parquet")).unwrap()).len(), 0);
}

#[test]
fn a_shard_without_rows_is_still_a_compressed_file() {
    for kind in ["jsonl", "warc"] {
        for layer in LAYERS {
            let folder = tempfile::tempdir().unwrap();
            let name = |stem: &str| format!("{stem}.{kind}{}", layer.extension());
            let [kept, dropped] = [("1", FERRY), ("2", FERRY)];
            for (stem, document) in [("a", kept), ("b", dropped)] {
                let content = pack(&file(kind, &[document]), layer);
                write(folder.path(), &format!("in/{}", name(stem)), content);
            }
            let args = ["dedup", "in", "-o", "out", "--kept", "--dropped", "--original", "first"];
            run(folder.path(), &args).code(0);
            for empty in ["out/dropped/a", "out/kept/b"] {
                let bytes = std::fs::read(folder.path().join(name(empty))).unwrap();
                let extension = Compression::from_magic(&bytes).extension();
                assert_eq!(extension, layer.extension(), "{}", name(empty));
                assert!(unpack(&bytes, layer).is_empty(), "{}", name(empty));
            }
        }
    }
}

#[test]
fn names_are_relative_to_the_folder_that_holds_all_inputs() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["data/2024/p.jsonl", "data/2025/p.jsonl", "data/2025/deep/q.jsonl"] {
        write(
            folder.path(),
            name,
            file(
                "jsonl",
                &[(
                    name,
                    &super::story(name.len() as u64 + u64::from(name.contains('4'))).join(" "),
                )],
            ),
        );
    }
    let args = ["dedup", "data/2024/p.jsonl", "data/2025", "-o", "out", "--kept"];
    run(folder.path(), &args).code(0);
    for name in ["2024/p.jsonl", "2025/p.jsonl", "2025/deep/q.jsonl"] {
        let [copy, own] = [format!("out/kept/{name}"), format!("data/{name}")];
        assert_eq!(read(folder.path(), &copy), read(folder.path(), &own));
    }
    let args = ["dedup", "data/2025", "-", "-o", "stdin", "--kept"];
    run_with(folder.path(), &args, &file("jsonl", &[("s", FERRY)])).code(0);
    assert_eq!(names(&folder.path().join("stdin/kept")), ["deep", "p.jsonl", "stdin.jsonl"]);
    let packed = pack(&file("jsonl", &[("s", FERRY)]), Compression::Zstd);
    run_with(folder.path(), &["dedup", "-", "-o", "zst", "--kept"], &packed).code(0);
    assert_eq!(std::fs::read(folder.path().join("zst/kept.jsonl.zst")).unwrap(), packed);
}

#[test]
#[cfg(unix)]
fn odd_names_are_kept() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd: [&[u8]; 5] =
        [b"a\nb.jsonl", b"A.jsonl", b"a.jsonl", b"\xff\xfe.jsonl", b"a b'\".jsonl"];
    std::fs::create_dir(folder.path().join("in")).unwrap();
    for (at, name) in odd.iter().enumerate() {
        let text = super::story(at as u64).join(" ");
        let path = folder.path().join("in").join(std::ffi::OsStr::from_bytes(name));
        std::fs::write(path, file("jsonl", &[("i", &text)])).unwrap();
    }
    let args = ["dedup", "in", "-o", "out", "--kept", "--force"];
    for _ in 0..2 {
        let run = run(folder.path(), &args).code(0);
        assert!(!run.err.contains("a\nb"), "{}", run.err);
        for name in odd {
            let [copy, own] = ["out/kept", "in"].map(|at| {
                std::fs::read(folder.path().join(at).join(std::ffi::OsStr::from_bytes(name)))
            });
            assert_eq!(copy.unwrap(), own.unwrap());
        }
    }
}

#[test]
fn members_of_archives_are_shards_and_never_leave_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = Vec::new();
    for (name, text) in
        [("a/one.jsonl", FERRY), ("x/./one.jsonl", COUNCIL), ("../out.jsonl", BRIDGE)]
    {
        let content = file("jsonl", &[(name, text)]);
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].copy_from_slice(b"        ");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(header);
        archive.extend(&content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.extend([0; 1024]);
    write(folder.path(), "in/t.tar", &archive);
    run(folder.path(), &["dedup", "in/t.tar", "-o", "one", "--kept"]).code(0);
    assert_eq!(names(&folder.path().join("one/kept")), ["a", "x"]);
    assert_eq!(
        read(folder.path(), "one/kept/x/one.jsonl"),
        String::from_utf8(file("jsonl", &[("x/./one.jsonl", COUNCIL)])).unwrap()
    );
    run(folder.path(), &["dedup", "in", "-o", "two", "--kept"]).code(0);
    assert_eq!(names(&folder.path().join("two/kept/t.tar")), ["a", "x"]);
}

#[test]
fn a_shard_that_breaks_off_gives_what_could_be_read_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let long: Vec<(String, String)> =
        (0..3000).map(|at| (format!("{at}"), super::story(at).join(" "))).collect();
    let long: Vec<(&str, &str)> = long.iter().map(|(id, text)| (&**id, &**text)).collect();
    let packed = pack(&file("jsonl", &long), Compression::Gzip);
    write(folder.path(), "in/a.jsonl.gz", &packed[..packed.len() / 2]);
    write(folder.path(), "in/b.jsonl", file("jsonl", &[("b", FERRY)]));
    let cut = table(&[("1", COUNCIL)]);
    write(folder.path(), "in/c.parquet", &cut[..cut.len() - 10]);
    let args = ["dedup", "in", "-o", "out", "--kept"];
    run(folder.path(), &args).code(3).says("in/a.jsonl.gz").says("in/c.parquet");
    // What cannot be opened has no shard; it is listed in the report.
    assert_eq!(names(&folder.path().join("out/kept")), ["a.jsonl.gz", "b.jsonl"]);
    let kept = unpack(
        &std::fs::read(folder.path().join("out/kept/a.jsonl.gz")).unwrap(),
        Compression::Gzip,
    );
    assert!(kept.ends_with(b"}\n") && kept.len() > 10_000);
    assert!(file("jsonl", &long).starts_with(&kept));
}

#[test]
fn a_folder_of_rows_is_replaced_as_a_whole_and_nothing_else_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.jsonl", file("jsonl", &[("a", FERRY)]));
    write(folder.path(), "in/b.jsonl", file("jsonl", &[("b", COUNCIL)]));
    let args = ["dedup", "in", "-o", "out", "--kept"];
    run(folder.path(), &args).code(0);
    run(folder.path(), &args).code(2).says("out/kept is there already");
    std::fs::remove_file(folder.path().join("in/b.jsonl")).unwrap();
    let again = ["dedup", "in", "-o", "out", "--kept", "--force"];
    run(folder.path(), &again).code(0);
    assert_eq!(names(&folder.path().join("out/kept")), ["a.jsonl"]);
    assert_eq!(names(folder.path()), ["in", "out"]);
    // What somebody else put there is not removed.
    write(folder.path(), "out/kept/mine.txt", "mine");
    let refused = run(folder.path(), &again).code(2);
    refused.says("out/kept/mine.txt is not of the earlier results");
    assert_eq!(read(folder.path(), "out/kept/mine.txt"), "mine");
    std::fs::remove_file(folder.path().join("out/kept/mine.txt")).unwrap();
    // Beside the folders, other files stay, and results are renamed one by one.
    write(folder.path(), "out/notes.txt", "mine");
    run(folder.path(), &[&again[..], &["--dropped"]].concat()).code(0);
    let expected = [
        "clusters.jsonl",
        "dropped",
        "dropped.jsonl",
        "kept",
        "notes.txt",
        "pairs.jsonl",
        "report.html",
        "report.json",
    ];
    assert_eq!(names(&folder.path().join("out")), expected);
    run(folder.path(), &["dedup", "in", "-o", "out", "--force"]).code(0);
    assert_eq!(
        names(&folder.path().join("out")),
        ["clusters.jsonl", "notes.txt", "pairs.jsonl", "report.html", "report.json"]
    );
    // Results are no inputs of a run that replaces them.
    run(folder.path(), &again).code(0);
    let args = ["dedup", "out/kept", "-o", "out", "--force"];
    run(folder.path(), &args).code(2).says("is both an input");
    let args = ["dedup", "out/kept/a.jsonl", "-o", "out", "--force"];
    run(folder.path(), &args).code(2).says("is an input");
}

#[test]
#[cfg(unix)]
fn links_are_not_followed_out_of_the_results() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.jsonl", file("jsonl", &[("a", FERRY)]));
    write(folder.path(), "away/precious.jsonl", "mine");
    let args = ["dedup", "in", "-o", "out", "--kept", "--force"];
    run(folder.path(), &args).code(0);
    std::os::unix::fs::symlink(folder.path().join("away"), folder.path().join("out/kept/link"))
        .unwrap();
    run(folder.path(), &args).code(2).says("out/kept/link");
    std::fs::remove_file(folder.path().join("out/kept/link")).unwrap();
    std::fs::remove_dir_all(folder.path().join("out/kept")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("away"), folder.path().join("out/kept")).unwrap();
    run(folder.path(), &args).code(2).says("precious.jsonl");
    assert_eq!(read(folder.path(), "away/precious.jsonl"), "mine");
    // A link in the input is followed only if that is asked for, and has its own name then.
    std::os::unix::fs::symlink(folder.path().join("in/a.jsonl"), folder.path().join("in/b.jsonl"))
        .unwrap();
    run(folder.path(), &["dedup", "in", "-o", "two", "--kept", "--follow"]).code(0);
    assert_eq!(names(&folder.path().join("two/kept")), ["a.jsonl", "b.jsonl"]);
}

#[test]
fn a_dry_run_lists_the_shards() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "in/a.jsonl", file("jsonl", &[("a", FERRY)]));
    write(
        folder.path(),
        "in/x/b.csv.zst",
        pack(&file("csv", &[("b", COUNCIL)]), Compression::Zstd),
    );
    write(folder.path(), "in/c.txt", BRIDGE);
    let args =
        ["dedup", "in", "-o", "out", "--kept", "--dropped", "--dry-run", "--format", "parquet"];
    run(folder.path(), &args).code(0).says(
        "there would be pairs.jsonl, clusters.jsonl, pairs.parquet, clusters.parquet, dropped.jsonl, \
         dropped.parquet, kept/a.jsonl, kept.txt, kept/x/b.csv.zst, dropped/a.jsonl, dropped.txt, \
         dropped/x/b.csv.zst, report.html, report.json",
    );
    assert_eq!(names(folder.path()), ["in"]);
    let args = ["dedup", "in", "-o", "out", "--kept", "--dropped", "--format", "parquet"];
    run(folder.path(), &args).code(0);
    let report: serde_json::Value =
        serde_json::from_str(&read(folder.path(), "out/report.json")).unwrap();
    let mut written: Vec<&str> =
        report["results"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    written.sort_unstable();
    let mut expected = vec![
        "clusters.jsonl",
        "clusters.parquet",
        "dropped.jsonl",
        "dropped.parquet",
        "dropped.txt",
        "dropped/a.jsonl",
        "dropped/x/b.csv.zst",
        "kept.txt",
        "kept/a.jsonl",
        "kept/x/b.csv.zst",
        "pairs.jsonl",
        "pairs.parquet",
        "report.html",
        "report.json",
    ];
    expected.sort_unstable();
    assert_eq!(written, expected);
}
