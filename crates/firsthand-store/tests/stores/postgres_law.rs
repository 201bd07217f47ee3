//! Whatever is done to it, a store in PostgreSQL answers as the store in memory does.

use super::server;
use firsthand::{
    Settings,
    online::{Cap, Changes, Entry, Memory, Probe, Store},
};
use firsthand_store::{ManagedStore, OnOtherSettings, Postgres, StoredSettings};
use proptest::{collection::vec, prelude::*};

/// What one round does: the numbers are cut down to what there is.
#[derive(Clone, Debug)]
struct Round {
    clock: Option<i64>,
    insert: Vec<(i64, i64, Vec<u64>, Vec<u8>)>,
    replace: Vec<(u64, Vec<u8>)>,
    keys: Vec<(u64, Vec<u64>)>,
    values: Vec<(String, Vec<u8>)>,
    forget: Vec<i64>,
    probes: Vec<Probe>,
    is_abandoned: bool,
}

fn key() -> impl Strategy<Value = u64> {
    prop_oneof![5 => 0..6u64, 1 => u64::MAX - 3..=u64::MAX, 1 => 1u64 << 63..(1 << 63) + 2]
}

fn keys() -> impl Strategy<Value = Vec<u64>> {
    proptest::collection::btree_set(key(), 0..6).prop_map(|keys| keys.into_iter().collect())
}

fn bucket() -> impl Strategy<Value = i64> {
    prop_oneof![20 => -2..30i64, 1 => Just(i64::MIN), 1 => Just(i64::MAX)]
}

fn time() -> impl Strategy<Value = i64> {
    prop_oneof![20 => -5..40i64, 1 => Just(i64::MIN), 1 => Just(i64::MAX)]
}

fn payload() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => vec(any::<u8>(), 0..20), 1 => vec(any::<u8>(), 3000..9000)]
}

fn probe() -> impl Strategy<Value = Probe> {
    let cap = prop_oneof![
        1 => Just(Cap::NONE),
        4 => (0..6usize, 0..4usize, 0..4usize).prop_map(|(most, first, last)| Cap { most, first, last }),
    ];
    (keys(), time(), time(), cap).prop_map(|(keys, from, to, cap)| Probe { keys, from, to, cap })
}

fn round() -> impl Strategy<Value = Round> {
    let changes = (
        proptest::option::of(time()),
        vec((bucket(), time(), keys(), payload()), 0..12),
        vec((0..60u64, payload()), 0..4),
        vec((0..60u64, keys()), 0..4),
        vec(("[ab\u{e9}]{0,2}", payload()), 0..3),
        prop_oneof![3 => Just(Vec::new()), 1 => vec(bucket(), 0..8)],
    );
    (changes, vec(probe(), 0..6), proptest::bool::weighted(0.1)).prop_map(
        |((clock, insert, replace, keys, values, forget), probes, is_abandoned)| Round {
            clock,
            insert,
            replace,
            keys,
            values,
            forget,
            probes,
            is_abandoned,
        },
    )
}

fn entries(insert: &[(i64, i64, Vec<u64>, Vec<u8>)], next: u64) -> Vec<Entry> {
    let entry = |(seq, (bucket, time, keys, payload)): (u64, &(_, _, Vec<u64>, Vec<u8>))| Entry {
        seq,
        bucket: *bucket,
        time: *time,
        keys: keys.clone(),
        payload: payload.clone(),
    };
    (next..).zip(insert).map(entry).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn answers_as_memory_does(rounds in vec(round(), 1..25)) {
        let address = server::fresh();
        let settings = StoredSettings::new(&Settings::default()).unwrap();
        let open = || Postgres::open(&address, Some(&settings), OnOtherSettings::Refuse).unwrap();
        let mut memory = Memory::new();
        // Rounds alternate between two connections, each of which must see what the other did.
        let mut stores = [open(), open()];
        for (at, round) in rounds.iter().enumerate() {
            let store = &mut stores[at % 2];
            let head = memory.begin().unwrap();
            prop_assert_eq!(&store.begin().unwrap(), &head);
            prop_assert_eq!(store.find(&round.probes).unwrap(), memory.find(&round.probes).unwrap());
            let seqs: Vec<u64> = (0..head.next + 2).chain([u64::MAX]).collect();
            prop_assert_eq!(store.load(&seqs).unwrap(), memory.load(&seqs).unwrap());
            for name in ["", "a", "b", "\u{e9}", "ab", "zz"] {
                prop_assert_eq!(store.value(name).unwrap(), memory.value(name).unwrap());
            }
            prop_assert_eq!(store.scan(0, usize::MAX).unwrap(), memory.scan(0, usize::MAX).unwrap());
            if round.is_abandoned {
                store.abandon();
                memory.abandon();
                continue;
            }
            let changes = Changes {
                clock: round.clock,
                insert: entries(&round.insert, head.next),
                replace: round.replace.clone(),
                keys: round.keys.clone(),
                values: round.values.clone(),
                forget: round.forget.clone(),
            };
            store.commit(changes.clone()).unwrap();
            memory.commit(changes).unwrap();
            prop_assert_eq!(store.scan(3, 5).unwrap(), memory.scan(3, 5).unwrap());
        }
        let verified = stores[0].verify().unwrap();
        prop_assert_eq!(&verified.problems, &Vec::<String>::new());
        stores[1].compact().unwrap();
        prop_assert_eq!(stores[0].begin().unwrap(), memory.begin().unwrap());
        prop_assert_eq!(stores[0].scan(0, 999).unwrap(), memory.scan(0, 999).unwrap());
        stores[0].abandon();
        prop_assert_eq!(stores[0].verify().unwrap(), verified);
        let schema = address.rsplit('=').next().unwrap();
        let drop = format!("DROP SCHEMA {schema} CASCADE");
        server::client(&address).batch_execute(&drop).unwrap();
    }
}
