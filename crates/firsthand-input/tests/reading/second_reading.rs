//! A second reading hands on what is still as it was, and names the files that are not.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use firsthand_input::{Batches, Raw, ReadOptions, Reread, open};
use proptest::prelude::*;

use crate::Folder;
use crate::streams::gzip;
use crate::tables::parquet;

/// An item: its batch and its number there, and what it is.
type PlacedItem = ((usize, usize), String);

/// What a second reading gives: items that are the same, with what they are, and those that are not.
#[derive(Debug, Default, PartialEq)]
struct Met {
    same: Vec<PlacedItem>,
    lost: Vec<(usize, usize)>,
    /// The files that changed, each once.
    files: Vec<String>,
}

fn reread(batches: &Batches, folder: &Folder) -> Met {
    let mut found = Met::default();
    let read = batches.reread(|met| {
        match met {
            Reread::Same { batch, item, raw } => found.same.push(((batch, item), shown(raw))),
            Reread::Beside(_) | Reread::File { .. } => {}
            Reread::Changed { batch, items, error } => {
                found.lost.extend(items.map(|item| (batch, item)));
                let file = folder.short(&error.place.path);
                if found.files.last() != Some(&file) {
                    found.files.push(file);
                }
            }
        }
        Ok::<(), String>(())
    });
    read.unwrap();
    found
}

fn shown(raw: Raw<'_>) -> String {
    match raw {
        Raw::Cells(_, row) => format!("row {row}"),
        other => format!("{other:?}"),
    }
}

/// Reads everything once; returns what each item is.
fn first(inputs: &[PathBuf], options: &ReadOptions) -> (Batches, Vec<PlacedItem>) {
    let mut batches = open(inputs, options).unwrap();
    let mut items = Vec::new();
    for batch in batches.by_ref() {
        let raw = batch.raw().filter(|raw| !matches!(raw, Raw::Beside { .. }));
        items.extend((0..).zip(raw).map(|(item, raw)| ((batch.index(), item), shown(raw))));
    }
    (batches, items)
}

#[test]
fn a_file_that_changes_between_two_readings_is_noticed() {
    let folder = Folder::new();
    let text = |one: &str, two: &str| (one.as_bytes().to_vec(), two.as_bytes().to_vec());
    let record = |text: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\n\
             Content-Length: 3\r\n\r\n{text}\r\n\r\n"
        )
    };
    let message = |text: &str| format!("From a@b Sat Jan  3 01:05:34 1996\n\n{text}\n");

    let tables = (parquet(&[1, 2], &["one", "two"]), parquet(&[1, 2], &["one", "TWO"]));
    let files = [
        ("a.csv", text("text\none\ntwo\n", "text\none\nTWO\n")),
        ("a.json", text("[{\"text\":\"one\"}]", "[{\"text\":\"One\"}]")),
        ("a.jsonl", text("{\"text\":\"one\"}\n", "{\"text\":\"two\"}\n")),
        ("a.mbox", text(&message("one"), &message("two"))),
        ("a.parquet", tables.clone()),
        ("a.parquet.gz", (gzip(&tables.0), gzip(&tables.1))),
        ("a.txt", text("one", "two")),
        ("a.warc", text(&record("one"), &record("two"))),
    ];
    let options = ReadOptions { checksums: true, ..ReadOptions::default() };
    for (name, (before, after)) in files {
        let path = folder.write(name, before);
        let time = SystemTime::UNIX_EPOCH;
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        let (batches, items) = first(std::slice::from_ref(&path), &options);
        assert!(!items.is_empty(), "{name}");
        let same = Met { same: items.clone(), ..Met::default() };
        assert_eq!(reread(&batches, &folder), same, "{name}");
        // Neither the length of a file nor its time tells.
        folder.write(name, after);
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        let lost = items.iter().map(|(place, _)| *place).collect();
        let changed = Met { same: Vec::new(), lost, files: vec![name.to_owned()] };
        assert_eq!(reread(&batches, &folder), changed, "{name}");
    }
}

#[test]
fn a_file_that_is_only_touched_is_the_same() {
    let folder = Folder::new();
    let path = folder.write("a.parquet", parquet(&[1, 2], &["one", "two"]));
    let options = ReadOptions { checksums: true, ..ReadOptions::default() };
    let (batches, items) = first(std::slice::from_ref(&path), &options);
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    assert_eq!(reread(&batches, &folder), Met { same: items, ..Met::default() });
}

/// What happens to a file between the readings.
#[derive(Clone, Debug)]
enum Fate {
    Stays,
    Goes,
    Grows,
    /// A line gets another text.
    Differs(usize),
}

proptest! {
    /// Whatever happens to some files, the others are read as before, and of those that changed
    /// nothing is handed on that was not there.
    #[test]
    fn other_files_are_not_touched_by_a_change(
        files in prop::collection::vec(
            (
                prop::collection::vec("[a-d]{1,9}", 0..12),
                prop_oneof![
                    3 => Just(Fate::Stays),
                    1 => Just(Fate::Goes),
                    1 => Just(Fate::Grows),
                    2 => (0usize..12).prop_map(Fate::Differs),
                ],
                prop::sample::select(vec!["jsonl", "csv", "txt", "mbox"]),
            ),
            1..8,
        ),
        batch_bytes in 1usize..120,
    ) {
        let folder = Folder::new();
        let content = |kind: &str, words: &[String]| match kind {
            "jsonl" => words.iter().map(|word| format!("{{\"text\":\"{word}\"}}\n")).collect(),
            "csv" => format!("text\n{}", words.iter().map(|word| format!("{word}\n")).collect::<String>()),
            "mbox" => words.iter().map(|word| {
                format!("From a@b Sat Jan  3 01:05:34 1996\n\n{word}\n\n")
            }).collect::<String>(),
            _ => words.join(" "),
        };
        let name = |at: usize, kind: &str| format!("{at}.{kind}");
        let mut inputs = Vec::new();
        for (at, (words, _, kind)) in files.iter().enumerate() {
            inputs.push(folder.write(&name(at, kind), content(kind, words)));
        }
        let options = ReadOptions { checksums: true, batch_bytes, ..ReadOptions::default() };
        let (batches, items) = first(&inputs, &options);
        let mut changed = Vec::new();
        for (at, (words, fate, kind)) in files.iter().enumerate() {
            let mut words = words.clone();
            match fate {
                Fate::Stays => continue,
                Fate::Goes => fs::remove_file(&inputs[at]).unwrap(),
                Fate::Grows => words.push("more".to_owned()),
                Fate::Differs(line) => match words.get_mut(*line) {
                    Some(word) => word.push('x'),
                    None => continue,
                },
            }
            if !matches!(fate, Fate::Goes) {
                folder.write(&name(at, kind), content(kind, &words));
            }
            changed.push(name(at, kind));
        }
        let met = reread(&batches, &folder);
        // An empty file that goes leaves no trace in some formats.
        let unnoticed = |file: &&String| !met.files.contains(file);
        let is_empty = |file: &String| {
            let at: usize = file.split('.').next().unwrap().parse().unwrap();
            files[at].0.is_empty() && matches!(files[at].1, Fate::Goes)
        };
        prop_assert!(changed.iter().filter(unnoticed).all(is_empty), "{:?} {:?}", changed, met);
        prop_assert!(met.files.iter().all(|file| changed.contains(file)), "{:?} {:?}", changed, met);
        // Every item is either the same or lost, in order, and what is the same is what it was.
        let mut all: Vec<(usize, usize)> = met.same.iter().map(|(place, _)| *place).collect();
        all.extend(&met.lost);
        all.sort_unstable();
        prop_assert_eq!(all, items.iter().map(|(place, _)| *place).collect::<Vec<_>>());
        prop_assert!(met.same.is_sorted_by_key(|(place, _)| *place));
        prop_assert!(met.same.iter().all(|item| items.contains(item)));
        // Without a change, nothing is lost.
        prop_assert!(!changed.is_empty() || met.lost.is_empty());
    }
}
