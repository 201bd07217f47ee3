//! The contract of a store, case by case. A test file of each store calls `tell` with a way to make an
//! empty one, and `outlive` with a way to open one by name again and again.

pub(crate) mod cases;
pub(crate) mod durable;
pub(crate) mod law;

use firsthand::online::{Cap, Changes, Entry, Found, Probe, Seq, Store};
use std::collections::BTreeMap;

/// Tells the whole story; `open` gives a store that is empty.
pub(crate) fn tell(open: &dyn Fn() -> Box<dyn Store>) {
    for case in cases::ALL {
        case(&mut *open());
    }
    for seed in 0..8 {
        law::compare(&law::random(seed, 40), &mut || open(), false);
    }
}

/// Tells what must hold after closing and opening again; `open` opens the store of that name.
pub(crate) fn outlive(open: &dyn Fn(&str) -> Box<dyn Store>) {
    durable::tell(open);
    for seed in 100..108 {
        law::compare(&law::random(seed, 40), &mut || open(&format!("law-{seed}")), true);
    }
}

/// A document with keys; its payload says its number.
pub(crate) fn entry(seq: Seq, bucket: i64, time: i64, keys: &[u64]) -> Entry {
    let payload = format!("document {seq}").into_bytes();
    Entry { seq, bucket, time, keys: keys.to_vec(), payload }
}

/// Commits new documents in one round.
pub(crate) fn insert(store: &mut dyn Store, entries: Vec<Entry>) {
    round(store, Changes { insert: entries, ..Changes::default() });
}

/// Commits changes in one round.
pub(crate) fn round(store: &mut dyn Store, changes: Changes) {
    store.begin().unwrap();
    store.commit(changes).unwrap();
}

/// A probe for all times, without a limit.
pub(crate) fn probe(keys: &[u64]) -> Probe {
    Probe { keys: keys.to_vec(), from: i64::MIN, to: i64::MAX, cap: Cap::NONE }
}

/// The answer to one probe.
pub(crate) fn find(store: &mut dyn Store, probe: Probe) -> Found {
    store.begin().unwrap();
    let mut found = store.find(&[probe]).unwrap();
    store.abandon();
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The documents that one probe finds, each with how many of the keys it has.
pub(crate) fn hits(store: &mut dyn Store, probe: Probe) -> Vec<(Seq, u32)> {
    let mut counts = BTreeMap::new();
    for seq in find(store, probe).lists.into_iter().flat_map(|list| list.seqs) {
        *counts.entry(seq).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// The payload of a document, as text.
pub(crate) fn text(store: &mut dyn Store, seq: Seq) -> Option<String> {
    store.begin().unwrap();
    let payload = store.load(&[seq]).unwrap().remove(0);
    store.abandon();
    payload.map(|bytes| String::from_utf8(bytes).unwrap())
}
