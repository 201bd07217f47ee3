//! Several connections to one store, and connections that are lost.

use super::server::{self, Server};
use firsthand::{
    Document, Settings,
    online::{
        Answer, Arrival, Cap, Changes, Entry, Online, Probe, Store, StoreError, StreamDetector,
        Verdict,
    },
};
use firsthand_store::{Fact, ManagedStore, OnOtherSettings, Postgres, StoredSettings};
use std::{
    sync::{Arc, Barrier},
    thread,
};

fn open(address: &str) -> Postgres {
    let settings = StoredSettings::new(&Settings::default()).unwrap();
    Postgres::open(address, Some(&settings), OnOtherSettings::Refuse).unwrap()
}

fn probe(key: u64) -> Probe {
    Probe { keys: vec![key], from: i64::MIN, to: i64::MAX, cap: Cap::halves(9) }
}

/// Adds a document with one key, and says whether it was the first with it.
fn add(store: &mut Postgres, key: u64) -> Result<bool, StoreError> {
    let seq = store.begin()?.next;
    let is_first = store.find(&[probe(key)])?[0].lists[0].seqs.is_empty();
    let entry =
        Entry { seq, bucket: 0, time: 5, keys: vec![key], payload: seq.to_le_bytes().into() };
    store.commit(Changes { insert: vec![entry], ..Changes::default() })?;
    Ok(is_first)
}

fn count(store: &mut Postgres) -> u64 {
    let head = store.begin().unwrap();
    store.abandon();
    head.buckets.iter().map(|bucket| bucket.documents).sum()
}

#[test]
fn of_copies_that_arrive_at_once_exactly_one_is_first() {
    const COPIES: usize = 4;
    const DOCUMENTS: u64 = 40;
    let address = Arc::new(server::fresh());
    let barrier = Arc::new(Barrier::new(COPIES));
    let threads: Vec<_> = (0..COPIES)
        .map(|_| {
            let (address, barrier) = (Arc::clone(&address), Arc::clone(&barrier));
            thread::spawn(move || {
                // Opening for the first time is a race too.
                barrier.wait();
                let mut store = open(&address);
                let add = |key| {
                    barrier.wait();
                    add(&mut store, key).unwrap()
                };
                (0..DOCUMENTS).map(add).collect::<Vec<bool>>()
            })
        })
        .collect();
    let said: Vec<Vec<bool>> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    for document in 0..DOCUMENTS as usize {
        let first = said.iter().filter(|said| said[document]).count();
        assert_eq!(first, 1, "document {document}");
    }
    assert_eq!(count(&mut open(&address)), COPIES as u64 * DOCUMENTS);
}

/// A text of its own for each number.
fn text(number: u64) -> String {
    let word = |at: u64| format!("w{}", (number * 1000 + at).wrapping_mul(0x9e37_79b9) % 100_000);
    (0..120).map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn of_documents_judged_by_several_processes_exactly_one_is_original() {
    const PROCESSES: u64 = 3;
    const DOCUMENTS: u64 = 30;
    const ROUND: usize = 7;
    let address = Arc::new(server::fresh());
    let barrier = Arc::new(Barrier::new(PROCESSES as usize));
    let threads: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let (address, barrier) = (Arc::clone(&address), Arc::clone(&barrier));
            thread::spawn(move || {
                let detector = StreamDetector::new(Settings::default()).unwrap();
                let mut online = Online::new(detector.clone(), open(&address));
                let arrivals: Vec<Arrival> = (0..DOCUMENTS)
                    .map(|number| {
                        let id = format!("{process}/{number}");
                        let copy = format!("{} end {process}", text(number));
                        detector.sign(&Document::new(id, copy), 0)
                    })
                    .collect();
                let mut answers = Vec::new();
                for round in arrivals.chunks(ROUND) {
                    barrier.wait();
                    answers.extend(online.add(round).unwrap());
                }
                answers
            })
        })
        .collect();
    let said: Vec<Vec<Answer>> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    for number in 0..DOCUMENTS as usize {
        let of = |verdict| said.iter().filter(move |said| said[number].verdict == verdict);
        assert_eq!(of(Verdict::Original).count(), 1, "document {number}");
        let original = &of(Verdict::Original).next().unwrap()[number].id;
        assert_eq!(of(Verdict::Duplicate).count(), PROCESSES as usize - 1);
        assert!(of(Verdict::Duplicate).all(|said| said[number].original == *original));
    }
}

#[test]
fn a_lost_connection_ends_the_round_and_the_next_one_works() {
    let address = server::fresh();
    let name = address.rsplit('=').next().unwrap();
    let mut store = open(&format!("{address}&application_name={name}"));
    assert!(add(&mut store, 1).unwrap());
    let kill = || {
        let mut client = server::client(&address);
        let mut is_there = |act: &str| {
            let sql =
                format!("SELECT {act} FROM pg_stat_activity WHERE application_name = '{name}'");
            !client.query(&sql, &[]).unwrap().is_empty()
        };
        assert!(is_there("pg_terminate_backend(pid)"));
        while is_there("pid") {
            thread::yield_now();
        }
    };

    kill();
    assert!(!add(&mut store, 1).unwrap(), "a connection lost between rounds is made again");
    store.begin().unwrap();
    kill();
    let error = store.find(&[probe(1)]).unwrap_err();
    assert!(matches!(&error, StoreError::Failed(_)), "{error:?}");
    let error = store.commit(Changes::default()).unwrap_err();
    assert!(error.to_string().contains("no round"), "{error}");
    assert!(!add(&mut store, 1).unwrap(), "it connects again");

    let seq = store.begin().unwrap().next;
    kill();
    let entry = Entry { seq, bucket: 0, time: 5, keys: vec![7], payload: vec![] };
    let error = store.commit(Changes { insert: vec![entry], ..Changes::default() }).unwrap_err();
    assert!(matches!(&error, StoreError::Failed(_)), "{error:?}");
    assert_eq!(count(&mut store), 3);
    assert!(add(&mut store, 7).unwrap(), "nothing of the lost round was kept");
}

#[test]
fn a_crash_of_the_server_loses_nothing_that_was_acknowledged() {
    let server = Server::start(&[]);
    let address = server.address.clone();
    let mut store = open(&address);
    let mut acknowledged = 0;
    for cycle in 0..3 {
        for key in 0..10 {
            assert_eq!(add(&mut store, 100 * cycle + key).ok(), Some(true));
            acknowledged += 1;
        }
        store.begin().unwrap();
        server.crash();
        let error = store.find(&[probe(1)]).unwrap_err();
        assert!(matches!(&error, StoreError::Failed(_)), "{error:?}");
        assert_eq!(count(&mut store), acknowledged);
        assert!(!add(&mut store, 100 * cycle).unwrap());
        acknowledged += 1;
    }
    assert_eq!(store.verify().unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_reader_does_not_hold_up_forgetting() {
    let address = server::fresh();
    let mut store = open(&address);
    let fill = |store: &mut Postgres, bucket: i64, forget: Vec<i64>| {
        let seq = store.begin().unwrap().next;
        let entry = Entry { seq, bucket, time: bucket, keys: vec![1], payload: vec![1] };
        store.commit(Changes { insert: vec![entry], forget, ..Changes::default() }).unwrap();
    };
    fill(&mut store, 1, vec![]);
    let mut reader = server::client(&address);
    reader.batch_execute("BEGIN; SELECT count(*) FROM postings").unwrap();
    fill(&mut store, 2, vec![1]);
    store.begin().unwrap();
    assert_eq!(store.find(&[probe(1)]).unwrap()[0].lists[0].seqs, [2]);
    store.abandon();
    let idle = |store: &mut Postgres| {
        let facts = store.info().unwrap();
        facts.into_iter().find(|(label, _)| label.starts_with("forgotten")).unwrap().1
    };
    assert_eq!(idle(&mut store), Fact::Count(1));
    // A bucket that comes again is not the one that was forgotten.
    fill(&mut store, 1, vec![]);
    reader.batch_execute("COMMIT").unwrap();
    assert_eq!(store.scan(0, 9).unwrap().len(), 2);
    store.compact().unwrap();
    assert_eq!(idle(&mut store), Fact::Count(0));
    assert_eq!(store.scan(0, 9).unwrap().len(), 2);
    assert_eq!(store.verify().unwrap().problems, Vec::<String>::new());
}
