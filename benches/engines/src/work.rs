//! The work: documents of which one in eight shares some keys with an earlier one, in rounds, then one
//! by one, then looked up, then forgotten by the hour.

use crate::engine::{Engine, Item};
use anyhow::Result;
use std::{fs, path::Path, time::Instant};

pub struct Work {
    pub documents: u64,
    pub buckets: u64,
    pub round: u64,
}

impl Default for Work {
    fn default() -> Self {
        Self { documents: 1_000_000, buckets: 24, round: 256 }
    }
}

const KEYS: u64 = 25;
const PAYLOAD: usize = 2500;
const SINGLES: u64 = 2000;

impl Work {
    fn item(&self, seq: u64) -> Item {
        let of = if seq.is_multiple_of(8) && seq > 8 { mix(seq) % seq } else { seq };
        let key = |n| mix(mix(if n < 10 { of } else { seq }) ^ n);
        let bucket = (seq * self.buckets / self.documents.max(1)) as i64;
        let mut payload = vec![0; PAYLOAD];
        for (n, chunk) in payload.chunks_mut(8).enumerate() {
            let bytes = mix(seq ^ (n as u64) << 40).to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
        let keys = (0..KEYS).map(key).collect();
        Item { seq, bucket, time: seq as i64, keys, payload }
    }
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Does all of it and prints a row.
pub fn run(
    work: &Work,
    name: &str,
    folder: &Path,
    open: fn(&Path) -> Result<Box<dyn Engine>>,
) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    let mut engine = open(folder)?;
    let before = written();
    let begin = Instant::now();
    let mut seq = 1;
    let mut rounds: Vec<f64> = Vec::new();
    let mut hits = 0;
    let mut next_report = work.documents / 10;
    while seq <= work.documents {
        let count = work.round.min(work.documents + 1 - seq);
        let items: Vec<Item> = (seq..seq + count).map(|seq| work.item(seq)).collect();
        let start = Instant::now();
        hits += engine.round(items)?;
        rounds.push(start.elapsed().as_secs_f64() / count as f64);
        seq += count;
        if seq > next_report {
            let part = &rounds[rounds.len()
                - (rounds.len() / (seq / (work.documents / 10)).max(1) as usize).max(1)..];
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            eprintln!(
                "{name}: {} documents, {:.1} µs each in the last part, {} MB resident",
                seq - 1,
                mean * 1e6,
                memory()
            );
            next_report += work.documents / 10;
        }
    }
    let store: f64 = rounds.iter().map(|t| t * work.round as f64).sum();
    let all = begin.elapsed().as_secs_f64();
    let per_document = (written() - before) / work.documents;
    let mut singles = Vec::new();
    for seq in work.documents + 1..=work.documents + SINGLES {
        let item = work.item(seq);
        let start = Instant::now();
        engine.round(vec![item])?;
        singles.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut looked = Vec::new();
    for n in 0..10_000 {
        let item = work.item(mix(n) % work.documents + 1);
        let start = Instant::now();
        let (found, bytes) = engine.look_up(&item.keys)?;
        looked.push(start.elapsed().as_secs_f64() * 1e6);
        anyhow::ensure!(found > 0 && bytes > 0, "document {} was not found", item.seq);
    }
    let resident = memory();
    let disk = size(folder);
    drop(engine);
    let start = Instant::now();
    let mut engine = open(folder)?;
    let reopened = start.elapsed().as_secs_f64();
    let start = Instant::now();
    for bucket in 0..work.buckets.div_ceil(2) {
        engine.forget(bucket as i64)?;
    }
    let expiry = start.elapsed().as_secs_f64() * 1e3 / work.buckets.div_ceil(2) as f64;
    println!(
        "{name}: {} documents, {} buckets: {:.0} docs/s (store alone {:.0}), singles p50 {:.2} ms p99 {:.2} ms, look-up p50 {:.0} µs p99 {:.0} µs, written {} B/doc, on disk {} MB, resident {} MB, reopen {:.2} s, an hour forgotten in {:.1} ms, hits {hits}",
        work.documents,
        work.buckets,
        work.documents as f64 / all,
        work.documents as f64 / store,
        at(&mut singles, 0.5),
        at(&mut singles, 0.99),
        at(&mut looked, 0.5),
        at(&mut looked, 0.99),
        per_document,
        disk >> 20,
        resident,
        reopened,
        expiry,
    );
    Ok(())
}

fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

fn field(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// Bytes that the process handed to the disk.
fn written() -> u64 {
    field("/proc/self/io", "write_bytes:")
}

/// Megabytes of memory of its own: what is mapped from files is not counted.
fn memory() -> u64 {
    field("/proc/self/status", "RssAnon:") >> 10
}

fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
