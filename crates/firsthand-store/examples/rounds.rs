//! How fast a store is by itself: rounds of documents with random keys, and single ones in between.
//!
//! `cargo run --release -p firsthand-store --example rounds -- ADDRESS [DOCUMENTS] [ROUND] [BUCKETS]`
#![allow(clippy::print_stdout)]

use firsthand::online::{Cap, Changes, Entry, Probe, StoreError};
use firsthand_store::{ManagedStore, OnOtherSettings, StoredSettings, open};
use std::time::{Duration, Instant};

/// Keys of a document, those of 256 min-hashes in bands and a few for names and exact copies.
const KEYS: usize = 25;
/// Bytes of a payload, about those of a news article.
const BYTES: usize = 3000;
/// Number of rounds after which documents are added one by one.
const EVERY: usize = 40;
const SINGLES: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("the address of a store")?;
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (documents, size, buckets) = (number(100_000)?, number(256)?, number(1)?);
    let mut store = open(&address, Some(&StoredSettings::kept("{}")), OnOtherSettings::Refuse)?;
    let mut random = Splitmix(store.begin()?.next);
    let per_bucket = documents / buckets;
    println!(
        "documents, a second, begin/find/load/commit ms of a round, p50/p99/max ms of a single"
    );
    loop {
        let mut times = [Duration::ZERO; 4];
        let started = Instant::now();
        for _ in 0..EVERY {
            round(&mut *store, &mut random, size, per_bucket, &mut times)?;
        }
        let busy = started.elapsed();
        let mut singles = Vec::new();
        for _ in 0..SINGLES {
            let started = Instant::now();
            round(&mut *store, &mut random, 1, per_bucket, &mut [Duration::ZERO; 4])?;
            singles.push(started.elapsed());
        }
        singles.sort_unstable();
        let next = store.begin()?.next;
        store.abandon();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let [begin, find, load, commit] = times.map(|time| ms(time) / EVERY as f64);
        println!(
            "{next:>8} {:>6.0} {begin:>6.2} {find:>7.2} {load:>6.2} {commit:>7.2} {:>7.2} {:>6.2} {:>6.2}",
            (EVERY as u64 * size) as f64 / busy.as_secs_f64(),
            ms(singles[SINGLES / 2]),
            ms(singles[SINGLES - 2]),
            ms(singles[SINGLES - 1]),
        );
        if next > documents {
            return Ok(());
        }
    }
}

/// A round as the detector makes them: keys are looked up, a few documents loaded, all are kept.
fn round(
    store: &mut dyn ManagedStore,
    random: &mut Splitmix,
    size: u64,
    per_bucket: u64,
    times: &mut [Duration; 4],
) -> Result<(), StoreError> {
    let mut last = Instant::now();
    let mut lap = |at: usize| {
        times[at] += last.elapsed();
        last = Instant::now();
    };
    let next = store.begin()?.next;
    lap(0);
    let keys: Vec<Vec<u64>> =
        (0..size).map(|_| (0..KEYS).map(|_| random.next()).collect()).collect();
    let probes: Vec<Probe> = keys
        .iter()
        .map(|keys| Probe {
            keys: keys.clone(),
            from: i64::MIN,
            to: i64::MAX,
            cap: Cap::halves(100),
        })
        .collect();
    store.find(&probes)?;
    lap(1);
    let some: Vec<u64> = (0..size / 4).map(|_| 1 + random.next() % next).collect();
    store.load(&some)?;
    lap(2);
    let insert = (next..).zip(keys).map(|(seq, keys)| {
        let payload = (0..BYTES / 8).flat_map(|_| random.next().to_le_bytes()).collect();
        let bucket = i64::try_from(seq / per_bucket).unwrap_or(i64::MAX);
        Entry { seq, bucket, time: i64::try_from(seq).unwrap_or(i64::MAX), keys, payload }
    });
    store.commit(Changes { insert: insert.collect(), ..Changes::default() })?;
    lap(3);
    Ok(())
}

struct Splitmix(u64);

impl Splitmix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
