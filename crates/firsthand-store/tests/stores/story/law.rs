//! The law of all stores: whatever is done, they answer as the store in memory does.

use super::probe;
use firsthand::online::{Cap, Changes, Entry, Memory, Probe, Store};

/// One thing that is done to a store.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A round with these changes. Numbers of documents are given relative to the next one.
    Round(Changes),
    /// A round that is abandoned.
    Abandon,
    /// The store is closed and opened again, if it can be.
    Reopen,
}

const FURTHER: u64 = 1 << 20;
const STEPS: u64 = 64;

/// Steps that follow from a seed.
pub(crate) fn random(seed: u64, length: usize) -> Vec<Step> {
    let mut rng = Splitmix(seed);
    let mut next = 1;
    (0..length as u64)
        .map(|number| match rng.below(12) {
            0 => Step::Abandon,
            1 => Step::Reopen,
            _ => Step::Round(changes(&mut rng, &mut next, number)),
        })
        .collect()
}

fn changes(rng: &mut Splitmix, next: &mut u64, number: u64) -> Changes {
    let mut changes = Changes::default();
    if rng.below(3) == 0 {
        changes.clock = Some(rng.below(1000) as i64 - 500);
    }
    for _ in 0..rng.below(12) {
        let bucket = rng.below(5) as i64 - 2;
        let keys = keys(rng);
        let payload = payload(rng);
        let time = bucket * 10 + rng.below(15) as i64;
        changes.insert.push(Entry { seq: *next, bucket, time, keys, payload });
        *next += 1;
    }
    for _ in 0..rng.below(3) {
        changes.replace.push((rng.below(*next + 2), payload(rng)));
    }
    // Further keys are new to the document: each round has one of its own.
    let mut further: Vec<u64> = (0..rng.below(4)).map(|_| rng.below(*next + 2)).collect();
    further.sort_unstable();
    further.dedup();
    changes.keys.extend(further.into_iter().map(|seq| (seq, vec![FURTHER + number % STEPS])));
    for _ in 0..rng.below(3) {
        changes.values.push((format!("name {}", rng.below(4)), payload(rng)));
    }
    for _ in 0..rng.below(7) / 6 {
        changes.forget.push(rng.below(6) as i64 - 2);
    }
    changes
}

// Few keys, some of them far more common than others.
fn keys(rng: &mut Splitmix) -> Vec<u64> {
    let mut keys: Vec<u64> = (0..rng.below(6))
        .map(|_| if rng.below(3) == 0 { rng.below(3) } else { rng.below(40) << 58 | 7 })
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn payload(rng: &mut Splitmix) -> Vec<u8> {
    (0..rng.below(40)).map(|_| rng.next() as u8).collect()
}

/// Does the same to a store and to one in memory, and compares all they say after each step. Returns
/// the one in memory.
pub(crate) fn compare(
    steps: &[Step],
    open: &mut dyn FnMut() -> Box<dyn Store>,
    lasting: bool,
) -> Memory {
    let mut memory = Memory::new();
    let mut store = open();
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Round(changes) => {
                for one in [&mut memory as &mut dyn Store, &mut *store] {
                    one.begin().unwrap();
                    one.commit(changes.clone()).unwrap();
                }
            }
            Step::Abandon => {
                store.begin().unwrap();
                store.abandon();
            }
            Step::Reopen if lasting => {
                drop(store);
                store = open();
            }
            Step::Reopen => {}
        }
        same(&mut memory, &mut *store, number);
    }
    memory
}

/// Compares everything that two stores say.
pub(crate) fn same(memory: &mut dyn Store, store: &mut dyn Store, step: usize) {
    let head = memory.begin().unwrap();
    assert_eq!(store.begin().unwrap(), head, "step {step}");
    let probes = probes();
    let (ours, theirs) = (memory.find(&probes).unwrap(), store.find(&probes).unwrap());
    for (probe, (ours, theirs)) in probes.iter().zip(ours.iter().zip(&theirs)) {
        assert_eq!(theirs, ours, "step {step}, {probe:?}");
    }
    assert_eq!(theirs.len(), probes.len());
    let all: Vec<u64> = (0..head.next + 2).rev().collect();
    assert_eq!(store.load(&all).unwrap(), memory.load(&all).unwrap(), "step {step}");
    for name in (0..4).map(|n| format!("name {n}")) {
        assert_eq!(store.value(&name).unwrap(), memory.value(&name).unwrap(), "step {step}");
    }
    for (from, most) in [(0, usize::MAX), (head.next / 2, 3)] {
        assert_eq!(store.scan(from, most).unwrap(), memory.scan(from, most).unwrap());
    }
    memory.abandon();
    store.abandon();
}

fn probes() -> Vec<Probe> {
    let mut every: Vec<u64> = (0..3).chain((0..40).map(|n| n << 58 | 7)).collect();
    every.extend((0..STEPS).map(|n| FURTHER + n));
    let mut probes = vec![probe(&every), Probe { cap: Cap::halves(2), ..probe(&every) }];
    let few = Cap { most: 6, first: 2, last: 0 };
    let late = Cap { most: 5, first: 1, last: 3 };
    for cap in [Cap::NONE, Cap::halves(1), Cap::halves(3), Cap::halves(10), few, late] {
        for (from, to) in [(i64::MIN, i64::MAX), (-12, 3), (0, 0), (4, 90)] {
            probes.push(Probe { keys: vec![0, 1, 2], from, to, cap });
            probes.push(Probe { keys: every.clone(), from, to, cap });
        }
    }
    probes
}

/// A small generator of random numbers, the same on every machine.
pub(crate) struct Splitmix(pub(crate) u64);

impl Splitmix {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
}
