//! Reading a store in a folder beside the process that writes to it.

use super::story::{
    entry,
    law::{Step, random, same},
    round,
};
use firsthand::online::{Changes, Memory, Store, StoreError};
use firsthand_store::{
    Embedded, Faults, ManagedStore, OnOtherSettings, StoredSettings, Tuning, open_to_read,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::SystemTime,
};

/// Small sizes, so that runs are built and merged and the main log is rewritten all the time.
const BUSY: Tuning = Tuning {
    postings: 30,
    total: 60,
    fan: 2,
    main: 400,
    faults: Faults { crash: None, fail_after: None },
};

fn write_to(path: &Path) -> Embedded {
    let settings = StoredSettings::kept("{}");
    Embedded::open_tuned(path, Some(&settings), OnOtherSettings::Refuse, BUSY).unwrap()
}

/// Every file and folder with its time and content.
fn contents(folder: &Path) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (path, metadata) = entry.map(|e| (e.path(), e.metadata().unwrap())).unwrap();
        match metadata.is_dir() {
            true => all.extend(contents(&path)),
            false => {
                all.push((path.clone(), metadata.modified().unwrap(), fs::read(&path).unwrap()))
            }
        }
    }
    all.push((folder.to_owned(), fs::metadata(folder).unwrap().modified().unwrap(), Vec::new()));
    all.sort();
    all
}

#[test]
fn a_reader_sees_every_commit_and_writes_nothing() {
    for seed in 0..4 {
        let root = tempfile::tempdir().unwrap();
        let (mut memory, mut store) = (Memory::new(), write_to(root.path()));
        for (number, step) in random(seed, 40).into_iter().enumerate() {
            let Step::Round(changes) = step else { continue };
            round(&mut memory, changes.clone());
            round(&mut store, changes);
            // The writer's thread is idle after this, so that whatever changes was changed by the reader.
            store.verify().unwrap();
            let before = contents(root.path());
            let mut reader = Embedded::open_to_read(root.path()).unwrap();
            same(&mut memory, &mut reader, number);
            assert_eq!(reader.verify().unwrap().problems, [""; 0]);
            assert!(!reader.info().unwrap().is_empty());
            drop(reader);
            assert_eq!(contents(root.path()), before, "seed {seed}, step {number}");
        }
        drop(store);
        // Also without a writer.
        let before = contents(root.path());
        same(&mut memory, &mut Embedded::open_to_read(root.path()).unwrap(), 0);
        assert_eq!(contents(root.path()), before);
    }
}

#[test]
fn a_reader_sees_a_commit_whatever_the_writer_does_meanwhile() {
    let root = tempfile::tempdir().unwrap();
    let mut store = write_to(root.path());
    round(&mut store, Changes::default());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            // Three documents in a round, each hour of ten rounds forgotten five hours later, and
            // payloads replaced, so that `compact` has something to do.
            for number in 0..400_u64 {
                let (hour, first) = (number as i64 / 10, 3 * number + 1);
                let insert = (first..first + 3)
                    .map(|seq| entry(seq, hour, hour, &[seq, seq % 7 + 1_000_000, hour as u64]))
                    .collect();
                let forget = if number % 10 == 0 { vec![hour - 5] } else { Vec::new() };
                let replace = vec![(first.saturating_sub(3), vec![7; 20])];
                round(&mut store, Changes { insert, forget, replace, ..Changes::default() });
                if number % 50 == 49 {
                    store.compact().unwrap();
                }
            }
            is_over.store(true, Relaxed);
            store
        });
        let (mut reads, mut highest) = (0, 0);
        while !is_over.load(Relaxed) || reads < 5 {
            let mut reader = Embedded::open_to_read(root.path()).unwrap();
            let head = reader.begin().unwrap();
            let stored = reader.scan(0, usize::MAX).unwrap();
            let documents: u64 = head.buckets.iter().map(|bucket| bucket.documents).sum();
            assert_eq!(stored.len() as u64, documents);
            // Whole rounds, and everything that was not forgotten.
            assert_eq!((head.next - 1) % 3, 0);
            let seqs: Vec<u64> = stored.iter().map(|document| document.seq).collect();
            assert!(seqs.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{seqs:?}");
            assert_eq!(seqs.last().map_or(0, |last| *last), head.next - 1);
            assert!(head.next >= highest, "{} after {highest}", head.next);
            assert_eq!(reader.verify().unwrap().problems, [""; 0]);
            (reads, highest) = (reads + 1, head.next);
        }
        let mut store = writer.join().unwrap();
        assert_eq!(store.begin().unwrap().next, 1201);
    });
}

#[test]
fn a_reader_refuses_changes_and_needs_a_store() {
    let root = tempfile::tempdir().unwrap();
    let address = root.path().to_str().unwrap();
    assert!(matches!(open_to_read(address), Err(StoreError::Unfit(_))));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    drop(write_to(root.path()));
    let mut reader = open_to_read(address).unwrap();
    let insert = vec![entry(1, 0, 0, &[1])];
    reader.begin().unwrap();
    let refused = reader.commit(Changes { insert, ..Changes::default() }).unwrap_err();
    assert!(matches!(refused, StoreError::Failed(text) if text.contains("opened to be read")));
    assert!(reader.compact().is_err());
    assert_eq!(reader.settings().unwrap(), StoredSettings::kept("{}"));
    let copy = tempfile::tempdir().unwrap();
    reader.backup(copy.path()).unwrap();
    assert_eq!(write_to(copy.path()).begin().unwrap().next, 1);
}
