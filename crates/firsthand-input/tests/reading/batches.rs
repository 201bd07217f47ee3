//! Batches give the same documents whatever their size and threads.

use std::path::PathBuf;

use firsthand::Document;
use firsthand_input::{Batch, Batches, Raw, ReadError, ReadOptions, Reason, open};
use proptest::prelude::*;

use crate::Folder;

type Item = Result<Document, ReadError>;

fn documents(batch: &Batch, options: &ReadOptions) -> Vec<Item> {
    batch.documents(options).map(|item| item.map(|item| item.document)).collect()
}

fn items(inputs: &[PathBuf], batch_bytes: usize) -> Vec<Item> {
    let options = ReadOptions { batch_bytes, ..ReadOptions::default() };
    let batches = open(inputs, &options).unwrap();
    batches.flat_map(|batch| documents(&batch, &options)).collect()
}

#[test]
fn batches_may_cross_threads() {
    fn is_send<T: Send>() {}
    is_send::<Batches>();
    is_send::<Batch>();
}

#[test]
fn threads_in_any_order_give_documents_in_order() {
    let folder = Folder::new();
    let line = |n: usize| format!("{{\"id\":{n},\"text\":\"t\"}}\n");
    folder.write("a.jsonl", (0..500).map(line).collect::<String>());
    folder.write("b.txt", "b");
    let inputs = [folder.path().to_path_buf()];
    let options = ReadOptions { batch_bytes: 64, ..ReadOptions::default() };
    let batches: Vec<Batch> = open(&inputs, &options).unwrap().collect();
    let mut parts: Vec<(usize, Vec<Item>)> = std::thread::scope(|scope| {
        let work = |batch: &Batch| (batch.index(), documents(batch, &options));
        let threads: Vec<_> = batches
            .chunks(7)
            .rev()
            .map(|some| scope.spawn(move || some.iter().map(work).collect()))
            .collect();
        threads.into_iter().flat_map(|thread| -> Vec<_> { thread.join().unwrap() }).collect()
    });
    parts.sort_by_key(|(index, _)| *index);
    let together: Vec<Item> = parts.into_iter().flat_map(|(_, items)| items).collect();
    assert_eq!(together.len(), 501);
    assert_eq!(together, items(&inputs, 1 << 20));
}

#[test]
fn a_small_collection_can_be_divided() {
    let folder = Folder::new();
    let line = |n: usize| format!("{{\"id\":{n},\"text\":\"{}\"}}\n", "t".repeat(3_000));
    let inputs = [folder.write("a.jsonl", (0..500).map(line).collect::<String>())];
    let options = ReadOptions::default();
    let read = |is_divided: bool| {
        let mut batches = open(&inputs, &options).unwrap();
        if is_divided {
            batches.divide();
        }
        let parts: Vec<_> = batches.map(|batch| documents(&batch, &options)).collect();
        (parts.len(), parts.concat())
    };
    let ((few, whole), (many, divided)) = (read(false), read(true));
    assert!(3 * few <= many, "{few} batches, and {many}");
    assert!(divided.len() == 500 && divided == whole);
}

#[test]
fn raw_input_keeps_step_with_documents() {
    let folder = Folder::new();
    let page = folder.write("a.txt", "a");
    folder.write("b.png", "b");
    let path =
        folder.write("c.jsonl", "{\"id\":1,\"text\":\"t\"}\r\n\nbroken\n{\"id\":3,\"text\":\"u\"}");
    let options = ReadOptions::default();
    let inputs = [folder.path().to_path_buf()];
    let mut seen = Vec::new();
    for batch in open(&inputs, &options).unwrap() {
        assert_eq!(batch.documents(&options).count(), batch.raw().count());
        for (item, raw) in batch.documents(&options).zip(batch.raw()) {
            let raw = match raw {
                Raw::Line(line) => String::from_utf8(line.to_vec()).unwrap(),
                Raw::File(path) => path.display().to_string(),
                _ => String::new(),
            };
            seen.push((item.is_ok(), raw));
        }
    }
    let expected = [
        (true, page.display().to_string()),
        (false, String::new()),
        (true, "{\"id\":1,\"text\":\"t\"}".to_owned()),
        (false, "broken".to_owned()),
        (true, "{\"id\":3,\"text\":\"u\"}".to_owned()),
    ];
    assert_eq!(seen, expected);
    assert!(path.exists());
}

#[test]
fn progress_ends_at_the_total() {
    let folder = Folder::new();
    folder.write("a.txt", "x".repeat(1000));
    folder.write("b.jsonl", "{\"text\":\"t\"}\n".repeat(1000));
    folder.write("c.jsonl.zst", zstd::encode_all(&b"{\"text\":\"t\"}\n"[..], 1).unwrap());
    let options = ReadOptions { batch_bytes: 500, ..ReadOptions::default() };
    let mut batches = open(&[folder.path().to_path_buf()], &options).unwrap();
    let total = batches.total_bytes().unwrap();
    assert!(total > 13_000);
    let mut last = batches.consumed_bytes();
    assert_eq!(last, 0);
    while batches.next().is_some() {
        assert!(batches.consumed_bytes() >= last);
        last = batches.consumed_bytes();
    }
    assert_eq!(last, total);
    assert_eq!(open(&["-".into()], &options).unwrap().total_bytes(), None);
}

#[test]
fn a_second_pass_sees_the_same_files() {
    let folder = Folder::new();
    for name in ["b.txt", "d.jsonl", "e.txt"] {
        folder.write(name, "{\"id\":1,\"text\":\"t\"}\n");
    }
    let options = ReadOptions { batch_bytes: 0, ..ReadOptions::default() };
    let mut first = open(&[folder.path().to_path_buf()], &options).unwrap();
    let ids = |batches: &mut Batches| -> Vec<String> {
        let documents = |batch: Batch| documents(&batch, &options);
        batches.flat_map(documents).map(|item| folder.short(&item.unwrap().id)).collect()
    };
    assert_eq!(ids(&mut first), ["b.txt", "1", "e.txt"]);
    folder.write("a.txt", "new");
    folder.write("c.jsonl", "new");
    assert_eq!(ids(&mut first.again()), ["b.txt", "1", "e.txt"]);
}

#[test]
fn a_file_that_vanishes_costs_only_itself() {
    let folder = Folder::new();
    let paths = ["a.txt", "b.jsonl", "c.txt"].map(|name| folder.write(name, "text"));
    let options = ReadOptions::default();
    let batches = open(&paths, &options).unwrap();
    std::fs::remove_file(&paths[0]).unwrap();
    std::fs::remove_file(&paths[1]).unwrap();
    let items: Vec<Item> = batches.flat_map(|batch| documents(&batch, &options)).collect();
    assert_eq!(items.len(), 3);
    for item in &items[..2] {
        assert_eq!(item.as_ref().unwrap_err().reason, Reason::NotFound);
    }
    assert_eq!(items[2].as_ref().unwrap().text, "text");
}

proptest! {
    #[test]
    fn any_bytes_give_documents_or_reasons(
        bytes in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(&b"{}\"\\\n\rtexthml:,<>&;u0dD/"[..])],
            0..200,
        ),
        compression in prop::sample::select(&["", ".gz", ".zst"][..]),
    ) {
        let folder = Folder::new();
        for kind in ["txt", "html", "jsonl"] {
            folder.write(&format!("a.{kind}{compression}"), &bytes);
        }
        let options = ReadOptions::default();
        for batch in open(&[folder.path().to_path_buf()], &options).unwrap() {
            prop_assert_eq!(batch.documents(&options).count(), batch.raw().count());
        }
    }

    #[test]
    fn the_size_of_batches_changes_nothing(
        lines in prop::collection::vec(
            prop_oneof![
                Just("{\"id\":\"a\",\"text\":\"x\\ny\"}"), Just("{\"text\":\"x\"}"), Just(""),
                Just("{"), Just("  "), Just("{\"html\":\"<p>z</p>\"}"), Just("\u{feff}"),
            ],
            0..20,
        ),
        end in prop_oneof![Just("\n"), Just("\r\n")],
        batch_bytes in 0usize..100,
    ) {
        let folder = Folder::new();
        let path = folder.write("a.jsonl", lines.join(end));
        let inputs = [path];
        prop_assert_eq!(items(&inputs, batch_bytes), items(&inputs, 1 << 20));
    }
}
