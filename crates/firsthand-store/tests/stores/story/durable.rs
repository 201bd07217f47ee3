//! What a store does over several lives.

use super::{entry, hits, insert, probe, round, text};
use firsthand::online::{Changes, Store};

/// All of it; `open` opens the store of that name again and again.
pub(crate) fn tell(open: &dyn Fn(&str) -> Box<dyn Store>) {
    everything_is_there_again(&|| open("again"));
    an_open_round_is_abandoned(&|| open("abandoned"));
    forgotten_stays_forgotten(&|| open("forgotten"));
    the_clock_alone(&|| open("clock"));
}

fn everything_is_there_again(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    insert(&mut *store, (1..=50).map(|seq| entry(seq, seq as i64 % 4, 7, &[1, seq])).collect());
    let changes = Changes {
        clock: Some(77),
        replace: vec![(5, b"new".to_vec())],
        keys: vec![(6, vec![5])],
        values: vec![("a".to_owned(), b"b".to_vec())],
        forget: vec![3],
        ..Changes::default()
    };
    round(&mut *store, changes);
    let head = store.begin().unwrap();
    let all = store.scan(0, 100).unwrap();
    let found = store.find(&[probe(&[1]), probe(&[5]), probe(&[3])]).unwrap();
    drop(store);
    for _ in 0..3 {
        let mut store = open();
        assert_eq!(store.begin().unwrap(), head);
        assert_eq!(store.scan(0, 100).unwrap(), all);
        assert_eq!(store.find(&[probe(&[1]), probe(&[5]), probe(&[3])]).unwrap(), found);
        assert_eq!(store.value("a").unwrap().as_deref(), Some(&b"b"[..]));
    }
    let mut store = open();
    let before = hits(&mut *store, probe(&[1])).len();
    insert(&mut *store, vec![entry(51, 0, 8, &[1])]);
    drop(store);
    assert_eq!(hits(&mut *open(), probe(&[1])).len(), before + 1);
}

fn an_open_round_is_abandoned(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    insert(&mut *store, vec![entry(1, 0, 1, &[1])]);
    store.begin().unwrap();
    drop(store);
    let mut store = open();
    assert_eq!(store.begin().unwrap().next, 2);
    assert_eq!(text(&mut *store, 1).as_deref(), Some("document 1"));
}

fn forgotten_stays_forgotten(open: &dyn Fn() -> Box<dyn Store>) {
    let mut store = open();
    insert(&mut *store, vec![entry(1, 0, 1, &[1]), entry(2, 1, 1, &[1])]);
    round(&mut *store, Changes { forget: vec![0, 1], ..Changes::default() });
    drop(store);
    let mut store = open();
    assert_eq!(store.begin().unwrap().next, 3);
    assert!(hits(&mut *store, probe(&[1])).is_empty());
    insert(&mut *store, vec![entry(3, 1, 1, &[1])]);
    drop(store);
    assert_eq!(hits(&mut *open(), probe(&[1])), [(3, 1)]);
}

fn the_clock_alone(open: &dyn Fn() -> Box<dyn Store>) {
    round(&mut *open(), Changes { clock: Some(5), ..Changes::default() });
    assert_eq!(open().begin().unwrap().clock, Some(5));
    insert(&mut *open(), vec![entry(1, 0, 1, &[1])]);
    assert_eq!(open().begin().unwrap().clock, Some(5));
}
