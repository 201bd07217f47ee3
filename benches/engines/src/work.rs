//! The workload: documents, an eighth of which share ten keys with an earlier one, are stored in rounds,
//! then one by one; then documents are looked up, and half of the hours are forgotten.

use crate::engine::{Engine, Item};
use anyhow::Result;
use std::{fs, os::unix::fs::MetadataExt, path::Path, time::Instant};

pub struct Work {
    pub documents: u64,
    pub buckets: u64,
    pub round: u64,
}

impl Default for Work {
    fn default() -> Self {
        Self { documents: 200_000, buckets: 24, round: 256 }
    }
}

/// Keys of a document, and how many of them a copy shares with its original.
const KEYS: u64 = 25;
const SHARED: u64 = 10;
const PAYLOAD_BYTES: usize = 2500;
/// Documents that are stored one by one, after the rounds.
const SINGLES: u64 = 500;
const LOOK_UPS: u64 = 10_000;

impl Work {
    fn item(&self, seq: u64) -> Item {
        let of = if seq.is_multiple_of(8) && seq > 8 { mix(seq) % seq } else { seq };
        let key = |n| mix(mix(if n < SHARED { of } else { seq }) ^ n);
        let bucket = (seq * self.buckets / self.documents.max(1)) as i64;
        let mut payload = vec![0; PAYLOAD_BYTES];
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

/// Runs all of it on an engine and prints the measurements as a line of JSON.
pub fn run(
    work: &Work,
    name: &str,
    folder: &Path,
    open: impl Fn(&Path) -> Result<Box<dyn Engine>>,
) -> Result<()> {
    let _ = fs::remove_dir_all(folder);
    let mut engine = open(folder)?;
    let (before, cpu_before) = (written(), cpu_seconds());
    let (mut seq, mut hits, mut in_store) = (1, 0, 0.0);
    let mut tenths = vec![0.0; 10];
    while seq <= work.documents {
        let count = work.round.min(work.documents + 1 - seq);
        let items: Vec<Item> = (seq..seq + count).map(|seq| work.item(seq)).collect();
        let start = Instant::now();
        hits += engine.round(items)?;
        let seconds = start.elapsed().as_secs_f64();
        in_store += seconds;
        tenths[((seq - 1) * 10 / work.documents) as usize] += seconds;
        seq += count;
    }
    let cpu = (cpu_seconds() - cpu_before) * 1e6 / work.documents as f64;
    let written_per_document = (written() - before) / work.documents;
    let mut singles = Vec::new();
    for seq in work.documents + 1..=work.documents + SINGLES {
        let item = work.item(seq);
        let start = Instant::now();
        engine.round(vec![item])?;
        singles.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mut looked = Vec::new();
    for n in 0..LOOK_UPS {
        let item = work.item(mix(n) % work.documents + 1);
        let start = Instant::now();
        let (found, bytes) = engine.look_up(&item.keys)?;
        looked.push(start.elapsed().as_secs_f64() * 1e6);
        anyhow::ensure!(found > 0 && bytes > 0, "document {} was not found", item.seq);
    }
    let (resident, disk) = (memory(), size(folder));
    drop(engine);
    let start = Instant::now();
    let mut engine = open(folder)?;
    let reopened = start.elapsed().as_secs_f64();
    let forgotten = work.buckets.div_ceil(2);
    let start = Instant::now();
    for bucket in 0..forgotten {
        engine.forget(bucket as i64)?;
    }
    let forget = start.elapsed().as_secs_f64() * 1e3 / forgotten as f64;
    let (first, last) = (tenths[0], tenths[9]);
    let per_tenth = work.documents as f64 / 10.0;
    println!(
        "{{\"engine\": \"{name}\", \"documents\": {}, \"documents_per_second\": {:.0}, \
         \"first_tenth\": {:.0}, \"last_tenth\": {:.0}, \"cpu_us_per_document\": {cpu:.0}, \
         \"bytes_written_per_document\": {written_per_document}, \"single_add_ms_p50\": {:.3}, \"single_add_ms_p99\": {:.3}, \
         \"look_up_us_p50\": {:.1}, \"look_up_us_p99\": {:.1}, \"forget_hour_ms\": {forget:.2}, \
         \"memory_mb\": {resident}, \"disk_mb\": {}, \"reopen_s\": {reopened:.2}, \"hits\": {hits}}}",
        work.documents,
        work.documents as f64 / in_store,
        per_tenth / first,
        per_tenth / last,
        at(&mut singles, 0.5),
        at(&mut singles, 0.99),
        at(&mut looked, 0.5),
        at(&mut looked, 0.99),
        disk >> 20,
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

/// Processor time of all threads, the generator of the documents included.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

/// Bytes that the process caused to be written to the disk.
fn written() -> u64 {
    field("/proc/self/io", "write_bytes:")
}

/// Megabytes of anonymous memory: mapped files are not counted.
fn memory() -> u64 {
    field("/proc/self/status", "RssAnon:") >> 10
}

fn size(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        // Blocks, not lengths: files may be sparse.
        Ok(metadata) => metadata.blocks() * 512,
        Err(_) => 0,
    });
    sizes.sum()
}
