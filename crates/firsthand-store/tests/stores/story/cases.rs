//! What a store does within one life.

use super::{entry, find, hits, insert, probe, round, text};
use firsthand::online::{Bucket, Cap, Changes, Head, List, Probe, Store};

type Case = fn(&mut dyn Store);

/// Every case, each for an empty store.
pub(crate) const ALL: &[Case] = &[
    an_empty_store,
    a_document_is_found_by_its_keys,
    keys_in_common_are_counted,
    times_bound_what_is_found,
    long_lists_are_cut_in_the_middle,
    long_lists_are_cut_within_the_times,
    long_lists_over_several_buckets,
    many_probes_at_once,
    many_keys_are_counted,
    payloads_are_replaced,
    further_keys,
    everything_in_one_round,
    values,
    buckets_are_forgotten_whole,
    a_bucket_may_begin_again,
    a_new_document_in_a_forgotten_bucket,
    abandoned_rounds_change_nothing,
    the_clock,
    numbers_go_on_after_everything_is_forgotten,
    scans,
    odd_contents,
];

fn an_empty_store(store: &mut dyn Store) {
    assert_eq!(store.begin().unwrap(), Head { next: 1, clock: None, buckets: vec![] });
    assert_eq!(store.load(&[1, 2]).unwrap(), [None, None]);
    assert_eq!(store.value("name").unwrap(), None);
    assert!(store.find(&[]).unwrap().is_empty());
    assert!(store.find(&[probe(&[])]).unwrap()[0].lists.is_empty());
    assert_eq!(store.find(&[probe(&[1, 2])]).unwrap()[0].lists, [List::default(), List::default()]);
    store.abandon();
    assert!(store.scan(0, 10).unwrap().is_empty());
    assert!(hits(store, probe(&[1, 2, 3])).is_empty());
    round(store, Changes::default());
    assert_eq!(store.begin().unwrap().next, 1);
}

fn a_document_is_found_by_its_keys(store: &mut dyn Store) {
    insert(store, vec![entry(1, 7, 70, &[10, 20]), entry(2, 7, 75, &[20, u64::MAX])]);
    assert_eq!(hits(store, probe(&[10])), [(1, 1)]);
    assert_eq!(hits(store, probe(&[20])), [(1, 1), (2, 1)]);
    assert_eq!(hits(store, probe(&[u64::MAX])), [(2, 1)]);
    assert_eq!(hits(store, probe(&[30, 0])), []);
    assert_eq!(text(store, 2).as_deref(), Some("document 2"));
    assert_eq!(text(store, 3), None);
    let head = store.begin().unwrap();
    let bucket = Bucket { number: 7, documents: 2, bytes: 20, first: 70, last: 75 };
    assert_eq!(head, Head { next: 3, clock: None, buckets: vec![bucket] });
}

fn keys_in_common_are_counted(store: &mut dyn Store) {
    insert(store, vec![entry(1, 0, 1, &[1, 2, 3]), entry(2, 1, 2, &[2, 3, 4])]);
    insert(store, vec![entry(3, 0, 3, &[3]), entry(4, 0, 3, &[])]);
    assert_eq!(hits(store, probe(&[1, 2, 3, 4, 5])), [(1, 3), (2, 3), (3, 1)]);
    let found = find(store, probe(&[4, 3, 9, 1]));
    let lists: Vec<&[u64]> = found.lists.iter().map(|list| list.seqs.as_slice()).collect();
    assert_eq!(lists, [&[2][..], &[1, 2, 3], &[], &[1]]);
}

fn times_bound_what_is_found(store: &mut dyn Store) {
    let times = [-5, 0, 5, i64::MAX, i64::MIN];
    let entries = times.iter().zip(1..).map(|(&time, seq)| entry(seq, 3, time, &[9]));
    insert(store, entries.collect());
    assert_eq!(hits(store, Probe { from: -5, to: 0, ..probe(&[9]) }), [(1, 1), (2, 1)]);
    assert_eq!(hits(store, Probe { from: 1, to: 4, ..probe(&[9]) }), []);
    assert_eq!(hits(store, Probe { from: 5, ..probe(&[9]) }), [(3, 1), (4, 1)]);
    assert_eq!(hits(store, Probe { to: -6, ..probe(&[9]) }), [(5, 1)]);
    assert_eq!(hits(store, Probe { from: 1, to: 0, ..probe(&[9]) }), []);
    assert_eq!(hits(store, probe(&[9])).len(), 5);
}

fn long_lists_are_cut_in_the_middle(store: &mut dyn Store) {
    insert(store, (1..=9).map(|seq| entry(seq, 0, 0, &[5, 100 + seq])).collect());
    let mut numbers = |cap| {
        let found = find(store, Probe { cap, ..probe(&[101, 5, 777]) });
        assert_eq!(found.lists[0], List { seqs: vec![1], crowded: false });
        assert_eq!(found.lists[2], List::default());
        (found.lists[1].seqs.clone(), found.lists[1].crowded)
    };
    assert_eq!(numbers(Cap::halves(9)), ((1..=9).collect(), false));
    assert_eq!(numbers(Cap::halves(8)), (vec![1, 2, 3, 4, 6, 7, 8, 9], true));
    assert_eq!(numbers(Cap::halves(3)), (vec![1, 2, 9], true));
    assert_eq!(numbers(Cap::halves(1)), (vec![1], true));
    assert_eq!(numbers(Cap::NONE), ((1..=9).collect(), false));
    assert_eq!(numbers(Cap { most: 8, first: 2, last: 0 }), (vec![1, 2], true));
    assert_eq!(numbers(Cap { most: 8, first: 0, last: 1 }), (vec![9], true));
    assert_eq!(numbers(Cap { most: 9, first: 2, last: 1 }), ((1..=9).collect(), false));
    assert_eq!(numbers(Cap { most: 5, first: 4, last: 7 }), (vec![1, 2, 3, 4, 9], true));
    assert_eq!(numbers(Cap { most: 1, first: 6, last: 7 }), (vec![1], true));
}

fn long_lists_are_cut_within_the_times(store: &mut dyn Store) {
    insert(store, (1..=20).map(|seq| entry(seq, 0, (seq % 10) as i64, &[5])).collect());
    let found = find(store, Probe { from: 2, to: 4, cap: Cap::halves(4), ..probe(&[5]) });
    assert_eq!(found.lists, [List { seqs: vec![2, 3, 13, 14], crowded: true }]);
    let found = find(store, Probe { from: 2, to: 4, cap: Cap::halves(6), ..probe(&[5]) });
    assert_eq!(found.lists, [List { seqs: vec![2, 3, 4, 12, 13, 14], crowded: false }]);
}

fn long_lists_over_several_buckets(store: &mut dyn Store) {
    // Numbers of buckets say nothing about the order of arrival.
    insert(store, (1..=30).map(|seq| entry(seq, -(seq as i64 % 3), 0, &[5])).collect());
    let found = find(store, Probe { cap: Cap::halves(7), ..probe(&[5]) });
    assert_eq!(found.lists, [List { seqs: vec![1, 2, 3, 4, 28, 29, 30], crowded: true }]);
    let cap = Cap { most: 20, first: 4, last: 0 };
    let found = find(store, Probe { cap, ..probe(&[5]) });
    assert_eq!(found.lists, [List { seqs: vec![1, 2, 3, 4], crowded: true }]);
}

fn many_probes_at_once(store: &mut dyn Store) {
    insert(store, (1..=200).map(|seq| entry(seq, seq as i64 / 50, 0, &[seq, seq / 2])).collect());
    let probes: Vec<Probe> = (0..256).map(|n| probe(&[n, 1000 + n])).collect();
    store.begin().unwrap();
    let together = store.find(&probes).unwrap();
    store.abandon();
    let single: Vec<_> = probes.into_iter().map(|one| find(store, one)).collect();
    assert_eq!(together, single);
    assert_eq!(together[100].lists[0].seqs, [100, 200]);
}

fn payloads_are_replaced(store: &mut dyn Store) {
    insert(store, vec![entry(1, 0, 4, &[1]), entry(2, 1, 5, &[1])]);
    let replace = vec![(1, b"changed for ever".to_vec()), (99, b"gone".to_vec())];
    round(store, Changes { replace, ..Changes::default() });
    assert_eq!(text(store, 1).as_deref(), Some("changed for ever"));
    assert_eq!(text(store, 2).as_deref(), Some("document 2"));
    assert_eq!(text(store, 99), None);
    assert_eq!(hits(store, probe(&[1])), [(1, 1), (2, 1)]);
    let head = store.begin().unwrap();
    assert_eq!(head.buckets.iter().map(|bucket| bucket.bytes).collect::<Vec<_>>(), [16, 10]);
    round(store, Changes { replace: vec![(1, vec![])], ..Changes::default() });
    assert_eq!(text(store, 1).as_deref(), Some(""));
    assert_eq!(store.scan(0, 1).unwrap()[0].payload, b"");
}

fn further_keys(store: &mut dyn Store) {
    insert(store, vec![entry(1, 0, 4, &[1]), entry(2, 0, 5, &[2])]);
    let keys = vec![(1, vec![2, 3]), (99, vec![3])];
    round(store, Changes { keys, ..Changes::default() });
    assert_eq!(hits(store, probe(&[1, 2, 3])), [(1, 3), (2, 1)]);
    assert_eq!(hits(store, Probe { cap: Cap::halves(1), ..probe(&[2]) }), [(1, 1)]);
    assert_eq!(hits(store, Probe { from: 5, ..probe(&[2, 3]) }), [(2, 1)]);
}

fn everything_in_one_round(store: &mut dyn Store) {
    insert(store, vec![entry(1, 0, 1, &[1])]);
    let changes = Changes {
        clock: Some(12),
        insert: vec![entry(2, 1, 2, &[1]), entry(3, 2, 3, &[1])],
        replace: vec![(2, b"at once".to_vec()), (1, b"too".to_vec())],
        keys: vec![(3, vec![8]), (2, vec![8])],
        values: vec![("a".to_owned(), b"b".to_vec())],
        forget: vec![0],
    };
    round(store, changes);
    assert_eq!(hits(store, probe(&[1, 8])), [(2, 2), (3, 2)]);
    assert_eq!(text(store, 2).as_deref(), Some("at once"));
    assert_eq!(text(store, 1), None);
    assert_eq!(store.value("a").unwrap().as_deref(), Some(&b"b"[..]));
    assert_eq!(store.begin().unwrap().clock, Some(12));
}

fn values(store: &mut dyn Store) {
    let set = |store: &mut dyn Store, values: &[(&str, &[u8])]| {
        let values = values.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
        round(store, Changes { values: values.collect(), ..Changes::default() });
    };
    set(store, &[("site: example.org/ä", b"one"), ("", b"empty name")]);
    set(store, &[("site: example.org/ä", b"two"), ("nothing", b"")]);
    set(store, &[("twice", b"first"), ("twice", b"second")]);
    assert_eq!(store.value("site: example.org/ä").unwrap().as_deref(), Some(&b"two"[..]));
    assert_eq!(store.value("").unwrap().as_deref(), Some(&b"empty name"[..]));
    assert_eq!(store.value("nothing").unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(store.value("twice").unwrap().as_deref(), Some(&b"second"[..]));
    assert_eq!(store.value("else").unwrap(), None);
}

fn buckets_are_forgotten_whole(store: &mut dyn Store) {
    insert(store, (1..=12).map(|seq| entry(seq, seq as i64 % 3, 0, &[4, seq])).collect());
    round(store, Changes { forget: vec![1, 55], ..Changes::default() });
    assert_eq!(hits(store, probe(&[4])).len(), 8);
    assert_eq!(hits(store, probe(&[1, 2])), [(2, 1)]);
    assert_eq!(text(store, 1), None);
    let replace = vec![(1, b"not again".to_vec())];
    round(store, Changes { replace, keys: vec![(1, vec![2])], ..Changes::default() });
    assert_eq!(text(store, 1), None);
    assert_eq!(hits(store, probe(&[2])), [(2, 1)]);
    let head = store.begin().unwrap();
    assert_eq!(head.buckets.iter().map(|bucket| bucket.number).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(store.scan(1, 2).unwrap().iter().map(|s| s.seq).collect::<Vec<_>>(), [2, 3]);
}

fn a_bucket_may_begin_again(store: &mut dyn Store) {
    insert(store, vec![entry(1, 5, 1, &[1]), entry(2, 5, 1, &[1])]);
    round(store, Changes { forget: vec![5], ..Changes::default() });
    insert(store, vec![entry(3, 5, 9, &[1])]);
    assert_eq!(hits(store, probe(&[1])), [(3, 1)]);
    let head = store.begin().unwrap();
    let bucket = Bucket { number: 5, documents: 1, bytes: 10, first: 9, last: 9 };
    assert_eq!(head.buckets, [bucket]);
    assert_eq!(store.load(&[1, 3]).unwrap()[0], None);
}

fn a_new_document_in_a_forgotten_bucket(store: &mut dyn Store) {
    let insert = vec![entry(1, 5, 1, &[1]), entry(2, 6, 1, &[1])];
    round(store, Changes { insert, forget: vec![5], ..Changes::default() });
    assert_eq!(hits(store, probe(&[1])), [(2, 1)]);
    assert_eq!(text(store, 1), None);
    assert_eq!(store.begin().unwrap().next, 3);
    assert_eq!(store.scan(0, 9).unwrap().len(), 1);
}

fn abandoned_rounds_change_nothing(store: &mut dyn Store) {
    insert(store, vec![entry(1, 0, 1, &[1])]);
    let before = store.begin().unwrap();
    store.find(&[probe(&[1])]).unwrap();
    store.abandon();
    store.abandon();
    assert_eq!(store.begin().unwrap(), before);
    // A round that was not ended is abandoned.
    assert_eq!(store.begin().unwrap(), before);
    store.abandon();
}

fn the_clock(store: &mut dyn Store) {
    round(store, Changes { clock: Some(-3), ..Changes::default() });
    assert_eq!(store.begin().unwrap().clock, Some(-3));
    insert(store, vec![entry(1, 0, 1, &[1])]);
    assert_eq!(store.begin().unwrap().clock, Some(-3));
    round(store, Changes { clock: Some(i64::MAX), ..Changes::default() });
    assert_eq!(store.begin().unwrap().clock, Some(i64::MAX));
}

fn numbers_go_on_after_everything_is_forgotten(store: &mut dyn Store) {
    insert(store, vec![entry(1, 0, 1, &[1]), entry(2, 0, 1, &[1])]);
    round(store, Changes { forget: vec![0], ..Changes::default() });
    let head = store.begin().unwrap();
    assert_eq!((head.next, head.buckets.len()), (3, 0));
    insert(store, vec![entry(3, 0, 1, &[1])]);
    assert_eq!(hits(store, probe(&[1])), [(3, 1)]);
}

fn scans(store: &mut dyn Store) {
    insert(store, (1..=10).map(|seq| entry(seq, seq as i64 % 4, seq as i64, &[])).collect());
    let all = store.scan(0, 100).unwrap();
    assert_eq!(all.iter().map(|s| s.seq).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    assert_eq!((all[4].bucket, all[4].time, all[4].payload.as_slice()), (1, 5, &b"document 5"[..]));
    store.begin().unwrap();
    assert_eq!(store.scan(9, 100).unwrap(), all[8..]);
    assert_eq!(store.scan(3, 2).unwrap(), all[2..4]);
    assert!(store.scan(11, 2).unwrap().is_empty());
    assert!(store.scan(u64::MAX, 2).unwrap().is_empty());
    assert!(store.scan(1, 0).unwrap().is_empty());
    store.abandon();
}

fn odd_contents(store: &mut dyn Store) {
    let bytes: Vec<u8> = (0..300_000u32).map(|n| n as u8).collect();
    let mut large = entry(1, i64::MAX, i64::MAX, &[0, u64::MAX]);
    large.payload = bytes.clone();
    let mut empty = entry(2, i64::MIN, i64::MIN, &[0]);
    empty.payload = Vec::new();
    insert(store, vec![large, empty]);
    store.begin().unwrap();
    assert_eq!(store.load(&[2, 1, 2]).unwrap(), [Some(vec![]), Some(bytes), Some(vec![])]);
    store.abandon();
    assert_eq!(hits(store, probe(&[0, u64::MAX])), [(1, 2), (2, 1)]);
    let numbers: Vec<i64> = store.begin().unwrap().buckets.iter().map(|b| b.number).collect();
    assert_eq!(numbers, [i64::MIN, i64::MAX]);
}

fn many_keys_are_counted(store: &mut dyn Store) {
    let keys = |seq: u64| (0..200).filter(move |n| n % (seq + 1) == 0).map(|n| n << 50 | 3);
    for seq in 1..=60 {
        let mut one = entry(seq, seq as i64 % 5, seq as i64, &[]);
        one.keys = keys(seq).collect();
        insert(store, vec![one]);
    }
    let every =
        Probe { from: 5, to: 50, ..probe(&(0..200).map(|n| n << 50 | 3).collect::<Vec<_>>()) };
    let wanted: Vec<(u64, u32)> = (5..=50).map(|seq| (seq, keys(seq).count() as u32)).collect();
    assert_eq!(hits(store, every), wanted);
}
